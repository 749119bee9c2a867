// -- documents ------------------------------------------------------------------------------------------------------

/** The documents, with what the address asks for: words of their names, a range of scores, an order. */
function documentTable(route, system) {
  const rows = overview.documents.map(([name, words, mentions], number) => {
    const [f1, theirs, ...errors] = system.documents[number];
    return { name, number, words, mentions, theirs, f1, errors, total: errors.reduce((a, b) => a + b, 0) };
  });
  const address = (row) => addressIn(row.number, {}, route.system);
  const made = table({ columns: documentColumns(route, rows, address), rows, order: rows.length > 1 ? [1, false] : null,
    link: address, name: "Documents", sorts: true, state: kept("documents") });
  made.element.classList.toggle("some", rows.length > 15); // the overview is short
  const status = h("span", { class: "note", role: "status" });
  let some = rows;
  const filter = () => {
    const { words = "", range = "" } = currentRoute().asked;
    const [low, high] = range.split("-").map(Number);
    some = rows.filter((row) => row.name.toLowerCase().includes(words.toLowerCase()) &&
      (!range || (row.f1 !== null && 100 * row.f1 >= low && (100 * row.f1 < high || high === 100))));
    made.show(some);
    const part = some.length < rows.length;
    status.textContent = part ? `${count(some.length)} of ${plural(rows.length, "document")}` : "";
  };
  const box = searchBox("Filter documents by name", route.asked.words || "", (value) => { ask({ words: value }); filter(); });
  const scored = rows.filter((row) => row.f1 !== null);
  const bars = rows.length > 3 && scored.length ? histogram(scored, (range) => { ask({ range }); filter(); }) : null;
  if (route.asked.words || route.asked.range) filter();
  return [rows.length > 3 ? h("div", { class: "above" }, bars, h("div", { class: "filter" }, box, status,
    csvButton("documents", documentFields(), () => some))) : null, made.element];
}

function documentColumns(route, rows, address) {
  const into = (row, number, asked = {}) => (number
    ? h("a", { href: addressTo("errors", { ...asked, document: String(row.number + 1) }, route.system) }, count(number))
    : h("span", { class: "zero" }, "0"));
  const columns = [
    { label: "document", value: (row) => row.name, cell: (row) => documentLink(row, address(row)) },
    { label: metricName(overview.metric), name: "score", number: true, value: (row) => row.f1,
      cell: (row) => percent(row.f1) },
    { label: named("errors"), name: "errors", number: true, value: (row) => row.total, cell: (row) => into(row, row.total) },
    ...overview.kinds.map((kind, at) => ({ label: markFor(kind), name: kind, title: kindName(kind), number: true,
      value: (row) => row.errors[at], cell: (row) => into(row, row.errors[at], { kind }) })),
    { label: sideName("k"), name: "key", number: true, title: named("Mentions of the key"), value: (row) => row.mentions,
      cell: (row) => count(row.mentions) },
    { label: named("response"), name: "response", number: true, title: named("Mentions of the response"),
      value: (row) => row.theirs, cell: (row) => count(row.theirs) },
    { label: "words", number: true, value: (row) => row.words, cell: (row) => count(row.words) },
  ];
  if (!rows.some((row) => row.words)) columns.pop();
  return columns;
}

/** What a file of documents has of each. */
function documentFields() {
  return [["document", (row) => row.name], [overview.metric, (row) => row.f1], ["errors", (row) => row.total],
    ...overview.kinds.map((kind, at) => [kind, (row) => row.errors[at]]), ["key mentions", (row) => row.mentions],
    ["response mentions", (row) => row.theirs], ["words", (row) => row.words]];
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
  const asked = currentRoute().asked.range;
  let chosen = asked ? Math.round((Number(asked.split("-")[0]) / 100) * BINS) : null;
  const [width, height] = [20, 64];
  const groups = bins.map((number, bin) => {
    const tall = number ? Math.max(2, (number / most) * height) : 0;
    const label = `${metricName(overview.metric)} from ${(100 * bin) / BINS} to ${(100 * (bin + 1)) / BINS}: ${plural(number, "document")}`;
    const act = () => {
      chosen = chosen === bin ? null : bin;
      groups.forEach((group, other) => {
        if (bins[other]) group.setAttribute("aria-pressed", String(other === chosen));
        group.classList.toggle("off", chosen !== null && other !== chosen);
      });
      choose(chosen === null ? "" : `${(100 * chosen) / BINS}-${(100 * (chosen + 1)) / BINS}`);
    };
    const properties = number ? { role: "button", tabindex: "0", "aria-pressed": String(bin === chosen), "aria-label": label, on: {
      click: act, keydown: (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
      } } } : {};
    return h("g", { class: chosen !== null && bin !== chosen ? "bin off" : "bin", ...properties },
      h("title", null, label),
      h("rect", { class: "target", x: bin * width, y: 0, width, height }),
      h("rect", { class: "amount", x: bin * width + 1, y: height - tall, width: width - 2, height: tall, rx: 1.5 }));
  });
  const ticks = [0, 25, 50, 75, 100].map((value) => h("text", { x: (value / 100) * BINS * width, y: height + 14,
    "text-anchor": value === 0 ? "start" : value === 100 ? "end" : "middle" }, value));
  return h("figure", { class: "histogram" },
    h("svg", { viewBox: `0 0 ${BINS * width} ${height + 18}`, role: "group",
      "aria-label": `Documents by ${metricName(overview.metric)} F1` }, groups,
    h("line", { x1: 0, x2: BINS * width, y1: height + 0.5, y2: height + 0.5 }), ticks),
    h("figcaption", { class: "note" }, `Documents by ${metricName(overview.metric)} F1`));
}

