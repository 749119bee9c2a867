// -- words in all texts ---------------------------------------------------------------------------------------------

const HITS = 200; // places that are listed at once

let searching = null;

/** Looks for words in all texts, one after the other; what is found is listed as it comes. */
function showSearch(route, main) {
  const list = h("ol", { class: "hits" });
  const status = h("p", { class: "note", role: "status" });
  const box = searchBox("Words in all texts", route.asked.words || "", (value) => {
    ask({ words: value });
    lookFor(value, list, status);
  });
  replace(main, viewHead("Search"), h("section", { class: "card" }, h("div", { class: "filter" }, box), status, list));
  box.focus({ preventScroll: true });
  return lookFor(route.asked.words || "", list, status);
}

async function lookFor(words, list, status) {
  const mine = {};
  searching = mine;
  const wanted = words.trim().toLowerCase();
  list.replaceChildren();
  status.textContent = "";
  if (!wanted) return;
  const [found, texts] = [[], new Set()];
  for (let number = 0; number < overview.documents.length; number += 1) {
    const chunk = await unpackOnce(number);
    if (searching !== mine || !list.isConnected) return;
    for (const hit of hitsIn(chunk, wanted)) {
      texts.add(number);
      if (found.length < HITS) list.append(hitItem(number, chunk, hit));
      found.push([number, hit]);
    }
    const done = number + 1 === overview.documents.length;
    if (done || number % 20 === 0) {
      status.textContent = `${plural(found.length, "place")} in ${plural(texts.size, "document")}${
        done ? "" : ` … ${count(number + 1)} texts read`}`;
    }
  }
  if (found.length > HITS) listMore(list, found, HITS);
}

/** A button for the places that are not listed yet. */
function listMore(list, found, from) {
  const more = h("li", null, button(`${count(found.length - from)} more`, async () => {
    const items = [];
    for (const [number, hit] of found.slice(from, from + HITS)) items.push(hitItem(number, await unpackOnce(number), hit));
    more.replaceWith(...items);
    items[0].firstChild.focus({ preventScroll: true });
    if (found.length > from + HITS) listMore(list, found, from + HITS);
  }, { class: "more" }));
  list.append(more);
}

/** A document, without pushing others out of memory. */
const unpackOnce = (number) => opened.get(number) || unpackDocument(number);

/** The first and last units of each place that has the words; across words, as they are written. */
function hitsIn(chunk, wanted) {
  const glued = new Set(chunk.glued || []);
  const starts = [];
  let text = "";
  chunk.units.forEach((unit, at) => {
    starts.push(text.length);
    text += unit.toLowerCase() + (glued.has(at) ? "" : " ");
  });
  const found = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    found.push([placeIn(starts, at), placeIn(starts, at + wanted.length - 1)]);
  }
  return found;
}

function hitItem(number, chunk, [from, to]) {
  const glued = new Set(chunk.glued || []);
  const before = from ? `${unitsOf(chunk, glued, Math.max(0, from - 10), from - 1)} ` : "";
  const after = to + 1 < chunk.units.length
    ? ` ${unitsOf(chunk, glued, to + 1, Math.min(chunk.units.length - 1, to + 10))}` : "";
  return h("li", null, h("a", { href: addressIn(number, { word: from }) },
    h("span", { class: "hit", dir: chunk.rtl ? "rtl" : "ltr" }, before, h("mark", null, unitsOf(chunk, glued, from, to)), after),
    h("bdi", { class: "quiet" }, documentName(number))));
}
