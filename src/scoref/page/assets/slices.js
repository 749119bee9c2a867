// -- slices: a heat map of what mentions lose by two fields, and the mentions of a cell ------------------------------

const VALUES = ["recall", "precision"];
const FIELD_NAMES = { first: "first or later", position: "place in the text" };
const fieldName = (field) => FIELD_NAMES[field] || field;
const isSliced = (system) => (!overview.systems[system].slices.reason);

async function showSlices(route, main) {
  const system = overview.systems[route.system];
  const head = viewHead("Slices", `${system.name}: ${overview.neutral ? "on which mentions they differ" : "what mentions lose"}, by their kinds.`);
  if (!isSliced(route.system)) {
    replace(main, head, section("Nothing to show", h("p", null, system.slices.reason)));
    return;
  }
  const against = areCompared() && route.asked.against ? rival(route) : null;
  const compares = against !== null && isSliced(against);
  const every = [await lossesOf(route.system), ...(compares ? [await lossesOf(against)] : [])];
  if (route !== currentRoute()) return;
  const asked = askedSlice(route, every[0]);
  const sides = every.map((data) => data.sides[asked.side]);
  const seen = { ...asked, sides, names: [route.system, against].map((number) => overview.systems[number]?.name),
    systems: [route.system, against], metric: metricName(every[0].metric) };
  replace(main, head,
    h("section", { class: "card" }, sliceTools(route, seen, every[0]), heatMap(seen), heatNote(seen)),
    asked.where.length ? mentionSection(seen) : h("p", { class: "note" }, "A cell opens its mentions."),
    compares ? null : standingOut(system.slices, route.system));
}

/** What an address asks for: a side, two fields, kinds. What there is not is said. */
function askedSlice({ asked, lacking }, data) {
  const known = ([field, kind]) => data.sides.some((side) => side.kinds[field]?.names.includes(kind));
  const where = kindsAsked(asked.where).filter((pair) => {
    const good = pair !== null && known(pair);
    if (!good) lacking.push(`kind ‘${pair ? pair.join(": ") : asked.where}’ of mentions`);
    return good;
  });
  const fields = [asked.rows, asked.columns].map((field) => {
    if (!field || data.fields.includes(field)) return field;
    lacking.push(`field ‘${field}’ of mentions`);
    return "";
  });
  const free = ["form", "distance", "size", ...data.fields].filter((field) => data.fields.includes(field));
  const rows = fields[0] || free.find((field) => field !== fields[1]);
  const columns = fields[1] && fields[1] !== rows ? fields[1] : free.find((field) => field !== rows);
  return { side: Math.max(0, VALUES.indexOf(asked.of)), value: asked.of || VALUES[0], fields: [rows, columns], where };
}

// -- what is shown --------------------------------------------------------------------------------------------------

function sliceTools(route, seen, data) {
  const turn = (changes) => { ask(changes); navigate(); };
  const set = (field, kind) => turn({ where: writtenKinds([...seen.where.filter(([other]) => other !== field),
    ...(kind ? [[field, kind]] : [])]) });
  const fields = data.fields.map((field) => [field, fieldName(field)]);
  const chosen = (field) => (seen.where.find(([other]) => other === field) || [])[1] || "";
  const kinds = (field) => [...new Set(seen.sides.flatMap((side) => side.kinds[field].names))];
  const others = overview.systems.map((system, number) => [String(number + 1), system.name])
    .filter((_, number) => number !== route.system && isSliced(number));
  return [
    h("div", { class: "filter many-filters" },
      h("div", { class: "segments", role: "group", "aria-label": "Side" }, VALUES.map((value) => button(
        sideWords(value), () => turn({ of: value }),
        { "aria-pressed": String(value === seen.value) }))),
      choice("Rows", seen.fields[0], fields, (field) => turn({ rows: field, columns: field === seen.fields[1] ? seen.fields[0] : seen.fields[1] })),
      choice("Columns", seen.fields[1], fields, (field) => turn({ columns: field, rows: field === seen.fields[0] ? seen.fields[1] : seen.fields[0] })),
      others.length && areCompared() ? choice("Against", route.asked.against || "", [["", "nobody"], ...others],
        (value) => turn({ against: value })) : null),
    h("div", { class: "filter many-filters" }, data.fields.map((field) => choice(fieldName(field), chosen(field),
      [["", "all"], ...kinds(field).map((kind) => [kind, kind || "–"])], (kind) => set(field, kind)))),
  ];
}

/** Whose mentions are looked at. */
function sideWords(value) {
  if (overview.neutral) return `mentions of ${pairNames()[VALUES.indexOf(value)]}`;
  return value === "recall" ? "recall: the key's mentions" : "precision: the response's";
}

/** The table of two fields; the mentions are those of the other kinds that are asked for. */
function heatMap(seen) {
  const { sides, fields, where } = seen;
  const others = where.filter(([field]) => !fields.includes(field));
  const maps = sides.map((side) => crossed(side, mentionsWith(side, others.filter(([field]) => side.kinds[field])), fields));
  const merged = (name) => {
    const names = new Map(maps.flatMap((map) => map[name]));
    const order = sides.flatMap((side) => side.kinds[fields[name === "rows" ? 0 : 1]].names);
    return [...names.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  };
  const [rows, columns] = [[...merged("rows"), ""], [...merged("columns"), ""]];
  const cellsOf = (row, column) => maps.map((map) => {
    const number = (name, kind) => (kind === "" ? "" : (map[name].find(([other]) => other === kind) || [0, -1])[1]);
    return map.cell(number("rows", row), number("columns", column));
  });
  const label = (kind) => (kind === "" ? "all" : kind);
  return h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Losses" }, h("table", { class: "heat" },
    h("caption", null, `${fieldName(fields[0])} by ${fieldName(fields[1])}`),
    h("thead", null, h("tr", null, h("td"), columns.map((kind) => h("th", { scope: "col" }, label(kind))))),
    h("tbody", null, rows.map((row) => h("tr", null, h("th", { scope: "row" }, label(row)),
      columns.map((column) => heatCell(seen, [[fields[0], row], [fields[1], column]], cellsOf(row, column))))))));
}

/** A cell: what its mentions lose on the mean, and how many they are; of two systems, what the second loses less. */
function heatCell(seen, kinds, cells) {
  if (!cells.some((cell) => cell.number)) return h("td", { class: "none" }, "");
  const asked = [...seen.where.filter(([field]) => !seen.fields.includes(field)), ...kinds.filter(([, kind]) => kind !== "")];
  const means = cells.map(({ number, sum }) => (number ? sum / number : null));
  const two = cells.length > 1;
  const value = two ? (means.includes(null) ? null : means[0] - means[1]) : means[0];
  const [side, number] = [two && value < 0 ? "worse" : two ? "better" : "lost", cells.map((cell) => count(cell.number))];
  const numbers = two && seen.side ? number.join(" / ") : number[0];
  const said = value === null ? "–" : two ? signed(value, 2) : fixed(value, 2);
  const words = `${kinds.map(([, kind]) => kind || "all").join(", ")}: ${numbers} mentions, ${
    two ? `difference ${said}` : overview.neutral ? `they differ by ${said} each` : `${said} lost each`}`;
  const is = JSON.stringify(asked) === JSON.stringify(seen.where);
  return h("td", { class: `heat-cell ${side}`, style: { "--share": `${Math.round(100 * Math.min(1, Math.abs(value || 0)))}%` } },
    h("a", { href: slicesAddress(seen, asked), "aria-label": words, "aria-current": is && asked.length ? "true" : null },
      h("b", null, said), h("span", null, numbers)));
}

function slicesAddress(seen, where) {
  const [rows, columns] = seen.fields;
  return addressTo("slices", { of: seen.value, rows, columns, where: writtenKinds(where),
    against: seen.sides.length > 1 ? String(seen.systems[1] + 1) : "" }, seen.systems[0]);
}

function heatNote({ sides, names, metric, value }) {
  if (overview.neutral) {
    const [own, other] = value === "recall" ? pairNames() : [...pairNames()].reverse();
    return h("p", { class: "note" }, `Above: by how much of ${metric} a mention of ${own} differs from those of ${other} on the mean, from 0 to 1. Below: how many mentions there are.`);
  }
  return h("p", { class: "note" }, sides.length > 1
    ? `Above: how much less ${metric} ${value} a mention loses in ${names[1]} than in ${names[0]}, on the mean. Below: the mentions.`
    : `Above: what a mention loses of its ${metric} ${value} on the mean, from 0 to 1. Below: how many mentions there are.`);
}

// -- the mentions of a cell -----------------------------------------------------------------------------------------

function mentionSection(seen) {
  const { sides, where, side: code, systems, fields } = seen;
  const own = code === 1 || sides.length < 2; // each system has mentions of its own
  const rows = sides.slice(0, own ? sides.length : 1).flatMap((side, at) => mentionsWith(side, where.filter(([field]) => side.kinds[field]))
    .map((mention) => ({ side: code, system: systems[at], document: side.documents[mention], index: side.indices[mention],
      loss: side.loss(mention), other: own ? null : sides[1].loss(mention), words: null,
      kinds: Object.fromEntries(Object.entries(side.kinds).map(([field, { names, of }]) => [field, names[of[mention]]])) })));
  const shown = [...new Set([...fields, "form", "distance", "fared"])].filter((field) => field in sides[0].kinds);
  const number = (label, value) => ({ label, number: true, value, cell: (row) => (value(row) === null ? "–" : fixed(value(row), 2)) });
  const columns = [
    { label: "mention", wide: "widest", value: (row) => row.document * 1e6 + row.index, cell: mentionContext },
    { label: "document", wide: "wider", value: (row) => row.document,
      cell: (row) => h("bdi", { class: "of-document", title: documentName(row.document) }, documentName(row.document)) },
    ...(own && sides.length > 1 ? [{ label: "system", value: (row) => overview.systems[row.system].name }] : []),
    ...shown.map((field) => ({ label: fieldName(field), value: (row) => row.kinds[field], cell: (row) => row.kinds[field] || "–" })),
    number(overview.neutral ? "difference" : own ? "loss" : `loss in ${shortened(seen.names[0], 12)}`, (row) => row.loss),
    ...(own ? [] : [number(`in ${shortened(seen.names[1], 12)}`, (row) => row.other)]),
  ];
  const made = table({ columns, rows, link: mentionAddress, name: "Mentions", order: [columns.length - 1, true], state: kept("mentions") });
  const csv = [["document", (row) => documentName(row.document)], ["system", (row) => overview.systems[row.system].name],
    ["mention", (row) => row.index + 1], ["loss", (row) => row.loss], ...(own ? [] : [["other loss", (row) => row.other]]),
    ...Object.keys(sides[0].kinds).map((field) => [field, (row) => row.kinds[field]]), ["address", mentionAddress]];
  return h("section", { class: "card" }, h("h2", null, where.map(([field, kind]) => `${fieldName(field)}: ${kind}`).join(", ")),
    h("div", { class: "filter ends-apart" }, h("p", { class: "note", role: "status" }, plural(rows.length, "mention")),
      csvButton("mentions", csv, () => rows)),
    h("div", { class: "all-errors" }, made.element));
}

const mentionAddress = (row) => addressIn(row.document, { side: row.side ? "response" : "key", mention: row.index }, row.system);

/** The mention between the words around it, as a link to it. */
function mentionContext(row) {
  return h("a", { href: mentionAddress(row), class: "plain-link" }, inContext(row.document, null, (chunk) => {
    const found = chunk.systems[row.system];
    return [row.side ? found.response : chunk.keys[found.key], row.index];
  }));
}

// -- what stands out ------------------------------------------------------------------------------------------------

/** The slices that stand out beyond chance, each with its interval and its mentions; and what could have been seen. */
function standingOut(found, system) {
  return section("What stands out beyond chance",
    found.slices.length ? h("ul", { class: "said" }, found.slices.map(({ value, kinds, said }) => h("li", null, `${overview.neutral ? pairNames()[VALUES.indexOf(value)] : value}: ${said}. `,
      h("a", { href: addressTo("slices", { of: value, where: writtenKinds(kinds) }, system) }, "its mentions"))))
      : h("p", null, "Nothing."),
    h("ul", { class: "notes" }, found.notes.map((note) => h("li", null, note))));
}

// -- the diagnosis --------------------------------------------------------------------------------------------------

/** Three sentences on what is wrong, and what sets two systems apart, each with a link to its mentions. */
function diagnosisSection(route, system) {
  return sentenceSection(route, "Diagnosis", [...system.diagnosis, ...overview.differences]);
}

function sentenceSection(route, title, sentences) {
  if (!sentences.length) return null;
  const address = ({ view, asked, document: number, tangle, system = route.system }) => (view
    ? addressTo(view, asked || {}, system) : addressIn(number, { tangle }, system));
  return h("section", { class: "card diagnosis" }, h("h2", null, title), h("ol", null, sentences.map(({ said, to, link }) =>
    h("li", null, said.map((each) => (typeof each === "string" ? each : h("q", null, h("bdi", null, each[0])))),
      to ? [" ", h("a", { href: address(to) }, link)] : null))));
}
