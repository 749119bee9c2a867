// -- a board is readable without this script, which sorts its tables and filters their rows ------------------------

function valueOf(row, place) {
  const cell = row.children[place];
  const value = cell.dataset.value ?? cell.textContent.trim();
  return value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function compareCells(a, b, sign) {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}

function sortBy(table, place) {
  const heads = [...table.tHead.rows[0].cells];
  const falling = heads[place].getAttribute("aria-sort") === "descending";
  const number = heads[place].classList.contains("number") && place > 0;
  const known = heads[place].hasAttribute("aria-sort");
  const descending = known ? !falling : number;
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[place].setAttribute("aria-sort", descending ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => compareCells(valueOf(a, place), valueOf(b, place), descending ? -1 : 1));
  table.tBodies[0].append(...rows);
}

for (const table of document.querySelectorAll("table.data")) {
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    const button = document.createElement("button");
    const arrow = document.createElement("span");
    button.type = "button";
    arrow.className = "arrow";
    arrow.setAttribute("aria-hidden", "true");
    button.append(head.textContent, arrow);
    button.addEventListener("click", () => sortBy(table, place));
    head.replaceChildren(button);
  });
}

const words = document.getElementById("words");
const best = document.getElementById("best");

function filter() {
  const wanted = words.value.trim().toLowerCase();
  for (const row of document.querySelectorAll("table.data tbody tr")) {
    row.hidden = (best.checked && "further" in row.dataset) || !row.dataset.name.toLowerCase().includes(wanted);
  }
}

document.querySelector(".find").hidden = false;
words.addEventListener("input", filter);
best.addEventListener("change", filter);
