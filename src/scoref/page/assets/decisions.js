// -- what nobody agrees on, and decisions that make a key of it -----------------------------------------------------

const SHOWN_PLACES = 40;

/** Decisions by what they are about; those about other files are kept, too. */
const decisions = { made: new Map(), loaded: false };

const placeCode = (name, mention, what) => JSON.stringify([name, mention, what]);
const codeOf = (place) => placeCode(overview.documents[place.document][0], place.mention, place.what);

function loadDecisions() {
  if (decisions.loaded) return;
  decisions.loaded = true;
  try {
    takeDecisions(remembered(`decisions-${reportCode()}`) || '{"decisions": []}');
  } catch {
    // what the browser has is no list of decisions: nothing was decided
  }
}

/** Takes decisions from JSON, as `scoref curate --decisions` reads them; gives how many there are. */
function takeDecisions(json) {
  const rows = JSON.parse(json).decisions;
  if (!Array.isArray(rows)) throw new Error("it has no decisions");
  for (const row of rows) {
    if (!row || typeof row.document !== "string" || typeof row.mention !== "string") throw new Error("a decision names no mention");
    decisions.made.set(placeCode(row.document, row.mention, "keep" in row ? "mention" : "entity"), row);
  }
  return rows.length;
}

const writtenDecisions = () => JSON.stringify({ annotators: overview.neutral.annotators, decisions: [...decisions.made.values()] }, null, 1);
const keepDecisions = () => remember(`decisions-${reportCode()}`, writtenDecisions());

/** The option that was decided at a place, by number; -1 if nothing was. */
function decidedAt(place) {
  const row = decisions.made.get(codeOf(place));
  if (!row) return -1;
  return place.options.findIndex(({ decision }) => decision.keep === row.keep && decision.with === row.with);
}

function decide(place, at) {
  const row = { document: overview.documents[place.document][0], mention: place.mention, ...place.options[at].decision };
  decisions.made.set(codeOf(place), row);
  return keepDecisions();
}

function optionWords({ decision, words }, place) {
  const { keep } = decision;
  const other = decision.with ? `in the entity of ‘${shortened(words, 40)}’` : keep === undefined ? "apart" : "alone";
  if (keep === undefined) return other;
  if (!keep) return "no mention";
  return "with" in decision ? `a mention, ${other}` : place.what === "mention" ? "a mention" : other;
}

const PLACE_FILTERS = { open: "open", majority: "by majority", decided: "decided", all: "all" };

/** The places on which not all agree: each in its sentence, with what annotators have. */
async function showDecisions(route, main) {
  const every = await part("places");
  if (route !== currentRoute()) return;
  loadDecisions();
  const list = h("ol", { class: "places" });
  const status = h("p", { class: "note", role: "status" });
  const state = h("span", { class: "warning" });
  const filters = h("div", { class: "segments", role: "group", "aria-label": "Which places" });
  const more = button("Show more", () => draw(SHOWN_PLACES), { class: "more-button" });
  let [some, shown] = [[], 0];
  const draw = (number) => {
    list.append(...some.slice(shown, shown + number).map((place) => placeItem(place, count_)));
    shown = Math.min(some.length, shown + number);
    more.hidden = shown >= some.length;
  };
  const isShown = (place, filter) => filter === "all" || (filter === "decided" ? decidedAt(place) >= 0 : place.status === filter);
  const count_ = () => {
    const opened = every.filter((place) => place.status === "open");
    const waiting = opened.filter((place) => decidedAt(place) < 0).length;
    status.textContent = !opened.length ? "No place is open" : `${count(opened.length - waiting)} of ${plural(opened.length, "open place")} decided${
      waiting ? "" : ": the key is complete"}`;
    const { what = every.some((place) => place.status === "open") ? "open" : "all" } = currentRoute().asked;
    replace(filters, Object.entries(PLACE_FILTERS).map(([name, label]) => button([label, h("b", null,
      count(every.filter((place) => isShown(place, name)).length))], () => { ask({ what: name }); again(); },
    { "aria-pressed": String(name === what) })));
    return what;
  };
  const again = () => {
    const what = count_();
    some = every.filter((place) => isShown(place, what));
    shown = 0;
    list.replaceChildren();
    draw(SHOWN_PLACES);
  };
  const file = h("input", { type: "file", accept: ".json,application/json", hidden: true, on: { change: async () => {
    try {
      announce(`${plural(takeDecisions(await file.files[0].text()), "decision")} read`);
      keepDecisions();
      again();
    } catch (error) {
      state.textContent = `This is no file of decisions: ${error.message}`;
      announce(state.textContent);
    }
  } } });
  replace(main, viewHead("Decisions", "Places on which not all annotators agree. What is decided here stays in this browser; as a file it "
    + "makes the key: ", h("code", null, "scoref curate … -o key.jsonl --decisions decisions.json")),
  h("div", { class: "filter ends-apart" }, filters, status, state, file,
    h("span", { class: "filter" }, button("Import", () => file.click(), { class: "step", "aria-label": "Import decisions" }),
      button("Export decisions", () => download("decisions.json", writtenDecisions(), "application/json"), { class: "step primary" }))),
  list, more);
  again();
}

/** A place in its sentence, with a choice for everything that an annotator has. */
function placeItem(place, counted) {
  const name = codeOf(place);
  const decided = decidedAt(place);
  const choices = place.options.map((option, at) => h("label", { class: "option" },
    h("input", { type: "radio", name, checked: decided === at, on: { change: () => { decide(place, at); counted(); mark(); } } }),
    h("bdi", null, optionWords(option, place)),
    h("span", { class: "note" }, option.by.join(", ") || "nobody", at === place.chosen && place.status !== "open" ? " · majority" : ""),
    h("kbd", { "aria-hidden": "true" }, at + 1)));
  const box = h("fieldset", { class: "choices" }, h("legend", { class: "unseen" }, `${place.what} ${isolated(place.words)}`), choices);
  const item = h("li", { class: "card place", on: { keydown: (event) => {
    const at = Number(event.key) - 1;
    if (event.ctrlKey || event.metaKey || event.altKey || !(at >= 0 && at < choices.length)) return;
    choices[at].firstChild.click();
    item.nextElementSibling?.querySelector("input:checked, input")?.focus();
  } } },
  h("div", { class: "line-up" }, h("span", null, h("b", null, place.what), " ", h("span", { class: `status is-${place.status}` }, place.status)),
    h("a", { href: addressIn(place.document, place.pieces.length ? { word: place.pieces[0] } : {}) }, h("bdi", null, documentName(place.document)))),
  sentenceAround(place), box);
  const mark = () => item.classList.toggle("is-decided", decidedAt(place) >= 0);
  mark();
  return item;
}

/** The words of a place between those around it. */
function sentenceAround({ document: number, pieces, words }) {
  const box = h("p", { class: "hit" }, h("mark", null, h("bdi", null, words)));
  if (pieces.length) {
    openDocument(number).then((chunk) => {
      const glued = new Set(chunk.glued || []);
      const [from, to] = [pieces[0], pieces[pieces.length - 1]];
      if (chunk.rtl) box.dir = "rtl";
      if (from) box.prepend(`${unitsOf(chunk, glued, Math.max(0, from - 16), from - 1)} `);
      if (to + 1 < chunk.units.length) box.append(` ${unitsOf(chunk, glued, to + 1, Math.min(chunk.units.length - 1, to + 16))}`);
    });
  }
  return box;
}
