// -- header, help, keys, and where to go ----------------------------------------------------------------------------

let route = null;
const scrolled = {}; // how far down views were when they were left
const { title } = document;

const THEMES = ["auto", "light", "dark"];

function useTheme(name) {
  const theme = THEMES.includes(name) ? name : "auto";
  document.documentElement.dataset.theme = theme;
  return theme;
}

function drawHeader() {
  const several = overview.systems.length > 1;
  const home = writeAddress({ view: "overview", system: route.system });
  const crumb = (view, label) => h("li", null, h("a", { href: writeAddress({ view, system: route.system }),
    "aria-current": route.view === view ? "page" : null }, label));
  const crumbs = [crumb("overview", "Overview")];
  if (several && !overview.neutral) crumbs.push(crumb("compare", "Compare"));
  if (route.view === "document") {
    const name = overview.documents[route.document][0] || `document ${route.document + 1}`;
    crumbs.push(h("li", { class: "here" }, h("span", { "aria-current": "page", dir: "auto", title: name }, name)));
  }
  const switchTo = (event) => {
    const { view, document: number, mode, kind } = route;
    location.hash = writeAddress({ view, document: number, mode, kind, system: Number(event.target.value) });
  };
  const option = (system, number) => h("option", { value: number, selected: number === route.system }, system.name);
  const switcher = several && route.view !== "compare"
    ? h("select", { "aria-label": "System", class: "system", on: { change: switchTo } }, overview.systems.map(option))
    : null;
  const theme = document.documentElement.dataset.theme;
  const themer = button({ auto: "◐", light: "○", dark: "●" }[theme], () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    remember("theme", useTheme(next));
    drawHeader();
    document.querySelector("#header .theme").focus();
  }, { class: "theme icon", "aria-label": `Colours: ${theme}. Change`, title: `Colours: ${theme}` });
  replace(document.getElementById("header"), h("div", { class: "inner" },
    h("a", { class: "brand", href: home, "aria-label": "scoref, overview" }, "scoref"),
    h("nav", { "aria-label": "Views", class: "crumbs" }, h("ul", null, crumbs)), switcher,
    themer, button("?", openHelp, { class: "help icon", "aria-label": "Help (?)", title: "Help (?)" })));
}

const KEYS = [["n p", "next, previous error (of the chosen kind)"], ["j k", "next, previous document"],
  ["m", "the next way to show the text"], ["← →", "from mention to mention, when one has the focus"],
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
  if (!route || route.view !== "document" || !reading) return;
  const act = { n: () => stepError(1), p: () => stepError(-1), j: () => stepDocument(1), k: () => stepDocument(-1),
    m: cycleMode, Escape: unpin }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

/** Shows what the address asks for. */
async function navigate() {
  const before = route;
  if (before && before.view !== "document") scrolled[before.view] = scrollY;
  route = readAddress(location.hash);
  const main = document.getElementById("main");
  drawHeader();
  const same = before && before.view === route.view && before.document === route.document;
  if (route.view === "document") {
    const asked = route;
    try {
      const chunk = await openDocument(route.document);
      if (asked !== route) return;
      if (!same) scrollTo(0, 0);
      showDocument(route, main, chunk);
    } catch (error) {
      if (asked !== route) return;
      replace(main, h("p", { class: "waiting", role: "alert" }, `This document could not be opened: ${error.message}`));
      throw error;
    }
  } else {
    leaveDocument();
    (route.view === "compare" ? showCompare : showOverview)(route, main);
    if (!same) scrollTo(0, scrolled[route.view] || 0);
  }
  document.title = route.view === "document"
    ? `${overview.documents[route.document][0] || `document ${route.document + 1}`} – scoref` : title;
  document.documentElement.dataset.ready = writeAddress(route);
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
