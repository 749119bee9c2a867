// -- a changed response as a file -----------------------------------------------------------------------------------

/** Why the response of a document cannot be written as JSON lines; null if it can. */
function unwritable(chunk, system, state) {
  if (typeof chunk.changes[system] === "string") return chunk.changes[system];
  if (!["words", "numbers"].includes(chunk.kind)) return "positions in its text are not words";
  const homeless = [...state.owners.keys()].some((id) => !itemOf(state, id).out && !itemOf(state, id).pieces.length);
  return homeless ? "a mention of it has no place in the words" : null;
}

/** Why a document, as it is written, cannot be CoNLL; null if it can. */
function unwritableAsConll({ words, mentions }) {
  if (!words) return "the words of its text are not known";
  if (words.some((word) => !word || /[\s\u0000-\u0020]/.test(word))) return "a word has a blank in it";
  if (!mentions.every(({ span }) => isStretch(span))) return "a mention is not a stretch of words";
  const open = new Map();
  for (const { entity, span } of [...mentions].sort((a, b) => a.span[0] - b.span[0] || b.span.length - a.span.length)) {
    const [from, to] = [span[0], span[span.length - 1]];
    const before = (open.get(entity) || []).filter((end) => end >= from);
    if (before.some((end) => end < to)) return "two mentions of an entity cross each other";
    open.set(entity, [...before, to]);
  }
  return null;
}

/** The response of a document: its name, sentences, and entities with the units of their mentions. */
function writtenResponse(chunk, system, state, name) {
  const about = chunk.changes[system];
  const empty = new Set(chunk.empty || []);
  const words = chunk.units.filter((_, unit) => !empty.has(unit));
  const word = new Map();
  chunk.units.forEach((_, unit) => { if (!empty.has(unit)) word.set(unit, word.size); });
  const places = new Map((chunk.empty || []).map((unit, at) => [unit, (about.nodes || [])[at]]));
  const mentions = mentionsOfState(state).map(({ entity, units, kept }) => ({ entity, kept,
    span: units.map((unit) => (empty.has(unit) ? places.get(unit) : word.get(unit))) }));
  const starts = [...new Set([0, ...chunk.sentences.map((unit) => word.get(unit) ?? 0)])].sort((a, b) => a - b);
  return { name: about.id ?? name, numbered: Boolean(about.numbered), words: chunk.kind === "words" ? words : null, starts, mentions };
}

function mentionsOfState(state) {
  const { response } = state;
  const order = [...new Set(state.owners.values())];
  const said = uniqueNames(order, response.names);
  const names = new Map(order.map((entity, at) => [entity, said[at]]));
  return [...state.owners].filter(([id]) => !itemOf(state, id).out).map(([id, entity]) => ({ entity: names.get(entity),
    units: unitsOfItem(state, id), kept: /^[kw]/.test(id) ? null : (response.about.kept || [])[placeOfItem(response, id)] }));
}

const isStretch = (span) => span.every((place, at) => typeof place === "number" && (!at || place === span[at - 1] + 1));

/** A document as a line of JSON, as `scoref convert` writes it. */
function jsonLine({ name, numbered, words, starts, mentions }) {
  const entities = new Map();
  for (const { entity, span } of mentions) {
    if (!entities.has(entity)) entities.set(entity, []);
    if (isStretch(span)) entities.get(entity).push([span[0], span[span.length - 1]]);
  }
  const record = numbered ? {} : { doc_key: name };
  record.ends = "inclusive";
  if (words) record.sentences = starts.map((start, at) => words.slice(start, starts[at + 1] ?? words.length)).filter((each) => each.length);
  record.clusters = [...entities.values()];
  record.entities = [...entities.keys()];
  if (mentions.some(({ span, kept }) => !isStretch(span) || (kept && Object.keys(kept).length))) {
    record.scoref = { mentions: mentions.map(({ entity, span, kept }) => ({ span, entity, ...kept })) };
  }
  return JSON.stringify(record);
}

/** A document as CoNLL: the part, the number of the word, the word, the brackets of entities, which are numbered. */
function conllLines({ name, words, starts, mentions }) {
  const header = /^\((.*)\); part (\d+)$/s.exec(name);
  const [id, part] = header ? [header[1], String(Number(header[2]))] : [name, "0"];
  const numbers = new Map();
  const cells = words.map(() => [[], [], []]);
  const ordered = [...mentions].sort((a, b) => a.span[0] - b.span[0] || b.span.length - a.span.length);
  for (const { entity, span } of ordered) {
    if (!numbers.has(entity)) numbers.set(entity, numbers.size);
    const [from, to, number] = [span[0], span[span.length - 1], numbers.get(entity)];
    if (from === to) cells[from][1].push(`(${number})`);
    else {
      cells[from][0].push(`(${number}`);
      cells[to][2].unshift(`${number})`);
    }
  }
  const begins = new Set(starts);
  const lines = [`#begin document ${name}`];
  let number = 0;
  words.forEach((word, at) => {
    if (begins.has(at)) {
      number = 0;
      if (at) lines.push("");
    }
    lines.push([id.replace(/[\s#]/g, "_") || "_", part, number, word, cells[at].flat().join("|") || "-"].join("\t"));
    number += 1;
  });
  return `${lines.join("\n")}\n\n#end document\n`;
}
