// -- tables that sort, and draw only the rows in sight when there are many ------------------------------------------

const ROW_HEIGHT = 38;
const MANY_ROWS = 80;

/**
 * A table. Columns: {label, value(row), cell(row), number, title}; `order` is [column, descending]; `state` keeps the
 * order that is chosen, and how far the table is scrolled.
 * Gives {element, show(rows)}.
 */
function table({ caption, columns, rows, order, link, name, state = {} }) {
  let shown = rows;
  let [by, descending] = state.order || order || [null, false];
  const body = h("tbody");
  const heads = columns.map((column, number) =>
    h("th", { scope: "col", class: column.number ? "number" : null, title: column.title },
      button([column.label, h("span", { class: "arrow", "aria-hidden": "true" })], () => sortBy(number))));
  const element = h("table", { class: "data" },
    caption ? h("caption", null, caption) : null, h("thead", null, h("tr", null, heads)), body);
  const box = h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": name || caption || "table" },
    element);
  let drawn = "";

  function sortBy(number) {
    if (by === number) descending = !descending;
    else [by, descending] = [number, Boolean(columns[number].number)];
    state.order = [by, descending];
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
        { scope: number === 0 ? "row" : null, class: column.number ? "number" : null }, inner);
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
    replace(body, spacer(top), shown.slice(top, end).map(rowOf), spacer(shown.length - end),
      shown.length ? null : h("tr", null, h("td", { colspan: columns.length, class: "none" }, "nothing here")));
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

/** A table as the Python side gives it: words, or [value, shown, mark]; documents and entities are links. */
function gridTable(grid, system = 0) {
  const columns = grid.header.map((label, number) => ({
    label,
    number: grid.rows.length > 0 && grid.rows.every((row) => row[number] === null || Array.isArray(row[number])),
    value: (row) => (Array.isArray(row[number]) ? row[number][0] : row[number]),
    cell: (row) => {
      if (Array.isArray(row[number])) return shownNumber(row[number]);
      const address = ["document", "entity"].includes(label) ? addressOf(grid, row, label, system) : null;
      return address ? h("a", { href: address, dir: "auto" }, row[number]) : row[number];
    },
  }));
  return table({ columns, rows: grid.rows, caption: grid.title || null, name: grid.title || "table" });
}

/** Where the document of a row is, or its entity; null if the row has none. */
function addressOf(grid, row, label, system) {
  const cell = (name) => row[grid.header.indexOf(name)];
  const number = overview.documents.findIndex((each) => each[0] === cell("document"));
  if (number < 0) return null;
  const place = { view: "document", document: number, system };
  if (label === "entity" && cell("side")) return writeAddress({ ...place, side: cell("side"), entity: cell("entity") });
  return writeAddress(place);
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
