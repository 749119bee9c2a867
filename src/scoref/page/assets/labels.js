// -- labels: the short names of entities, what is wrong with a mention -----------------------------------------------

const mentionCode = (mention) => `${mention.side}:${mention.index}`;

/**
 * The label of a mention: the short name of its entity, the signs of what is wrong, the type of an event nugget;
 * `letter` is that of its system where there are several.
 */
function labelOf(mention, letter, starts) {
  const type = starts ? typeOf(mention) : "";
  const name = nameWith(mention, letter);
  return h("button", {
    type: "button", class: "label", tabindex: "-1", "data-m": mentionCode(mention), title: said(mention),
    "aria-label": `${name} ${signsOf(mention)} ${type}: ${said(mention)}: ${isolated(mention.text)}`,
  }, starts ? [h("bdi", null, name), mention.errors.length ? [" ", markOf(mention)] : null,
    type ? h("span", { class: "type" }, ` ${type}`) : null] : h("bdi", null, `…${name}`));
}

/** All that stands on a label, to know how wide it is. */
const labelText = (mention, letter) => `${nameWith(mention, letter)} ${signsOf(mention)}${typeOf(mention)}`;

function nameWith(mention, letter) {
  const { members } = mention.entity;
  const sum = members.length ? `=${members.map((member) => (member.missing ? member.label : shortName(member))).join("+")}` : "";
  const bridges = mention.bridges.some((bridge) => bridge.anaphor === mention) ? "↩" : "";
  return `${letter ? `${letter} ` : ""}${shortName(mention.entity)}${sum}${bridges}`;
}

/** The signs of what is wrong with a mention; of two systems that are compared, each behind the letter of its system. */
function signsOf(mention) {
  const of = (errors) => [...new Set(errors.map((error) => signOf(error, mention)))].join("");
  if (mention.side !== "k" || reading.against === null) return of(mention.errors);
  return [reading.model.system, reading.against].map((system) => [letters(system).toUpperCase(),
    of(mention.errors.filter((error) => error.system === system))])
    .filter(([, signs]) => signs).map(([letter, signs]) => letter + signs).join(" ");
}

/** The sign of an error at one of its mentions, which may say that the other side lacks the mention. */
function signOf(error, mention) {
  const lacking = FIRSTS[plainKind(error.kind)];
  return (lacking && !twinIn(mention, error.system) ? lacking : "") + markFor(error.kind);
}

function markOf(mention) {
  return mention.errors.length ? h("span", { class: "mark" }, signsOf(mention)) : null;
}

// -- short names ----------------------------------------------------------------------------------------------------

const LITTLE = new Set(("a an the this that these those my your his her its our their some any all both each every no one " +
  "der die das ein eine le la les un une el los las il lo gli de").split(" "));
const AFTER = new Set("of on from in at with for by to who whom whose which that where , ( - – : ; and or".split(" "));
const SHORT = 12; // letters of a short name

/** A short name for an entity, from its words: a name's first, else what stands before its first complement. */
function briefly(text) {
  const words = text.replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, "").split(" ");
  let from = 0;
  while (from < words.length - 1 && LITTLE.has(words[from].toLowerCase())) from += 1;
  const to = words.findIndex((word, at) => at > from && AFTER.has(word.toLowerCase()));
  const some = words.slice(from, to < 0 ? words.length : to);
  const whole = some.join(" ");
  if (whole.length <= SHORT) return whole;
  const [first, last] = [some[0], some[some.length - 1]];
  if (!/^\p{Script=Latin}+$/u.test(first + last)) return shortened(whole, SHORT);
  return shortened(/^\p{Lu}/u.test(first) && from === 0 ? first : last, SHORT);
}

/** Short names of all entities of a document; entities that would have the same one have their label behind it. */
function nameEntities(model) {
  const plain = ["numbers", "none"].includes(model.chunk.kind);
  const known = new Map();
  const sides = overview.neutral ? [model.key, model.response] : [model.key, ...model.responses];
  const entities = sides.flatMap((side) => side.entities).filter((entity) => !entity.partner || entity.side === "k");
  for (const entity of entities) {
    const text = plain || !entity.mentions.length ? "" : briefly(tellingText(entity));
    entity.short = text || entity.label;
    known.set(entity.short, (known.get(entity.short) || 0) + 1);
  }
  for (const entity of entities) {
    if (known.get(entity.short) > 1 && entity.short !== entity.label) entity.short += ` ${entity.label}`;
  }
}

/** The words that tell most of an entity: those that name it in errors, else the longest of its first mentions. */
function tellingText(entity) {
  if (entity.naming) return entity.naming.text;
  const some = entity.mentions.slice(0, 4).map((mention) => mention.text);
  return some.reduce((a, b) => (b.length > a.length && b.length <= 40 ? b : a));
}

function shortName(entity) {
  const own = entity.side === "k" || !entity.partner ? entity : entity.partner;
  if (own.short === undefined) nameEntities(reading.model);
  return own.short;
}

// -- what a mention is, in words ------------------------------------------------------------------------------------

/** What a mention is, in words. */
function said(mention) {
  const kinds = [...new Set(mention.errors.map((error) => kindName(error.kind, error.system)))];
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
