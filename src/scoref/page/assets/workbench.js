// -- the bench below a document: what can be changed, and what that gives -------------------------------------------

/** Draws the bench where something is changed, or is to be; elsewhere there is none. */
async function drawBench() {
  const asked = route;
  const wanted = !overview.neutral && (bench.edits.length || (route.view === "document" && route.asked.change));
  document.documentElement.classList.toggle("with-bench", Boolean(wanted));
  if (!wanted) return document.getElementById("bench")?.remove();
  const closed = closedFor(route.system);
  const parts = closed ? [closedNote(closed)] : [await benchScores(), route.view === "document" && reading ? await benchTools() : null];
  if (asked !== route) return undefined;
  const box = document.getElementById("bench") || h("section", { id: "bench", "aria-label": "Changes", tabindex: "-1" });
  if (!box.isConnected) document.getElementById("main").after(box);
  const held = box.contains(document.activeElement);
  replace(box, h("div", { class: "inner" }, parts));
  if (held && document.activeElement === document.body) box.focus({ preventScroll: true }); // what had it is disabled now
  document.documentElement.style.setProperty("--bench", `${box.offsetHeight}px`);
  return undefined;
}

const closedNote = (why) => h("p", { class: "warning" }, `Nothing can be changed here: ${why}.`);

/** A difference in points, with its sign; nothing where it is 0.00. */
function stepOf(before, now) {
  const text = signed(100 * (now - before), 2);
  if (Number(text.slice(1)) === 0) return h("span", { class: "step-0" }, "±0");
  return h("span", { class: now < before ? "step-down" : "step-up" }, text);
}

/** The f1 of each metric with its difference, undo and redo, the way to the list. */
async function benchScores() {
  const { system } = route;
  const [scores, before, main] = [await scoresAfter(system), scoresBefore(system), headlineAfter(system)];
  const metrics = [main, ...changingOf(system).metrics.filter((metric) => metric !== main)];
  const one = (metric) => h("li", { class: metric === main ? "main" : null }, h("span", { class: "name" }, metricName(metric)),
    " ", h("b", null, percent(scores[metric][2])), " ", stepOf(before.get(metric)[2], scores[metric][2]));
  return h("div", { class: "after" },
    h("ul", { class: "scores-after", tabindex: "0", "aria-label": "F1 with the changes, and the difference in points" }, metrics.map(one)),
    h("div", { class: "history" },
      route.view === "document" && editsIn(route.document, system).length && route.asked.mode !== "against"
        ? button("As read", () => move({}, { read: route.asked.read ? "" : "1" }), { class: "step toggle",
          "aria-pressed": String(Boolean(route.asked.read)), title: "Show the response as it was read, with its errors" }) : null,
      button("Undo", undoEdit, { class: "step", disabled: !bench.past.length, title: "Undo (Ctrl+Z)" }),
      button("Redo", redoEdit, { class: "step", disabled: !bench.future.length, title: "Do again (Ctrl+Y)" }),
      h("a", { class: "step", href: addressTo("changes") }, plural(bench.edits.length, "change"))));
}

/** What can be done with what is looked at. */
async function benchTools() {
  const { chunk, system } = reading.model;
  const closed = chunk.changes[system];
  if (typeof closed === "string") return closedNote(closed);
  const state = await stateAfter(route.document, system);
  if (!reading) return null;
  const { error, tangle, pinned } = reading;
  const found = [];
  if (error && error.system === system) found.push(errorTick(error, state));
  else if (tangle) found.push(tangleTick(tangle));
  else if (pinned) found.push(...mentionTools(pinned, state));
  else found.push(h("span", { class: "note" }, "Click a mention to change it, or tick an error (", h("kbd", null, "n"), ") or a tangle as repaired."), ...addTools(state));
  return h("div", { class: "tools-of-bench", role: "group", "aria-label": "What to change" }, found,
    bench.lost ? h("p", { class: "warning" }, bench.lost) : null);
}

function errorTick(error, state) {
  if (!isRepairable(state.response, overview.kinds, state.response.errors[error.number])) {
    return h("span", { class: "note" }, "This error is not of the mentions and entities that are scored: change it by hand.");
  }
  const one = editHere("f", error.number + 1);
  return tickBox(bench.edits.includes(one), `Repaired: ${kindName(error.kind)}`, () => tickRepair(one, kindName(error.kind)));
}

function tangleTick(tangle) {
  const one = editHere("t", tangle.number + 1);
  const name = `tangle of ${plural(tangle.entities.length, "entity")}`;
  return tickBox(bench.edits.includes(one), `Repaired: ${name}`, () => tickRepair(one, name));
}

function tickBox(checked, label, act) {
  return h("label", { class: "tick" }, h("input", { type: "checkbox", id: "repaired", checked, on: { change: act } }), " ", label);
}

// -- a mention ------------------------------------------------------------------------------------------------------

/** What can be done with a mention of the response; of one of the key with that which stands for it. */
function mentionTools(mention, state) {
  const { system } = reading.model;
  const ofKey = mention.side === "k";
  if (!ofKey && Number(mention.side) !== system) return [h("span", { class: "note" }, "This mention is of another system.")];
  if (ofKey && mention.further) return [h("span", { class: "note" }, "This mention is not scored.")];
  const id = ofKey ? standingFor(state, mention.index) : itemOfMention(mention);
  const words = h("bdi", { class: "words" }, `‘${shortened(mention.text, 40)}’`);
  if (id === null) return [words, h("span", { class: "note" }, "is not scored.")];
  const owner = state.owners.get(id);
  if (!owner) return [words, h("span", { class: "note" }, "is not in the response."), ...putTools(state, id, mention.text, rightEntity(state, id, ofKey ? mention.index : null), "Add")];
  const after = () => targetOfItem(id);
  const text = `‘${mention.text}’`;
  const alone = membersOf(state, owner).length === 1;
  return [words, ...putTools(state, id, mention.text, rightEntity(state, id, null), "Move"),
    button("Own entity", () => doEdit(editHere("m", newEntity(state, id), id), `${text} is an entity of its own`, { target: after }), { class: "step", disabled: alone }),
    button("Split from here", () => doEdit(editHere("p", id), `The entity is split at ${text}`, { target: after }), { class: "step", disabled: alone,
      title: "This mention and those behind it become an entity of their own" }),
    button("Remove", () => doEdit(editHere("x", id), `${text} is removed`, { target: {} }), { class: "step" })];
}

/** The entity in which the key has a mention: that with most of the mentions that it is with there. */
function rightEntity(state, id, key) {
  const number = key ?? itemOf(state, id)?.twin ?? -1;
  const entity = number >= 0 ? state.response.ours[number][0] : null;
  const found = new Map();
  for (const [other, owner] of state.owners) {
    const { twin, out } = itemOf(state, other);
    if (other === id || out || twin < 0 || state.response.ours[twin][0] !== entity) continue;
    found.set(owner, (found.get(owner) || 0) + 1);
  }
  return [...found].sort((a, b) => b[1] - a[1])[0]?.[0] || null;
}

/** An entity to choose, and what is done with it: a mention is moved or added, its entity merged. */
function putTools(state, id, words, wanted, verb) {
  const owner = state.owners.get(id);
  const every = entitiesOf(state).filter(({ entity }) => entity !== owner);
  const text = `‘${words}’`;
  const select = h("select", { id: "into", "aria-label": "Entity" },
    owner ? null : h("option", { value: "" }, "a new entity"),
    every.map(({ entity, name, size }) => h("option", { value: entity, selected: entity === wanted }, `${name} (${count(size)})`)));
  const name = () => every.find(({ entity }) => entity === select.value)?.name || "a new entity";
  const into = (entity) => doEdit(editHere("m", entity || newEntity(state, id), id), `${text} is in ${name()}`,
    { target: () => targetOfItem(id) });
  return [h("label", { class: "into" }, "into ", select),
    button(verb, () => into(select.value), { class: "step", disabled: !select.options.length }),
    owner ? button("Merge entities", () => doEdit(editHere("g", owner, select.value), `The entity of ${text} is merged into ${name()}`,
      { target: () => targetOfItem(id) }), { class: "step", disabled: !every.length }) : null];
}

/** The entities of a response as it is now, the largest first, by their words. */
function entitiesOf(state) {
  const { response } = state;
  const { chunk } = response;
  const glued = new Set(chunk.glued || []);
  const members = new Map();
  for (const [id, entity] of state.owners) {
    if (itemOf(state, id).out) continue;
    if (!members.has(entity)) members.set(entity, []);
    members.get(entity).push(id);
  }
  const words = (id) => wordsOfItem(state, id, chunk, glued);
  return [...members].sort((a, b) => b[1].length - a[1].length).map(([entity, ids]) => ({ entity, size: ids.length,
    name: shortened(ids.slice(0, 6).map(words).reduce((a, b) => (b.length > a.length && b.length <= 30 ? b : a)), 30) }));
}

function wordsOfItem(state, id, chunk = state.response.chunk, glued = new Set(chunk.glued || [])) {
  const { index, pieces } = itemOf(state, id);
  const { texts } = chunk.systems[state.response.system].response;
  return (index !== null && texts && texts[index]) || textOf(chunk, glued, pieces);
}

// -- a mention that is not there ------------------------------------------------------------------------------------

/** Words to add as a mention: those that are selected in the text, or that are written. */
function addTools(state) {
  const { closed } = changingOf(route.system);
  const { chunk } = reading.model;
  if (closed || chunk.kind !== "words" || (chunk.empty || []).length) {
    return [h("span", { class: "note" }, closed ? `No mention can be added: ${closed}.` : "No words can be added: not all positions of this text are words.")];
  }
  const where = h("select", { id: "where", "aria-label": "Where these words are", disabled: true });
  const act = button("Add", () => {
    const id = mentionNamed(state, where.value);
    const there = state.owners.get(id);
    if (there) return announce("This mention is there already");
    return doEdit(editHere("m", newEntity(state, id), id), `‘${field.value}’ is added, as an entity of its own`, { target: () => targetOfItem(id) });
  }, { class: "step", disabled: true });
  const fill = () => {
    const places = placesOfWords(chunk, field.value);
    replace(where, places.map(([from, to]) => h("option", { value: `w${from}-${to}` }, placeSaid(chunk, from, to))));
    where.disabled = act.disabled = !places.length;
  };
  const field = h("input", { type: "text", id: "added", maxlength: 200, value: selectedWords(), on: { input: fill } });
  fill();
  return [h("label", { class: "into" }, "Add words ", field), where, act];
}

/** Where words stand in a text: [first, last unit]; at most 50 places. */
function placesOfWords({ units }, text) {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const found = [];
  for (let at = 0; words.length && at + words.length <= units.length && found.length < 50; at += 1) {
    if (words.every((word, number) => units[at + number] === word)) found.push([at, at + words.length - 1]);
  }
  return found;
}

const placeSaid = ({ units }, from, to) =>
  `${units.slice(Math.max(0, from - 3), from).join(" ")} [${shortened(units.slice(from, to + 1).join(" "), 30)}] ${units.slice(to + 1, to + 4).join(" ")}`;

/** The words that are selected in the text. */
function selectedWords() {
  const selection = getSelection();
  if (selection.isCollapsed || !reading.text.contains(selection.anchorNode)) return "";
  return [...reading.text.querySelectorAll(".cell")].filter((cell) => selection.containsNode(cell.querySelector(".word"), true))
    .map((cell) => cell.querySelector(".word").textContent).join(" ");
}

addEventListener("selectionchange", () => {
  const field = document.getElementById("added");
  if (!field || !reading || document.activeElement === field) return;
  const words = selectedWords();
  if (!words) return;
  field.value = words;
  field.dispatchEvent(new Event("input"));
});

function toggleBench() {
  if (reading.route.asked.change) document.getElementById("main").focus({ preventScroll: true });
  return move(targetNow(), { change: reading.route.asked.change ? "" : "1" });
}

/** The button that opens the bench. */
function benchToggle() {
  if (overview.neutral) return null;
  return button("Change", toggleBench, { class: "step toggle", "aria-pressed": String(Boolean(reading.route.asked.change)), title: "Change the response and see what it scores (e)" });
}

// -- what a changed document says of itself -------------------------------------------------------------------------

/** The facts below the title of a changed document: its score before and now. */
function changedFacts({ document: number, system }) {
  const changing = changingOf(system);
  const metric = headlineAfter(system);
  const { state, before } = bench.states.get(`${system}.${number}`);
  const [old, now] = [before, state].map((each) => finishedScores([addendsAfter(each, changing)], changing)[metric][2]);
  return [plural(editsIn(number, system).length, "change"), `${metricName(metric)} ${percent(old)} as read, ${percent(now)} as changed`];
}

function changedNote() {
  return [h("h2", null, "As changed"), h("p", { class: "note" }, "Bars show the response with your changes: what is right, in another entity, or not in the "
    + "other side. Kinds of errors and tangles are those of the file: ", button("show it as it was read", () => move({}, { read: "1" }), { class: "inline" }), "."), entityList(reading.model)];
}
