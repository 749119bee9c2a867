// -- what mentions lose, by their kinds: columns as the report has them ----------------------------------------------

const [FIRST_LETTER, LETTERS] = [40, 52];

/** The numbers below `size` that a text has, each with as many letters as the largest needs. */
function kindsFrom(text, size) {
  let width = 1;
  while (LETTERS ** width < size) width += 1;
  const found = new Uint32Array(text.length / width);
  for (let at = 0; at < found.length; at += 1) {
    let number = 0;
    for (let place = at * width; place < (at + 1) * width; place += 1) {
      number = number * LETTERS + text.charCodeAt(place) - FIRST_LETTER;
    }
    found[at] = number;
  }
  return found;
}

/** The mentions of both sides of a system: documents, places there, losses (null: can lose nothing) and kinds by field. */
async function lossesOf(system) {
  const data = await part(`losses-${system}`);
  if (data.ready) return data;
  data.sides = data.sides.map(({ sizes, losses, loss, kinds, of }) => {
    const codes = kindsFrom(loss, losses.length);
    const [documents, indices] = [new Uint32Array(codes.length), new Uint32Array(codes.length)];
    let at = 0;
    sizes.forEach((size, number) => {
      for (let index = 0; index < size; index += 1, at += 1) [documents[at], indices[at]] = [number, index];
    });
    const known = Object.fromEntries(data.fields.map((field) => [field,
      { names: kinds[field], of: kindsFrom(of[field], kinds[field].length) }]));
    return { size: codes.length, documents, indices, kinds: known, loss: (mention) => losses[codes[mention]] };
  });
  data.ready = true;
  return data;
}

/** Kinds that an address asks for, field:kind|field:kind, as pairs; null for what no address can mean. */
function kindsAsked(where) {
  return (where || "").split("|").filter(Boolean).map((pair) => {
    const [field, kind, ...more] = pair.split(":").map(decoded);
    return kind === undefined || more.length ? null : [field, kind];
  });
}

const writtenKinds = (kinds) => kinds.map((pair) => pair.map((each) => each.replace(/[%|:]/g, encodeURIComponent)
  .replace(/\|/g, "%7C")).join(":")).join("|");

/** The mentions of a side that have all of these kinds. */
function mentionsWith(side, kinds) {
  const wanted = kinds.map(([field, kind]) => [side.kinds[field].of, side.kinds[field].names.indexOf(kind)]);
  const found = [];
  for (let mention = 0; mention < side.size; mention += 1) {
    if (wanted.every(([of, number]) => of[mention] === number)) found.push(mention);
  }
  return found;
}

/**
 * What some mentions lose by two fields, crossed: {rows, columns, cells}, where a cell is {number, sum}. Kinds without
 * mentions that can lose something are left out; with the key "" for all kinds.
 */
function crossed(side, mentions, fields) {
  const cells = new Map();
  const [down, across] = fields.map((field) => side.kinds[field]);
  const [rows, columns] = [new Set(), new Set()];
  const put = (row, column, loss) => {
    const code = `${row} ${column}`;
    const cell = cells.get(code) || { number: 0, sum: 0 };
    cells.set(code, { number: cell.number + 1, sum: cell.sum + loss });
  };
  for (const mention of mentions) {
    const loss = side.loss(mention);
    if (loss === null) continue;
    const [row, column] = [down.of[mention], across.of[mention]];
    rows.add(row);
    columns.add(column);
    for (const [one, other] of [[row, column], [row, ""], ["", column], ["", ""]]) put(one, other, loss);
  }
  const named = (numbers, { names }) => [...numbers].sort((a, b) => a - b).map((number) => [names[number], number]);
  return { rows: named(rows, down), columns: named(columns, across),
    cell: (row, column) => cells.get(`${row} ${column}`) || { number: 0, sum: 0 } };
}
