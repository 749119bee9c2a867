// -- the first view: the score, what it lacks, tangles, documents ---------------------------------------------------

function showOverview(route, main) {
  const system = overview.systems[route.system];
  const several = overview.systems.length > 1;
  replace(main,
    h("div", { class: "head" }, h("div", { class: "title" },
      h("h1", null, overview.neutral ? `Agreement of ${system.name}`
        : [system.name, overview.key ? h("span", { class: "quiet" }, ` against ${overview.key}`) : null]),
      h("p", { class: "facts" }, headFacts(system)))),
    overview.neutral ? agreementSection(route) : several ? systemCards(route) : null,
    diagnosisSection(route, system),
    h("div", { class: "pair first" },
      h("section", { class: "card hero" }, heroScore(system), scoreTable(system), noteList(system)),
      section(overview.nuggets ? "Event nuggets" : named("From the score to 100"), waterfall(route, system))),
    system.tangles.length ? tangleSection(route, system) : null,
    section(overview.documents.length > 1 ? "Documents, the worst first" : "Document", ...documentTable(route, system)),
    system.views.length ? foldedSection("Breakdowns", h("div", { class: "views" },
      system.views.map((grid) => view(grid, route.system)))) : null,
    overview.neutral ? null : toolSection(system.tools),
    foldedSection("Signature", signature(system)));
}

/** What other tools print, or why that is not here. */
function toolSection(tools) {
  if (!tools.rows.length && tools.header.length) return null;
  return foldedSection("Other tools", tools.rows.length ? gridTable(tools).element : null,
    h("p", { class: "note" }, tools.note));
}

function headFacts(system) {
  const mentions = overview.documents.reduce((sum, each) => sum + each[2], 0);
  const words = overview.documents.reduce((sum, each) => sum + each[1], 0);
  return [plural(overview.documents.length, "document"), words ? plural(words, "word") : null,
    plural(mentions, "mention")].filter(Boolean).join(" · ");
}

function section(title, ...children) {
  return h("section", { class: "card" }, h("h2", null, title), children);
}

/** A section that opens when it is asked for, and stays open. */
function foldedSection(title, ...children) {
  const state = kept("overview");
  const element = h("details", { class: "card", open: Boolean(state[title]), on: { toggle: () => {
    if (!printing) state[title] = element.open;
  } } }, h("summary", null, h("h2", null, title)), children);
  printers.add({ element, draw() { element.open = printing || Boolean(state[title]); } });
  return element;
}

function systemCards(route) {
  if (overview.systems.length > 6) return null; // the list in the header is enough, and the comparison shows them all
  return h("nav", { class: "systems", "aria-label": "Systems" }, overview.systems.map((system, number) =>
    h("a", { href: addressTo("overview", {}, number), "aria-current": number === route.system ? "true" : null },
      h("span", { class: "name" }, system.name), h("b", null, percent(headlineOf(system))),
      h("span", { class: "quiet" }, `${metricName(overview.metric)} F1`),
      system.left_out ? h("span", { class: "warning" }, `left out: ${system.left_out}`) : null)));
}

function headlineOf(system) {
  return system.scores.find(([metric]) => metric === overview.metric)[3];
}

/** The interval of the f1 of a metric; one without width says nothing, and is none. */
function intervalOf(system, metric) {
  const ends = system.intervals && system.intervals[metric] ? system.intervals[metric][2] : null;
  return ends && ends[0] !== null && ends[1] > ends[0] ? ends : null;
}

/** The one number, with its interval. */
function heroScore(system) {
  const value = headlineOf(system);
  const ends = intervalOf(system, overview.metric);
  return h("div", { class: "one-number" },
    h("h2", null, `${metricName(overview.metric)} F1`),
    h("p", { class: "number-itself" }, percent(value)),
    ends ? h("p", { class: "note" }, `${percent(ends[0])}–${percent(ends[1])}`, h("span", null, " 95 % interval")) : null,
    intervalBar(value, ends));
}

function scoreTable(system) {
  return h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Scores" }, h("table", { class: "scores" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "metric"),
      (overview.neutral ? ["f1"] : ["recall", "precision", "f1"]).map((name) => h("th", { scope: "col", class: "number" }, name)),
      system.settings.map(([name]) => h("th", { scope: "col", class: "number", title: `f1 with ${name}` }, name)),
      system.intervals ? h("th", { scope: "col", class: "ends" }, "95 % interval") : null)),
    h("tbody", null, system.scores.map(([metric, recall, precision, f1]) => {
      const ends = intervalOf(system, metric);
      return h("tr", { class: metric === overview.metric ? "main" : null },
        h("th", { scope: "row" }, metricName(metric)),
        (overview.neutral ? [f1] : [recall, precision, f1])
          .map((value) => h("td", { class: "number" }, percent(value))),
        system.settings.map(([, others]) => h("td", { class: "number" }, percent(others[metric]))),
        system.intervals ? h("td", { class: "ends" }, ends ? `${percent(ends[0])}–${percent(ends[1])}` : "–") : null);
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
    ends ? h("rect", { class: "point", x: at(value) - 0.2, y: 0, width: 0.4, height: 12 }) : null);
}

function noteList(system) {
  return h("ul", { class: "notes" }, system.notes.map((note) => h("li", {
    class: note.startsWith("warning") || system.problems.includes(note) ? "warning" : null }, note)));
}

// -- the waterfall --------------------------------------------------------------------------------------------------

/** From the score to 100: what each kind of error takes, when kinds are repaired one after the other. */
function waterfall(route, system) {
  const start = headlineOf(system);
  const gains = system.errors.some((each) => each[2] !== null) && start !== null;
  const low = gains ? Math.max(0, Math.floor(start * 20) / 20 - 0.05) : 0;
  const at = (value) => (100 * (value - low)) / (1 - low);
  let before = start;
  const rows = system.errors.map(([kind, number, alone, together]) => {
    const from = before;
    if (gains && together !== null) before = start + together;
    const step = before - from;
    const counted = gains && together !== null;
    return h("tr", { class: number ? null : "nothing" },
      h("th", { scope: "row", title: named(meaning(kind)) }, kindMark(kind), kindName(kind)),
      h("td", { class: "number" }, number
        ? h("a", { href: addressTo("errors", { kind }, route.system) }, count(number)) : "0"),
      gains ? [h("td", { class: "number" }, number && counted ? signed(100 * step, 1) : ""),
        h("td", { class: "picture" }, counted ? fallBar(at(from), at(before), step) : null),
        h("td", { class: "number quiet alone" }, number && counted ? points(alone) : "")] : null);
  });
  const head = (name, title) => h("th", { scope: "col", class: "number", title }, name);
  return [h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": named("Errors by kind") }, h("table", { class: "waterfall" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, named("error")), head("number"),
      gains ? [head("gains", `Points of ${overview.metric} f1 gained when these are repaired after all kinds above`),
        h("td", { class: "ends" }, h("span", null, percent(low).replace(".00", "")), h("span", null, "100")),
        head("alone", `Points of ${overview.metric} f1 gained when only these are repaired`)] : null)),
    h("tbody", null,
      gains ? h("tr", { class: "total" }, h("th", { scope: "row" }, "score"), h("td"), h("td", { class: "number" }, percent(start)),
        h("td", { class: "picture" }, fallBar(0, at(start), 0)), h("td", { class: "alone" })) : null,
      rows))), errorNotes(system, gains)];
}

function fallBar(from, to, step) {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return h("svg", { class: "fall", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "track", x: 0, y: 5.6, width: 100, height: 0.8 }),
    h("rect", { class: step < 0 ? "worse" : from === 0 ? "score" : "gain", x: low, y: 1, width: Math.max(0.3, high - low), height: 10 }));
}

function errorNotes(system, gains) {
  return [
    overview.nuggets ? h("p", { class: "note" }, named(`${plural(system.found, "nugget")} found as in the key.`)) : null,
    gains ? h("p", { class: "note" }, named("Errors are repaired kind by kind, from the top; "), h("b", null, "alone"),
      named(" is what a kind gives by itself.")) : null,
    system.reasons.map((reason) => h("p", { class: "note" }, `${reason[0].toUpperCase()}${reason.slice(1)}.`)),
  ];
}

// -- further sections -----------------------------------------------------------------------------------------------

function tangleSection(route, system) {
  const every = h("a", { href: addressTo("tangles", {}, route.system) }, `all ${count(system.tangled)}`);
  return h("section", { class: "card" },
    h("h2", null, "Costliest tangles", h("span", { class: "aside" }, every)),
    h("p", { class: "note" }, named("Who took what from whom: entities of the key on the left, of the response on the right. The "
      + `number is what is gained in ${metricName(overview.metric)} F1 when the whole group is repaired.`)),
    h("ul", { class: "tangles" }, system.tangles.map(tangleOf).map((tangle) => tangleCard(tangle, route.system))));
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
