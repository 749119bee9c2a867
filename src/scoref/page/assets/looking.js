// -- looking at an entity -------------------------------------------------------------------------------------------

function mentionAt(target) {
  const marked = target.closest("[data-m]");
  if (marked) return mentionOf(marked.dataset.m);
  const cell = target.closest(".cell, .blank");
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
  text.addEventListener("focusout", (event) => {
    if (!reading.panel.contains(event.relatedTarget)) glance(null); // what is in the panel would be gone
  });
  text.addEventListener("click", (event) => {
    if (!getSelection().isCollapsed) return;
    const mention = mentionAt(event.target);
    if (mention) pin(mention);
  });
  text.addEventListener("keydown", (event) => {
    const forward = getComputedStyle(text).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    if (!/^Arrow/.test(event.key) || !event.target.classList.contains("label")) return;
    const by = event.key === forward || event.key === "ArrowDown" ? 1 : -1;
    const labels = [...text.querySelectorAll(".label")];
    const next = labels[labels.indexOf(event.target) + by];
    if (next) next.focus();
    event.preventDefault();
  });
}

/** Looks at a mention for as long as the pointer is there; what is pinned stays. */
function glance(mention) {
  if (!reading || reading.pinned || reading.tangle) return;
  reading.glanced = mention;
  light(mention ? [mention.entity, ...partnersOf(mention.entity)] : [], []);
  if (mention) drawPanel(mention.entity, mention);
  else emptyPanel();
}

/** How an address names a mention. */
function targetFor(mention) {
  const { entity } = mention;
  return { side: mention.side === "k" ? "key" : "response", entity: entity.name, which: entity.mentions.indexOf(mention),
    system: mention.side === "k" ? reading.route.system : Number(mention.side) };
}

/** Keeps the entity of a mention in view; a mention of the other system that is compared makes that the first. */
function pin(mention) {
  const { against, route } = reading;
  const swap = against !== null && mention.side === String(against);
  move(targetFor(mention), swap ? { against: String(route.system + 1) } : {});
}

function unpin() {
  if (!reading.pinned && !reading.error && !reading.tangle) return;
  move({});
}

/** Lights up what an address asks for; `fresh` when the document was just drawn, `place` where one was before. */
async function applyTarget(route, fresh, place) {
  const { model } = reading;
  reading.error = route.error !== undefined ? errorAt(route.error) : null;
  reading.tangle = route.tangle !== undefined ? model.tangles.find((each) => each.number === route.tangle) || null : null;
  reading.pinned = null;
  if (reading.error) [reading.pinned] = reading.error.mentions;
  else if (route.side) reading.pinned = askedMention(route);
  route.lacking.push(...lackingOf(route));
  drawArcs();
  announce(saidOf(reading));
  drawTools();
  if (reading.tangle) return showTangle(reading.tangle, fresh);
  if (route.word !== undefined && route.word < model.chunk.units.length) return showWord(route.word);
  if (!reading.pinned) {
    light([], []);
    emptyPanel();
    return place && reading.blocks.length ? settleAt(place) : undefined;
  }
  lightTarget();
  drawPanel(reading.pinned.entity, reading.pinned);
  await scrollToMention(reading.pinned, fresh);
  if (reading?.route === route) drawArcs();
  if (reading?.follows) followFocus();
}

/** What is looked at, for those who do not see it. */
function saidOf({ error, pinned, tangle, route }) {
  if (error) return `${kindName(error.kind, error.system)}: ${sentenceText(error)}`;
  if (pinned) return `${said(pinned)}: ${isolated(pinned.text)}`;
  return tangle ? `tangle of ${plural(tangle.entities.length, "entity")}` : documentName(route.document);
}

/** After a key, the focus goes where the reader is: to the label of the mention, unless it is in use elsewhere. */
function followFocus() {
  const { activeElement } = document;
  const { text, panel, pinned } = reading;
  reading.follows = false;
  const free = !activeElement || [document.body, reading.main].includes(activeElement) || text.contains(activeElement) ||
    panel.contains(activeElement);
  if (free) labelFor(pinned)?.focus({ preventScroll: true });
}

/** The error of a number; behind those of the system come those of the one that it is compared with. */
function errorAt(number) {
  const { model, against } = reading;
  return model.errors[number] || (against === null ? null : model.every[against][number - model.errors.length]) || null;
}

function numberOf(error) {
  const { model } = reading;
  return error.number + (error.system === model.system ? 0 : model.errors.length);
}

/** The mention that an address names; in another system, that of the same key entity. */
function askedMention({ side, entity: name, which, mention: number }) {
  const { model } = reading;
  const { entities, mentions } = side === "key" ? model.key : model.response;
  if (number !== undefined) return mentions[number] && !mentions[number].further ? mentions[number] : null;
  const entity = entities.find((each) => each.name === name);
  return entity ? entity.mentions[which] || entity.mentions[0] : null;
}

/** What of a document an address asks for in vain. */
function lackingOf(route) {
  const { error, tangle, pinned, model } = reading;
  if (route.error !== undefined && !error) return [`error ${route.error + 1} here`];
  if (route.tangle !== undefined && !tangle) return [`tangle ${route.tangle + 1} here`];
  if (route.word !== undefined && route.word >= model.chunk.units.length) return [`word ${route.word + 1} here`];
  if (!route.side || route.error !== undefined) return [];
  if (route.mention !== undefined) return pinned ? [] : [`mention ${route.mention + 1} in ${named(`the ${route.side}`)}`];
  if (!pinned) return [`entity ‘${route.entity}’ in ${named(`the ${route.side}`)}`];
  return route.which >= pinned.entity.mentions.length ? [`mention ${route.which + 1} of ‘${route.entity}’`] : [];
}

/** Goes to a word that was searched for. */
function showWord(unit) {
  const { model, text } = reading;
  light([], []);
  emptyPanel();
  const find = () => {
    shownBlock(placeIn(model.starts, unit));
    const word = text.querySelector(`.cell[data-unit="${unit}"] > .word`);
    word?.classList.add("found");
    return word;
  };
  return settle(find, goalNow());
}

function settleAt({ at, top }) {
  return settle(() => shownBlock(Math.min(at, reading.blocks.length - 1)), top);
}

function partnersOf(entity) {
  const key = entity.side === "k" ? entity : entity.partner;
  if (!key) return [];
  const shown = reading.route.asked.mode === "all" ? [key, ...Object.values(key.partners)] : [key, key.partner];
  return shown.filter((each) => each && each !== entity);
}

/** Lights the entity that is looked at and its partner; of an error, what is wrong and what would be right. */
function lightTarget() {
  const { pinned, error } = reading;
  if (!error) return light([pinned.entity, ...partnersOf(pinned.entity)], [pinned]);
  const mentions = [...error.mentions, ...(error.anchored ? [error.anchored] : [])];
  const twins = error.mentions.map(twinOf).filter(Boolean);
  const entities = [...mentions, ...twins].map((mention) => mention.entity);
  return light([...new Set([...entities, ...partnersOf(pinned.entity)])], [...error.mentions, ...twins]);
}

/** Lights entities, also where the text is drawn later, and marks the mentions in question; the rest is dimmed. */
function light(entities, chosen) {
  const { text } = reading;
  for (const each of text.querySelectorAll(".on, .chosen, .here, .differs")) {
    each.classList.remove("on", "chosen", "here", "differs");
  }
  text.classList.toggle("lit", entities.length > 0);
  reading.lit = entities.length ? { entities, chosen, differing: differingUnits(reading.error) } : null;
  lightIn(text);
  lightAnswer();
}

/** Lights what is drawn of the lit entities in an element. */
function lightIn(root) {
  if (!reading.lit) return;
  for (const entity of reading.lit.entities) {
    for (const each of root.querySelectorAll(`[data-e="${entity.code}"]`)) each.classList.add("on");
    for (const each of root.querySelectorAll(`.blank[data-in~="${entity.code}"], [data-in~="${entity.code}"] > .word`)) {
      each.classList.add("on");
      each.classList.toggle("plain", !isPartnered(entity));
      each.style.setProperty("--hue", entity.hue);
    }
  }
  for (const mention of reading.lit.chosen) {
    for (const each of root.querySelectorAll(`.label[data-m="${mentionCode(mention)}"]`)) each.classList.add("chosen");
  }
  if (reading.pinned) root.querySelector(`.label[data-m="${mentionCode(reading.pinned)}"]`)?.classList.add("here");
  for (const unit of reading.lit.differing) {
    root.querySelector(`.cell[data-unit="${unit}"] > .word`)?.classList.add("differs");
  }
}
