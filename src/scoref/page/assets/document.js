// -- the view of a document -----------------------------------------------------------------------------------------

const MODES = [["", "stacked"], ["side", "side by side"], ["differences", "differences"], ["all", "all systems"]];

let reading = null; // the document that is shown: {model, route, text, panel, blocks, pinned, error}

function showDocument(route, main, chunk) {
  const known = reading && reading.main === main && reading.text.isConnected &&
    reading.route.document === route.document && reading.route.system === route.system &&
    reading.route.mode === route.mode;
  if (!known) drawDocument(route, main, chunk);
  reading.route = route;
  reading.errors = reading.model.order.filter((error) => !route.kind || error.kind === route.kind);
  applyTarget(route, !known);
}

/** Forgets the document that was shown: nothing of it is drawn any more. */
function leaveDocument() {
  reading?.near?.disconnect();
  reading?.far?.disconnect();
  reading = null;
}

function drawDocument(route, main, chunk) {
  leaveDocument();
  const model = prepare(chunk, route.system);
  const text = h("section", { class: "text", "aria-label": "Text" });
  const panel = h("aside", { class: "panel", "aria-label": "Entity" });
  reading = { main, model, route, text, panel, blocks: [], pinned: null, error: null };
  const tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Reading" });
  replace(main, documentHead(route, model), tools, h("div", { class: "reading" }, text, panel));
  reading.tools = tools;
  if (chunk.kind === "none" || !chunk.units.length) drawChips(model, text);
  else drawBlocks(model, text, route.mode);
  listen(text);
  emptyPanel();
}

function documentHead(route, model) {
  const [name, words, mentions] = overview.documents[route.document];
  const [f1, theirs] = overview.systems[route.system].documents[route.document];
  const facts = [
    words ? plural(words, "word") : null,
    named(`${plural(mentions, "mention")} in the key, ${count(theirs)} in the response`),
    f1 === null ? null : `${overview.metric} f1 ${percent(f1)}`,
    plural(model.errors.length, named("error")),
  ].filter(Boolean);
  const step = (by) => {
    const number = route.document + by;
    const there = number >= 0 && number < overview.documents.length;
    const label = by < 0 ? "Previous document (k)" : "Next document (j)";
    return there
      ? h("a", { class: "step", href: documentAddress(number), "aria-label": label, title: label }, by < 0 ? "‹" : "›")
      : h("span", { class: "step off", "aria-hidden": "true" }, by < 0 ? "‹" : "›");
  };
  return h("div", { class: "head" },
    h("div", { class: "title" },
      h("h1", { dir: "auto" }, name || `document ${route.document + 1}`),
      h("p", { class: "facts" }, facts.join(" · "))),
    h("nav", { class: "steps", "aria-label": "Documents" }, step(-1),
      h("span", { class: "where" }, `${count(route.document + 1)} / ${count(overview.documents.length)}`), step(1)));
}

function documentAddress(number) {
  const { system, mode, kind } = reading ? reading.route : route;
  return writeAddress({ view: "document", document: number, system, mode, kind });
}

// -- tools: mode, kind of error, next error -------------------------------------------------------------------------

function drawTools() {
  const { route, model, errors } = reading;
  const modes = modesOf(model);
  const kinds = overview.kinds.filter((kind) => model.counts.get(kind));
  const chosen = route.kind && !kinds.includes(route.kind) ? [...kinds, route.kind] : kinds;
  const select = h("select", { id: "kind", on: { change: (event) => move({ kind: event.target.value }) } },
    h("option", { value: "" }, named(`all errors (${count(model.errors.length)})`)),
    chosen.map((kind) => h("option", { value: kind, selected: kind === route.kind },
      `${MARKS[kind] || "!"} ${kind} (${count(model.counts.get(kind) || 0)})`)));
  const at = reading.error ? errors.indexOf(reading.error) + 1 : 0;
  const had = reading.tools.contains(document.activeElement) ? document.activeElement.dataset.tool : null;
  replace(reading.tools,
    modes.length > 1 ? h("div", { class: "segments", role: "group", "aria-label": "How the text is shown" },
      modes.map(([mode, label]) => button(label, () => move({ mode }),
        { "aria-pressed": String(mode === route.mode), "data-tool": `mode-${mode}` }))) : null,
    h("div", { class: "errors" },
      h("label", { for: "kind", class: "unseen" }, "Kind of error"), select,
      button("‹", () => stepError(-1), { class: "step", "aria-label": "Previous error (p)", title: "Previous error (p)",
        disabled: !errors.length, "data-tool": "previous" }),
      h("span", { class: "where" }, errors.length ? `${at || "–"} / ${count(errors.length)}` : "none"),
      button("›", () => stepError(1), { class: "step", "aria-label": "Next error (n)", title: "Next error (n)",
        disabled: !errors.length, "data-tool": "next" })),
    legend());
  if (had) reading.tools.querySelector(`[data-tool="${had}"]`)?.focus();
}

function modesOf(model) {
  if (!model.chunk.units.length) return MODES.slice(0, 1);
  return overview.systems.length > 1 ? MODES : MODES.slice(0, 3);
}

function legend() {
  return h("details", { class: "legend" },
    h("summary", null, "Legend"),
    h("div", { class: "sheet" }, legendLines()));
}

function legendLines() {
  const sample = (classes, label) => h("span", { class: `bar sample ${classes}`, style: { "--hue": 250 } },
    h("span", { class: "label" }, label));
  return [
    h("p", null, named("Mentions of the key are above the words, those of the response below. An entity of the key has "
      + "a number; the response entity that shares most mentions with it has the same number and colour.")),
    h("ul", { class: "samples" },
      h("li", null, sample("coloured starts ends", "3"), "an entity that both sides have"),
      h("li", null, sample("grey starts ends", "a"), "an entity without a partner on the other side"),
      h("li", null, sample("coloured wrong starts ends", "3"), named("a mention in an error")),
      overview.kinds.map((kind) => h("li", null, kindMark(kind),
        h("span", null, h("b", null, kind), `: ${named(MEANINGS[kind] || "")}`)))),
  ];
}

/** Goes to another place in the document without a step in the history. */
function move(changes) {
  const { route } = reading;
  const next = { ...route, error: undefined, side: undefined, ...changes };
  history.replaceState(null, "", writeAddress(next));
  navigate();
}

// -- blocks: a sentence is drawn when it comes into sight -----------------------------------------------------------

function drawBlocks(model, text, mode) {
  const above = [model.key];
  const below = mode === "all" ? model.responses : [model.response];
  const wrong = mode === "differences" ? wrongSentences(model) : null;
  reading.draw = (at) => mode === "side"
    ? [half(sideName("k"), drawSentence(model, at, above, [])),
      half(overview.neutral ? sideName(model.response.code) : "response", drawSentence(model, at, [], below))]
    : [drawSentence(model, at, above, below)];
  reading.blocks = model.sentences.map((sentence, at) => blockOf(sentence, at, mode === "side"));
  reading.near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) fill(entry.target);
  }, { rootMargin: "700px 0px" });
  reading.far = new IntersectionObserver((entries) => {
    for (const entry of entries) if (!entry.isIntersecting) unfill(entry.target);
  }, { rootMargin: "6000px 0px" });
  if (mode === "side") {
    const names = [sideName("k"), sideName(model.response.code)];
    text.append(h("div", { class: "columns", "aria-hidden": "true" }, names.map((name) => h("span", null, name))));
  }
  if (mode === "all") {
    const names = overview.systems.map((each, number) => `${letters(number).toUpperCase()} ${each.name}`);
    text.append(h("p", { class: "note" }, `Below the words: ${names.join(" · ")}`));
  }
  append(text, reading.blocks, wrong);
  for (const block of reading.blocks) {
    if (block.isConnected) watch(block);
  }
  printers.add({ element: text, draw: () => { if (printing) reading.blocks.forEach(fill); } });
}

const PACK = 50;

/** Sentences that the browser lays out together, and only when they are near. */
function packOf(blocks) {
  const pack = h("div", { class: "pack" }, blocks);
  const height = blocks.reduce((sum, block) => sum + block.expected, 0);
  pack.style.setProperty("contain-intrinsic-size", `auto ${height}px`);
  return pack;
}

function append(text, blocks, wrong) {
  if (!wrong) {
    for (let at = 0; at < blocks.length; at += PACK) text.append(packOf(blocks.slice(at, at + PACK)));
    return;
  }
  if (!wrong.size) text.append(h("p", { class: "note" }, named("No sentence has an error.")));
  for (let at = 0; at < blocks.length; at += 1) {
    let end = at;
    while (end < blocks.length && !wrong.has(end)) end += 1;
    if (end > at) text.append(rest(blocks.slice(at, end)));
    if (end < blocks.length) text.append(blocks[end]);
    at = end;
  }
}

function rest(blocks) {
  const opener = button(`… ${plural(blocks.length, "sentence")}`, () => {
    opener.replaceWith(...blocks);
    blocks.forEach(watch);
  }, { class: "rest" });
  for (const block of blocks) block.opener = opener;
  return opener;
}

function watch(block) {
  if (!block.firstChild) reading.near.observe(block);
}

function wrongSentences(model) {
  const found = new Set();
  for (const side of [model.key, model.response]) {
    bySentence(model, side).forEach((mentions, at) => {
      if (mentions.some((mention) => mention.errors.length)) found.add(at);
    });
  }
  return found;
}

function blockOf(sentence, at, two) {
  const width = Math.max(280, Math.min(innerWidth - 60, 860)) / (two ? 2 : 1);
  const lines = Math.ceil(((sentence.to - sentence.from) * 54) / width);
  const block = h("div", { class: two ? "sentence two" : "sentence", "data-number": sentence.number });
  block.expected = lines * 76;
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
  block.style.minHeight = "";
  lightIn(block);
  reading.near.unobserve(block);
  reading.far.observe(block);
  const { text } = reading;
  if (!text.querySelector('.label[tabindex="0"]')) text.querySelector(".label")?.setAttribute("tabindex", "0");
}

function unfill(block) {
  if (!block.firstChild || block.contains(document.activeElement) || printing) return;
  block.style.minHeight = `${block.offsetHeight}px`;
  block.replaceChildren();
  reading.far.unobserve(block);
  reading.near.observe(block);
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

// -- looking at an entity -------------------------------------------------------------------------------------------

function mentionAt(target) {
  const marked = target.closest("[data-m]");
  if (marked) return mentionOf(marked.dataset.m);
  const cell = target.closest(".cell");
  if (!cell || !cell.mentions.length) return null;
  return cell.mentions.reduce((a, b) => (extent(b) < extent(a) ? b : a));
}

function mentionOf(code) {
  const [side, index] = code.split(":");
  const { model } = reading;
  return (side === "k" ? model.key : model.responses[Number(side)]).mentions[Number(index)];
}

function listen(text) {
  text.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") glance(mentionAt(event.target));
  });
  text.addEventListener("pointerleave", () => glance(null));
  text.addEventListener("focusin", (event) => {
    const label = event.target.closest(".label");
    if (!label) return;
    text.querySelectorAll('.label[tabindex="0"]').forEach((each) => each.setAttribute("tabindex", "-1"));
    label.setAttribute("tabindex", "0");
    glance(mentionAt(label));
  });
  text.addEventListener("focusout", () => glance(null));
  text.addEventListener("click", (event) => {
    const mention = mentionAt(event.target);
    if (mention) pin(mention);
  });
  text.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by || !event.target.classList.contains("label")) return;
    const labels = [...text.querySelectorAll(".label")];
    const next = labels[labels.indexOf(event.target) + by];
    if (next) next.focus();
    event.preventDefault();
  });
}

/** Looks at a mention for as long as the pointer is there; what is pinned stays. */
function glance(mention) {
  if (reading.pinned) return;
  reading.glanced = mention;
  light(mention ? mention.entity : null);
  if (mention) drawPanel(mention.entity, mention);
  else emptyPanel();
}

function pin(mention) {
  const { entity } = mention;
  move({ side: mention.side === "k" ? "key" : "response", entity: entity.name, which: entity.mentions.indexOf(mention),
    system: mention.side === "k" ? reading.route.system : Number(mention.side) });
}

function unpin() {
  if (!reading.pinned && !reading.error) return;
  move({});
}

/** Lights up what an address asks for: an error or an entity; `fresh` when the document was just opened. */
function applyTarget(route, fresh) {
  const { model } = reading;
  reading.error = route.error !== undefined ? model.errors[route.error] || null : null;
  reading.pinned = null;
  if (reading.error) {
    const { mentions } = reading.error;
    reading.pinned = mentions[0];
  } else if (route.side) {
    const side = route.side === "key" ? model.key : model.response;
    const entity = side.entities.find((each) => each.name === route.entity);
    reading.pinned = entity ? entity.mentions[route.which] || entity.mentions[0] : null;
  }
  drawTools();
  if (!reading.pinned) {
    light(null);
    emptyPanel();
    const missing = route.missing || (route.error !== undefined ? `error ${route.error + 1}` : "") ||
      (route.side ? `entity ‘${route.entity}’ in the ${route.side}` : "");
    if (missing) {
      reading.panel.prepend(h("p", { class: "warning", role: "alert" }, `There is no ${missing} here.`));
      reading.panel.classList.add("open");
    }
    return;
  }
  light(reading.pinned.entity, reading.error);
  drawPanel(reading.pinned.entity, reading.pinned);
  if (reading.error) announce(describe(reading.error));
  scrollToMention(reading.pinned, fresh);
}

function partnersOf(entity) {
  const key = entity.side === "k" ? entity : entity.partner;
  if (!key) return [];
  const shown = reading.route.mode === "all" ? [key, ...Object.values(key.partners)] : [key, key.partner];
  return shown.filter((each) => each && each !== entity);
}

/** Lights an entity and its partners, also where the text is drawn later; the rest is dimmed. */
function light(entity, error) {
  const { text } = reading;
  for (const each of text.querySelectorAll(".on, .chosen")) each.classList.remove("on", "chosen");
  text.classList.toggle("lit", Boolean(entity));
  reading.lit = null;
  if (!entity) return;
  const others = error ? error.mentions.concat(error.anchored || []).map((mention) => mention.entity) : [];
  const chosen = error ? error.mentions : reading.pinned ? [reading.pinned] : [];
  reading.lit = { entities: [...new Set([...others, ...partnersOf(entity), entity])], chosen };
  lightIn(text);
}

/** Lights what is drawn of the lit entities in an element. */
function lightIn(root) {
  if (!reading.lit) return;
  for (const { code, hue, partner } of reading.lit.entities) {
    for (const each of root.querySelectorAll(`[data-e="${code}"]`)) each.classList.add("on");
    for (const each of root.querySelectorAll(`[data-in~="${code}"] > .word`)) {
      each.classList.add("on");
      each.classList.toggle("plain", !partner);
      each.style.setProperty("--hue", hue);
    }
  }
  for (const mention of reading.lit.chosen) {
    for (const each of root.querySelectorAll(`.label[data-m="${mentionCode(mention)}"]`)) each.classList.add("chosen");
  }
}

function scrollToMention(mention, fresh) {
  const { model, text, blocks } = reading;
  const selector = `.label[data-m="${mentionCode(mention)}"]`;
  if (mention.pieces.length && blocks.length) {
    const at = placeIn(model.starts, mention.pieces[0]);
    if (!blocks[at].isConnected && blocks[at].opener) blocks[at].opener.click();
    for (const near of [at - 1, at, at + 1]) if (blocks[near]) fill(blocks[near]);
  }
  const label = text.querySelector(selector);
  if (!label) return;
  const box = label.getBoundingClientRect();
  const hidden = box.top < 170 || box.bottom > innerHeight - (innerWidth < 900 ? innerHeight * 0.5 : 60);
  if (hidden || fresh) {
    const still = fresh || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const top = scrollY + box.top - Math.min(innerHeight * 0.35, 320);
    scrollTo({ top, behavior: still ? "auto" : "smooth" });
  }
}

function stepError(by) {
  const { errors } = reading;
  if (!errors.length) return;
  const at = reading.error ? errors.indexOf(reading.error) : by > 0 ? -1 : errors.length;
  const next = errors[(at + by + errors.length) % errors.length];
  move({ error: next.number });
}

function stepDocument(by) {
  const number = reading.route.document + by;
  if (number >= 0 && number < overview.documents.length) location.hash = documentAddress(number);
}

function cycleMode() {
  const modes = modesOf(reading.model).map(([mode]) => mode);
  move({ mode: modes[(modes.indexOf(reading.route.mode) + 1) % modes.length] });
}
