// -- comparing systems ----------------------------------------------------------------------------------------------

/** Two systems of the address, ?system=1&against=2, and how they differ: scores, errors, documents. */
async function showCompare(route, main) {
  if (overview.systems.length < 2) return showOverview(route, main);
  const { comparison } = overview;
  const [a, b] = [route.system, rival(route)];
  const changed = await changedRows(a, b);
  if (route !== currentRoute()) return null;
  const name = (number) => overview.systems[number].name;
  const choose = (label, chosen, act) => choice(label, String(chosen), overview.systems.map((system, number) =>
    [String(number), system.name]), (value) => { act(Number(value)); navigate(); });
  const turn = (changes) => history.replaceState(null, "", writeAddress({ ...currentRoute(), ...changes }));
  return replace(main,
    viewHead("Compare", `${plural(overview.systems.length, "system")} · ${plural(overview.documents.length, "document")}`),
    h("div", { class: "filter sticky" },
      choose("A", a, (system) => turn({ system })),
      choose("B", b, (against) => turn({ asked: { ...route.asked, against: String(against + 1) } })),
      changeLinks(changed, a, b)),
    h("div", { class: "pair" },
      section("Differences", forest(a, b), comparison ? comparisonNotes(comparison) : null),
      section("Scores", comparison ? view(comparison.scores) : plainScores())),
    sentenceSection(route, "What sets the two apart", overview.differences),
    section(`Errors by kind`, errorKinds()),
    section(`Documents: ${name(b)} − ${name(a)}`, differenceTable(changed, a, b)));
}

/** How many errors of A system B fixes and breaks: links into the table of errors. */
function changeLinks(rows, a, b) {
  const number = (status) => rows.filter((row) => row.status === status).length;
  return h("span", { class: "changes" }, Object.keys(STATUSES).map((status) => h("a", { class: `status is-${status}`,
    href: addressTo("errors", { status, against: String(b + 1) }, a) }, h("b", null, count(number(status))), ` ${STATUSES[status]}`)));
}

// -- a forest plot --------------------------------------------------------------------------------------------------

/** Differences with their intervals: of two systems for each metric, of several in one metric to system A. */
function forest(a, b) {
  const many = overview.systems.length > 2;
  const rows = many
    ? overview.systems.map((system, number) => ({ label: system.name, to: number, ...differenceOf(overview.metric, a, number) }))
      .filter((row) => row.to !== a).sort((x, y) => y.difference - x.difference)
    : overview.systems[0].scores.map(([metric]) => ({ label: metricName(metric), to: b, ...differenceOf(metric, a, b) }));
  const widest = Math.max(0.002, ...rows.flatMap((row) => [row.low, row.high, row.difference].map((end) => Math.abs(end || 0))));
  const first = overview.systems[a].name;
  return [
    h("p", { class: "note" }, many ? `${metricName(overview.metric)} F1, each system − ${first}`
      : `F1, ${overview.systems[b].name} − ${first}`),
    h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Differences" }, h("table", { class: "forest" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, many ? "system" : "metric"),
        h("td", { class: "picture ends" }, h("span", null, signed(-100 * widest, 1)), h("span", null, "0"),
          h("span", null, signed(100 * widest, 1))),
        ["difference", "95 % interval", "p"].map((label) => h("th", { scope: "col", class: "number" }, label)))),
      h("tbody", null, rows.map((row) => h("tr", { class: row.p !== null && row.p < 0.05 ? "main" : null },
        h("th", { scope: "row" }, many ? h("a", { href: writeAddress({ ...currentRoute(),
          asked: { ...currentRoute().asked, against: String(row.to + 1) } }) }, row.label) : row.label),
        h("td", { class: "picture" }, whisker(row, widest)),
        h("td", { class: "number" }, row.difference === null ? "–" : signed(100 * row.difference, 2)),
        h("td", { class: "number ends" }, row.low === null ? "–" : `${signed(100 * row.low, 2)} to ${signed(100 * row.high, 2)}`),
        h("td", { class: "number" }, row.p === null ? "–" : row.p < 0.0001 ? "< 0.0001" : fixed(row.p, 4)))))))];
}

/** The difference of a metric from one system to another, as the tests have it, or from the scores alone. */
function differenceOf(metric, a, b) {
  for (const [name, from, to, difference, low, high, p] of (overview.comparison || { differences: [] }).differences) {
    if (name !== metric) continue;
    const interval = low !== null && high > low;
    if (from === a && to === b) return { difference, low: interval ? low : null, high: interval ? high : null, p };
    if (from === b && to === a) {
      return { difference: -difference, low: interval ? -high : null, high: interval ? -low : null, p };
    }
  }
  const f1 = (system) => overview.systems[system].scores.find(([name]) => name === metric)[3];
  return { difference: f1(b) === null || f1(a) === null ? null : f1(b) - f1(a), low: null, high: null, p: null };
}

function whisker({ difference, low, high }, widest) {
  const at = (value) => 50 + (48 * value) / widest;
  return h("svg", { class: "whisker", viewBox: "0 0 100 14", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "middle", x: 49.85, y: 0, width: 0.3, height: 14 }),
    low === null ? null : h("rect", { class: "range", x: at(low), y: 5.5, width: Math.max(0.4, at(high) - at(low)), height: 3 }),
    difference === null ? null : h("rect", { class: difference < 0 ? "worse" : "better", x: at(difference) - 0.9, y: 2, width: 1.8,
      height: 10 }));
}

function comparisonNotes(comparison) {
  return h("ul", { class: "notes" }, comparison.notes.map((note) =>
    h("li", { class: note.startsWith("warning") ? "warning" : null }, note)));
}

function plainScores() {
  const columns = [{ label: "system", value: (system) => system.name },
    ...overview.systems[0].scores.map(([metric], at) => ({ label: metricName(metric), number: true,
      value: (system) => system.scores[at][3], cell: (system) => percent(system.scores[at][3]) })),
    ...(overview.systems.some((system) => system.left_out) ? [{ label: "left out", value: (system) => system.left_out }] : [])];
  return table({ columns, rows: overview.systems, name: "f1 of each system" }).element;
}

function errorKinds() {
  const columns = [
    { label: "error", value: (row) => row.kind, cell: (row) => [kindMark(row.kind), row.kind] },
    ...overview.systems.map((system, at) => ({ label: system.name, number: true, value: (row) => row.numbers[at],
      cell: (row) => h("a", { href: addressTo("errors", { kind: row.kind }, at) }, count(row.numbers[at])) }))];
  const numbers = (at) => overview.systems.map((system) => system.errors[at][1]);
  const rows = overview.kinds.map((kind, at) => ({ kind, numbers: numbers(at) }));
  return table({ columns, rows, name: "Errors by kind" }).element;
}

function differenceTable(changes, a, b) {
  const numbers = { fixed: new Map(), broken: new Map(), both: new Map() };
  for (const { status, document: at } of changes) numbers[status].set(at, (numbers[status].get(at) || 0) + 1);
  const rows = overview.documents.map(([name], number) => {
    const each = overview.systems.map((system) => system.documents[number]);
    const [from, to] = [each[a][0], each[b][0]];
    const errors = each.map((row) => row.slice(2).reduce((sum, value) => sum + value, 0));
    const [fixed, broken] = [numbers.fixed.get(number) || 0, numbers.broken.get(number) || 0];
    return { name, number, each, errors, fixed, broken, difference: from === null || to === null ? null : to - from };
  });
  const widest = Math.max(0.0001, ...rows.map((row) => Math.abs(row.difference || 0)));
  const address = (row, system) => addressIn(row.number, {}, system);
  const against = String(b + 1);
  const changed = (row, status) => h("a", { href: addressTo("errors", { status, against, document: String(row.number + 1) }, a) },
    count(row[status]));
  const [first, second] = [overview.systems[a].name, overview.systems[b].name];
  const shown = overview.systems.length > 6 ? [...new Set([a, b])] : overview.systems.map((_, at) => at);
  const columns = [
    { label: "document", value: (row) => row.name, cell: (row) => documentLink(row,
      addressIn(row.number, {}, a, { mode: "against", against })) },
    ...shown.map((at) => ({ label: overview.systems[at].name, number: true, value: (row) => row.each[at][0],
      cell: (row) => h("a", { href: address(row, at), title: plural(row.errors[at], "error") },
        percent(row.each[at][0])) })),
    { label: "fixed", number: true, title: `Errors of ${first} that ${second} does not make`,
      value: (row) => row.fixed, cell: (row) => changed(row, "fixed") },
    { label: "broken", number: true, title: `Errors of ${second} that ${first} does not make`,
      value: (row) => row.broken, cell: (row) => changed(row, "broken") },
    { label: "difference", number: true, value: (row) => row.difference,
      cell: (row) => (row.difference === null ? "–" : signed(100 * row.difference, 2)) },
    { label: `${shortened(first, 14)} ◂ better ▸ ${shortened(second, 14)}`,
      value: (row) => row.difference, cell: (row) => diverging((row.difference || 0) / widest) },
  ];
  const order = [columns.length - 2, true];
  return table({ columns, rows, order, name: "Documents", sorts: true,
    link: (row) => addressIn(row.number, {}, a, { mode: "against", against }) }).element;
}

/** A bar from the middle: to the right where the second system is better. */
function diverging(part) {
  const width = 50 * Math.abs(part);
  const side = part < 0 ? "worse" : "better";
  return h("svg",
    { class: `diverging ${side}`, viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "amount", x: part < 0 ? 50 - width : 50, y: 2, width, height: 8 }),
    h("rect", { class: "middle", x: 49.8, y: 0, width: 0.4, height: 12 }));
}
