// -- the best one-to-one assignment ---------------------------------------------------------------------------------

/**
 * The places of the chosen cells, at most one in each row and column, with the greatest total weight. Cells that weigh at
 * least as much as the best others of their row and column together are taken at once; the rest falls into components.
 */
function assignment(row, column, weight) {
  const chosen = [];
  let left = row.map((_, place) => place).filter((place) => weight[place] > 0);
  while (left.length) {
    const taken = decidedCells(row, column, weight, left);
    if (!taken.length) {
      for (const part of componentsOf(row, column, left)) chosen.push(...solved(row, column, weight, part));
      break;
    }
    chosen.push(...taken);
    const [rows, columns] = [row, column].map((line) => new Set(taken.map((place) => line[place])));
    left = left.filter((place) => !rows.has(row[place]) && !columns.has(column[place]));
  }
  return chosen;
}

function decidedCells(row, column, weight, left) {
  const [ofRow, ofColumn] = [row, column].map((line) => bestTwo(line, weight, left));
  const rival = ([best, second, where], place) => (where === place ? second : best);
  const [rows, columns] = [new Set(), new Set()];
  return left.filter((place) => {
    const others = rival(ofRow.get(row[place]), place) + rival(ofColumn.get(column[place]), place);
    if (weight[place] < others || rows.has(row[place]) || columns.has(column[place])) return false;
    rows.add(row[place]);
    columns.add(column[place]);
    return true;
  });
}

/** Of each line the best weight, the second best, and the place of the best. */
function bestTwo(line, weight, left) {
  const found = new Map();
  for (const place of left) {
    const known = found.get(line[place]);
    if (!known) found.set(line[place], [weight[place], 0, place]);
    else if (weight[place] > known[0]) found.set(line[place], [weight[place], known[0], place]);
    else if (weight[place] > known[1]) known[1] = weight[place];
  }
  return found;
}

/** The cells in groups that share no row and no column. */
function componentsOf(row, column, left) {
  const parent = new Map();
  const root = (name) => {
    let top = name;
    while (parent.get(top) !== top) top = parent.get(top);
    for (let at = name; at !== top;) {
      const next = parent.get(at);
      parent.set(at, top);
      at = next;
    }
    return top;
  };
  for (const place of left) {
    for (const name of [row[place], -1 - column[place]]) if (!parent.has(name)) parent.set(name, name);
    parent.set(root(row[place]), root(-1 - column[place]));
  }
  const groups = new Map();
  for (const place of left) {
    const name = root(row[place]);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(place);
  }
  return groups.values();
}

/** The best cells of a component, by shortest augmenting paths (Kuhn 1955, Jonker & Volgenant 1987). */
function solved(row, column, weight, part) {
  const lines = [row, column].map((line) => [...new Set(part.map((place) => line[place]))]);
  const turned = lines[0].length > lines[1].length;
  const [ours, theirs] = turned ? [lines[1], lines[0]] : lines;
  const numbers = [ours, theirs].map((names) => new Map(names.map((name, number) => [name, number])));
  const [rows, columns] = [ours.length, theirs.length];
  const cells = Array.from({ length: rows }, () => new Float64Array(columns));
  const places = Array.from({ length: rows }, () => new Map());
  for (const place of part) {
    const [i, j] = turned ? [column[place], row[place]] : [row[place], column[place]];
    cells[numbers[0].get(i)][numbers[1].get(j)] = weight[place];
    places[numbers[0].get(i)].set(numbers[1].get(j), place);
  }
  const owner = shortestPaths(cells, rows, columns);
  const found = [];
  owner.forEach((i, j) => {
    if (i >= 0 && places[i].has(j)) found.push(places[i].get(j));
  });
  return found;
}

/** The row of each column, or -1, where every row has a column; there are no more rows than columns. */
function shortestPaths(cells, rows, columns) {
  const [up, across] = [new Float64Array(rows), new Float64Array(columns + 1)];
  const owner = new Array(columns + 1).fill(-1);
  for (let row = 0; row < rows; row += 1) {
    owner[columns] = row;
    const [least, from] = [new Float64Array(columns).fill(Infinity), new Int32Array(columns).fill(columns)];
    const seen = new Uint8Array(columns + 1);
    let at = columns;
    while (owner[at] >= 0) {
      seen[at] = 1;
      const i = owner[at];
      let [step, next] = [Infinity, -1];
      for (let j = 0; j < columns; j += 1) {
        if (seen[j]) continue;
        const reduced = -cells[i][j] - up[i] - across[j];
        if (reduced < least[j]) [least[j], from[j]] = [reduced, at];
        if (least[j] < step) [step, next] = [least[j], j];
      }
      for (let j = 0; j <= columns; j += 1) {
        if (seen[j]) {
          up[owner[j]] += step;
          across[j] -= step;
        } else if (j < columns) least[j] -= step;
      }
      at = next;
    }
    while (at !== columns) {
      owner[at] = owner[from[at]];
      at = from[at];
    }
  }
  return owner.slice(0, columns);
}
