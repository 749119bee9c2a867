// -- the view of all changes: scores before and now, the list, what it gives as a file or a link --------------------

async function showChanges(asked, main) {
  const { system } = asked;
  const closed = closedFor(system);
  const head = h("div", { class: "head" }, h("div", { class: "title" }, h("h1", null, "Changes"),
    h("p", { class: "facts" }, closed ? null : [plural(bench.edits.length, "change"), ` of ${overview.systems[system].name}`])));
  if (closed) return replace(main, head, closedNote(closed));
  const [scores, rows] = [await scoresAfter(system), await describedEdits()];
  if (asked !== route) return undefined;
  return replace(main, head,
    h("section", { class: "card" }, h("h2", null, "Scores as read and as changed"), changedScores(system, scores), uncountedNotes(system)),
    h("section", { class: "card" }, h("h2", null, "The list"), editList(rows)),
    h("section", { class: "card" }, h("h2", null, "Keep it"), exportTools(system)));
}

function changedScores(system, scores) {
  const before = scoresBefore(system);
  const names = ["recall", "precision", "f1"];
  const cells = (metric) => names.map((_, at) => [h("td", { class: "number quiet" }, percent(before.get(metric)[at])),
    h("td", { class: "number" }, percent(scores[metric][at])), h("td", { class: "number" }, stepOf(before.get(metric)[at], scores[metric][at]))]);
  return h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Scores as read and as changed" },
    h("table", { class: "scores changed" },
      h("thead", null,
        h("tr", null, h("td"), names.map((name) => h("th", { scope: "colgroup", colspan: 3 }, name))),
        h("tr", null, h("th", { scope: "col" }, "metric"), names.map(() => ["as read", "changed", "difference"].map((name) =>
          h("th", { scope: "col", class: "number" }, name))))),
      h("tbody", null, changingOf(system).metrics.map((metric) => h("tr", { class: metric === headlineAfter(system) ? "main" : null },
        h("th", { scope: "row" }, metricName(metric)), cells(metric))))));
}

function uncountedNotes(system) {
  const { uncounted = {} } = changingOf(system);
  return [Object.entries(uncounted).map(([name, why]) => h("p", { class: "note" }, `${metricName(name)} is not counted here: ${why}.`)),
    h("p", { class: "note" }, "All numbers are counted in this browser, as the library counts them. Intervals, other settings, kinds of errors and "
      + "all other views are those of the file: report what is exported, to see them.")];
}

// -- the list -------------------------------------------------------------------------------------------------------

/** Each edit with what it does, in words. */
async function describedEdits() {
  const found = [];
  for (const [place, one] of bench.edits.entries()) {
    const [number, system] = [documentEdited(one), systemEdited(one)];
    const earlier = bench.edits.slice(0, place).filter((other) => documentEdited(other) === number && systemEdited(other) === system);
    const chunk = await openDocument(number);
    found.push({ one, number, system, said: describedEdit(one, changed(responseOf(chunk, system), earlier)) });
  }
  return found;
}

function describedEdit(one, state) {
  const [what, , , ...parts] = one.split(".");
  const words = (id) => (mentionNamed(state, id) ? `‘${shortened(wordsOfItem(state, mentionNamed(state, id)), 50)}’` : id);
  const entity = (name) => {
    const known = entitiesOf(state).find((each) => each.entity === name);
    return known ? `the entity of ‘${known.name}’` : "a new entity";
  };
  if (what === "f") {
    const kind = overview.kinds[state.response.errors[parts[0] - 1][0]];
    return `error ${parts[0]} repaired: ${kindName(kind)}`;
  }
  if (what === "t") return `tangle ${parts[0]} repaired`;
  if (what === "x") return `${parts.map(words).join(", ")} removed`;
  if (what === "g") return `${entity(parts[0])} merged into ${entity(parts[1])}`;
  if (what === "p") return `${entity(state.owners.get(parts[0]))} split at ${words(parts[0])}`;
  const added = parts.slice(1).every((id) => !state.owners.has(mentionNamed(state, id)));
  return `${parts.slice(1).map(words).join(", ")} ${added ? "added to" : "moved to"} ${entity(parts[0])}`;
}

function editList(rows) {
  if (!rows.length) return h("p", { class: "note" }, "Nothing is changed. Open a document, choose ", h("b", null, "Change"), " and click a mention.");
  const gone = ({ one, said: text }) => takeEdits(bench.edits.filter((each) => each !== one), `Taken back: ${text}`);
  return h("ol", { class: "edits" }, rows.map((row) => h("li", null,
    h("a", { href: addressIn(row.number, {}, row.system, { change: "1" }) }, documentName(row.number)), " ",
    overview.systems.length > 1 ? `(${overview.systems[row.system].name}) ` : "", h("bdi", null, row.said), " ",
    button("Take back", () => gone(row), { class: "step", "aria-label": `Take back: ${row.said}` }))));
}

// -- files and a link -----------------------------------------------------------------------------------------------

function exportTools(system) {
  const state = h("p", { class: "note", role: "status" });
  const say = (text) => {
    state.textContent = text;
    announce(text);
  };
  const give = (name, type, write) => async () => {
    const written = await writtenCorpus(system);
    if (typeof written === "string") return say(`Not written: ${written}.`);
    const refused = name.endsWith(".conll") ? written.map((each) => [each.name, unwritableAsConll(each)]).find(([, why]) => why) : null;
    if (refused) return say(`Not written as CoNLL: ${refused[0]}: ${refused[1]}.`);
    download(name, written.map(write).join(""), type);
    return say(`Written: ${plural(written.length, "document")}`);
  };
  const name = overview.systems[system].name.replace(/[^\p{L}\p{N}.-]+/gu, "-") || "response";
  const link = button("Copy link", async () => {
    const address = location.href.split("#")[0] + writeAddress(route);
    try {
      await navigator.clipboard.writeText(address);
      say("The link is copied: it holds the list of changes, and no text");
    } catch {
      say(`This browser does not copy: take the address of the page, which is the link`);
    }
  }, { class: "step" });
  return [h("div", { class: "filter" },
    button("JSON lines", give(`${name}-changed.jsonl`, "application/jsonl", (each) => `${jsonLine(each)}\n`), { class: "step" }),
    button("CoNLL", give(`${name}-changed.conll`, "text/plain", conllLines), { class: "step" }), link,
    button("Take back everything", () => takeEdits([], "Everything is taken back"), { class: "step", disabled: !bench.edits.length })),
  h("p", { class: "note" }, "A file has the words, mentions and entities of the whole response, and nothing else of it: score it with the same protocol. "
    + "The link opens the same page with the same changes, for whoever has this file. Nothing leaves this machine."), state];
}

/** All documents of a response as they are now; or why they cannot be written. */
async function writtenCorpus(system) {
  const found = [];
  for (const [number, [name]] of overview.documents.entries()) {
    const some = editsIn(number, system);
    const chunk = await openDocument(number);
    const response = responseOf(chunk, system);
    const state = response && changed(response, some);
    const refused = unwritable(chunk, system, state);
    if (refused) return `${name}: ${refused}`;
    found.push(writtenResponse(chunk, system, state, name));
  }
  return found;
}
