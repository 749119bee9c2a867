// -- header, help, keys, and where to go ----------------------------------------------------------------------------

let route = null;
let arriving = false; // by a key: the focus is then in the page
const scrolled = {}; // how far down views were when they were left
const { title } = document;

const THEMES = ["auto", "light", "dark"];

function useTheme(name) {
  const theme = THEMES.includes(name) ? name : "auto";
  document.documentElement.dataset.theme = theme;
  return theme;
}

function drawHeader() {
  const crumb = (view, label) => h("li", null, h("a", { href: addressTo(view),
    "aria-current": route.view === view ? "page" : null }, label));
  const crumbs = [crumb("overview", "Overview")];
  if (overview.systems.some((system) => system.tangled)) crumbs.push(crumb("tangles", "Tangles"));
  crumbs.push(crumb("errors", named("Errors")));
  if (overview.systems.some((_, number) => isSliced(number))) crumbs.push(crumb("slices", "Slices"));
  if (overview.neutral) crumbs.push(crumb("decisions", "Decisions"));
  if (areCompared()) crumbs.push(crumb("compare", "Compare"));
  if (bench.edits.length || route.view === "changes") crumbs.push(crumb("changes", "Changes"));
  if (route.view === "document") {
    const name = documentName(route.document);
    crumbs.push(h("li", { class: "here" }, h("span", { "aria-current": "page", dir: "auto", title: name }, name)));
  }
  const theme = document.documentElement.dataset.theme;
  const themer = button({ auto: "◐", light: "○", dark: "●" }[theme], () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    remember("theme", useTheme(next));
    drawHeader();
    document.querySelector("#header .theme").focus();
  }, { class: "theme icon", "aria-label": `Colours: ${theme}. Change`, title: `Colours: ${theme}` });
  replace(document.getElementById("header"), h("div", { class: "inner" },
    h("a", { class: "brand", href: addressTo("overview"), "aria-label": "scoref, overview" }, "scoref"),
    h("nav", { "aria-label": "Views", class: "crumbs" }, h("ul", null, crumbs)), switcher(),
    h("a", { class: "icon search", href: addressTo("search"), "aria-label": "Search all texts (/)", title: "Search all texts (/)" },
      h("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, h("circle", { cx: 7, cy: 7, r: 4.5 }),
        h("line", { x1: 10.4, y1: 10.4, x2: 14, y2: 14 }))),
    themer, button("?", openHelp, { class: "help icon", "aria-label": "Help (?)", title: "Help (?)" })));
}

/** Chooses the system; what is looked at stays, where the other system has it. */
function switcher() {
  if (overview.systems.length < 2 || route.view === "compare") return null;
  const switchTo = (event) => {
    const system = Number(event.target.value);
    const kept = route.view === "document" ? targetIn(system) : {};
    const { view, document: number, asked } = route;
    location.hash = writeAddress({ view, document: number, asked: { ...asked, tangle: "", against: "" }, ...kept, system });
  };
  const option = (system, number) => h("option", { value: number, selected: number === route.system }, system.name);
  return h("select", { "aria-label": "System", class: "system", on: { change: switchTo } }, overview.systems.map(option));
}

/** What is looked at, as another system has it: the same entity of the key, or its partner. */
function targetIn(system) {
  if (!reading || !reading.pinned) return {};
  const { entity } = reading.pinned;
  const key = entity.side === "k" ? entity : entity.partner;
  if (!key) return {};
  const which = entity.side === "k" ? entity.mentions.indexOf(reading.pinned) : 0;
  return { side: "key", entity: key.name, which: Math.max(0, which) };
}

const KEYS = [["n p", "next, previous error (of the chosen kind)"], ["j k", "next, previous document"],
  [", .", "previous, next mention of the entity"], ["m", "the next way to show the text"],
  ["a t", "arcs to the antecedents of the mention, timeline of the text"], ["e", "change the response, and see what it scores"],
  ["Ctrl+Z Ctrl+Y", "undo, redo a change"], ["/", "search all texts"], ["← →", "from mention to mention, when one has the focus"],
  ["Enter", "keep the entity of the mention in view"], ["Esc", "let it go"], ["?", "this help"]];

function openHelp() {
  document.querySelector("dialog")?.remove();
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Help"),
    h("table", { class: "keys" }, h("tbody", null, KEYS.map(([keys, meaning]) => h("tr", null,
      h("th", { scope: "row" }, keys.split(" ").map((key) => h("kbd", null, key))), h("td", null, meaning))))),
    h("h3", null, "Reading a text"), legendLines(),
    h("p", { class: "note" }, "The address of the page says what it shows: send it to someone who has the file."),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest && event.target.closest("input, select, textarea")) return;
  if (event.key === "?") openHelp();
  if (event.key === "/") {
    event.preventDefault();
    location.hash = addressTo("search");
  }
  if (!route || route.view !== "document" || !reading) return;
  const act = { n: () => stepError(1), p: () => stepError(-1), j: () => stepDocument(1), k: () => stepDocument(-1),
    m: cycleMode, a: toggleArcs, t: toggleTimeline, e: toggleBench, ".": () => stepMention(1), ",": () => stepMention(-1), Escape: unpin }[event.key];
  if (!act) return;
  event.preventDefault();
  reading.follows = "np.,".includes(event.key);
  arriving = true;
  act();
});

const SHOWN = { overview: showOverview, tangles: showTangles, errors: showErrors, compare: showCompare, search: showSearch,
  slices: showSlices, decisions: showDecisions, changes: showChanges };

/** Shows what the address asks for; done when it is on the screen. */
async function navigate() {
  const before = route;
  if (before && before.view !== "document") scrolled[before.view] = scrollY;
  route = readAddress(location.hash);
  const asked = route;
  await editsOfAddress(route);
  if (asked !== route) return;
  const main = document.getElementById("main");
  drawHeader();
  const same = before && before.view === route.view && before.document === route.document;
  const held = main.contains(document.activeElement);
  try {
    if (route.view === "document") {
      const chunk = await openChanged(route);
      if (asked !== route) return;
      if (!same) scrollTo({ top: 0, behavior: "instant" });
      await showDocument(route, main, chunk);
    } else {
      leaveDocument();
      await SHOWN[route.view](route, main);
      if (!same && asked === route) scrollTo({ top: scrolled[route.view] || 0, behavior: "instant" });
    }
  } catch (error) {
    if (asked !== route) return;
    sayLacking({ lacking: [] });
    replace(main, h("p", { class: "waiting", role: "alert" }, `This could not be opened: ${error.message}`));
    throw error;
  }
  if (asked !== route) return;
  sayLacking(route);
  keepEdits();
  await drawBench();
  if (asked !== route) return;
  if (route.view !== "document") announce(main.querySelector("h1")?.textContent || "");
  if ((held || arriving) && document.activeElement === document.body) main.focus({ preventScroll: true });
  arriving = false;
  document.title = route.view === "document" ? `${documentName(route.document)} – scoref` : title;
  document.documentElement.dataset.ready = route.lacking.length ? location.hash : writeAddress(route);
}

async function start() {
  useTheme(remembered("theme"));
  if (typeof DecompressionStream === "undefined") {
    const said = "This browser is too old to unpack the report.";
    replace(document.getElementById("main"), h("p", { class: "waiting" }, said));
    return;
  }
  history.scrollRestoration = "manual";
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  overview = await unpack("overview");
  addEventListener("hashchange", navigate);
  await navigate();
}

start();
