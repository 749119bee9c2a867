// -- what is changed: the list of edits, undo and redo, scores after it ---------------------------------------------

/** Edits in their order, lists before and after them for undo and redo, scores by system, codes that were ours. */
const bench = { edits: [], past: [], future: [], scores: new Map(), codes: new Set(), states: new Map(), lost: "", report: "" };

const documentEdited = (edit) => Number(edit.split(".")[2]);
const systemEdited = (edit) => Number(edit.split(".")[1]);
const editsIn = (number, system) => bench.edits.filter((edit) => documentEdited(edit) === number && systemEdited(edit) === system);
const changingOf = (system) => overview.changing[system];

/** Why nothing of a system can be changed; null if something can. */
function closedFor(system) {
  const changing = changingOf(system);
  if (changing === undefined) return "this page has no key";
  return typeof changing === "string" ? changing : null;
}

/** The response of a document after some edits; the last one of each document is kept. */
async function stateAfter(number, system, edits = editsIn(number, system)) {
  const name = `${system}.${number}`;
  const code = edits.join("_");
  const known = bench.states.get(name);
  if (known && known.code === code) return known.state;
  const response = known ? known.state.response : responseOf(await openDocument(number), system);
  if (!response) return null;
  const state = changed(response, edits);
  bench.states.set(name, { code, state, before: known ? known.before : changed(response, []) });
  return state;
}

/** The document as it is shown: as it was read, or with what was changed. */
async function openChanged({ document: number, system, asked }) {
  const chunk = await openDocument(number);
  if (!editsIn(number, system).length || asked.read || asked.mode === "against") return chunk;
  const state = await stateAfter(number, system);
  if (!state) return chunk;
  state.chunk = state.chunk || editedChunk(state, changingOf(system));
  return state.chunk;
}

/** The documents of a system that are changed: [number, state before, state now]. */
async function changedDocuments(system) {
  const numbers = [...new Set(bench.edits.filter((edit) => systemEdited(edit) === system).map(documentEdited))].sort((a, b) => a - b);
  const found = [];
  for (const number of numbers) {
    const state = await stateAfter(number, system);
    if (state) found.push([number, bench.states.get(`${system}.${number}`).before, state]);
  }
  return found;
}

/** The scores of a system after all edits; counted once for each list of edits. */
async function scoresAfter(system) {
  const code = bench.edits.join("_");
  const known = bench.scores.get(system);
  if (known && known.code === code) return known.scores;
  const changing = changingOf(system);
  const scores = finishedScores(sumsAfter(changing, await changedDocuments(system)), changing);
  bench.scores.set(system, { code, scores });
  return scores;
}

/** The metric that is said after each edit. */
function headlineAfter(system) {
  const { metrics } = changingOf(system);
  return metrics.includes(overview.metric) ? overview.metric : metrics[metrics.length - 1];
}

const scoresBefore = (system) => new Map(overview.systems[system].scores.map(([metric, ...values]) => [metric, values]));

// -- doing and undoing ----------------------------------------------------------------------------------------------

/** Why a list of edits cannot be; null if it can. */
async function refusalOfEdits(edits) {
  const places = new Set(edits.map((edit) => edit.split(".").slice(1, 3).join(".")));
  for (const place of places) {
    const [system, number] = place.split(".").map(Number);
    if (!overview.systems[system] || !overview.documents[number]) return "there is no such document or system";
    const closed = closedFor(system);
    if (closed) return closed;
    const chunk = await openDocument(number);
    if (typeof chunk.changes[system] === "string") return chunk.changes[system];
    const some = edits.filter((edit) => systemEdited(edit) === system && documentEdited(edit) === number);
    const state = await stateAfter(number, system, some);
    if (state.failed.length) return "something that it needs is not there";
    const refused = refusalOf(state, changingOf(system));
    if (refused) return refused;
  }
  return null;
}

/** Takes another list of edits, if it can be; says the score that it gives. */
async function takeEdits(edits, said, { read = "", history: kept = true, target = null } = {}) {
  const refused = await refusalOfEdits(edits);
  if (refused) {
    bench.lost = `Not done: ${refused}.`;
    drawBench();
    announce(bench.lost);
    return false;
  }
  if (kept) [bench.past, bench.future] = [[...bench.past, bench.edits], []];
  bench.edits = edits;
  bench.lost = "";
  await showChanged(read, target);
  announce(`${said}. ${await scoreSaid(route.system)}`);
  return true;
}

/** Shows again what depends on the edits: the document at the same place, the bench, the address. */
async function showChanged(read, target) {
  if (route.view === "document" && reading) {
    const goal = typeof target === "function" ? await target() : target || targetNow();
    const next = { ...route, error: undefined, tangle: undefined, side: undefined, entity: undefined, which: undefined,
      word: undefined, ...goal, asked: { ...route.asked, read } };
    history.replaceState(null, "", writeAddress(next));
  } else history.replaceState(null, "", writeAddress(route));
  await navigate();
}

async function scoreSaid(system) {
  if (closedFor(system)) return "";
  const metric = headlineAfter(system);
  const [before, now] = [scoresBefore(system).get(metric)[2], (await scoresAfter(system))[metric][2]];
  const step = 100 * (now - before);
  const moved = fixed(Math.abs(step), 2) === "0.00" ? "as in the file" : `${fixed(Math.abs(step), 2)} ${step < 0 ? "less" : "more"} than in the file`;
  return `${metricName(metric)} F1 is ${percent(now)}, ${moved}`;
}

const editHere = (what, ...parts) => [what, route.system, route.document, ...parts].join(".");

/** Does an edit; `said` is what is said of it. */
const doEdit = (one, said, options) => takeEdits([...bench.edits, one], said, options);

/** Takes an edit back, or does it again, wherever in the list it is. */
function tickRepair(one, said) {
  const there = bench.edits.includes(one);
  return takeEdits(there ? bench.edits.filter((each) => each !== one) : [...bench.edits, one],
    there ? `Not repaired any more: ${said}` : `Repaired: ${said}`, { read: "1", target: targetNow() });
}

async function undoEdit() {
  if (!bench.past.length) return announce("Nothing to undo");
  const edits = bench.past[bench.past.length - 1];
  bench.future = [bench.edits, ...bench.future];
  bench.past = bench.past.slice(0, -1);
  return takeEdits(edits, "Undone", { read: route.asked.read || "", history: false, target: await placeInChanged() });
}

async function redoEdit() {
  if (!bench.future.length) return announce("Nothing to do again");
  const [edits, ...others] = bench.future;
  bench.past = [...bench.past, bench.edits];
  bench.future = others;
  return takeEdits(edits, "Done again", { read: route.asked.read || "", history: false, target: await placeInChanged() });
}

addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !route || !(bench.past.length || bench.future.length)) return;
  if (event.target.closest && event.target.closest("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redoEdit();
  else undoEdit();
});

// -- where a mention is after edits ---------------------------------------------------------------------------------

/** The name of a mention that is shown, among those of its response. */
function itemOfMention(mention) {
  const { chunk } = reading.model;
  if (mention.side === "k") return null;
  if (chunk.items && Number(mention.side) === reading.model.system) return chunk.items[mention.index];
  return mention.further ? null : `r${mention.index}`;
}

/** How an address names a mention of the response as it is now; none if it is gone. */
async function targetOfItem(id) {
  const { document: number, system } = route;
  const state = await stateAfter(number, system);
  if (!state || !state.owners.has(id)) return {};
  const chunk = await openChanged({ ...route, asked: { ...route.asked, read: "" } });
  const { response } = prepare(chunk, system);
  const place = chunk.items ? chunk.items.indexOf(id) : Number(id.slice(1));
  const mention = response.mentions[place];
  return mention ? { side: "response", entity: mention.entity.name, which: mention.entity.mentions.indexOf(mention) } : {};
}

/** A function that says where what is looked at is after the next edit. */
async function placeInChanged() {
  if (route.view !== "document" || !reading || !reading.pinned || reading.error) return targetNow();
  const id = itemOfMention(reading.pinned);
  return id ? () => targetOfItem(id) : targetNow();
}

// -- the edits in the address ---------------------------------------------------------------------------------------

/** All edits as an address has them, with what this report is known by. */
function editsCode() {
  if (!bench.edits.length) return "";
  const code = [thisReport(), ...bench.edits].join("_");
  bench.codes.add(code);
  return code;
}

function thisReport() {
  bench.report = bench.report || reportCode();
  return bench.report;
}

/** Writes the edits into the address, where an old link or none of them brought the reader here. */
function keepEdits() {
  const there = new URLSearchParams(location.hash.split("?")[1] || "").get("edits") || "";
  if (there !== editsCode() && !route.lacking.length) history.replaceState(null, "", writeAddress(route));
}

/** Takes the edits of an address that did not come from this page; those of another report are not taken. */
async function editsOfAddress(route_) {
  const code = route_.asked.edits || "";
  delete route_.asked.edits;
  if (!code || bench.codes.has(code)) return;
  bench.codes.add(code);
  const [report, ...edits] = code.split("_");
  const refused = report !== thisReport() ? "they are of another report" : await refusalOfEdits(edits);
  if (refused) {
    route_.lacking.push(`way to take the changes of this address, as ${refused}`);
    return;
  }
  [bench.past, bench.future, bench.edits] = [[...bench.past, bench.edits], [], edits];
}
