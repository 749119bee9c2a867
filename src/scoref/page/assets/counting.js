// -- counting a document again: the table of shared mentions, rules, metrics ----------------------------------------

/*
 * As in the library: a table has the cells that are not empty, {row, column, n, number}, and two sides with the size of
 * each entity and the number of such entities. A metric gives each key entity a numerator and a denominator; precision
 * is the same on the transposed table. The functions have the names of those of `counting/coreference.py`,
 * `counting/clusterings.py` and `counting/rules.py`, where their formulas are explained.
 */

/** The table of key and response, each a list with the entity of every mention; `pairs` are mentions that match. */
function tableOf(ours, theirs, pairs) {
  const sides = [ours, theirs].map((entities) => {
    const number = new Map();
    const size = [];
    for (const entity of entities) {
      if (entity === null) continue;
      if (!number.has(entity)) number.set(entity, size.push(0) - 1);
      size[number.get(entity)] += 1;
    }
    return { number, size, names: [...number.keys()] };
  });
  const shared = new Map();
  for (const [k, r] of pairs) {
    if (ours[k] === null || theirs[r] === null) continue;
    const cell = sides[0].number.get(ours[k]) * (sides[1].size.length || 1) + sides[1].number.get(theirs[r]);
    shared.set(cell, (shared.get(cell) || 0) + 1);
  }
  const width = sides[1].size.length || 1;
  const codes = [...shared.keys()].sort((a, b) => a - b);
  const side = ({ size, names }) => ({ size, names, number: size.map(() => 1) });
  return { row: codes.map((code) => Math.floor(code / width)), column: codes.map((code) => code % width),
    n: codes.map((code) => shared.get(code)), number: codes.map(() => 1), key: side(sides[0]), response: side(sides[1]) };
}

const transposed = (table) => ({ ...table, row: table.column, column: table.row, key: table.response, response: table.key });

const sum = (values) => values.reduce((total, value) => total + value, 0);
const pairsAmong = (number) => (number * (number - 1)) / 2;
const sizesOf = (table) => [table.row.map((i) => table.key.size[i]), table.column.map((j) => table.response.size[j])];

/** The sum of a value of each cell, for each key entity. */
function perRow(table, values) {
  const found = table.key.size.map(() => 0);
  table.row.forEach((i, cell) => { found[i] += values[cell] * table.number[cell]; });
  return found;
}

const numberedOf = (table, values) => values.map((value, i) => value * table.key.number[i]);
const sharedOf = (table) => perRow(table, table.n).map((value, i) => value / table.key.number[i]);

/** The table with some of its cells. */
function someCells(table, kept) {
  const cells = table.row.map((_, cell) => cell).filter(kept);
  const [row, column, n, number] = [table.row, table.column, table.n, table.number].map((each) => cells.map((cell) => each[cell]));
  return { ...table, row, column, n, number };
}

/** The table without key entities that are marked. */
function withoutKey(table, gone) {
  if (!gone.some(Boolean)) return table;
  let kept = 0;
  const place = gone.map((each) => (each ? -1 : (kept += 1) - 1));
  const found = someCells(table, (cell) => !gone[table.row[cell]]);
  const side = { size: table.key.size.filter((_, i) => !gone[i]), number: table.key.number.filter((_, i) => !gone[i]) };
  return { ...found, row: found.row.map((i) => place[i]), key: side };
}

const withoutResponse = (table, gone) => transposed(withoutKey(transposed(table), gone));

// -- mentions without a twin, and singletons ------------------------------------------------------------------------

/** With a response singleton for each key mention that the response lacks. */
function withSingletons(table) {
  const found = perRow(table, table.n);
  const lacking = table.key.size.map((size, i) => Math.max(size * table.key.number[i] - found[i], 0));
  const rows = lacking.map((_, i) => i).filter((i) => lacking[i]);
  const first = table.response.size.length;
  return { ...table,
    row: [...table.row, ...rows], column: [...table.column, ...rows.map((_, at) => first + at)],
    n: [...table.n, ...rows.map(() => 1)], number: [...table.number, ...rows.map((i) => lacking[i])],
    response: { size: [...table.response.size, ...rows.map(() => 1)],
      number: [...table.response.number, ...rows.map((i) => lacking[i])] } };
}

/** Without the response mentions that the key lacks. */
function withoutTwinless(table) {
  const shared = sharedOf(transposed(table));
  const size = table.response.size.map((each, j) => Math.min(shared[j], each));
  return withoutResponse({ ...table, response: { ...table.response, size } }, size.map((each) => each === 0));
}

function withoutTwinlessSingletons(table) {
  const shared = sharedOf(transposed(table));
  return withoutResponse(table, table.response.size.map((size, j) => size === 1 && shared[j] === 0));
}

const both = (table) => [table, table];
const turnedSingletons = (table) => transposed(withSingletons(transposed(table)));
const paddedTables = (table) => [withSingletons(table), turnedSingletons(table)];

function systemTables(table) {
  const response = withSingletons(withoutTwinlessSingletons(table));
  return [withoutTwinless(response), turnedSingletons(response)];
}

/** Each rule gives a table for recall and one for precision. */
const TWINLESS_RULES = {
  "as-is": both,
  0: (table) => both(withoutTwinless(table)),
  all: paddedTables,
  rn: (table) => both(withoutTwinlessSingletons(table)),
  "rn-all": (table) => paddedTables(withoutTwinlessSingletons(table)),
  sys: systemTables,
  "conll-2011": (table) => both(systemTables(table)[1]),
  "pad-key": (table) => both(turnedSingletons(table)),
  common: (table) => both(transposed(withoutTwinless(transposed(withoutTwinless(table))))),
  key: (table) => both(withSingletons(withoutTwinless(table))),
};

const isAlone = ({ size }) => size.map((each) => each === 1);
const withoutBoth = (table) => both(withoutResponse(withoutKey(table, isAlone(table.key)), isAlone(table.response)));
const withoutTheirs = (table) => both(withoutResponse(table, isAlone(table.response)));
const withoutOwn = (table) => [withoutKey(table, isAlone(table.key)), withoutResponse(table, isAlone(table.response))];
const withoutCells = (table) => {
  const [k, r] = sizesOf(table);
  return [someCells(table, (cell) => r[cell] !== 1), someCells(table, (cell) => k[cell] !== 1)];
};

const SINGLETON_RULES = { keep: {}, drop: {}, links: { lea: withoutOwn }, barhom: { b3: withoutCells },
  e2e: { b3: withoutBoth, ceaf: withoutTheirs, lea: withoutOwn },
  asp: { b3: withoutOwn, ceaf: withoutTheirs, lea: withoutOwn } };

// -- what metrics count ---------------------------------------------------------------------------------------------

const selfLinks = (table) => table.column.map((j) => (table.response.size[j] === 1 ? 1 : 0));

/** A value of each cell. */
const CELL_VALUES = {
  mentions: (table) => table.n,
  muc: (table) => table.n.map((n) => n - 1),
  b3: (table) => table.n.map((n) => n * n),
  lea: (table) => {
    const alone = selfLinks(table);
    return table.n.map((n, cell) => (table.key.size[table.row[cell]] === 1 ? alone[cell] : pairsAmong(n)));
  },
  pairwise: (table) => table.n.map(pairsAmong),
  nonlinks: (table) => {
    const [ours, theirs] = [sharedOf(table), sharedOf(transposed(table))];
    const every = sum(numberedOf(table, ours));
    return table.n.map((n, cell) => (n * (every - ours[table.row[cell]] - theirs[table.column[cell]] + n)) / 2);
  },
  entities_exact: (table) => {
    const [k, r] = sizesOf(table);
    return table.n.map((n, cell) => (n === k[cell] && n === r[cell] ? 1 : 0));
  },
};

/** A value of each key entity. */
const ENTITY_VALUES = {
  all_mentions: (table) => table.key.size,
  size: (table) => table.key.size,
  importance: (table) => table.key.size,
  one: (table) => table.key.size.map(() => 1),
  squared: (table) => table.key.size.map((size) => size * size),
  joining: (table) => table.key.size.map((size) => size - 1),
  pairs_of_elements: (table) => table.key.size.map(pairsAmong),
  links_by_importance: (table) => table.key.size.map((size) => (size === 1 ? 1 : pairsAmong(size)) / size),
  pairs_with_others: (table) => {
    const every = sum(numberedOf(table, table.key.size));
    return table.key.size.map((size) => (size * (every - size)) / 2);
  },
};

const SIMILARITIES = { φ3: (n) => n, φ4: (n, k, r) => (2 * n) / (k + r) };

/** Sums of a function of common mentions over cells and entities of both sides; the common mentions. */
function sumsOf(table, value) {
  const sides = [table, transposed(table)].map((each) => sum(numberedOf(each, sharedOf(each).map(value))));
  return [sum(perRow(table, table.n.map(value))), ...sides, sum(perRow(table, table.n))];
}

const surprise = (number) => number * Math.log(Math.max(number, 1));

/** Four sums of a table. */
const WHOLE_SUMS = {
  pairs_together: (table) => sumsOf(table, pairsAmong),
  surprises: (table) => sumsOf(table, surprise),
  detected: (table) => [table, transposed(table)].flatMap((each) => [sum(perRow(each, each.n)), sum(numberedOf(each, each.key.size))]),
  associated: (table) => {
    const [k, r] = sizesOf(table);
    const values = [(n, cell) => (n * n) / k[cell], (n, cell) => (n * n) / r[cell],
      (n, cell) => (n * n) / (k[cell] + r[cell] - n), (n) => n];
    return values.map((value) => sum(perRow(table, table.n.map(value))));
  },
};

/** The counts of a metric: numerator and denominator of recall, then of precision. */
function countsOf(how, table, { singletons, twinless }) {
  let [recall, precision] = [table, table];
  for (const rule of [SINGLETON_RULES[singletons][how.singletons] || both, TWINLESS_RULES[how.twinless || twinless]]) {
    [recall, precision] = [rule(recall)[0], rule(precision)[1]];
  }
  if (how.sums) return WHOLE_SUMS[how.sums](recall);
  return [recall, transposed(precision)].flatMap((each, side) => (how.similarity
    ? alignedCounts(each, SIMILARITIES[how.similarity], side) : entityCounts(each, how)));
}

function entityCounts(table, { cell, entity, over }) {
  const found = perRow(table, CELL_VALUES[cell](table));
  const below = over ? ENTITY_VALUES[over](table) : null;
  const tops = below ? found.map((value, i) => value / below[i]) : found;
  return [sum(tops), sum(numberedOf(table, ENTITY_VALUES[entity](table)))];
}

/** CEAF: entities are aligned one to one. */
function alignedCounts(table, similarity, side) {
  const [k, r] = sizesOf(table);
  const weight = table.n.map((n, cell) => similarity(n, k[cell], r[cell]));
  const lines = side ? [table.column, table.row] : [table.row, table.column];
  const chosen = assignment(lines[0], lines[1], weight);
  return [sum(chosen.map((cell) => weight[cell])), sum(numberedOf(table, table.key.size.map((size) => similarity(size, size, size))))];
}
