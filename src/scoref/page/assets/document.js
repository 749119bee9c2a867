// -- the view of a document -----------------------------------------------------------------------------------------

const MODES = [["", "stacked"], ["side", "side by side"], ["differences", "differences"], ["all", "all systems"],
  ["against", "A against B"]];

/** The document that is shown: {model, route, text, panel, tools, blocks, pinned, error, tangle, against}. */
let reading = null;

/** Shows a document, and what of it the address asks for; done when that is on the screen and stays there. */
async function showDocument(route, main, chunk) {
  await loadNotes();
  if (route !== currentRoute()) return;
  const known = reading && reading.main === main && reading.text.isConnected && reading.model.chunk === chunk && isSameDrawing(reading.route, route);
  const place = !known && reading && reading.route.document === route.document ? placeNow() : null;
  if (!known) drawDocument(route, main, chunk);
  reading.route = route;
  reading.errors = reading.model.order.filter((error) => (!route.asked.kind || error.kind === route.asked.kind) &&
    isAskedError(error));
  await applyTarget(route, !known, place);
}

function isSameDrawing(before, after) {
  return before.document === after.document && before.system === after.system &&
    ["mode", "against", "status"].every((name) => before.asked[name] === after.asked[name]);
}

/** Forgets the document that was shown: nothing of it is drawn any more. */
function leaveDocument() {
  reading?.near?.disconnect();
  reading?.packs?.disconnect();
  reading?.sizes?.disconnect();
  reading = null;
}

function drawDocument(route, main, chunk) {
  leaveDocument();
  const model = prepare(chunk, route.system);
  const text = h("section", { class: route.asked.mode === "against" ? "text against" : "text", "aria-label": "Text", dir: chunk.rtl ? "rtl" : "ltr" });
  const panel = h("aside", { class: "panel", "aria-label": "Entity" });
  const against = route.asked.mode === "against" && overview.systems.length > 1 ? rival(route) : null;
  const tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Reading" });
  reading = { main, model, route, text, panel, tools, blocks: [], pinned: null, error: null, tangle: null, against };
  if (against !== null) compareErrors(model, against);
  const { activeElement } = document;
  reading.held = main.contains(activeElement) && activeElement !== main ? focusName(activeElement) : null;
  const answer = answerBox(model);
  reading.answer = answer;
  replace(main, documentHead(route, model), tools,
    h("div", { class: answer ? "reading answered" : "reading" }, text, answer, panel));
  if (chunk.kind === "none" || !chunk.units.length) drawChips(model, text);
  else drawBlocks(model, text, route.asked.mode || "");
  listen(text);
  if (answer) listen(answer);
  reading.sizes = new ResizeObserver(() => drawArcs());
  reading.sizes.observe(text);
  emptyPanel();
}

function documentHead(route, model) {
  const [name, words, mentions] = overview.documents[route.document];
  const [f1, theirs] = overview.systems[route.system].documents[route.document];
  const facts = model.chunk.edited ? changedFacts(route) : [
    words ? plural(words, "word") : null,
    named(`${plural(mentions, "mention")} in the key, ${count(theirs)} in the response`),
    f1 === null ? null : `${metricName(overview.metric)} ${percent(f1)}`,
    h("a", { href: addressTo("errors", { document: String(route.document + 1) }, route.system) },
      plural(model.errors.length, named("error"))),
  ].filter(Boolean);
  const step = (by) => {
    const number = route.document + by;
    const there = number >= 0 && number < overview.documents.length;
    const label = by < 0 ? "Previous document (k)" : "Next document (j)";
    return there
      ? h("a", { class: "step", href: documentAddress(number), "aria-label": label, title: label }, by < 0 ? "‹" : "›")
      : h("span", { class: "step off", "aria-hidden": "true" }, by < 0 ? "‹" : "›");
  };
  return h("div", { class: "head" },
    h("div", { class: "title" },
      h("h1", { dir: "auto" }, name || `document ${route.document + 1}`),
      h("p", { class: "facts" }, facts.map((fact, number) => [number ? " · " : "", fact]))),
    h("nav", { class: "steps", "aria-label": "Documents" }, step(-1),
      h("span", { class: "where" }, `${count(route.document + 1)} / ${count(overview.documents.length)}`), step(1)));
}

function documentAddress(number) {
  const { system, asked } = reading ? reading.route : route;
  return addressIn(number, {}, system, asked);
}

// -- tools: mode, kind of error, next error -------------------------------------------------------------------------

function drawTools() {
  const { route, model, errors } = reading;
  const modes = modesOf(model);
  const { mode = "", kind = "" } = route.asked;
  const there = model.order.filter(isAskedError);
  const numbers = new Map();
  for (const error of there) numbers.set(error.kind, (numbers.get(error.kind) || 0) + 1);
  const kinds = overview.kinds.filter((each) => numbers.get(each) || each === kind);
  const select = h("select", { id: "kind", on: { change: (event) => move({}, { kind: event.target.value }) } },
    h("option", { value: "" }, named(`all errors (${count(there.length)})`)),
    kinds.map((each) => h("option", { value: each, selected: each === kind },
      `${markFor(each)} ${kindName(each)} (${count(numbers.get(each) || 0)})`)));
  const at = reading.error ? errors.indexOf(reading.error) + 1 : 0;
  const stepper = (by, label) => button(by < 0 ? "‹" : "›", () => stepError(by),
    { class: "step", "aria-label": label, title: label, disabled: !errors.length });
  replace(reading.tools,
    modes.length > 1 ? h("div", { class: "segments", role: "group", "aria-label": "How the text is shown" },
      modes.map(([each, label]) => button(label, () => move(targetNow(), { mode: each }),
        { "aria-pressed": String(each === mode) }))) : null,
    reading.against === null ? null : rivalTools(),
    model.chunk.edited ? null : h("div", { class: "errors" },
      h("label", { for: "kind", class: "unseen" }, "Kind of error"), select,
      stepper(-1, "Previous error (p)"),
      h("span", { class: "where" }, errors.length ? `${at || "–"} / ${count(errors.length)}` : "none"),
      stepper(1, "Next error (n)")),
    model.chunk.units.length && model.key.mentions.length ? button("Timeline", toggleTimeline, { class: "step toggle",
      "aria-pressed": String(Boolean(route.asked.timeline)), title: "Timeline (t)" }) : null,
    benchToggle(),
    legend(),
    route.asked.timeline && model.chunk.units.length && model.key.mentions.length ? timeline() : null);
  reading.main.style.setProperty("--tools", `${reading.tools.offsetHeight + 65}px`);
  markHere();
  const same = reading.held && [...reading.tools.querySelectorAll(reading.held.tag)].find((each) => reading.held.same(each));
  if (same) same.focus({ preventScroll: true });
  reading.held = null;
}

function modesOf(model) {
  if (!model.chunk.units.length) return MODES.slice(0, 1);
  return areCompared() ? MODES : MODES.slice(0, 3);
}

function legend() {
  return h("details", { class: "legend" },
    h("summary", null, "Legend"),
    h("div", { class: "sheet" }, legendLines()));
}

function legendLines() {
  const sample = (classes, label) => h("span", { class: `bar above sample ${classes} starts ends`, style: { "--hue": 250 } },
    h("span", { class: "label" }, label));
  return [
    h("p", null, named("Mentions of the key are above the words, those of the response below. An entity of the key has "
      + "a number; its partner, the response entity that shares most mentions with it, has the same number and colour.")),
    h("ul", { class: "samples" },
      h("li", null, sample("coloured", "3"), "right: both sides have it, in entities that are partners"),
      h("li", null, sample("coloured wrong", "3"), "both sides have it, but in entities that are no partners"),
      h("li", null, sample("coloured wrong unmatched", "3"), "the other side does not have it"),
      h("li", null, sample("grey wrong", "a"), "of an entity without a partner"),
      overview.kinds.map((kind) => h("li", null, kindMark(kind),
        h("span", null, h("b", null, kindName(kind)), `: ${named(meaning(kind))}`)))),
  ];
}

/** Goes to something else in the document, or shows it in another way, without a step in the history. */
function move(target, asked = {}) {
  const { view, document: number, system, asked: before } = reading.route;
  const next = { view, document: number, system, ...target, asked: { ...before, ...asked } };
  history.replaceState(null, "", writeAddress(next));
  return navigate();
}

/** What is looked at, as an address names it. */
function targetNow() {
  const { error, tangle, side, entity, which, mention } = reading.route;
  if (error !== undefined) return { error };
  if (tangle !== undefined) return { tangle };
  if (mention !== undefined) return { side, mention };
  return side ? { side, entity, which } : {};
}

function stepError(by) {
  const { errors } = reading;
  if (!errors.length) return;
  const at = reading.error ? errors.indexOf(reading.error) : nearestError(by);
  const next = errors[(at + by + errors.length) % errors.length];
  move({ error: numberOf(next) });
}

/** The error from which the first step goes: that before (or behind) what is on the screen. */
function nearestError(by) {
  const { errors, model } = reading;
  const place = placeNow();
  const from = place && place.at > 0 ? model.starts[place.at] : 0;
  const found = errors.findIndex((error) => placeOf(error.mentions[0]) >= from);
  if (by > 0) return (found < 0 ? errors.length : found) - 1;
  return from ? Math.max(found, 0) : errors.length;
}

/** Goes to the next or the previous mention of the entity that is looked at, on its side. */
function stepMention(by) {
  if (!reading.pinned) return;
  const { mentions } = reading.pinned.entity;
  const next = mentions[(mentions.indexOf(reading.pinned) + by + mentions.length) % mentions.length];
  pin(next);
}

function stepDocument(by) {
  const number = reading.route.document + by;
  if (number >= 0 && number < overview.documents.length) location.hash = documentAddress(number);
}

function cycleMode() {
  const modes = modesOf(reading.model).map(([mode]) => mode);
  const at = modes.indexOf(reading.route.asked.mode || "");
  move(targetNow(), { mode: modes[(at + 1) % modes.length] });
}
