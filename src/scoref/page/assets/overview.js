// -- the overview ---------------------------------------------------------------------------------------------------

function showOverview(route, main) {
  const system = overview.systems[route.system];
  replace(main,
    h("div", { class: "head" }, h("div", { class: "title" },
      h("h1", null, overview.neutral ? `Agreement of ${overview.neutral} and ${system.name}`
        : overview.key ? [h("span", { class: "quiet" }, "key "), overview.key] : "Report"),
      h("p", { class: "facts" }, headFacts(system)))),
    route.missing ? h("p", { class: "warning", role: "alert" }, `There is no ${route.missing}.`) : null,
    overview.systems.length > 1 ? systemCards(route) : null,
    h("div", { class: "pair" },
      section("Scores", scoreTable(system), noteList(system)),
      section(overview.nuggets ? "Event nuggets" : named("Errors"), errorTable(system), errorNote(system))),
    section("Documents", ...documentTable(route, system)),
    system.views.length ? section("Breakdowns", h("div", { class: "views" },
      system.views.map((grid) => view(grid, route.system)))) : null,
    system.tools.rows.length ? section("Other tools", gridTable(system.tools).element,
      h("p", { class: "note" }, "What other tools print as f1 for the same files; scoref explain says why.")) : null,
    section("Signature", signature(system)));
}

function headFacts(system) {
  const mentions = overview.documents.reduce((sum, each) => sum + each[2], 0);
  const words = overview.documents.reduce((sum, each) => sum + each[1], 0);
  return [system.name, plural(overview.documents.length, "document"), words ? plural(words, "word") : null,
    plural(mentions, "mention")].filter(Boolean).join(" · ");
}

function section(title, ...children) {
  return h("section", { class: "card" }, h("h2", null, title), children);
}

function systemCards(route) {
  return h("nav", { class: "systems", "aria-label": "Systems" }, overview.systems.map((system, number) =>
    h("a", { href: writeAddress({ ...route, system: number, view: "overview" }),
      "aria-current": number === route.system ? "true" : null },
    h("span", { class: "name" }, system.name), h("b", null, percent(headlineOf(system))),
    h("span", { class: "quiet" }, `${overview.metric} f1`))));
}

function headlineOf(system) {
  return system.scores.find(([metric]) => metric === overview.metric)[3];
}

function scoreTable(system) {
  const intervals = system.intervals;
  return h("div", { class: "scrolls" }, h("table", { class: "scores" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "metric"),
      (overview.neutral ? ["f1"] : ["recall", "precision", "f1"]).map((name) => h("th", { scope: "col", class: "number" }, name)),
      system.settings.map(([name]) => h("th", { scope: "col", class: "number", title: `f1 with ${name}` }, name)),
      intervals ? h("th", { scope: "col" }, "95 % interval of f1") : h("td"))),
    h("tbody", null, system.scores.map(([metric, recall, precision, f1]) => {
      const ends = intervals ? intervals[metric][2] : null;
      return h("tr", { class: metric === overview.metric ? "main" : null }, h("th", { scope: "row" }, metric),
        (overview.neutral ? [f1] : [recall, precision, f1])
          .map((value) => h("td", { class: "number" }, percent(value))),
        system.settings.map(([, others]) => h("td", { class: "number" }, percent(others[metric]))),
        h("td", { class: "picture" }, intervalBar(f1, ends),
          ends ? h("span", { class: "ends" }, `${percent(ends[0])}–${percent(ends[1])}`) : null));
    }))));
}

/** A bar for a score, with its interval if there is one. */
function intervalBar(value, ends) {
  const at = (part) => 100 * Math.min(1, Math.max(0, part || 0));
  const width = ends ? Math.max(0.6, at(ends[1]) - at(ends[0])) : 0;
  return h("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "track", x: 0, y: 4, width: 100, height: 4, rx: 1 }),
    h("rect", { class: "value", x: 0, y: 4, width: at(value), height: 4, rx: 1 }),
    ends ? h("rect", { class: "range", x: at(ends[0]), y: 1.5, width, height: 9, rx: 1 }) : null,
    ends ? h("rect", { class: "point", x: at(value) - 0.35, y: 0, width: 0.7, height: 12 }) : null);
}

function noteList(system) {
  return h("ul", { class: "notes" }, system.notes.map((note) => h("li", {
    class: note.startsWith("warning") || system.problems.includes(note) ? "warning" : null }, note)));
}

function errorTable(system) {
  const most = Math.max(1, ...system.errors.map((each) => each[1]));
  const gains = system.errors.some((each) => each[2] !== null);
  const widest = Math.max(0.001, ...system.errors.map((each) => each[3] || 0));
  const bar = (part, name) => h("svg", { class: `bar-cell ${name}`, viewBox: "0 0 100 10", preserveAspectRatio: "none",
    "aria-hidden": "true" }, h("rect", { x: 0, y: 1, width: 100 * Math.max(0, part), height: 8, rx: 1 }));
  const head = (name, title) => h("th", { scope: "col", class: "number", title }, name);
  return h("div", { class: "scrolls" }, h("table", { class: "errors-table" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, named("error")), head("number"), h("td", { class: "wide" }),
      gains ? [head("alone", `${overview.metric} f1 gained when only these are repaired`),
        head("together", `${overview.metric} f1 gained when these and all kinds above are repaired`),
        h("td")] : null)),
    h("tbody", null, system.errors.map(([kind, number, alone, together]) => h("tr", null,
      h("th", { scope: "row", title: named(MEANINGS[kind] || "") }, kindMark(kind), kind),
      h("td", { class: "number" }, count(number)),
      h("td", { class: "picture wide" }, bar(number / most, "number-bar")),
      gains ? [h("td", { class: "number" }, points(alone)), h("td", { class: "number" }, points(together)),
        h("td", { class: "picture" }, bar((together || 0) / widest, "gain-bar"))] : null)))));
}

function errorNote(system) {
  const costs = system.errors.some((each) => each[2] !== null);
  return [
    overview.nuggets ? h("p", { class: "note" }, named(`${plural(system.found, "nugget")} found as in the key.`)) : null,
    costs ? h("p", { class: "note" }, named(`Points of ${overview.metric} f1 gained when only errors of this kind are `),
      "repaired, and when they and all kinds above are.") : null];
}

function view(grid, system) {
  return h("div", { class: grid.header.length > 6 ? "view broad" : "view" }, gridTable(grid, system).element);
}

function signature(system) {
  const copy = button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(system.signature);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      copy.textContent = "Selected";
    }
    setTimeout(() => { copy.textContent = "Copy"; }, 1500);
  });
  const text = h("code", null, system.signature.split("|").map((part, number) => [number ? "|" : "", h("wbr"), part]));
  return h("div", { class: "signature" }, text, copy);
}

// -- documents ------------------------------------------------------------------------------------------------------

/** How the documents are listed: stays when one comes back to the overview. */
const listing = { wanted: "", range: null, order: null, top: 0 };

function documentTable(route, system) {
  listing.range = null;
  const kinds = overview.kinds;
  const rows = overview.documents.map(([name, words, mentions], number) => {
    const [f1, theirs, ...errors] = system.documents[number];
    return { name, number, words, mentions, theirs, f1, errors, total: errors.reduce((a, b) => a + b, 0) };
  });
  const address = (row) => writeAddress({ view: "document", document: row.number, system: route.system });
  const columns = [
    { label: "document", value: (row) => row.name, cell: (row) => documentLink(row, address(row)) },
    { label: `${overview.metric} f1`, number: true, value: (row) => row.f1, cell: (row) => percent(row.f1) },
    { label: named("errors"), number: true, value: (row) => row.total, cell: (row) => count(row.total) },
    ...kinds.map((kind, at) => ({ label: MARKS[kind] || kind, title: kind, number: true, value: (row) => row.errors[at],
      cell: (row) => (row.errors[at] ? count(row.errors[at]) : h("span", { class: "zero" }, "0")) })),
    { label: sideName("k"), number: true, title: named("Mentions of the key"), value: (row) => row.mentions,
      cell: (row) => count(row.mentions) },
    { label: named("response"), number: true, title: named("Mentions of the response"), value: (row) => row.theirs,
      cell: (row) => count(row.theirs) },
    { label: "words", number: true, value: (row) => row.words, cell: (row) => count(row.words) },
  ];
  if (!rows.some((row) => row.words)) columns.pop();
  const made = table({ columns, rows, order: rows.length > 1 ? [1, false] : null, link: address, name: "Documents",
    state: listing });
  const status = h("span", { class: "note", role: "status" });
  const filter = () => {
    const { wanted, range } = listing;
    const some = rows.filter((row) => row.name.toLowerCase().includes(wanted.toLowerCase()) &&
      (!range || (row.f1 !== null && row.f1 >= range[0] && (row.f1 < range[1] || range[1] === 1))));
    made.show(some);
    const part = some.length < rows.length;
    status.textContent = part ? `${count(some.length)} of ${plural(rows.length, "document")}` : "";
  };
  const box = h("input", { type: "search", placeholder: "Filter by name", "aria-label": "Filter documents by name",
    value: listing.wanted, on: { input: (event) => { listing.wanted = event.target.value; filter(); } } });
  const bars = rows.length > 3 && rows.some((row) => row.f1 !== null)
    ? histogram(rows, (chosen) => { listing.range = chosen; filter(); }) : null;
  if (listing.wanted) filter();
  return [rows.length > 3 ? h("div", { class: "above" }, bars, h("div", { class: "filter" }, box, status)) : null,
    made.element];
}

function documentLink(row, href) {
  return h("a", { href, dir: "auto", title: row.name }, row.name || `document ${row.number + 1}`);
}

const BINS = 20;

/** How many documents have which f1; a click on a bar shows only these. */
function histogram(rows, choose) {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const row of rows) if (row.f1 !== null) bins[Math.min(BINS - 1, Math.floor(row.f1 * BINS))] += 1;
  const most = Math.max(...bins);
  let chosen = null;
  const [width, height] = [20, 64];
  const groups = bins.map((number, bin) => {
    const tall = number ? Math.max(2, (number / most) * height) : 0;
    const label = `f1 from ${(100 * bin) / BINS} to ${(100 * (bin + 1)) / BINS}: ${plural(number, "document")}`;
    const act = () => {
      chosen = chosen === bin ? null : bin;
      groups.forEach((group, other) => {
        if (bins[other]) group.setAttribute("aria-pressed", String(other === chosen));
        group.classList.toggle("off", chosen !== null && other !== chosen);
      });
      choose(chosen === null ? null : [chosen / BINS, (chosen + 1) / BINS]);
    };
    const properties = number ? { role: "button", tabindex: "0", "aria-pressed": "false", "aria-label": label, on: {
      click: act, keydown: (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
      } } } : {};
    return h("g", { class: "bin", ...properties },
      h("title", null, label),
      h("rect", { class: "target", x: bin * width, y: 0, width, height }),
      h("rect", { class: "amount", x: bin * width + 1, y: height - tall, width: width - 2, height: tall, rx: 1.5 }));
  });
  const ticks = [0, 25, 50, 75, 100].map((value) => h("text", { x: (value / 100) * BINS * width, y: height + 14,
    "text-anchor": value === 0 ? "start" : value === 100 ? "end" : "middle" }, value));
  return h("figure", { class: "histogram" },
    h("svg", { viewBox: `0 0 ${BINS * width} ${height + 18}`, role: "group",
      "aria-label": `Documents by ${overview.metric} f1` }, groups,
    h("line", { x1: 0, x2: BINS * width, y1: height + 0.5, y2: height + 0.5 }), ticks),
    h("figcaption", { class: "note" }, `Documents by ${overview.metric} f1`));
}

// -- comparing systems ----------------------------------------------------------------------------------------------

let compared = [0, 1];

function showCompare(route, main) {
  const { comparison } = overview;
  const names = overview.systems.map((system) => system.name);
  const [a, b] = compared;
  const choose = (which, label) => h("select", { "aria-label": label, on: { change: (event) => {
    compared[which] = Number(event.target.value);
    showCompare(route, main);
  } } }, names.map((name, number) => h("option", { value: number, selected: number === compared[which] }, name)));
  replace(main,
    h("div", { class: "head" }, h("div", { class: "title" }, h("h1", null, "Compare"),
      h("p", { class: "facts" }, `${names.join(" · ")} · ${plural(overview.documents.length, "document")}`))),
    h("div", { class: "pair" },
      comparison
        ? section("Scores and tests", view(comparison.scores), view(comparison.tests), comparisonNotes(comparison))
        : section("f1", plainScores()),
      section("Errors by kind", errorKinds())),
    section("Documents", h("div", { class: "filter" }, choose(0, "First system"),
      h("span", { class: "note" }, "against"), choose(1, "Second system")),
      differenceTable(a, b)));
}

function comparisonNotes(comparison) {
  return h("ul", { class: "notes" }, comparison.notes.map((note) =>
    h("li", { class: note.startsWith("warning") ? "warning" : null }, note)));
}

function plainScores() {
  const columns = [{ label: "system", value: (system) => system.name },
    ...overview.systems[0].scores.map(([metric], at) => ({ label: metric, number: true,
      value: (system) => system.scores[at][3], cell: (system) => percent(system.scores[at][3]) }))];
  return table({ columns, rows: overview.systems, name: "f1 of each system" }).element;
}

function errorKinds() {
  const columns = [
    { label: "error", value: (row) => row.kind, cell: (row) => [kindMark(row.kind), row.kind] },
    ...overview.systems.map((system, at) => ({ label: system.name, number: true, value: (row) => row.numbers[at],
      cell: (row) => count(row.numbers[at]) }))];
  const numbers = (at) => overview.systems.map((system) => system.errors[at][1]);
  const rows = overview.kinds.map((kind, at) => ({ kind, numbers: numbers(at) }));
  return table({ columns, rows, name: "Errors by kind" }).element;
}

function differenceTable(a, b) {
  const rows = overview.documents.map(([name], number) => {
    const each = overview.systems.map((system) => system.documents[number]);
    const [from, to] = [each[a][0], each[b][0]];
    const errors = each.map((row) => row.slice(2).reduce((sum, value) => sum + value, 0));
    const [fixed, broken] = a === 0 && b > 0 ? overview.changes[b - 1][number] : [null, null];
    return { name, number, each, errors, fixed, broken, difference: from === null || to === null ? null : to - from };
  });
  const widest = Math.max(0.0001, ...rows.map((row) => Math.abs(row.difference || 0)));
  const address = (row, system) => writeAddress({ view: "document", document: row.number, system });
  const [first, second] = [overview.systems[a].name, overview.systems[b].name];
  const shown = overview.systems.length > 6 ? [...new Set([a, b])] : overview.systems.map((_, at) => at);
  const columns = [
    { label: "document", value: (row) => row.name, cell: (row) => documentLink(row, address(row, a)) },
    ...shown.map((at) => ({ label: overview.systems[at].name, number: true, value: (row) => row.each[at][0],
      cell: (row) => h("a", { href: address(row, at), title: plural(row.errors[at], "error") },
        percent(row.each[at][0])) })),
    ...(a === 0 && b > 0 ? [
      { label: "fixed", number: true, title: `Errors of ${first} that ${second} does not make`,
        value: (row) => row.fixed, cell: (row) => count(row.fixed) },
      { label: "broken", number: true, title: `Errors of ${second} that ${first} does not make`,
        value: (row) => row.broken, cell: (row) => count(row.broken) }] : []),
    { label: "difference", number: true, value: (row) => row.difference,
      cell: (row) => (row.difference === null ? "–" : signed(100 * row.difference, 2)) },
    { label: `${shortened(first, 14)} ◂ better ▸ ${shortened(second, 14)}`,
      value: (row) => row.difference, cell: (row) => diverging((row.difference || 0) / widest) },
  ];
  const order = [columns.length - 2, true];
  return table({ columns, rows, order, link: (row) => address(row, a), name: "Documents" }).element;
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
