// -- tables that sort, and draw only the rows in sight when there are many ------------------------------------------

const ROW_HEIGHT = 38;
const MANY_ROWS = 80;

/**
 * A table. Columns: {label, value(row), cell(row), number, title, name, wide}; `order` is [column, descending]. With `sorts`,
 * the order is in the address; `state` keeps how far the table is scrolled. Gives {element, show(rows)}.
 */
function table({ caption, columns, rows, order, link, name, sorts = false, state = {} }) {
  let shown = rows;
  let [by, descending] = (sorts && orderAsked(columns)) || state.order || order || [null, false];
  const body = h("tbody");
  const heads = columns.map((column, number) =>
    h("th", { scope: "col", class: classOf(column), title: column.title },
      button([column.label, h("span", { class: "arrow", "aria-hidden": "true" })], () => sortBy(number))));
  const element = h("table", { class: "data" },
    caption ? h("caption", null, caption) : null, h("thead", null, h("tr", null, heads)), body);
  const box = h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": name || caption || "table" },
    element);
  let drawn = "";
  const elements = new WeakMap();

  function sortBy(number) {
    if (by === number) descending = !descending;
    else [by, descending] = [number, Boolean(columns[number].number)];
    state.order = [by, descending];
    if (sorts) ask({ sort: `${descending ? "-" : ""}${columns[by].name || columns[by].label}` });
    box.scrollTop = 0;
    sort();
  }

  function sort() {
    heads.forEach((head, number) => {
      if (number === by) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    if (by !== null) {
      const { value } = columns[by];
      const sign = descending ? -1 : 1;
      shown = [...shown].sort((a, b) => compareValues(value(a), value(b), sign));
    }
    draw(true);
  }

  function rowOf(each) {
    const cells = columns.map((column, number) => {
      const inner = column.cell ? column.cell(each) : column.value(each);
      return h(number === 0 ? "th" : "td",
        { scope: number === 0 ? "row" : null, class: classOf(column) }, inner);
    });
    return h("tr", link ? { class: "goes", on: { click: (event) => follow(event, link(each)) } } : null, cells);
  }

  function draw(again) {
    const all = shown.length <= MANY_ROWS || printing;
    const top = all ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - 12);
    const height = Math.ceil((box.clientHeight || 700) / ROW_HEIGHT) + 24;
    const end = all ? shown.length : Math.min(shown.length, top + height);
    if (!again && drawn === `${top} ${end}`) return;
    drawn = `${top} ${end}`;
    box.classList.toggle("many", shown.length > MANY_ROWS);
    element.setAttribute("aria-rowcount", shown.length + 1);
    const held = body.contains(document.activeElement) ? document.activeElement : null;
    body.replaceChildren();
    add(body, [spacer(top), shown.slice(top, end).map(drawnRow), spacer(shown.length - end),
      shown.length ? null : h("tr", null, h("td", { colspan: columns.length, class: "none" }, "nothing here"))]);
    if (held) (held.isConnected ? held : box).focus({ preventScroll: true });
  }

  /** Rows stay the same elements while they are in sight, so that the focus can stay in them. */
  function drawnRow(each) {
    if (!elements.has(each)) elements.set(each, rowOf(each));
    return elements.get(each);
  }

  function spacer(number) {
    const height = `${number * ROW_HEIGHT}px`;
    return number ? h("tr", { class: "spacer", "aria-hidden": "true" },
      h("td", { colspan: columns.length, style: { height } })) : null;
  }

  box.addEventListener("scroll", () => {
    state.top = box.scrollTop;
    requestAnimationFrame(() => draw(false));
  }, { passive: true });
  if (state.top) requestAnimationFrame(() => { box.scrollTop = state.top; });
  printers.add({ element: box, draw: () => draw(true) });
  sort();
  return {
    element: box,
    show(some) {
      shown = some;
      box.scrollTop = 0;
      sort();
    },
  };
}

const classOf = ({ number, wide }) => [number ? "number" : "", wide || ""].join(" ").trim() || null;

/** The order that the address asks for, or null. */
function orderAsked(columns) {
  const { sort = "" } = currentRoute().asked;
  const name = sort.replace(/^-/, "");
  const number = columns.findIndex((column) => (column.name || column.label) === name);
  if (sort && number < 0) currentRoute().lacking.push(`column ‘${name}’`);
  return number < 0 ? null : [number, sort.startsWith("-")];
}

function compareValues(a, b, sign) {
  const missing = (value) => value === null || value === undefined;
  if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b));
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

/** A click on a row goes where its link goes, unless it was on something else that is clicked. */
function follow(event, address) {
  if (event.target.closest("a, button") || String(getSelection())) return;
  location.hash = address;
}

/** A table as the Python side gives it: words, or [value, shown, mark]; documents, entities and counts are links. */
function gridTable(grid, system = 0) {
  const columns = grid.header.map((label, number) => ({
    label: label === "errors" ? named(label) : metricName(label),
    number: grid.rows.length > 0 && grid.rows.every((row) => row[number] === null || Array.isArray(row[number])),
    value: (row) => (Array.isArray(row[number]) ? row[number][0] : row[number]),
    cell: (row) => {
      const address = addressOf(grid, row, label, system);
      const text = label === "side" && row[number] ? named(row[number]) : row[number];
      const inner = Array.isArray(text) ? shownNumber(text) : text;
      return address && inner !== null ? h("a", { href: address }, h("bdi", null, inner)) : inner;
    },
  }));
  return table({ columns, rows: grid.rows, caption: grid.title || null, name: grid.title || "table" });
}

const GROUPED = ["form", "position", "distance", "size"];

/** Where a cell leads: to a document, to an entity, to the errors of a group of mentions; or null. */
function addressOf(grid, row, label, system) {
  const cell = (name) => row[grid.header.indexOf(name)];
  const [field] = grid.header;
  if (GROUPED.includes(field)) {
    return label === "errors" && cell(label)[0] ? addressTo("errors", { [field]: row[0] }, system) : null;
  }
  const number = ["document", "entity"].includes(label) ? documentOf(grid, row, system) : -1;
  if (number < 0) return null;
  const target = label === "entity" && cell("side") ? { side: cell("side"), entity: cell("entity") } : {};
  return addressIn(number, target, system);
}

/** The document of a row; of an entity of several documents, the first that has it. */
function documentOf(grid, row, system) {
  const name = row[grid.header.indexOf("document")];
  const number = overview.documents.findIndex((each) => each[0] === name);
  const { homes } = overview.systems[system];
  if (number >= 0 || !homes) return number;
  const side = row[grid.header.indexOf("side")];
  return homes[`${side} ${row[grid.header.indexOf("entity")]}`] ?? -1;
}

function shownNumber([value, shown, mark]) {
  const text = /^\d{4,}$/.test(shown) ? count(value) : shown;
  return mark ? [text, h("sup", null, mark)] : text;
}

// -- printing: all that is there, not only what is in sight ---------------------------------------------------------

let printing = false;
const printers = new Set();

function drawAll(whole) {
  printing = whole;
  for (const each of [...printers]) {
    if (each.element.isConnected) each.draw();
    else printers.delete(each);
  }
}

addEventListener("beforeprint", () => drawAll(true));
addEventListener("afterprint", () => drawAll(false));
