// -- a timeline: a row for each entity of the key, its mentions in the colours of the response ----------------------

const ROWS = 8; // entities that are shown before all are asked for
const WIDE_LINE = innerWidth > 620 ? 1000 : 300; // units of a row's picture
const NEAR = 7; // pixels around a tick that are its own

/** The timeline of a document: also a way to move through a long text. Made once for each drawing of the text. */
function timeline() {
  if (reading.timeline) return reading.timeline;
  const { model } = reading;
  const entities = model.key.entities.filter((entity) => !entity.further && entity.mentions[0].pieces.length)
    .sort((a, b) => b.mentions.length - a.mentions.length);
  const only = model.response.mentions.filter((mention) => !mention.twin && !mention.further && mention.pieces.length)
    .sort((a, b) => placeOf(a) - placeOf(b));
  const rows = h("div", { class: "line-rows" });
  const show = (from, to) => rows.append(...entities.slice(from, to).map(lineOf));
  show(0, ROWS);
  const more = entities.length > ROWS ? button(`${count(entities.length - ROWS)} more`, () => {
    more.remove();
    show(ROWS, Math.min(entities.length, 300));
    rows.children[ROWS].querySelector("button").focus();
  }, { class: "more" }) : null;
  const extra = only.length ? rowOf(h("span", { class: "quiet" }, `only in ${sideName(model.response.code)}`), only,
    (mention) => mention, `${plural(only.length, "mention")} that ${named("the key")} does not have`) : null;
  reading.here = h("div", { class: "here-band", "aria-hidden": "true" });
  reading.timeline = h("section", { class: "timeline", "aria-label": "Timeline" }, rows, extra, more, reading.here);
  markHere();
  return reading.timeline;
}

/** The row of an entity of the key. */
function lineOf(entity) {
  const parts = new Map();
  for (const mention of entity.mentions) {
    const twin = twinOf(mention);
    const name = twin ? `in ${shortName(twin.entity)}` : "not found";
    parts.set(name, (parts.get(name) || 0) + 1);
  }
  const said = [...parts].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([name, number]) => `${count(number)} ${name}`).join(", ");
  const name = button([h("span", { class: `dot ${isPartnered(entity) ? "coloured" : "grey"}`,
    style: entity.hue === null ? {} : { "--hue": entity.hue } }), h("bdi", null, shortName(entity))],
  () => pin(entity.mentions[0]), { title: quotedName(entity) });
  return rowOf(name, entity.mentions, twinOf, `${shortName(entity)}: ${plural(entity.mentions.length, "mention")}: ${said}`);
}

/** A row: ticks in the colour of the entity that `other` gives for each mention; hollow where it gives none. */
function rowOf(name, mentions, other, label) {
  const { length } = reading.model.chunk.units;
  const ticks = new Map(); // those that would lie on each other are one, and what is wrong is seen first
  for (const mention of mentions) {
    const place = Math.round((WIDE_LINE * mention.pieces[0]) / length);
    const wrong = stateIn(mention, reading.model.system).includes("wrong");
    if (!ticks.has(place) || wrong) ticks.set(place, other(mention) || null);
  }
  const picture = h("svg", { class: "line-picture", viewBox: `0 0 ${WIDE_LINE} 12`, preserveAspectRatio: "none", role: "img",
    "aria-label": label, on: { click: (event) => goFrom(event, mentions) } },
  h("rect", { class: "track", x: 0, y: 5.5, width: WIDE_LINE, height: 1 }),
  [...ticks].map(([place, twin]) => tick(place, twin)));
  return h("div", { class: "line-row" }, h("div", { class: "line-name" }, name), picture);
}

function tick(x, twin) {
  const hue = twin && isPartneredIn(twin.entity, reading.model.system) ? twin.entity.hue : null;
  return h("rect", { class: `tick ${twin ? (hue === null ? "grey" : "coloured") : "missing"}`, x: Math.max(0, x - 1.5), y: 1, width: 4,
    height: 10, style: hue === null ? {} : { "--hue": hue } });
}

/** A click on a row goes to the mention there, or to the word there. */
function goFrom(event, mentions) {
  const box = event.currentTarget.getBoundingClientRect();
  const { length } = reading.model.chunk.units;
  const at = (event.clientX - box.left) / box.width;
  const away = (mention) => Math.abs(mention.pieces[0] / length - at) * box.width;
  const nearest = mentions.reduce((a, b) => (away(b) < away(a) ? b : a));
  if (away(nearest) <= NEAR) pin(nearest);
  else move({ word: Math.min(length - 1, Math.max(0, Math.floor(at * length))) });
}

/** Marks the part of the text that is on the screen. */
function markHere() {
  const { here, text, timeline: line } = reading || {};
  if (!here || !line.isConnected) return;
  const box = text.getBoundingClientRect();
  const part = (y) => Math.min(1, Math.max(0, (y - box.top) / Math.max(1, box.height)));
  const [from, to] = [part(reading.tools.getBoundingClientRect().bottom), part(innerHeight)];
  here.style.setProperty("--from", from);
  here.style.setProperty("--to", Math.max(from + 0.002, to));
}

addEventListener("scroll", () => requestAnimationFrame(markHere), { passive: true });

function toggleTimeline() {
  move(targetNow(), { timeline: reading.route.asked.timeline ? "" : "1" });
}
