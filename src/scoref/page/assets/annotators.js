// -- a page without a key: how far annotators agree, every pair of them ---------------------------------------------

/** The two annotators of a pair: those of the system that the address names, or of another one. */
const pairNames = (system = route ? route.system : 0) => overview.systems[system].pair;

/** What differences are called where nobody is the key: by the annotators who have what the other does not. */
function kindName(kind, system = route ? route.system : 0) {
  if (!overview.neutral) return kind;
  const [a, b] = pairNames(system);
  const names = { "span error": "other words", "conflated entities": `joined by ${b}`, "divided entity": `divided by ${b}`,
    "extra mention": `mention only of ${b}`, "extra entity": `entity only of ${b}`, "missing mention": `mention only of ${a}`,
    "missing entity": `entity only of ${a}`, missed: `only ${a}`, spurious: `only ${b}` };
  const plain = plainKind(kind);
  const name = names[plain] || named(plain).replace(/\bmissed\b/, `only ${a}`).replace(/\bextra\b/, `only ${b}`).replace(/\bwrong\b/, "other");
  return kind.replace(plain, () => name);
}

/** All pairs with their f1 and κ, the means, and α: the first thing that is shown. */
function agreementSection(route) {
  const { measures, pairs, all, notes } = overview.neutral;
  const cellOf = (value) => (value === null ? "–" : [value[1], value[2] ? h("span", { class: "ends" }, value[2]) : null]);
  const columns = [
    { label: "pair", value: (row) => row.name, cell: (row) => h("a", { href: addressTo("overview", {}, row.at),
      "aria-current": row.at === route.system ? "true" : null }, row.name) },
    ...measures.filter((_, at) => pairs.some((row) => row[at])).map((measure) => {
      const at = measures.indexOf(measure);
      return { label: metricName(measure), number: true, value: (row) => row.values[at] && row.values[at][0],
        cell: (row) => h("span", { class: "measured" }, cellOf(row.values[at])) };
    })];
  const rows = pairs.map((values, at) => ({ at, name: overview.systems[at].name, values }));
  const whole = measures.map((measure, at) => ({ measure, value: all[at] })).filter(({ value }) => value);
  return h("div", { class: "pair" },
    section("Every pair", h("div", { class: "view" }, table({ columns, rows, name: "Every pair" }).element)),
    section("All annotators: means of pairs, and α", h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "All annotators" },
      h("table", null, h("thead", null, h("tr", null, ["measure", "value", "95 % interval"].map((label, at) =>
        h("th", { scope: "col", class: at ? "number" : null }, label)))),
      h("tbody", null, whole.map(({ measure, value }) => h("tr", null, h("th", { scope: "row" }, metricName(measure)),
        h("td", { class: "number" }, value[1]), h("td", { class: "number ends" }, value[2] || "–")))))),
    h("ul", { class: "notes" }, notes.map((note) => h("li", null, note)))));
}
