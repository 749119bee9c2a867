// -- a document as it is looked at: entities with colours, partners and errors --------------------------------------

/** What a chunk says, prepared for one system: sides, partners, labels, hues, errors by mention. */
function prepare(chunk, system) {
  const found = chunk.systems[system];
  const key = sideOf(chunk, chunk.keys[found.key], "k", found.recall);
  const responses = chunk.systems.map((each, number) => sideOf(chunk, each.response, String(number), each.precision));
  nameKey(key);
  const errors = chunk.systems.map((each, number) => {
    let theirs = key;
    if (each.key !== found.key) {
      theirs = sideOf(chunk, chunk.keys[each.key], "k", each.recall);
      nameKey(theirs);
    }
    pair(theirs, responses[number], each.twins);
    nameResponse(responses[number]);
    return errorsOf(each, number, theirs, responses[number], number === system);
  });
  for (const entity of key.entities) entity.partner = entity.partners[String(system)] || null;
  const model = { chunk, system, key, response: responses[system], responses, errors: errors[system] };
  const place = (error) => error.mentions[0].pieces[0] ?? error.mentions[0].index;
  model.order = [...model.errors].sort((a, b) => place(a) - place(b) || a.number - b.number);
  model.counts = new Map(overview.kinds.map((kind) => [kind, 0]));
  for (const error of model.errors) model.counts.set(error.kind, model.counts.get(error.kind) + 1);
  model.sentences = sentencesOf(chunk);
  model.starts = model.sentences.map((sentence) => sentence.from);
  model.empty = new Set(chunk.empty || []);
  model.glued = new Set(chunk.glued || []);
  return model;
}

/** The errors of a system; key mentions know only those of the system that is looked at. */
function errorsOf(data, system, key, response, current) {
  const found = data.errors.map(([kind, mentions, anchor], number) => ({
    kind: overview.kinds[kind], number, system,
    mentions: mentions.map(([side, index]) => (side ? response : key).mentions[index]),
    anchored: anchor ? (anchor[0] ? response : key).mentions[anchor[1]] : null,
  }));
  for (const error of found) {
    const both = error.kind === "span error" && error.anchored ? [...error.mentions, error.anchored] : error.mentions;
    for (const mention of both) if (current || mention.side !== "k") mention.errors.push(error);
  }
  return found;
}

/** What a side is called: key, or the name of a system. */
function sideName(code) {
  if (code === "k") return overview.neutral || "key";
  return overview.systems.length === 1 && !overview.neutral ? "response" : overview.systems[Number(code)].name;
}

function sideOf(chunk, data, code, counts) {
  const entities = data.entities.map((name, number) => ({
    name, number, code: `${code}e${number}`, side: code, mentions: [], counts: counts[number], partner: null,
    partners: {}, hue: null, label: "", members: [], memberOf: [], marks: [],
  }));
  const glued = new Set(chunk.glued || []);
  const mentions = data.mentions.map(([entity, ...pieces], index) => {
    const mention = {
      index, side: code, entity: entities[entity], pieces, errors: [], bridges: [],
      line: data.lines ? data.lines[index] : null,
      attributes: data.attributes ? data.attributes.known[data.attributes.each[index]] : [],
    };
    mention.text = data.texts ? data.texts[index] : textOf(chunk, glued, pieces);
    entities[entity].mentions.push(mention);
    return mention;
  });
  for (const entity of entities) entity.mentions.sort((a, b) => (a.pieces[0] ?? a.index) - (b.pieces[0] ?? b.index));
  for (const [number, names] of data.sets || []) {
    for (const name of names) {
      const member = entities.find((entity) => entity.name === name);
      entities[number].members.push(member || { name, label: name, missing: true, mentions: [] });
      if (member) member.memberOf.push(entities[number]);
    }
  }
  for (const [number, said] of data.marks || []) entities[number].marks.push(said);
  const bridges = (data.bridges || []).map(([anaphor, antecedent, first, second, attributes]) => ({
    anaphor: mentions[anaphor] || null, antecedent: mentions[antecedent] || null, first, second, attributes,
  }));
  for (const bridge of bridges) {
    for (const end of [bridge.anaphor, bridge.antecedent]) if (end) end.bridges.push(bridge);
  }
  return { code, entities, mentions, bridges };
}

function textOf(chunk, glued, pieces) {
  const found = [];
  for (let at = 0; at < pieces.length; at += 2) {
    let text = "";
    for (let unit = pieces[at]; unit <= pieces[at + 1]; unit += 1) {
      text += chunk.units[unit] + (unit < pieces[at + 1] && !glued.has(unit) ? " " : "");
    }
    found.push(text);
  }
  return found.join(" … ");
}

/** Key entities are numbered in the order of the text; hues go by size, so that the large ones differ most. */
function nameKey(side) {
  const order = [...side.entities].sort((a, b) => first(a) - first(b) || a.number - b.number);
  order.forEach((entity, number) => { entity.label = String(number + 1); });
  const sizes = [...order].sort((a, b) => b.mentions.length - a.mentions.length);
  sizes.forEach((entity, rank) => { entity.hue = Math.round((250 + rank * 137.508) % 360); });
}

const first = (entity) => entity.mentions[0].pieces[0] ?? entity.mentions[0].index;

/** Partners share most mentions, one to one: the pairs that share most are taken first. */
function pair(key, response, twins) {
  const shared = new Map();
  twins.forEach((twin, index) => {
    if (twin < 0) return;
    const code = `${key.mentions[twin].entity.number} ${response.mentions[index].entity.number}`;
    shared.set(code, (shared.get(code) || 0) + 1);
  });
  const cells = [...shared].map(([code, number]) => {
    const [row, column] = code.split(" ").map(Number);
    const sizes = key.entities[row].mentions.length + response.entities[column].mentions.length;
    return { row, column, number, dice: number / sizes };
  });
  cells.sort((a, b) => b.number - a.number || b.dice - a.dice || a.row - b.row || a.column - b.column);
  const rows = new Set();
  for (const { row, column } of cells) {
    if (rows.has(row) || response.entities[column].partner) continue;
    rows.add(row);
    response.entities[column].partner = key.entities[row];
    key.entities[row].partners[response.code] = response.entities[column];
  }
}

/** Response entities have the number and hue of their partner; those without one have letters, and no hue. */
function nameResponse(response) {
  let letter = 0;
  const order = [...response.entities].sort((a, b) => first(a) - first(b) || a.number - b.number);
  for (const entity of order) {
    entity.label = entity.partner ? entity.partner.label : letters(letter++);
    entity.hue = entity.partner ? entity.partner.hue : null;
  }
}

function letters(number) {
  const text = String.fromCharCode(97 + (number % 26));
  return number < 26 ? text : letters(Math.floor(number / 26) - 1) + text;
}

/** The units of each sentence, [first, behind the last]; very long ones are cut. */
function sentencesOf(chunk) {
  const starts = chunk.sentences.length && chunk.sentences[0] === 0 ? chunk.sentences : [0, ...chunk.sentences];
  const found = [];
  starts.forEach((start, number) => {
    const end = number + 1 < starts.length ? starts[number + 1] : chunk.units.length;
    for (let from = start; from < end; from += 250) {
      found.push({ from, to: Math.min(end, from + 250), number: from === start ? number + 1 : null });
    }
  });
  return found;
}

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
  const { from, to } = model.sentences[at];
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
  return h("p", { class: "line", dir: "auto" }, [...cells.values()]);
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
  const cell = h("span", { class: classes.join(" ") }, word);
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

function mentionClasses(mention) {
  const classes = [mention.side === "k" ? "of-key" : "of-response"];
  classes.push(mention.entity.hue !== null && mention.entity.partner ? "coloured" : "grey");
  if (mention.errors.length) classes.push("wrong");
  return classes;
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
    title: said(mention), "aria-label": `${text} ${marks} ${type}: ${said(mention)}: ${mention.text}`,
  }, starts ? [text, " ", markOf(mention), " ", type ? h("span", { class: "type" }, type) : null]
    : `…${text}`);
}

/** The signs of what is wrong with a mention. */
function marksOf(mention) {
  const kinds = [...new Set(mention.errors.map((error) => error.kind))];
  return kinds.map((kind) => MARKS[kind] || "!").join("");
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
