// -- a document with a changed response, in the form of any other document ------------------------------------------

/**
 * The data of a document in which the response of a system was changed: mentions, twins and partners as the library
 * has them. Kinds of errors are not found again: the document has none. `items` says which mention each one is.
 */
function editedChunk(state, changing) {
  const { response } = state;
  const { chunk, system } = response;
  const data = chunk.systems[system];
  const scored = scoredIn(state, changing.choices);
  const order = [...state.owners.keys()].filter((id) => !itemOf(state, id).out);
  const items = [...order.filter((id) => scored.has(id)), ...order.filter((id) => !scored.has(id))];
  const entities = [...new Set(items.map((id) => state.owners.get(id)))];
  const numbers = new Map(entities.map((entity, number) => [entity, number]));
  const [twins, near] = twinsAfter(state, items.filter((id) => scored.has(id)));
  const owners = items.map((id) => numbers.get(state.owners.get(id)));
  const partners = partnersAfter(state, items, owners, twins, entities.length);
  const keys = chunk.keys.map((key, number) => (number === data.key ? colouredKey(key, partners) : key));
  const found = { ...sideAfter(state, items, owners, entities), ...namedAfter(keys[data.key], partners), scored: scored.size };
  const systems = chunk.systems.map((each, number) => (number === system
    ? { ...data, same: undefined, response: found, twins, near, partners, errors: [], tangles: [], ...entityCountsAfter(state, changing, entities) }
    : { ...each, errors: [], tangles: [] }));
  return { ...chunk, keys, systems, items, edited: true };
}

/** The twin of each mention that is scored, and which have other words, as `errors/twins.py` finds them. */
function twinsAfter(state, items) {
  const { response } = state;
  const twins = items.map((id) => itemOf(state, id).twin);
  const taken = new Set(twins);
  const free = [items.filter((_, at) => twins[at] < 0), response.ours.map((_, index) => index).filter((index) => !taken.has(index))];
  const place = new Map(items.map((id, at) => [id, at]));
  const near = nearPairs(state, ...free).map(([id, index]) => {
    twins[place.get(id)] = index;
    return place.get(id);
  });
  return [twins, near.sort((a, b) => a - b)];
}

/** Pairs of mentions that differ only in their words: they have one head, or else share at least half of their words. */
function nearPairs(state, items, keys) {
  const { response } = state;
  const { near: found, heads = [[], []] } = response.about;
  if (found === 0) {
    const free = new Set(keys);
    return items.filter((id) => response.near.has(itemOf(state, id).index) && free.has(response.nearTwins[itemOf(state, id).index]))
      .map((id) => [id, response.nearTwins[itemOf(state, id).index]]);
  }
  const ours = new Map(keys.map((index) => [index, unitsOfKey(response, index)]));
  const at = new Map();
  for (const [index, units] of ours) for (const unit of units) at.set(unit, [...(at.get(unit) || []), index]);
  const pairs = [];
  for (const id of items) {
    const units = unitsOfItem(state, id);
    const shared = new Map();
    for (const unit of units) for (const index of at.get(unit) || []) shared.set(index, (shared.get(index) || 0) + 1);
    for (const [index, number] of shared) {
      const dice = (2 * number) / (units.length + ours.get(index).length);
      const [head, other] = [heads[0][index] ?? null, headOfItem(state, id, heads)];
      if (head === null || other === null ? dice >= 2 / 3 : head === other) pairs.push({ id, index, dice, units, words: ours.get(index) });
    }
  }
  pairs.sort((a, b) => b.dice - a.dice || inOrderOfUnits(a.units, b.units) || inOrderOfUnits(a.words, b.words));
  const used = new Set();
  return pairs.filter(({ id, index }) => !used.has(id) && !used.has(index) && used.add(id) && used.add(index))
    .map(({ id, index }) => [id, index]);
}

function headOfItem({ response }, id, heads) {
  if (id[0] === "k") return heads[0][Number(id.slice(1))] ?? null;
  return id[0] === "w" ? null : heads[1][placeOfItem(response, id)] ?? null;
}

const inOrderOfUnits = (a, b) => {
  const at = a.findIndex((unit, place) => unit !== b[place]);
  if (at < 0) return a.length - b.length;
  return b[at] === undefined ? 1 : a[at] - b[at];
};

/** The partner of each response entity: entities share most mentions, one to one, as `errors/twins.py` says. */
function partnersAfter(state, items, owners, twins, number) {
  const { response } = state;
  const ours = response.ours.map(([entity]) => entity);
  const begins = (mentions) => {
    const found = new Map();
    for (const [entity, units] of mentions) {
      const known = found.get(entity);
      if (!known || inOrderOfUnits(units, known) < 0) found.set(entity, units);
    }
    return found;
  };
  const first = [begins(ours.map((entity, index) => [entity, unitsOfKey(response, index)])),
    begins(twins.map((_, at) => [owners[at], unitsOfItem(state, items[at])]))];
  const sizes = [ours, owners.slice(0, twins.length)].map((every) => {
    const counts = new Map();
    for (const entity of every) counts.set(entity, (counts.get(entity) || 0) + 1);
    return counts;
  });
  const cells = new Map();
  twins.forEach((twin, at) => {
    if (twin < 0) return;
    const name = `${ours[twin]} ${owners[at]}`;
    cells.set(name, [ours[twin], owners[at], ((cells.get(name) || [])[2] || 0) + 1]);
  });
  const dice = ([i, j, shared]) => shared / (sizes[0].get(i) + sizes[1].get(j));
  const before = (side, a, b) => inOrderOfUnits(first[side].get(a), first[side].get(b));
  const found = new Array(number).fill(-1);
  const taken = new Set();
  for (const [i, j] of [...cells.values()].sort((a, b) => b[2] - a[2] || dice(b) - dice(a) || before(0, a[0], b[0]) ||
    before(1, a[1], b[1]))) {
    if (found[j] >= 0 || taken.has(i)) continue;
    found[j] = i;
    taken.add(i);
  }
  return found;
}

/** The key, with a hue for each entity that has a partner now. */
function colouredKey(key, partners) {
  const hues = key.hues.map((hue, number) => (hue < 0 && partners.includes(number) ? (250 + 129 * number) % 360 : hue));
  return { ...key, hues };
}

function namedAfter(key, partners) {
  let alone = 0;
  return { labels: partners.map((partner) => (partner < 0 ? letters(alone++) : key.labels[partner])),
    hues: partners.map((partner) => (partner < 0 ? -1 : key.hues[partner])) };
}

/** Mentions and entities of the response, and what is known of those that it had. */
function sideAfter(state, items, owners, entities) {
  const { response } = state;
  const data = response.chunk.systems[response.system].response;
  const key = response.chunk.keys[response.chunk.systems[response.system].key];
  const mentions = items.map((id, place) => [owners[place], ...itemOf(state, id).pieces]);
  const found = { entities: uniqueNames(entities, response.names), mentions };
  const of = (lists, id, other) => {
    const { index, twin } = itemOf(state, id);
    return index === null ? (/^k/.test(id) && other ? other[twin] : null) : lists[index];
  };
  if (data.lines) found.lines = items.map((id) => of(data.lines, id, null));
  if (data.texts) found.texts = items.map((id) => of(data.texts, id, key.texts) ?? "");
  if (data.attributes) {
    const none = data.attributes.known.length;
    found.attributes = { known: [...data.attributes.known, []], each: items.map((id) => of(data.attributes.each, id, null) ?? none) };
  }
  return found;
}

/** The names of entities, each once: new ones are called new 1, new 2. */
function uniqueNames(entities, names) {
  const taken = new Set(names.values());
  const used = new Set();
  let number = 0;
  return entities.map((entity) => {
    let name = names.get(entity);
    while (name === undefined || used.has(name)) {
      number += 1;
      name = taken.has(`new ${number}`) ? undefined : `new ${number}`;
    }
    used.add(name);
    return name;
  });
}

/** What entities contribute to the metric that the page shows for each: recall of the key's, precision of the response's. */
function entityCountsAfter(state, changing, entities) {
  const how = changing.how[overview.ruler];
  const { choices } = changing;
  const none = { recall: [], precision: [] };
  if (!how?.cell || SINGLETON_RULES[choices.singletons][how.singletons] || (how.twinless || choices.twinless) !== "as-is") return none;
  const table = tableAfter(state, changing);
  return Object.fromEntries([["recall", table], ["precision", transposed(table)]].map(([name, side]) => {
    const found = perRow(side, CELL_VALUES[how.cell](side));
    const over = how.over ? ENTITY_VALUES[how.over](side) : side.key.size.map(() => 1);
    const bottom = ENTITY_VALUES[how.entity](side);
    const known = new Map(side.key.names.map((entity, place) => [entity, [found[place] / over[place], bottom[place]]]));
    const order = name === "recall" ? [...Array(Math.max(-1, ...side.key.names) + 1).keys()] : entities;
    return [name, order.map((entity) => known.get(entity) || null)];
  }));
}
