// -- the answer of a language model: as it came, with what was taken from it marked -----------------------------------

let answerIsOpen = true;
const DEEPEST = 20; // marks in marks; deeper ones are not shown

/** The answer that a system gave to a document, beside the text; null if there is none. */
function answerBox(model) {
  const { answer } = model.chunk.systems[model.system];
  if (!answer) return null;
  const spots = answer.spots || [];
  return h("section", { class: "answer", "aria-label": "Answer" },
    h("details", { open: answerIsOpen, on: { toggle: (event) => { answerIsOpen = event.target.open; } } },
      h("summary", null, "Answer, as it came"),
      h("ul", { class: "note" }, answer.said.map((each) => h("li", null, h("bdi", null, each))),
        h("li", null, `${plural(spots.length, "mention")} taken from it`)),
      h("pre", { dir: "auto", tabindex: 0, role: "group", "aria-label": "The answer" }, markedAnswer(model, answer.text, spots))));
}

/** The text with an element around each mention; only ever text, whatever it looks like. */
function markedAnswer(model, text, spots) {
  const letters = Array.from(text); // places count code points
  const between = (from, to) => letters.slice(from, to).join("");
  const order = [...spots].sort((a, b) => a[1] - b[1] || b[2] - a[2]);
  const root = { children: [], end: letters.length };
  const open = [root];
  let place = 0;
  const closeUntil = (from) => {
    while (open.length > 1 && open[open.length - 1].end <= from) {
      const { element, end, children } = open.pop();
      children.push(between(place, end));
      place = end;
      add(element, children);
    }
  };
  for (const [index, from, to] of order) {
    closeUntil(from);
    const around = open[open.length - 1];
    if (open.length > DEEPEST || to > around.end || to <= from || from < place) continue;
    around.children.push(between(place, from));
    place = from;
    const element = takenFrom(model, model.response.mentions[index]);
    around.children.push(element);
    open.push({ element, end: to, children: [] });
  }
  closeUntil(letters.length);
  root.children.push(between(place, letters.length));
  return root.children;
}

/** The element around a mention in the answer. */
function takenFrom(model, mention) {
  if (!mention) return h("span", { class: "taken away", title: "read, but left out by the protocol" });
  const { entity } = mention;
  const lost = !mention.pieces.length;
  return h("span", { class: `taken ${isPartnered(entity) ? "coloured" : "grey"} ${lost ? "lost" : ""}`,
    "data-m": mentionCode(mention), "data-e": entity.code, style: entity.hue === null ? {} : { "--hue": entity.hue },
    title: lost ? `${entity.label}: no place in the text` : said(mention) });
}

/** Lights what is looked at in the answer, too. */
function lightAnswer() {
  const { answer, lit } = reading;
  if (!answer) return;
  const lightened = new Set(lit ? lit.entities.map((entity) => entity.code) : []);
  for (const each of answer.querySelectorAll(".taken")) {
    each.classList.toggle("on", lightened.has(each.dataset.e));
    each.classList.toggle("here", Boolean(reading.pinned) && each.dataset.m === mentionCode(reading.pinned));
  }
}
