// -- blocks: a sentence is drawn when it comes into sight -----------------------------------------------------------

function drawBlocks(model, text, mode) {
  const sides = sidesOf(model, mode);
  const { above, below } = sides;
  const some = ["differences", "against"].includes(mode) ? wrongSentences(model, [...above, ...below]) : null;
  reading.draw = (at) => mode === "side"
    ? [half(sideName("k"), drawSentence(model, at, sides, model.key)),
      half(overview.neutral ? sideName(model.response.code) : "response", drawSentence(model, at, sides, model.response))]
    : [drawSentence(model, at, sides)];
  reading.blocks = model.sentences.map((sentence, at) => blockOf(model, at, mode, [...above, ...below]));
  reading.near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) fill(entry.target);
  }, { rootMargin: "700px 0px" });
  reading.packs = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) watch([...entry.target.children]);
    unfill(entries.flatMap((entry) => (entry.isIntersecting ? [] : [...entry.target.children])));
  }, { rootMargin: "3000px 0px" });
  text.append(...headOf(model, mode, below));
  append(text, reading.blocks, some);
  for (const pack of text.querySelectorAll(".pack")) reading.packs.observe(pack); // sentences only where a pack is near
  printers.add({ element: text, draw: () => { if (printing) reading.blocks.forEach(fill); } });
}

/** Whose mentions are above the words, and whose below. */
function sidesOf(model, mode) {
  const below = mode === "all" ? model.responses
    : mode === "against" ? [model.response, model.responses[reading.against]] : [model.response];
  return { above: [model.key], below };
}

/** What is said above a text: who is where. */
function headOf(model, mode, below) {
  if (mode === "side") {
    const names = [sideName("k"), sideName(model.response.code)];
    return [h("div", { class: "columns", "aria-hidden": "true" }, names.map((name) => h("span", null, name)))];
  }
  if (below.length < 2) return [];
  const names = below.map(({ code }) => `${letters(Number(code)).toUpperCase()} ${sideName(code)}`);
  const halves = mode === "against" ? named(`. The upper half of a bar of the key is for ${names[0]}, the lower for ${names[1]}.`) : "";
  return [h("p", { class: "note" }, `Below the words: ${names.join(" · ")}${halves}`)];
}

const PACK = 50;

/** What the browser lays out together, and only when it is near: sentences, and buttons for those in between. */
function packOf(parts) {
  const pack = h("div", { class: "pack" }, parts);
  const height = parts.reduce((sum, part) => sum + (part.expected || 40), 0);
  pack.style.setProperty("contain-intrinsic-size", `auto ${height}px`);
  return pack;
}

function append(text, blocks, some) {
  if (some && !some.size) text.append(h("p", { class: "note" }, named("No sentence has such a mention.")));
  const parts = some ? folded(blocks, some) : blocks;
  for (let at = 0; at < parts.length; at += PACK) text.append(packOf(parts.slice(at, at + PACK)));
}

/** Some of the sentences, and buttons for the others. */
function folded(blocks, some) {
  const parts = [];
  for (let at = 0; at < blocks.length; at += 1) {
    let end = at;
    while (end < blocks.length && !some.has(end)) end += 1;
    if (end > at) parts.push(rest(blocks.slice(at, end)));
    if (end < blocks.length) parts.push(blocks[end]);
    at = end;
  }
  return parts;
}

function rest(blocks) {
  const opener = button(`… ${plural(blocks.length, "sentence")}`, () => {
    const held = document.activeElement === opener;
    opener.replaceWith(...blocks);
    watch(blocks);
    if (!held) return;
    fill(blocks[0]);
    (blocks[0].querySelector(".label") || document.getElementById("main")).focus({ preventScroll: true });
  }, { class: "rest" });
  for (const block of blocks) block.opener = opener;
  return opener;
}

/** Draws sentences as soon as they are near. */
function watch(blocks) {
  for (const block of blocks) if (block.at !== undefined && !block.firstChild) reading.near.observe(block);
}

/** The sentences with errors; of two systems, those with mentions that are asked for, or in which the two differ. */
function wrongSentences(model, sides) {
  const found = new Set();
  const { status } = reading.route.asked;
  const shown = (mention) => (status && reading.against !== null ? isAskedMention(mention) : mention.errors.length > 0);
  for (const side of sides) {
    bySentence(model, side).forEach((mentions, at) => {
      if (mentions.some(shown)) found.add(at);
    });
  }
  return found;
}

/** An empty sentence, about as tall as it will be. */
function blockOf(model, at, mode, sides) {
  const { from, to, number, speaker, paragraph, heading } = model.sentences[at];
  const width = (Math.max(280, Math.min(innerWidth - 60, 860)) - 34) / (mode === "side" ? 2 : 1);
  const lines = Math.ceil(((to - from) * 46) / width);
  const mentions = sides.reduce((sum, side) => sum + bySentence(model, side)[at].length, 0);
  const classes = ["sentence", mode === "side" ? "two" : null, paragraph ? "paragraph" : null, speaker ? "turn" : null,
    heading ? "titled" : null].filter(Boolean);
  const block = h("div", { class: classes.join(" "), "data-number": number, "data-speaker": speaker });
  block.expected = lines * (30 + 17 * Math.min(4, Math.ceil(mentions / lines / 2))) + 10 + (speaker ? 20 : 0);
  block.style.minHeight = `${block.expected}px`;
  block.at = at;
  return block;
}

function half(name, line) {
  return h("div", { class: "half", "data-side": name }, line);
}

function fill(block) {
  if (block.firstChild) return;
  add(block, reading.draw(block.at));
  reading.filled = (reading.filled || 0) + 1;
  block.style.minHeight = "";
  lightIn(block);
  reading.near.unobserve(block);
  if (reading.entry?.isConnected && reading.entry.tabIndex === 0) return;
  reading.entry = reading.text.querySelector('.label[tabindex="0"]') || reading.text.querySelector(".label");
  reading.entry?.setAttribute("tabindex", "0");
}

/** Takes sentences away that are far; all heights are read before anything changes, so that they are laid out once. */
function unfill(blocks) {
  for (const block of blocks) reading.near.unobserve(block);
  const some = blocks.filter((block) => block.at !== undefined && block.firstChild && !block.contains(document.activeElement) && !printing);
  const heights = some.map((block) => block.offsetHeight);
  some.forEach((block, number) => {
    block.style.minHeight = `${heights[number]}px`;
    block.replaceChildren();
  });
}

/** Mentions without a place in a text: a list for each entity. */
function drawChips(model, text) {
  for (const side of [model.key, model.response]) {
    const order = [...side.entities].sort((a, b) => b.mentions.length - a.mentions.length);
    text.append(h("section", { class: "chips" }, h("h2", null, sideName(side.code)),
      side.mentions.length ? null : h("p", { class: "note" }, "no mentions"),
      order.map((entity) => h("div", { class: "entity" },
        entity.mentions.map((mention, number) => chip(mention, number === 0))))));
  }
  text.querySelector(".chip")?.setAttribute("tabindex", "0");
}

function chip(mention, first) {
  const found = h("button", {
    type: "button", class: `chip label ${mentionClasses(mention).join(" ")}`, tabindex: "-1", dir: "auto",
    "data-e": mention.entity.code, "data-m": mentionCode(mention), title: said(mention),
  }, first ? h("b", null, mention.entity.label) : null, mention.text, markOf(mention));
  if (mention.entity.hue !== null) found.style.setProperty("--hue", mention.entity.hue);
  return found;
}

// -- being somewhere in a text --------------------------------------------------------------------------------------

/** The sentence at the top of the screen, and how far below the edge it begins. */
function placeNow() {
  const edge = 130;
  const { blocks } = reading;
  let [low, high] = [0, blocks.length - 1];
  const shown = blocks.filter((block) => block.isConnected);
  if (!shown.length || scrollY < 80) return null;
  [low, high] = [0, shown.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle].getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  return { at: shown[low].at, top: shown[low].getBoundingClientRect().top };
}

/** The sentence of a mention, drawn; nothing for a mention that has no place. */
function shownBlock(at) {
  const { blocks } = reading;
  if (!blocks[at].isConnected && blocks[at].opener) blocks[at].opener.click();
  for (const near of [at - 1, at, at + 1]) if (blocks[near]) fill(blocks[near]);
  return blocks[at];
}

const labelFor = (mention) => reading.text.querySelector(`.label[data-m="${mentionCode(mention)}"]`);

/** How far below the edge of the window what is gone to should be. */
function goalNow() {
  const sticky = innerWidth > 620 ? reading.tools.getBoundingClientRect().height + 70 : 0;
  return Math.min(Math.max(innerHeight * 0.3, sticky + 30), Math.max(300, sticky + 30));
}

/** Where the label of a mention may be: not below the tools, not behind the sheet of a narrow screen. */
function isInSight({ top, bottom }) {
  const above = innerWidth > 620 ? Math.max(125, reading.tools.getBoundingClientRect().bottom) : 62;
  const below = innerWidth > 1000 ? innerHeight - 40 : innerHeight * 0.5;
  return top >= above && bottom <= below;
}

/** Goes to a mention; `fresh` if the text was just drawn. */
async function scrollToMention(mention, fresh) {
  const { model, blocks } = reading;
  const find = () => { // what is drawn far from the screen may be taken away again before it is reached
    if (mention.pieces.length && blocks.length) shownBlock(placeIn(model.starts, mention.pieces[0]));
    return labelFor(mention);
  };
  const label = find();
  if (!label) return;
  if (!fresh && isInSight(label.getBoundingClientRect())) return;
  await settle(find, goalNow());
}

/**
 * Scrolls until an element is so far below the edge of the window and stays there: what is drawn on the way changes
 * heights. Ends when the reader takes over.
 */
async function settle(find, goal) {
  const mine = {};
  reading.settling = mine;
  const stop = () => { if (reading && reading.settling === mine) reading.settling = null; };
  const events = ["wheel", "touchstart", "pointerdown", "keydown"];
  for (const name of events) addEventListener(name, stop, { once: true, passive: true });
  let [still, filled] = [0, -1];
  for (let frame = 0; frame < 90 && still < 6 && reading && reading.settling === mine; frame += 1) {
    const element = find();
    if (!element) break;
    if (filled !== reading.filled) still = 0;
    filled = reading.filled;
    const away = element.getBoundingClientRect().top - goal;
    const before = scrollY;
    if (Math.abs(away) > 1) scrollTo({ top: scrollY + away, behavior: "instant" });
    still = Math.abs(away) <= 1 || scrollY === before ? still + 1 : 0;
    await nextFrame();
  }
  for (const name of events) removeEventListener(name, stop);
}

/** The next frame, or soon in a page that is not looked at. */
function nextFrame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 400);
    requestAnimationFrame(() => { clearTimeout(timer); setTimeout(resolve, 0); });
  });
}

// -- copying --------------------------------------------------------------------------------------------------------

/** What is copied from a text is its words, as the file has them. */
addEventListener("copy", (event) => {
  const selection = getSelection();
  if (!reading || !selection.rangeCount || selection.isCollapsed || !reading.text.isConnected) return;
  const range = selection.getRangeAt(0);
  if (!reading.text.contains(range.commonAncestorContainer)) return;
  const lines = [];
  for (const line of reading.text.querySelectorAll(".line")) {
    if (range.intersectsNode(line)) lines.push(wordsOf(line, range));
  }
  if (!lines.length) return;
  event.clipboardData.setData("text/plain", lines.join("\n"));
  event.preventDefault();
});

/** The words of a line in a range, with the blanks between them. */
function wordsOf(line, range) {
  let text = "";
  for (const node of textsIn(line, range)) {
    if (!node.parentNode.closest(".bar")) text += node.textContent;
  }
  return text.trim();
}

function textsIn(line, range) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (range.intersectsNode(walker.currentNode)) found.push(walker.currentNode);
  return found;
}
