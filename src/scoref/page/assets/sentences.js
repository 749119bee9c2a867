// -- an error in a sentence: what is wrong, and what is right -------------------------------------------------------

const shortened = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Text that keeps its direction to itself, where elements cannot be. */
const isolated = (text) => `\u2068${text}\u2069`;

/** A sentence from its parts: words, mentions and entities; `mention` and `entity` say how these are shown. */
function sentenceParts(error, mention, entity) {
  return (error.sentence ? saidParts(error) : usualParts(error)).map((part) => {
    if (typeof part === "string") return named(part);
    return part.entity ? entity(part.entity, part.mention) : mention(part.mention);
  });
}

/** The parts that the report has of a sentence. */
function saidParts(error) {
  return error.sentence.map((part) => {
    if (typeof part === "string") return part;
    const [side, index, name] = part;
    const from = side ? reading.model.responses[error.system] : reading.model.key;
    return name === undefined ? { mention: from.mentions[index] } : { entity: from.entities[index], mention: from.mentions[name] };
  });
}

/** The parts of the usual sentence: what the response says of mentions, and what the key says of them. */
function usualParts({ kind, mentions, anchored, given, wanted }) {
  const [are, them] = mentions.length === 1 ? [" is", "it"] : [" are", "them"];
  const plain = plainKind(kind);
  const parts = listedParts(mentions);
  if (!given) parts.push(overview.neutral ? `${are} not in the response` : `${are} missing`);
  else if (plain === "extra entity") parts.push(`${are} entity ${given.entity.label}`);
  else parts.push(`${are} in `, given);
  parts.push("; ");
  if (plain === "span error" && anchored) parts.push("the key has ", { mention: anchored });
  else if (!wanted) parts.push(mentions.length === 1 ? "the key has no such mention" : "the key has none of them");
  else if (plain === "missing entity") parts.push(`the key has ${them} as entity ${wanted.entity.label}`);
  else parts.push(`the key has ${them} in `, wanted);
  return parts;
}

/** Mentions in a row, three at most. */
function listedParts(mentions) {
  const more = mentions.length > 3 ? mentions.length - 3 : 0;
  const parts = [];
  mentions.slice(0, 3).forEach((mention, at, some) => {
    if (at) parts.push(at === some.length - 1 && !more ? " and " : ", ");
    parts.push({ mention });
  });
  if (more) parts.push(` and ${more} more`);
  return parts;
}

function sentenceNodes(error) {
  return sentenceParts(error,
    (mention) => h("bdi", { class: "quoted" }, shortened(mention.text, 90)),
    (entity, mention) => [entityBadge(entity), " ", h("bdi", { class: "quoted" }, shortened(mention.text, 60))]);
}

function sentenceText(error) {
  return sentenceParts(error,
    (mention) => isolated(`‘${shortened(mention.text, 90)}’`),
    (entity, mention) => `${entity.label} ${isolated(`‘${shortened(mention.text, 60)}’`)}`).join("");
}

// -- spans that differ ----------------------------------------------------------------------------------------------

const unitsIn = ({ pieces }) => {
  const found = new Set();
  for (let at = 0; at < pieces.length; at += 2) for (let unit = pieces[at]; unit <= pieces[at + 1]; unit += 1) found.add(unit);
  return found;
};

/** The units that only one of the two mentions of a span error has. */
function differingUnits(error) {
  if (!error || !isSpanError(error) || !error.anchored) return [];
  const [theirs, ours] = [unitsIn(error.mentions[0]), unitsIn(error.anchored)];
  return [...[...theirs].filter((unit) => !ours.has(unit)), ...[...ours].filter((unit) => !theirs.has(unit))];
}

const SHARED = 4; // words that are shown of a stretch that both have, at each of its ends

/** The words of a span error: those that only the key has, only the response, and some of those that both have. */
function spanWords(error) {
  if (!error.anchored || !error.anchored.pieces.length) return null;
  const { chunk } = reading.model;
  const [theirs, ours] = [unitsIn(error.mentions[0]), unitsIn(error.anchored)];
  const every = [...new Set([...theirs, ...ours])].sort((a, b) => a - b);
  const differs = (unit) => theirs.has(unit) !== ours.has(unit);
  const near = (at) => every.slice(Math.max(0, at - SHARED), at + SHARED + 1).some(differs);
  const found = [];
  every.forEach((unit, at) => {
    if (!near(at)) {
      if (found[found.length - 1] !== "… ") found.push("… ");
    } else if (differs(unit)) {
      found.push(h(ours.has(unit) ? "ins" : "del", null, chunk.units[unit]), " ");
    } else found.push(chunk.units[unit], " ");
  });
  return [h("p", { class: "words", dir: chunk.rtl ? "rtl" : "ltr" }, found),
    h("p", { class: "note" }, h("ins", null, named("only in the key")), " ", h("del", null, named("only in the response")))];
}
