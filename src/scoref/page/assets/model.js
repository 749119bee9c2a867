// -- a document as it is looked at: entities with colours, partners and errors --------------------------------------

/** What a chunk says, prepared for one system: sides, partners, errors by mention. */
function prepare(chunk, system) {
  const found = chunk.systems[system];
  const key = sideOf(chunk, chunk.keys[found.key], "k", found.recall);
  const responses = chunk.systems.map((each, number) => sideOf(chunk, each.response, String(number), each.precision));
  const errors = chunk.systems.map((each, number) => {
    const theirs = each.key === found.key ? key : sideOf(chunk, chunk.keys[each.key], "k", each.recall);
    pair(theirs, responses[number], each);
    return errorsOf(each, number, theirs, responses[number], number === system);
  });
  for (const entity of key.entities) entity.partner = entity.partners[String(system)] || null;
  const model = { chunk, system, key, response: responses[system], responses, errors: errors[system], every: errors };
  model.order = [...model.errors].sort((a, b) => placeOf(a.mentions[0]) - placeOf(b.mentions[0]) || a.number - b.number);
  model.counts = new Map(overview.kinds.map((kind) => [kind, 0]));
  for (const error of model.errors) model.counts.set(error.kind, model.counts.get(error.kind) + 1);
  model.tangles = (found.tangles || []).map(([number, cost, ours, theirs]) => ({ number, cost,
    entities: [...ours.map((at) => key.entities[at]), ...theirs.map((at) => responses[system].entities[at])] }));
  for (const tangle of model.tangles) for (const entity of tangle.entities) entity.tangle = tangle;
  model.sentences = sentencesOf(chunk);
  model.starts = model.sentences.map((sentence) => sentence.from);
  model.empty = new Set(chunk.empty || []);
  model.glued = new Set(chunk.glued || []);
  return model;
}

/** Where a mention is in its text, to sort by. */
const placeOf = (mention) => mention.pieces[0] ?? mention.index;

/** The errors of a system; key mentions know only those of the system that is looked at. */
function errorsOf(data, system, key, response, current) {
  const end = (side, [entity, index]) => ({ entity: side.entities[entity], mention: side.mentions[index] });
  const found = data.errors.map(([kind, mentions, anchor, ...said], number) => ({
    kind: overview.kinds[kind], number, system, same: data.same ? data.same[number] : null,
    sentence: said.length === 1 ? said[0] : null,
    given: said.length > 1 && said[0] ? end(response, said[0]) : null,
    wanted: said.length > 1 && said[1] ? end(key, said[1]) : null,
    mentions: mentions.map(([side, index]) => (side ? response : key).mentions[index]),
    anchored: anchor ? (anchor[0] ? response : key).mentions[anchor[1]] : null,
  }));
  for (const error of found) {
    const both = isSpanError(error) && error.anchored ? [...error.mentions, error.anchored] : error.mentions;
    for (const mention of both) if (current || mention.side !== "k") mention.errors.push(error);
  }
  return found;
}

const isSpanError = (error) => error.kind.endsWith("span error");

/** What a side is called: key, or the name of a system. */
function sideName(code) {
  if (overview.neutral) return code === "k" ? pairNames()[0] : pairNames(Number(code))[1];
  if (code === "k") return "key";
  return overview.systems.length === 1 ? "response" : overview.systems[Number(code)].name;
}

const NOTHING = [];

function sideOf(chunk, data, code, counts) {
  const entities = data.entities.map((name, number) => ({
    name, number, code: `${code}e${number}`, side: code, mentions: [], counts: counts[number] || null, partner: null,
    partners: {}, hue: data.hues[number] < 0 ? null : data.hues[number], label: data.labels[number], members: [],
    memberOf: [], marks: [], tangle: null, elsewhere: new Set(), everywhere: data.numbers ? data.numbers[number] : null,
  }));
  const glued = new Set(chunk.glued || []);
  const mentions = data.mentions.map(([entity, ...pieces], index) => {
    const mention = {
      index, side: code, entity: entities[entity], pieces, further: data.scored !== undefined && index >= data.scored, errors: [], bridges: [], twin: null, near: false,
      line: data.lines && data.lines[index] !== null ? data.lines[index] + (pieces[0] || 0) : null,
      attributes: data.attributes ? data.attributes.known[data.attributes.each[index]] : NOTHING,
      get text() { return data.texts ? data.texts[index] : textOf(chunk, glued, pieces); },
    };
    entities[entity].mentions.push(mention);
    entities[entity].further = mention.further;
    return mention;
  });
  for (const entity of entities) entity.mentions.sort((a, b) => placeOf(a) - placeOf(b));
  for (const [number, names] of data.sets || []) {
    for (const name of names) {
      const member = entities.find((entity) => entity.name === name);
      entities[number].members.push(member || { name, label: name, missing: true, mentions: [] });
      if (member) member.memberOf.push(entities[number]);
    }
  }
  for (const [number, index] of data.naming || []) entities[number].naming = mentions[index];
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
  for (let at = 0; at < pieces.length; at += 2) found.push(unitsOf(chunk, glued, pieces[at], pieces[at + 1]));
  return found.join(" … ");
}

/** The words from one unit to another, with blanks where the file has them. */
function unitsOf(chunk, glued, from, to) {
  let text = "";
  for (let unit = from; unit <= to; unit += 1) {
    text += chunk.units[unit] + (unit < to && !glued.has(unit) ? " " : "");
  }
  return text;
}

/** Twins and partners are those that the errors are made from. A twin with other words is near. */
function pair(key, response, { twins, partners, near = [], elsewhere = [] }) {
  twins.forEach((twin, index) => {
    if (twin < 0) return;
    response.mentions[index].twin = key.mentions[twin];
    key.mentions[twin].twins = { ...key.mentions[twin].twins, [response.code]: response.mentions[index] };
  });
  for (const index of near) response.mentions[index].near = true;
  partners.forEach((partner, number) => {
    if (partner < 0) return;
    response.entities[number].partner = key.entities[partner];
    key.entities[partner].partners[response.code] = response.entities[number];
  });
  for (const number of elsewhere) key.entities[number].elsewhere.add(response.code);
}

/** The twin of a mention in the system that is looked at. */
const twinOf = (mention) => twinIn(mention, reading.model.system);

/** The twin of a mention; of a mention of the key that in a system. */
function twinIn(mention, system) {
  if (mention.side !== "k") return mention.twin;
  return (mention.twins && mention.twins[String(system)]) || null;
}

function letters(number) {
  const text = String.fromCharCode(97 + (number % 26));
  return number < 26 ? text : letters(Math.floor(number / 26) - 1) + text;
}

/** The units of each sentence, [first, behind the last]; very long ones are cut. Speakers and paragraphs begin at them. */
function sentencesOf(chunk) {
  const starts = chunk.sentences.length && chunk.sentences[0] === 0 ? chunk.sentences : [0, ...chunk.sentences];
  const speakers = new Map(chunk.speakers || []);
  const [paragraphs, headings] = [new Set(chunk.paragraphs || []), new Set(chunk.headings || [])];
  const found = [];
  starts.forEach((start, number) => {
    const end = number + 1 < starts.length ? starts[number + 1] : chunk.units.length;
    for (let from = start; from < end; from += 250) {
      found.push({ from, to: Math.min(end, from + 250), number: from === start ? number + 1 : null,
        speaker: speakers.get(from) || null, paragraph: paragraphs.has(from), heading: headings.has(from) });
    }
  });
  return found;
}
