// -- a response as it is changed: its mentions, what an edit does to them, its counts ------------------------------

/*
 * An edit is a text, so that it can be kept, undone and sent: what is done, the system, the document, and of what, with
 * dots between them. Mentions are `r3` (of the response, as they are scored), `o3` (read, but not scored), `k3` (added,
 * with the words of a mention of the key), `w3-5` (added, with those words). Entities are `e3` (of the response), `f3`
 * (read, none of its mentions scored), `nr3` (new, made for a mention).
 */

/** The response of a system in a document, before any change; null where it cannot be changed. */
function responseOf(chunk, system) {
  const [data, found, about] = [chunk.systems[system], chunk.systems[system].response, chunk.changes[system]];
  if (typeof about === "string") return null;
  const key = chunk.keys[data.key];
  const ours = key.mentions.slice(0, key.scored ?? key.mentions.length);
  const near = new Set(data.near || []);
  const items = new Map();
  const byKey = new Map();
  const add = (item) => {
    items.set(item.id, item);
    if (item.twin >= 0 && !item.out) byKey.set(item.twin, item.id);
  };
  found.mentions.slice(0, found.scored ?? found.mentions.length).forEach(([entity, ...pieces], index) => {
    add({ id: `r${index}`, index, pieces, entity: `e${entity}`, twin: near.has(index) ? -1 : data.twins[index], out: false });
  });
  const names = new Map(found.entities.map((name, number) => [`e${number}`, name]));
  const known = new Map([...names].map(([id, name]) => [name, id]));
  (about.further || []).forEach(([entity, revived, twin, ...pieces], index) => {
    const name = about.names[entity];
    const id = known.get(name) || `f${entity}`;
    if (id[0] === "f") names.set(id, name);
    add({ id: `o${index}`, index: null, pieces, entity: id, twin, out: !revived });
  });
  const scored = items.size - (about.further || []).length;
  const fixed = about.fixed === true ? [...items.keys()]
    : (about.fixed || []).map((at) => (at < scored ? `r${at}` : `o${at - scored}`));
  return { chunk, system, about, scored, items, names, byKey, fixed, ours, errors: data.errors, tangles: data.tangles || [],
    partners: data.partners, near, nearTwins: data.twins, empty: new Set(chunk.empty || []), before: null };
}

/** What a response is after edits: the entity of each mention that is left, and mentions that were added. */
function changed(response, edits) {
  const owners = new Map([...response.items.values()].map((item) => [item.id, item.entity]));
  const state = { response, owners, added: new Map(), failed: [] };
  for (const edit of inOrder(edits, response)) if (!applied(state, edit)) state.failed.push(edit);
  return state;
}

const FIRST = { f: 0, t: 1 };

/** What is ticked comes before what is done by hand; errors in the order in which they are repaired. */
function inOrder(edits, { errors }) {
  const rank = (edit) => {
    const [what, , , number] = edit.split(".");
    return what in FIRST ? [FIRST[what], what === "f" ? (errors[number - 1] || [0])[0] : 0, Number(number)] : [2, 0, 0];
  };
  return edits.map((edit) => [rank(edit), edit])
    .sort(([a], [b]) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).map(([, edit]) => edit);
}

const itemOf = (state, id) => state.response.items.get(id) || state.added.get(id) || null;
const membersOf = (state, entity) => [...state.owners].filter(([id, owner]) => owner === entity && !itemOf(state, id).out)
  .map(([id]) => id);

/** The place of a mention among all of the response, those that are not scored behind the others; null for a new one. */
const placeOfItem = ({ scored }, id) => ({ r: 0, o: scored })[id[0]] + Number(id.slice(1));

/** The units of a mention: its words, or else its empty nodes. */
function unitsOfItem(state, id) {
  const { about, empty } = state.response;
  const given = (about.spans || {})[/^[kw]/.test(id) ? id : placeOfItem(state.response, id)];
  return given || unitsInPieces(itemOf(state, id).pieces, empty);
}

const unitsOfKey = ({ about, empty, ours }, index) => (about.spans || {})[`k${index}`] || unitsInPieces(ours[index].slice(1), empty);

function unitsInPieces(pieces, empty) {
  const found = [];
  for (let at = 0; at < pieces.length; at += 2) for (let unit = pieces[at]; unit <= pieces[at + 1]; unit += 1) found.push(unit);
  const words = empty.size ? found.filter((unit) => !empty.has(unit)) : found;
  return words.length ? words : found;
}

const isThere = (state, entity) => [...state.owners.values()].includes(entity);

/** A new entity for a mention. */
function newEntity(state, id) {
  let entity = `n${id}`;
  while (membersOf(state, entity).some((each) => each !== id)) entity += "x";
  return entity;
}

/** The mention for a mention of the key: the one that matches it, or else a new one. */
function forKey(state, number) {
  const { response } = state;
  const known = response.byKey.get(number);
  if (known !== undefined) return known;
  const id = `k${number}`;
  const [, ...pieces] = response.ours[number] || [];
  if (!response.ours[number]) return null;
  if (!state.added.has(id)) state.added.set(id, { id, index: null, pieces, twin: number, out: false });
  return id;
}

/** The mention of that name; one with other words is added. */
function mentionNamed(state, id) {
  if (itemOf(state, id)) return id;
  if (/^k\d+$/.test(id)) return forKey(state, Number(id.slice(1)));
  const words = /^w(\d+)-(\d+)$/.exec(id);
  if (!words) return null;
  const [from, to] = [Number(words[1]), Number(words[2])];
  if (from > to || to >= state.response.chunk.units.length) return null;
  const same = (pieces) => pieces.length === 2 && pieces[0] === from && pieces[1] === to;
  const known = [...state.response.items.values()].find(({ pieces }) => same(pieces));
  if (known) return known.id;
  const twin = state.response.ours.findIndex(([, ...pieces]) => same(pieces));
  if (twin >= 0) return forKey(state, twin);
  state.added.set(id, { id, index: null, pieces: [from, to], twin: -1, out: false });
  return id;
}

const inText = (state) => (a, b) => {
  const [one, other] = [itemOf(state, a).pieces, itemOf(state, b).pieces];
  return (one[0] ?? 0) - (other[0] ?? 0) || (one[one.length - 1] ?? 0) - (other[other.length - 1] ?? 0);
};

/** What edits do, each with what stands behind system and document; whether it could be done. */
const EDITS = {
  /** Puts mentions into an entity, added ones too. */
  m: (state, [entity, ...ids]) => {
    const items = ids.map((id) => mentionNamed(state, id));
    if (!entity || !items.length || items.includes(null) || !(/^n/.test(entity) || isThere(state, entity))) return false;
    if (items.some((id) => itemOf(state, id).out)) return false;
    for (const id of items) state.owners.set(id, entity);
    return true;
  },
  /** Removes mentions. */
  x: (state, ids) => {
    if (!ids.length || ids.some((id) => !state.owners.has(id))) return false;
    for (const id of ids) state.owners.delete(id);
    return true;
  },
  /** Merges an entity into another one. */
  g: (state, [from, to]) => {
    if (from === to || !isThere(state, from) || !isThere(state, to)) return false;
    for (const id of membersOf(state, from)) state.owners.set(id, to);
    return true;
  },
  /** Splits an entity: a mention and those behind it become a new one. */
  p: (state, [id]) => {
    const entity = state.owners.get(id);
    if (!entity) return false;
    const members = membersOf(state, entity).sort(inText(state));
    const goal = newEntity(state, id);
    for (const each of members.slice(members.indexOf(id))) state.owners.set(each, goal);
    return true;
  },
  /** Repairs an error. */
  f: (state, [number]) => repairError(state, Number(number) - 1),
  /** Repairs a tangle: its response entities become the entities of the key. */
  t: (state, [number]) => repairTangle(state, Number(number) - 1),
};

function applied(state, edit) {
  const [what, , , ...arguments_] = edit.split(".");
  return Object.hasOwn(EDITS, what) && EDITS[what](state, arguments_);
}

// -- repairs --------------------------------------------------------------------------------------------------------

const COREFERENCE = ["span error", "conflated entities", "extra mention", "extra entity", "divided entity", "missing mention",
  "missing entity"];

/** Whether the page can repair an error: it is one of coreference, and its mentions are scored. */
function isRepairable(response, kinds, error) {
  if (!error || !COREFERENCE.includes(kinds[error[0]])) return false;
  const ends = [...error[1], ...(error[2] ? [error[2]] : [])];
  return ends.every(([side, index]) => (side ? response.items.has(`r${index}`) : index < response.ours.length));
}

function repairError(state, number) {
  const { response } = state;
  const error = response.errors[number];
  if (!isRepairable(response, overview.kinds, error)) return false;
  const kind = overview.kinds[error[0]];
  const [, mentions, anchor] = error;
  const theirs = mentions.filter(([side]) => side).map(([, index]) => `r${index}`);
  if (kind === "span error") {
    const entity = state.owners.get(theirs[0]);
    if (!entity) return false;
    state.owners.delete(theirs[0]);
    state.owners.set(forKey(state, anchor[1]), entity);
  } else if (kind.startsWith("extra")) for (const id of theirs) state.owners.delete(id);
  else if (kind === "conflated entities") splitOff(state, theirs);
  else {
    const items = mentions.map(([, index]) => standingFor(state, index));
    const there = anchor ? state.owners.get(standingFor(state, anchor[1])) : null;
    const entity = there || newEntity(state, items[0]);
    for (const id of items) state.owners.set(id, entity);
  }
  return true;
}

/** The mention that stands for one of the key: one with other words, as long as that is not repaired. */
function standingFor(state, number) {
  const { response } = state;
  const near = [...response.near].find((index) => response.nearTwins[index] === number);
  return near !== undefined && state.owners.has(`r${near}`) ? `r${near}` : forKey(state, number);
}

/** Mentions of one entity of the key become an entity of their own; those that the key lacks go. */
function splitOff(state, ids) {
  const { response } = state;
  const known = ids.filter((id) => response.nearTwins[Number(id.slice(1))] >= 0);
  if (!known.length) for (const id of ids) state.owners.delete(id);
  const items = known.map((id) => (state.owners.has(id) ? id : standingFor(state, response.nearTwins[Number(id.slice(1))])));
  if (items.length) {
    const goal = newEntity(state, items[0]);
    for (const id of items) state.owners.set(id, goal);
  }
}

function repairTangle(state, number) {
  const { response } = state;
  const tangle = response.tangles.find(([each]) => each === number);
  if (!tangle) return false;
  const [, , ours, theirs] = tangle;
  const bad = new Set(theirs.map((entity) => `e${entity}`));
  for (const item of response.items.values()) if (bad.has(item.entity)) state.owners.delete(item.id);
  for (const entity of ours) {
    const members = response.ours.map(([owner], index) => (owner === entity ? forKey(state, index) : null)).filter(Boolean);
    const partner = response.partners.indexOf(entity);
    const goal = bad.has(`e${partner}`) ? `e${partner}` : `n${members[0]}`;
    for (const id of members) state.owners.set(id, goal);
  }
  return true;
}

// -- what is scored, and what that counts ---------------------------------------------------------------------------

/** The mentions that are scored, with their entities: singletons may be left out. */
function scoredIn({ owners, response, added }, { singletons }) {
  const there = [...owners].filter(([id]) => !(response.items.get(id) || added.get(id)).out);
  if (singletons !== "drop") return new Map(there);
  const sizes = new Map();
  for (const [, entity] of there) sizes.set(entity, (sizes.get(entity) || 0) + 1);
  return new Map(there.filter(([, entity]) => sizes.get(entity) > 1));
}

/** Why a response cannot be as it was changed; null if it can. */
function refusalOf(state, { choices, closed }) {
  if (closed && state.added.size && [...state.added.keys()].some((id) => state.owners.has(id))) return closed;
  const { response } = state;
  if (!response.fixed.length) return null;
  response.before = response.before || scoredIn(changed(response, []), choices);
  const [before, now] = [response.before, scoredIn(state, choices)];
  if (response.fixed.some((id) => before.has(id) !== now.has(id))) {
    return "it decides how other mentions are matched whether this mention is scored, which the library does";
  }
  return null;
}

function tableAfter(state, { choices }) {
  const scored = [...scoredIn(state, choices)];
  const pairs = scored.map(([id], place) => [itemOf(state, id).twin, place]).filter(([twin]) => twin >= 0);
  return tableOf(state.response.ours.map(([entity]) => entity), scored.map(([, entity]) => entity), pairs);
}

/** The counts of a document for every metric. */
function countsAfter(state, changing) {
  const table = tableAfter(state, changing);
  return Object.fromEntries(Object.entries(changing.how).map(([name, how]) => [name, countsOf(how, table, changing.choices)]));
}

/** What a document adds to the sums, counted once. */
function addendsAfter(state, changing) {
  state.addends = state.addends || addendsOf(countsAfter(state, changing), changing);
  return state.addends;
}

/** The sums of a corpus in which some documents are changed: [number, state before, state after]. */
function sumsAfter(changing, documents) {
  const sums = changing.sums.map((row) => [...row]);
  for (const [number, before, after] of documents) {
    const row = sums[changing.datasets ? changing.datasets[number] : 0];
    const [old, now] = [before, after].map((state) => addendsAfter(state, changing));
    row.forEach((_, column) => { row[column] += now[column] - old[column]; });
  }
  return sums;
}
