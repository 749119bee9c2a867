// -- arcs: from a mention to what the system chose and to what the key has ------------------------------------------

/** The mention before in the entity of a mention: its antecedent; null for the first one. */
function before(mention) {
  const { mentions } = mention.entity;
  return mentions[mentions.indexOf(mention) - 1] || null;
}

/** What the key has and what the system chose for a mention: [side, its mention there or null, the antecedent or null]. */
function antecedents(mention) {
  const system = mention.side === "k" ? reading.model.system : Number(mention.side);
  const twin = twinIn(mention, system);
  const [ours, theirs] = mention.side === "k" ? [mention, twin] : [twin, mention];
  return [["k", ours], [String(system), theirs]].map(([side, end]) => ({ side, end, antecedent: end ? before(end) : null }));
}

/** Whether the antecedent that a system chose is a mention of the right entity. */
function isRightChoice({ end, antecedent }) {
  if (!antecedent) return !end || !end.twin || !before(end.twin);
  return Boolean(end.twin && antecedent.twin && antecedent.twin.entity === end.twin.entity);
}

function antecedentList(mention) {
  if (mention.further || !mention.pieces.length) return null;
  const [key, system] = antecedents(mention);
  const item = ({ side, end, antecedent }, classes) => h("li", null, antecedent
    ? button([h("span", { class: `arc-key ${classes}`, "aria-hidden": "true" }), h("span", { class: "side" }, sideName(side)),
      h("bdi", null, shortened(antecedent.text, 60)), h("span", { class: "line-number" }, awayFrom(end, antecedent))],
    () => pin(antecedent))
    : h("span", { class: "absent" }, `${sideName(side)}: ${end ? "none, it is the first mention" : "no such mention"}`));
  const { arcs } = reading.route.asked;
  return [h("h3", null, "Antecedent", button(arcs ? "hide arcs" : "show arcs", toggleArcs,
    { class: "inline aside", "aria-pressed": String(Boolean(arcs)), title: "Arcs (a)" })),
  h("ul", { class: "links" }, item(key, "of-key"), item(system, isRightChoice(system) ? "of-system" : "of-system wrong"))];
}

/** How far an antecedent is away, in sentences. */
function awayFrom(mention, antecedent) {
  const { starts } = reading.model;
  const far = placeIn(starts, mention.pieces[0]) - placeIn(starts, antecedent.pieces[0]);
  return far ? `${plural(far, "sentence")} before` : "in the sentence";
}

function toggleArcs() {
  if (!reading.pinned) return;
  move(targetNow(), { arcs: reading.route.asked.arcs ? "" : "1" });
}

/** Draws the arcs of the mention that is looked at, or takes them away. */
function drawArcs() {
  const { text, pinned, route } = reading;
  text.querySelector("svg.arcs")?.remove();
  if (!route.asked.arcs || !pinned || pinned.further || !reading.blocks.length) return;
  const every = antecedents(pinned).filter(({ antecedent }) => antecedent && antecedent.pieces.length);
  for (const { end, antecedent } of every) { // all is drawn before anything is measured
    for (const { pieces } of [end, antecedent]) shownBlock(placeIn(reading.model.starts, pieces[0]));
  }
  const box = text.getBoundingClientRect();
  const found = every.map((each) => arcOf(each, box)).filter(Boolean);
  if (found.length) text.append(h("svg", { class: "arcs", "aria-hidden": "true" }, found));
}

/** An arc between two mentions of a side: above the words for the key, below them for a system. */
function arcOf({ side, end, antecedent }, box) {
  const up = side === "k";
  const ends = [end, antecedent].map((mention) => {
    const rect = (labelFor(mention) || cellAt(mention.pieces[0]))?.getBoundingClientRect();
    return rect && [rect.left + Math.min(rect.width / 2, 14) - box.left, (up ? rect.top : rect.bottom) - box.top];
  });
  if (!ends[0] || !ends[1]) return null;
  const [[x1, y1], [x2, y2]] = ends;
  const bend = (up ? -1 : 1) * Math.min(60, 14 + Math.abs(x1 - x2) / 6 + Math.abs(y1 - y2) / 12);
  const wrong = !up && !isRightChoice({ end, antecedent });
  return h("g", { class: `arc ${up ? "of-key" : "of-system"} ${wrong ? "wrong" : ""}` },
    h("path", { d: `M${x1},${y1} C${x1},${y1 + bend} ${x2},${y2 + bend} ${x2},${y2}` }),
    h("circle", { cx: x2, cy: y2, r: 3.5 }));
}

const cellAt = (unit) => reading.text.querySelector(`.cell[data-unit="${unit}"]`);
