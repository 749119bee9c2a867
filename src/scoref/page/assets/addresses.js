// -- addresses ------------------------------------------------------------------------------------------------------

const VIEWS = ["tangles", "errors", "slices", "compare", "search", "decisions", "changes"];

/** What an address can ask for behind its ?, in the order in which it is written. */
const ASKED = ["system", "mode", "kind", "status", "against", "form", "position", "distance", "size", "document",
  "tangle", "words", "should", "range", "sort", "tag", "what", "arcs", "timeline", "change", "read", "edits",
  "of", "rows", "columns", "where"];

/**
 * What an address asks for: #/, #/errors, #/tangles, #/compare, #/search, #/doc/3, #/doc/3/key/ENTITY/2,
 * #/doc/3/mention/key/4, #/doc/3/error/17, #/doc/3/tangle/5, #/doc/3/word/90, #/slices; `asked` is what stands behind the ?, such as ?system=2&mode=side.
 */
function readAddress(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").map(decoded);
  const [asked, lacking] = [{}, []];
  for (const [name, value] of new URLSearchParams(query || "")) {
    if (!value) continue;
    if (!ASKED.includes(name) || (KNOWN[name] && !KNOWN[name](value))) lacking.push(`${name} ‘${value}’`);
    else asked[name] = value;
  }
  const system = asked.system ? Number(asked.system) - 1 : 0;
  delete asked.system;
  const found = { view: VIEWS.includes(parts[0]) ? parts[0] : "overview", system, asked, lacking };
  if (!["", "overview", "doc", ...VIEWS].includes(parts[0])) lacking.push(`view ‘${parts[0]}’`);
  if (parts[0] === "compare" && overview.systems.length < 2) lacking.push("second system to compare");
  if (parts[0] === "decisions" && !overview.neutral) {
    lacking.push("decision on a page with a key");
    return { ...found, view: "overview" };
  }
  if (parts[0] !== "doc") return found;
  const number = documentNumber(parts[1] || "");
  if (number === null) lacking.push(`document ‘${parts[1] || ""}’`);
  return number === null ? found : { ...found, view: "document", document: number, ...targetOf(parts, lacking) };
}

/** Which values the page has for what is asked; of other names every value may be meant, or is looked at later. */
const isSystem = (value) => /^[1-9]\d*$/.test(value) && Number(value) <= overview.systems.length;
const areCompared = () => overview.systems.length > 1 && !overview.neutral;
const KNOWN = {
  system: isSystem,
  against: isSystem,
  mode: (value) => MODES.some(([mode]) => mode === value) && (areCompared() || !["all", "against"].includes(value)),
  kind: (value) => overview.kinds.includes(value),
  status: (value) => areCompared() && Object.hasOwn(FARES, value),
  document: (value) => documentNumber(value) !== null,
  tangle: (value) => /^[1-9]\d*$/.test(value) && overview.systems.some((system) => Number(value) <= system.tangled),
  of: (value) => VALUES.includes(value),
  what: (value) => Object.hasOwn(PLACE_FILTERS, value),
  arcs: (value) => value === "1",
  timeline: (value) => value === "1",
  change: (value) => value === "1",
  read: (value) => value === "1",
  range: (value) => /^\d+(\.\d+)?-\d+(\.\d+)?$/.test(value),
};

/** Says what an address asks for that is not there; what could be found is shown all the same. */
function sayLacking({ lacking }) {
  document.getElementById("lacking")?.remove();
  if (!lacking.length) return;
  const said = lacking.length > 1 ? `${lacking.slice(0, -1).join(", ")} and no ${lacking[lacking.length - 1]}` : lacking[0];
  document.getElementById("main").before(h("p", { id: "lacking", class: "warning", role: "alert" }, `There is no ${said}.`));
}

/** What of a document an address asks for: an error, a tangle, a mention of an entity. */
function targetOf([, , what, name, place], lacking) {
  if (!what) return {};
  if (["error", "tangle", "word"].includes(what)) {
    const number = /^\d+$/.test(name || "") ? Number.parseInt(name, 10) - 1 : -1;
    if (number >= 0) return { [what]: number };
    lacking.push(`${what} ‘${name || ""}’`);
    return {};
  }
  if (what === "mention" && ["key", "response"].includes(name) && /^[1-9]\d*$/.test(place || "")) {
    return { side: name, mention: Number(place) - 1 };
  }
  if (what !== "key" && what !== "response") {
    lacking.push(`‘${what}’`);
    return {};
  }
  const which = place ? Number.parseInt(place, 10) - 1 : 0;
  return { side: what, entity: name || "", which: which >= 0 ? which : 0 };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function documentNumber(part) {
  const number = /^\d+$/.test(part) ? Number.parseInt(part, 10) - 1 : -1;
  if (number >= 0 && number < overview.documents.length) return number;
  const named = overview.documents.findIndex((each) => each[0] === part);
  return named >= 0 ? named : null;
}

function writeAddress(route) {
  const parts = VIEWS.includes(route.view) ? [route.view] : [];
  if (route.view === "document") {
    parts.push("doc", route.document + 1);
    if (route.error !== undefined) parts.push("error", route.error + 1);
    else if (route.tangle !== undefined) parts.push("tangle", route.tangle + 1);
    else if (route.word !== undefined) parts.push("word", route.word + 1);
    else if (route.mention !== undefined) parts.push("mention", route.side, route.mention + 1);
    else if (route.side) {
      parts.push(route.side, encodeURIComponent(route.entity));
      if (route.which) parts.push(route.which + 1);
    }
  }
  const asked = { ...route.asked, system: route.system ? route.system + 1 : "", edits: editsCode() };
  const query = new URLSearchParams(ASKED.filter((name) => asked[name]).map((name) => [name, asked[name]])).toString();
  return `#/${parts.join("/")}${query ? `?${query}` : ""}`;
}

const currentRoute = () => route;

/** The address of a view with what it is asked for. */
function addressTo(view, asked = {}, system = route ? route.system : 0) {
  return writeAddress({ view, system, asked });
}

/** The address of something in a document. */
function addressIn(number, target = {}, system = route ? route.system : 0, asked = {}) {
  return writeAddress({ view: "document", document: number, system, asked, ...target });
}

/** Writes what a view is asked for into the address, without a step in the history, and without drawing it again. */
function ask(changes) {
  route.asked = { ...route.asked, ...changes };
  history.replaceState(null, "", writeAddress(route));
  document.documentElement.dataset.ready = location.hash;
}
