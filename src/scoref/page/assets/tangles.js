// -- tangles: entities of key and response that share mentions, and who took what from whom -------------------------

/** What a tangle costs in points: already rounded, all with the same digits. */
const cost = (value) => (value === null || value === undefined ? "–" : value.toFixed(overview.digits));
const costTitle = () => `Points of ${metricName(overview.metric)} that are gained when the whole tangle is repaired`;

const DRAWN = 9; // entities of a side in a small picture

/**
 * A picture of a tangle: {keys, responses: [[label, hue, size, words]], cells: [[key, response, shared]]}. Ribbons are
 * as wide as the shared mentions; what the other side lacks are loose ends.
 */
function ribbons({ keys, responses, cells }, most = DRAWN) {
  const [left, right] = [keys, responses].map((each) => chosen(each, most));
  const shown = cells.filter(([k, r]) => left.has(k) && right.has(r));
  order(left, right, shown);
  const number = Math.max(left.size, right.size, 1);
  const total = Math.max(sizes(left), sizes(right), 1);
  const room = Math.max(70, Math.min(44 * number, 26 * number + 3 * total));
  const scale = Math.min(7, Math.max(0.25, (room - 14 * number) / total));
  const height = Math.max(stackUp(left, scale), stackUp(right, scale), 24);
  for (const side of [left, right]) centre(side, height);
  const [x1, x2] = [150, 250];
  const drawn = shown.map(([k, r, n]) => ribbon(left.get(k), right.get(r), n * scale, x1 + 7, x2));
  const ends = [...left.values()].map((node) => looseEnd(node, x1 + 7, 1, scale))
    .concat([...right.values()].map((node) => looseEnd(node, x2, -1, scale)));
  const hidden = [keys.length - left.size, responses.length - right.size];
  const more = (n, x, anchor) => (n > 0 ? h("text", { x, y: height + 13, "text-anchor": anchor, class: "more" },
    `and ${n} more`) : null);
  const tall = height + (hidden[0] || hidden[1] ? 20 : 4);
  return h("svg", { class: "ribbons", viewBox: `0 0 400 ${tall}`, role: "img", "aria-label": inWords(keys, responses, cells) },
    drawn, ends,
    [...left.values()].map((node) => nodeOf(node, x1, -1)), [...right.values()].map((node) => nodeOf(node, x2, 1)),
    more(hidden[0], x1, "end"), more(hidden[1], x2 + 7, "start"));
}

/** The largest entities of a side, by their numbers. */
function chosen(entities, most) {
  const order = entities.map((entity, number) => [number, entity]).sort((a, b) => b[1][2] - a[1][2] || a[0] - b[0]);
  return new Map(order.slice(0, most).map(([number, [label, hue, size, words]]) =>
    [number, { label, hue, size, words, top: 0, tall: 0, used: 0, shared: 0 }]));
}

const sizes = (nodes) => [...nodes.values()].reduce((sum, node) => sum + node.size, 0);

/** Entities on the right stand where most of what they share comes from, and so cross as little as can be. */
function order(left, right, cells) {
  const rank = new Map([...left.keys()].map((key, at) => [key, at]));
  const middle = new Map([...right.keys()].map((key) => [key, [0, 0]]));
  for (const [k, r, n] of cells) {
    middle.get(r)[0] += rank.get(k) * n;
    middle.get(r)[1] += n;
    left.get(k).shared += n;
    right.get(r).shared += n;
  }
  const at = (key) => (middle.get(key)[1] ? middle.get(key)[0] / middle.get(key)[1] : 1e9);
  const sorted = [...right].sort((a, b) => at(a[0]) - at(b[0]));
  right.clear();
  for (const [key, node] of sorted) right.set(key, node);
}

const GAP = 10;

function stackUp(nodes, scale) {
  let top = 2;
  for (const node of nodes.values()) {
    node.tall = Math.max(3, node.size * scale);
    const room = Math.max(node.tall, 14);
    node.top = top + (room - node.tall) / 2;
    top += room + GAP;
  }
  return top - GAP + 2;
}

function centre(nodes, height) {
  const every = [...nodes.values()];
  if (!every.length) return;
  const last = every[every.length - 1];
  const by = (height - Math.max(last.top + last.tall, last.top + 14) - 2) / 2;
  for (const node of every) node.top += Math.max(0, by);
}

function look(hue) {
  return { class: hue < 0 ? "grey" : "coloured", style: hue < 0 ? {} : { "--hue": hue } };
}

function ribbon(from, to, wide, x1, x2) {
  const [a, b] = [from.top + from.used, to.top + to.used];
  from.used += wide;
  to.used += wide;
  const middle = (x1 + x2) / 2;
  const { class: classes, style } = look(to.hue < 0 ? from.hue : to.hue);
  const partners = from.hue === to.hue && from.hue >= 0;
  return h("path", { class: `ribbon ${classes} ${partners ? "" : "wrong"}`, style,
    d: `M${x1},${a} C${middle},${a} ${middle},${b} ${x2},${b} L${x2},${b + wide} C${middle},${b + wide} ${middle},${
      a + wide} ${x1},${a + wide} Z` });
}

/** What the other side does not have: a stub that leads nowhere. */
function looseEnd(node, x, way, scale) {
  const wide = (node.size - node.shared) * scale;
  if (wide <= 0.01) return null;
  const { class: classes, style } = look(node.hue);
  const y = node.top + node.used;
  const far = x + way * 26;
  return h("path", { class: `loose ${classes}`, style, d: `M${x},${y} L${far},${y + wide * 0.2} L${far},${y + wide * 0.8} L${
    x},${y + wide} Z` });
}

function nodeOf(node, x, way) {
  const { class: classes, style } = look(node.hue);
  const y = node.top + node.tall / 2;
  const text = way < 0 ? x - 6 : x + 13;
  return h("g", { class: `node ${classes}`, style },
    h("rect", { x, y: node.top, width: 7, height: node.tall, rx: 1.5 }),
    h("text", { x: text, y: y + 4, "text-anchor": way < 0 ? "end" : "start" },
      h("title", null, `${node.words}: ${plural(node.size, "mention")}`),
      `${node.label} ${isolated(shortened(node.words, 19))}`));
}

/** A tangle for those who do not see it. */
function inWords(keys, responses, cells) {
  const name = ([label, , , words]) => `${label} ${isolated(shortened(words, 30))}`;
  const some = cells.slice(0, 12).map(([k, r, n]) => `${named("key")} ${name(keys[k])} and ${named("response")} ${
    name(responses[r])} share ${n}`);
  return some.join("; ") || [...keys, ...responses].slice(0, 4).map(name).join("; ");
}

// -- cards and lists of tangles -------------------------------------------------------------------------------------

/** A tangle of the first view: number, document, cost, keys, responses, cells. */
function tangleOf([number, at, value, keys, responses, cells]) {
  return { number, document: at, cost: value, picture: { keys, responses, cells } };
}

/** A tangle as a card; its picture is drawn from its document where it is not there yet. */
function tangleCard(tangle, system) {
  const name = documentName(tangle.document);
  const href = addressIn(tangle.document, { tangle: tangle.number }, system);
  const box = h("div", { class: "picture-box" }, tangle.picture ? ribbons(tangle.picture) : null);
  if (!tangle.picture) {
    modelOf(tangle.document, system).then((model) => {
      const found = model.tangles.find((each) => each.number === tangle.number);
      if (found) box.append(ribbons(pictureOf(found)));
    });
  }
  return h("li", { class: "tangle" },
    h("a", { href, class: "cover", "aria-label": `Tangle ${tangle.number + 1} in ${name}` }),
    h("div", { class: "line-up" },
      h("b", { class: "cost", title: costTitle() }, cost(tangle.cost)),
      h("bdi", { class: "quiet" }, shortened(name, 44))),
    box);
}

const models = new Map();

/** A document prepared for one system; the last ones are kept. */
function modelOf(number, system) {
  const code = `${number} ${system}`;
  if (!models.has(code)) models.set(code, openDocument(number).then((chunk) => prepare(chunk, system)));
  if (models.size > 12) models.delete(models.keys().next().value);
  return models.get(code);
}

function tangleSides() {
  return h("p", { class: "sides note", "aria-hidden": "true" }, h("span", null, named("key")), h("span", null, named("response")));
}

/** All tangles, those that cost most first; more are drawn when they are asked for. */
async function showTangles(route, main) {
  const data = await part(`tangles-${route.system}`);
  if (route !== currentRoute()) return;
  const every = data.document.map((at, number) => ({ number, document: at, cost: data.cost[number], words: data.words[number] }));
  const list = h("ul", { class: "tangles" });
  const status = h("p", { class: "note", role: "status" });
  const more = button("Show more", () => draw(24), { class: "more-button" });
  const chips = h("span");
  let [some, shown] = [every, 0];
  const draw = (number) => {
    const next = some.slice(shown, shown + number).map((tangle) => tangleCard(tangle, route.system));
    list.append(...next);
    if (shown) next[0]?.querySelector("a").focus({ preventScroll: true });
    shown += next.length;
    more.hidden = shown >= some.length;
  };
  const filter = () => {
    const { words = "", document: only = "" } = currentRoute().asked;
    const number = only ? documentNumber(only) : null;
    some = every.filter((tangle) => (number === null || tangle.document === number) &&
      (!words || tangle.words.toLowerCase().includes(words.toLowerCase())));
    shown = 0;
    list.replaceChildren();
    draw(24);
    status.textContent = `${plural(some.length, "tangle")}${some.length < every.length ? ` of ${count(every.length)}` : ""}`;
    replace(chips, only ? chipFor(documentName(number ?? 0), () => { ask({ document: "" }); filter(); }) : null);
  };
  replace(main, viewHead("Tangles", named("Groups of key and response entities that share mentions, by what is gained in ")
    + `${metricName(overview.metric)} F1 when the whole group is repaired.`),
  h("div", { class: "filter" },
    searchBox("Words of an entity", route.asked.words || "", (value) => { ask({ words: value }); filter(); }), chips, status),
  tangleSides(), list, more);
  filter();
}

// -- a tangle in its text -------------------------------------------------------------------------------------------

/** The picture of a tangle from the entities of a document. */
function pictureOf({ entities }) {
  const keys = entities.filter((entity) => entity.side === "k");
  const responses = entities.filter((entity) => entity.side !== "k");
  const node = (entity) => [entity.label, entity.hue !== null && (entity.side !== "k" || entity.partner) ? entity.hue : -1,
    entity.mentions.length, quotedName(entity)];
  const cells = new Map();
  for (const entity of responses) {
    for (const { twin } of entity.mentions) {
      if (!twin) continue;
      const code = `${keys.indexOf(twin.entity)} ${responses.indexOf(entity)}`;
      cells.set(code, (cells.get(code) || 0) + 1);
    }
  }
  return { keys: keys.map(node), responses: responses.map(node),
    cells: [...cells].map(([code, number]) => [...code.split(" ").map(Number), number]) };
}

/** Lights all entities of a tangle, and shows its picture in the panel. */
function showTangle(tangle, fresh) {
  const { panel } = reading;
  const errors = [...new Set(tangle.entities.flatMap((entity) => entity.mentions.flatMap((mention) => mention.errors)))];
  light(tangle.entities, []);
  panel.classList.add("open");
  replace(panel,
    button("×", unpin, { class: "close", "aria-label": "Close (Esc)", title: "Close (Esc)" }),
    h("h2", null, "Tangle"),
    h("p", { class: "note" }, `Repaired as a whole, it gives ${cost(tangle.cost)} points of ${metricName(overview.metric)}.`),
    tangleSides(), ribbons(pictureOf(tangle), 14),
    h("h3", null, plural(errors.length, named("error"))),
    longList("links", errors, 20, (error) => button([kindMark(error.kind), h("span", null, sentenceNodes(error))],
      () => move({ error: numberOf(error) }))),
    h("h3", null, plural(tangle.entities.length, "entity")),
    longList("links entities", tangle.entities, 20, (entity) => button([entityBadge(entity),
      h("span", { class: "side" }, sideName(entity.side)), h("bdi", null, quotedName(entity)),
      h("span", { class: "line-number" }, entity.mentions.length)], () => pin(entity.mentions[0]))));
  const firsts = tangle.entities.flatMap((entity) => entity.mentions);
  const first = firsts.reduce((a, b) => (placeOf(b) < placeOf(a) ? b : a));
  return scrollToMention(first, fresh);
}
