// -- all errors of the corpus ---------------------------------------------------------------------------------------

/** The errors of a system as rows; they are made once. */
async function errorRows(system) {
  const data = await part(`errors-${system}`);
  if (data.rows) return data.rows;
  const { columns, fields, tangles } = data;
  data.rows = columns.document.map((number, at) => ({
    document: number, error: columns.error[at], kind: overview.kinds[columns.kind[at]], words: columns.words[at],
    should: named(columns.should[at]), same: columns.same ? columns.same[at] : null, tangle: columns.tangle[at],
    cost: columns.tangle[at] < 0 ? null : tangles[columns.tangle[at]], system,
    ...Object.fromEntries(GROUPED.map((name) => [name, fields[name][columns[name][at]] || ""])),
  }));
  return data.rows;
}

/** The errors of two systems, with what the second one does with those of the first: fixed, broken, wrong in both. */
async function changedRows(system, against) {
  const [ours, theirs] = await Promise.all([errorRows(system), errorRows(against)]);
  const identity = (row) => `${row.document} ${row.same}`;
  const [own, other] = [ours, theirs].map((rows) => new Set(rows.map(identity)));
  return [...ours.map((row) => ({ ...row, status: other.has(identity(row)) ? "both" : "fixed" })),
    ...theirs.filter((row) => !own.has(identity(row))).map((row) => ({ ...row, status: "broken" }))];
}

async function showErrors(route, main) {
  const compares = Boolean(route.asked.status || route.asked.against) && overview.systems.length > 1;
  const against = compares ? rival(route) : null;
  const rows = compares ? await changedRows(route.system, against) : await errorRows(route.system);
  await loadNotes();
  if (route !== currentRoute()) return;
  for (const name of GROUPED) {
    const value = route.asked[name];
    if (!value || rows.some((row) => row[name] === value)) continue;
    route.lacking.push(`${name} ‘${value}’ in these errors`);
    delete route.asked[name];
  }
  const made = table({ columns: errorColumns(compares), rows, link: errorAddress, name: "Errors", sorts: true,
    order: [errorColumns(compares).length - 1, true], state: kept("errors") });
  const status = h("p", { class: "note", role: "status" });
  const filters = h("div", { class: "filter many-filters" });
  const noted = h("div");
  let some = rows;
  const draw = () => {
    const { asked } = currentRoute();
    some = rows.filter((row) => isAsked(row, asked));
    made.show(some);
    replace(noted, noteTools(asked, (tag) => { ask({ tag }); draw(); }, draw));
    status.textContent = some.length < rows.length ? `${count(some.length)} of ${plural(rows.length, named("error"))}`
      : plural(rows.length, named("error"));
    replace(filters, errorFilters(rows, asked, against, draw));
  };
  replace(main, viewHead(named("Errors"), `${overview.systems[route.system].name}${
    compares ? ` against ${overview.systems[against].name}` : ""}, the whole corpus. ${
    named("Every error, with what it should have been.")}`),
  h("section", { class: "card" }, filters, h("div", { class: "filter ends-apart" }, status, noted,
    csvButton(named("errors"), errorFields(compares), () => some)), h("div", { class: "all-errors" }, made.element)));
  draw();
}

function errorColumns(compares) {
  const text = (name, label = name) => ({ label, name, value: (row) => row[name], cell: (row) => row[name] || "–" });
  return [
    { label: "kind", value: (row) => overview.kinds.indexOf(row.kind),
      cell: (row) => h("a", { href: errorAddress(row), title: kindName(row.kind, row.system) }, kindMark(row.kind),
        h("span", { class: "kind-name" }, kindName(row.kind, row.system))) },
    ...(compares ? [{ label: "change", name: "status", value: (row) => row.status,
      cell: (row) => h("span", { class: `status is-${row.status}` }, STATUSES[row.status]) }] : []),
    { label: "mention", name: "words", wide: "widest", value: (row) => row.words.toLowerCase(), cell: contextOf },
    { label: "should be", name: "should", wide: "wider", value: (row) => row.should.toLowerCase(),
      cell: (row) => h("bdi", { title: row.should }, row.should) },
    { label: "document", value: (row) => row.document,
      cell: (row) => h("bdi", { class: "of-document", title: documentName(row.document) }, documentName(row.document)) },
    text("form"), text("distance"),
    { label: "tangle", name: "cost", number: true, title: costTitle(), value: (row) => row.cost,
      cell: (row) => (row.tangle < 0 ? "–" : h("a", {
        href: addressIn(row.document, { tangle: row.tangle }, row.system), title: costTitle() }, cost(row.cost))) },
  ];
}

/** What a file of errors has of each. */
function errorFields(compares) {
  const plain = (name) => [name, (row) => row[name]];
  return [["document", (row) => documentName(row.document)], ["system", (row) => overview.systems[row.system].name], plain("kind"),
    ...(compares ? [plain("status")] : []), plain("words"), plain("should"), ...GROUPED.map(plain), ["tangle costs", (row) => row.cost],
    ["tag", (row) => noteFor(row).tag], ["remark", (row) => noteFor(row).remark], ["address", errorAddress]];
}

const noteFor = (row) => notes.found.get(noteCode(row.system, row.document, row.error)) || { tag: "", remark: "" };

const errorAddress = (row) => addressIn(row.document, { error: row.error }, row.system);

function documentName(number) {
  return overview.documents[number][0] || `document ${number + 1}`;
}

/** The first mention of an error between the words around it. */
function contextOf(row) {
  return inContext(row.document, row.words, (chunk) => {
    const [, mentions] = chunk.systems[row.system].errors[row.error];
    const [side, index] = mentions[0];
    return [side ? chunk.systems[row.system].response : chunk.keys[chunk.systems[row.system].key], index];
  });
}

/** A mention between the words around it; the text is opened for what is in sight. `find` gives its side, its index. */
function inContext(number, words, find) {
  const [before, after, inside] = [h("span", { class: "before" }), h("span", { class: "after" }), h("bdi", null, words)];
  const box = h("span", { class: "context" }, before, h("mark", null, inside), after);
  openDocument(number).then((chunk) => {
    const [data, index] = find(chunk);
    const [, ...pieces] = data.mentions[index];
    const glued = new Set(chunk.glued || []);
    if (words === null) inside.textContent = data.texts ? data.texts[index] : textOf(chunk, glued, pieces);
    if (!pieces.length || !chunk.units.length) return;
    const [from, to] = [pieces[0], pieces[pieces.length - 1]];
    if (chunk.rtl) box.dir = "rtl";
    if (from > 0) before.textContent = `${unitsOf(chunk, glued, Math.max(0, from - 12), from - 1)} `;
    if (to + 1 < chunk.units.length) {
      after.textContent = ` ${unitsOf(chunk, glued, to + 1, Math.min(chunk.units.length - 1, to + 12))}`;
    }
  });
  return box;
}

/** Whether a row is what the address asks for. */
function isAsked(row, asked) {
  if (asked.kind && row.kind !== asked.kind) return false;
  if (asked.status && row.status !== asked.status) return false;
  if (asked.tag && !(notes.found.has(noteCode(row.system, row.document, row.error)) &&
    noteFor(row).tag === (asked.tag === "-" ? "" : asked.tag))) return false;
  if (asked.document && row.document !== documentNumber(asked.document)) return false;
  if (asked.tangle && row.tangle !== Number(asked.tangle) - 1) return false;
  if (GROUPED.some((name) => asked[name] && row[name] !== asked[name])) return false;
  return ["words", "should"].every((name) => row[name].toLowerCase().includes((asked[name] || "").toLowerCase()));
}

/** The filters, each with how many rows it would leave. */
function errorFilters(rows, asked, against, draw) {
  const set = (name) => (value) => { ask({ [name]: value }); draw(); };
  const options = (name, values, labels = {}) => {
    const numbers = new Map();
    for (const row of rows) {
      if (isAsked(row, { ...asked, [name]: "" })) numbers.set(row[name], (numbers.get(row[name]) || 0) + 1);
    }
    const known = values || [...numbers.keys()].filter(Boolean);
    const all = [...numbers.values()].reduce((sum, number) => sum + number, 0);
    return [["", `all (${count(all)})`], ...known.filter((value) => numbers.get(value) || value === asked[name])
      .map((value) => [value, `${labels[value] || value} (${count(numbers.get(value) || 0)})`])];
  };
  const several = areCompared();
  const rivals = overview.systems.map((system, number) => [String(number + 1), system.name])
    .filter((_, number) => number !== currentRoute().system);
  const chosen = ["position", "size"].filter((name) => asked[name]);
  return [
    searchBox("Words", asked.words || "", set("words")),
    searchBox("Should be", asked.should || "", set("should")),
    choice("Kind", asked.kind || "", options("kind", overview.kinds, Object.fromEntries(overview.kinds.map((kind) => [kind, kindName(kind)]))),
      set("kind")),
    choice("Form", asked.form || "", options("form"), set("form")),
    choice("Distance", asked.distance || "", options("distance"), set("distance")),
    several ? choice("Against", asked.against || (against === null ? "" : String(against + 1)), [["", "nobody"], ...rivals],
      (value) => { ask({ against: value, status: "" }); navigate(); }) : null,
    against === null ? null : choice("Change", asked.status || "", options("status", Object.keys(STATUSES), STATUSES),
      set("status")),
    chosen.map((name) => chipFor(`${name}: ${asked[name]}`, () => set(name)(""))),
    asked.document ? chipFor(documentName(documentNumber(asked.document) ?? 0), () => set("document")("")) : null,
    asked.tangle ? chipFor(`tangle ${asked.tangle}`, () => set("tangle")("")) : null,
  ];
}

// -- parts that views share -----------------------------------------------------------------------------------------

function viewHead(title, ...words) {
  return h("div", { class: "head" }, h("div", { class: "title" }, h("h1", null, title), h("p", { class: "facts" }, words)));
}

function searchBox(label, value, act) {
  let timer = 0;
  return h("input", { type: "search", placeholder: label, "aria-label": label, value, on: { input: (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => { if (event.target.isConnected) act(event.target.value); }, 120);
  } } });
}

function choice(label, value, options, act) {
  return h("label", { class: "choice" }, h("span", { class: "note" }, label),
    h("select", { "aria-label": label, on: { change: (event) => act(event.target.value) } },
      options.map(([each, words]) => h("option", { value: each, selected: each === value }, words))));
}

/** A filter that can be taken off. */
function chipFor(label, act) {
  return button([h("bdi", null, label), h("span", { "aria-hidden": "true" }, " ×")], act,
    { class: "off-chip", "aria-label": `Without the filter ${label}` });
}

/** What stays of a view while others are looked at. */
const views = {};
function kept(name) {
  views[name] = views[name] || {};
  return views[name];
}
