// -- drawing a sentence ---------------------------------------------------------------------------------------------

/*
 * Words are text in a line, with the blanks of the file between them, and the browser orders them as Unicode says
 * (UAX 9). Bars and labels hang above and below the words and take no room in the line, so that words never move; a
 * strut of no width makes the line high enough for them.
 */

/**
 * A sentence with the lanes of some sides: those above the words, and those below. Where `only` says which sides are
 * drawn, the others have their room all the same, so that lines side by side have one height.
 */
function drawSentence(model, at, { above, below }, only = null) {
  const { from, to, heading } = model.sentences[at];
  const places = placesOf(model, from, to);
  const cells = [];
  for (let unit = from; unit < to; unit += 1) cells.push({ unit, bars: [], blank: [], mentions: [], up: 0, down: 0 });
  for (const [sides, up] of [[above, true], [below, false]]) {
    let offset = 0;
    for (const side of sides) {
      const mentions = bySentence(model, side)[at];
      const letter = sides.length > 1 && side.code !== "k" ? letters(Number(side.code)).toUpperCase() : "";
      const { found, number } = lanes(mentions, places, from, to, (mention) => labelText(mention, letter));
      for (const mention of mentions) {
        const place = { up, lane: offset + found.get(mention), from, to, letter, drawn: !only || only === side };
        drawMention(model, mention, place, cells);
      }
      offset += number;
    }
  }
  return h("p", { class: heading ? "line heading" : "line" }, cells.map((cell) => [cellOf(model, cell), blankOf(model, cell, to)]));
}

/** The bars of a mention, in every cell that it has a part in and in the blanks between them. */
function drawMention(model, mention, { up, lane, from, to, letter, drawn }, cells) {
  const { pieces } = mention;
  const [low, high] = [pieces[0], pieces[pieces.length - 1]];
  const looks = mentionClasses(mention);
  const halves = mention.side === "k" && reading.against !== null ? [model.system, reading.against] : [];
  let piece = 0;
  for (let unit = Math.max(low, from); unit <= Math.min(high, to - 1); unit += 1) {
    while (pieces[piece + 1] < unit) piece += 2;
    const inside = pieces[piece] <= unit;
    const cell = cells[unit - from];
    if (up) cell.up = Math.max(cell.up, lane + 1);
    else cell.down = Math.max(cell.down, lane + 1);
    if (!drawn) continue;
    const part = (classes) => barOf(mention, [...looks, up ? "above" : "below", ...classes], lane, halves);
    const [starts, ends] = [unit === low, unit === high];
    const bar = part([inside ? "" : "gap", starts ? "starts" : "", ends ? "ends" : ""].filter(Boolean));
    if (starts || unit === from) bar.append(labelOf(mention, letter, starts));
    cell.bars.push(bar);
    if (inside) cell.mentions.push(mention);
    if (!ends && unit + 1 < to) {
      const within = inside && pieces[piece + 1] > unit;
      cell.blank.push({ bar: part(["joint", ...(within ? [] : ["gap"])]), mention: within ? mention : null });
    }
  }
}

/** A bar; of a mention of the key, where two systems are compared, with a half for each of them. */
function barOf(mention, classes, lane, halves) {
  const bar = h("span", { class: `bar ${classes.join(" ")}`, "data-e": mention.entity.code, "data-m": mentionCode(mention) });
  if (mention.entity.hue !== null) bar.style.setProperty("--hue", mention.entity.hue);
  if (lane) bar.style.setProperty("--at", lane);
  if (halves.length) {
    bar.classList.add("halves");
    bar.append(...halves.map((system) => h("span", { class: `half-bar ${stateIn(mention, system).join(" ")}` })));
  }
  return bar;
}

const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT = /[A-Za-z\u00c0-\u058f\u0900-\u1fff\u2c00-\ud7ff\uf900-\ufaff]/;
const LONG = 30; // letters of a word that may have to be broken, and so is a box of its own

function cellOf(model, { unit, bars, mentions, up, down }) {
  const { chunk } = model;
  const text = chunk.units[unit];
  const classes = ["cell"];
  if (model.empty.has(unit)) classes.push("empty");
  if (text.length > LONG) classes.push("long");
  if (CONTROLS.test(text)) classes.push("alone"); // they would turn all that follows
  const unwritten = chunk.kind === "pieces" && /^[\d–…]+$/.test(text);
  if (chunk.kind === "numbers" || unwritten) classes.push("faint");
  const cell = h("span", { class: classes.join(" "), "data-unit": unit, "data-in": codesOf(mentions) },
    h("span", { class: "word" }, text),
    up || down ? h("span", { class: "strut", style: { "--up": up, "--down": down } }) : null, bars);
  if (bars.length && (chunk.rtl ? LEFT_TO_RIGHT : RIGHT_TO_LEFT).test(text)) {
    for (const bar of bars) bar.dir = chunk.rtl ? "ltr" : "rtl"; // a foreign word begins at its other end
  }
  cell.mentions = mentions;
  return cell;
}

/** The blank behind a unit, with the bars that go on behind it. */
function blankOf(model, { unit, blank }, to) {
  if (model.glued.has(unit) || unit + 1 >= to) return null;
  if (!blank.length) return " ";
  const mentions = blank.map((each) => each.mention).filter(Boolean);
  const found = h("span", { class: "blank", "data-in": codesOf(mentions) }, " ", blank.map((each) => each.bar));
  found.mentions = mentions;
  return found;
}

const codesOf = (mentions) => mentions.map((mention) => mention.entity.code).join(" ") || null;
