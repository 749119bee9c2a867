// -- lanes ----------------------------------------------------------------------------------------------------------

/** For each sentence the mentions of a side that have a part in it. */
function bySentence(model, side) {
  if (side.bySentence) return side.bySentence;
  const { starts } = model;
  const found = model.sentences.map(() => []);
  for (const mention of side.mentions) {
    if (!mention.pieces.length) continue;
    const last = mention.pieces[mention.pieces.length - 1];
    for (let at = placeIn(starts, mention.pieces[0]); at < starts.length && starts[at] <= last; at += 1) {
      found[at].push(mention);
    }
  }
  side.bySentence = found;
  return found;
}

/** The number of the last start that is not behind a unit. */
function placeIn(starts, unit) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Lanes for mentions, the first one nearest to the words: short mentions before the long ones around them. */
function lanes(mentions) {
  const taken = [];
  const sorted = [...mentions].sort((a, b) => extent(a) - extent(b) || a.pieces[0] - b.pieces[0] || a.index - b.index);
  const found = new Map();
  for (const mention of sorted) {
    const [from, to] = [mention.pieces[0], mention.pieces[mention.pieces.length - 1]];
    let lane = 0;
    while (taken[lane] && taken[lane].some(([low, high]) => from <= high && low <= to)) lane += 1;
    (taken[lane] = taken[lane] || []).push([from, to]);
    found.set(mention, lane);
  }
  return { found, number: taken.length };
}

const extent = (mention) => mention.pieces[mention.pieces.length - 1] - mention.pieces[0];

// -- drawing a sentence ---------------------------------------------------------------------------------------------

/** A sentence with the lanes of some sides: those above the words, and those below. */
function drawSentence(model, at, above, below) {
  const { from, to, heading } = model.sentences[at];
  const cells = new Map();
  for (let unit = from; unit < to; unit += 1) cells.set(unit, cellOf(model, unit));
  for (const [sides, up] of [[above, true], [below, false]]) {
    let offset = 0;
    for (const side of sides) {
      const mentions = bySentence(model, side)[at];
      const { found, number } = lanes(mentions);
      for (const mention of mentions) {
        drawMention(mention, { up, lane: offset + found.get(mention) }, from, to, cells, side, sides.length > 1);
      }
      offset += number;
    }
  }
  cells.forEach(stack);
  return h("p", { class: heading ? "line heading" : "line" }, inOrder(model, from, to, cells));
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u058f\u0900-\u1fff\u2c00-\ud7ff\uf900-\ufaff]/;

/** The cells of a sentence; words of the other direction that follow each other run in their own one. */
function inOrder(model, from, to, cells) {
  const { rtl } = model.chunk;
  const [foreign, own] = rtl ? [LEFT_TO_RIGHT, RIGHT_TO_LEFT] : [RIGHT_TO_LEFT, LEFT_TO_RIGHT];
  const found = [];
  for (let unit = from; unit < to; unit += 1) {
    if (!foreign.test(model.chunk.units[unit])) {
      found.push(cells.get(unit));
      continue;
    }
    let last = unit;
    for (let next = unit; next < to && !own.test(model.chunk.units[next]); next += 1) {
      if (foreign.test(model.chunk.units[next])) last = next;
    }
    const run = [];
    for (; unit <= last; unit += 1) run.push(cells.get(unit));
    unit -= 1;
    found.push(h("span", { dir: rtl ? "ltr" : "rtl", class: "run" }, run));
  }
  return found;
}

/** Gives the bars of a cell their rows; the word of every cell stands on the same line, whatever is below it. */
function stack(cell) {
  let [top, bottom] = [0, 0];
  for (const { place } of cell.bars) {
    if (place.up) top = Math.max(top, place.lane + 1);
    else bottom = Math.max(bottom, place.lane + 1);
  }
  cell.style.gridTemplateRows = `${rowsOf(top)} auto ${rowsOf(bottom)}`;
  cell.style.setProperty("--below", bottom);
  cell.firstChild.style.gridRow = String(top + 1);
  for (const { bar, place } of cell.bars) {
    bar.style.gridRow = String(place.up ? top - place.lane : top + 2 + place.lane);
  }
}

const rowsOf = (number) => (number ? `repeat(${number}, var(--lane))` : "");

function cellOf(model, unit) {
  const { chunk } = model;
  const word = h("span", { class: "word" }, chunk.units[unit]);
  const classes = ["cell"];
  if (model.empty.has(unit)) classes.push("empty");
  if (model.glued.has(unit)) classes.push("glued");
  const unwritten = chunk.kind === "pieces" && /^[\d–…]+$/.test(chunk.units[unit]);
  if (chunk.kind === "numbers" || unwritten) classes.push("faint");
  const cell = h("span", { class: classes.join(" "), "data-unit": unit }, word);
  cell.mentions = [];
  cell.bars = [];
  return cell;
}

function drawMention(mention, place, from, to, cells, side, several) {
  const { pieces } = mention;
  const [low, high] = [pieces[0], pieces[pieces.length - 1]];
  let piece = 0;
  for (let unit = Math.max(low, from); unit <= Math.min(high, to - 1); unit += 1) {
    while (pieces[piece + 1] < unit) piece += 2;
    const inside = pieces[piece] <= unit;
    const cell = cells.get(unit);
    const classes = ["bar", ...mentionClasses(mention)];
    if (!inside) classes.push("gap");
    if (unit === low) classes.push("starts");
    if (unit === high) classes.push("ends");
    else if (inside && pieces[piece + 1] === unit) classes.push("breaks");
    const bar = h("span", { class: classes.join(" "), "data-e": mention.entity.code, "data-m": mentionCode(mention) });
    if (mention.entity.hue !== null) bar.style.setProperty("--hue", mention.entity.hue);
    if (unit === low || unit === from) bar.append(labelOf(mention, side, several, unit === low));
    cell.append(bar);
    cell.bars.push({ bar, place });
    if (inside) cell.mentions.push(mention);
  }
  for (let unit = Math.max(low, from); unit <= Math.min(high, to - 1); unit += 1) {
    const cell = cells.get(unit);
    if (cell.mentions.includes(mention)) cell.dataset.in = `${cell.dataset.in || ""} ${mention.entity.code}`.trim();
  }
}

/** How a mention looks: right, in another entity than on the other side, or not on the other side at all. */
function mentionClasses(mention) {
  const classes = [mention.side === "k" ? "of-key" : "of-response", mention.entity.hue === null ? "grey" : "coloured"];
  if (!isPartnered(mention.entity)) classes[1] = "grey";
  if (mention.further) return [classes[0], "grey", "further", "wrong"];
  const twin = twinOf(mention);
  const matched = twin && !(mention.side === "k" ? twin : mention).near;
  if (!matched) classes.push("wrong", "unmatched");
  else if (twin.entity !== partnerOf(mention.entity)) classes.push("wrong");
  if (mention.errors.length && reading.against !== null) classes.push(`is-${statusOf(mention.errors[0])}`);
  return classes;
}

/** The partner of an entity in the system that is looked at, or its own if it is of another one. */
function partnerOf(entity) {
  return entity.side === "k" ? entity.partners[String(reading.model.system)] : entity.partner;
}

/** Whether an entity has a partner, be it in another document. */
function isPartnered(entity) {
  if (entity.side !== "k") return entity.hue !== null;
  return Boolean(entity.partner) || entity.elsewhere.has(String(reading.model.system));
}

const mentionCode = (mention) => `${mention.side}:${mention.index}`;

/** The small label at the start of a mention: its entity, what is wrong, and the type of event nuggets. */
function labelOf(mention, side, several, starts) {
  const system = several && side.code !== "k" ? letters(Number(side.code)).toUpperCase() : "";
  const { label, members } = mention.entity;
  const sum = members.length ? `=${members.map((member) => member.label).join("+")}` : "";
  const bridges = mention.bridges.some((bridge) => bridge.anaphor === mention) ? "↩" : "";
  const text = `${system}${label}${sum}${bridges}`;
  const [marks, type] = starts ? [marksOf(mention), typeOf(mention)] : ["", ""];
  return h("button", {
    type: "button", class: "label", tabindex: "-1", "data-m": mentionCode(mention),
    title: said(mention), "aria-label": `${text} ${marks} ${type}: ${said(mention)}: ${isolated(mention.text)}`,
  }, starts ? [text, " ", markOf(mention), " ", type ? h("span", { class: "type" }, type) : null]
    : `…${text}`);
}

/** The signs of what is wrong with a mention. */
function marksOf(mention) {
  const kinds = [...new Set(mention.errors.map((error) => error.kind))];
  return kinds.map((kind) => markFor(kind)).join("");
}

function markOf(mention) {
  return mention.errors.length ? h("span", { class: "mark" }, marksOf(mention)) : null;
}

/** What a mention is, in words. */
function said(mention) {
  const kinds = [...new Set(mention.errors.map((error) => error.kind))];
  const { label, name } = mention.entity;
  return [sideName(mention.side), `entity ${label} (${name})`, ...kinds].join(", ");
}

function attribute(mention, name) {
  const found = mention.attributes.find((each) => each[0] === name);
  return found ? found[1] : "";
}

const isGiven = (value) => value && !/^not[ _]?annotated$/i.test(value);

/** Type and realis of an event nugget; those of the key behind an arrow where the response has others. */
function typeOf(mention) {
  if (!overview.nuggets) return "";
  const own = ["type", "realis"].map((name) => attribute(mention, name)).filter(isGiven);
  const error = mention.side === "k" ? null : mention.errors.find((each) => each.kind.startsWith("wrong"));
  if (!error) return own.join(" · ");
  const right = error.mentions.find((each) => each.side === "k");
  const changes = ["type", "realis"].map((name) => {
    const [is, should] = [attribute(mention, name), attribute(right, name)];
    return error.kind.includes(name) ? `${should} → ${is} ✗` : is;
  });
  return changes.filter(isGiven).join(" · ");
}
