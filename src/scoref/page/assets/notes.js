// -- notes: a tag and a remark for an error, kept in the browser, exported and imported as a file -------------------

/**
 * The notes of this report: by `system:document:error`, {tag, remark}. In the browser and in files they are known by what
 * they are about, so that they are found again in a report that was made again; `lost` are those that were not found.
 */
const notes = { found: new Map(), lost: [], loaded: null };

const noteCode = (system, number, error) => `${system}:${number}:${error}`;

/** What this report is known by in the browser: its systems and documents, as a short number. */
function reportCode() {
  const text = JSON.stringify([overview.key, overview.systems.map(({ name, signature }) => [name, signature]), overview.documents]);
  let code = 0;
  for (let at = 0; at < text.length; at += 1) code = (Math.imul(code, 31) + text.charCodeAt(at)) | 0;
  return (code >>> 0).toString(36);
}

/** Reads the notes of this report from the browser, once. */
function loadNotes() {
  notes.loaded = notes.loaded || takeNotes(remembered(`notes-${reportCode()}`) || "[]").catch(() => 0);
  return notes.loaded;
}

/** What an error is known by in files: its system, document, kind, words, and which of several such errors it is. */
async function namesOfErrors(system) {
  const seen = new Map();
  return (await errorRows(system)).map((row) => {
    const code = JSON.stringify([row.document, row.kind, row.words]);
    seen.set(code, (seen.get(code) || 0) + 1);
    return { code: noteCode(system, row.document, row.error), system: overview.systems[system].name,
      document: overview.documents[row.document][0], kind: row.kind, words: row.words, which: seen.get(code) };
  });
}

const nameOf = ({ system, document: name, kind, words, which }) => JSON.stringify([system, name, kind, words, which]);

/** Takes notes from JSON; gives how many were found in this report. */
async function takeNotes(json) {
  const every = JSON.parse(json);
  if (!Array.isArray(every)) throw new Error("not a list of notes");
  const known = new Map();
  for (const [system] of overview.systems.entries()) {
    if (every.some((note) => note && note.system === overview.systems[system].name)) {
      for (const each of await namesOfErrors(system)) known.set(nameOf(each), each.code);
    }
  }
  let found = 0;
  for (const note of every) {
    if (!note || typeof note !== "object") continue;
    const [tag, remark] = [note.tag, note.remark].map((text) => (typeof text === "string" ? text.slice(0, 5000) : ""));
    const code = known.get(nameOf(note));
    if (code) notes.found.set(code, { tag, remark });
    else if (!notes.lost.some((other) => nameOf(other) === nameOf(note))) notes.lost.push(note);
    found += code ? 1 : 0;
  }
  return found;
}

/** All notes with what they are about, as a file has them. */
async function writtenNotes() {
  const found = [];
  for (const [system] of overview.systems.entries()) {
    if (![...notes.found.keys()].some((code) => code.startsWith(`${system}:`))) continue;
    for (const { code, ...about } of await namesOfErrors(system)) {
      if (notes.found.has(code)) found.push({ ...about, ...notes.found.get(code) });
    }
  }
  return [...found, ...notes.lost];
}

async function keepNotes() {
  return remember(`notes-${reportCode()}`, JSON.stringify(await writtenNotes()));
}

/** Sets the note of an error; one without tag and remark is gone. */
function setNote(code, tag, remark) {
  if (tag.trim() || remark.trim()) notes.found.set(code, { tag: tag.trim(), remark });
  else notes.found.delete(code);
}

/** How many notes have each tag. */
function tagCounts() {
  const numbers = new Map();
  for (const { tag } of notes.found.values()) numbers.set(tag, (numbers.get(tag) || 0) + 1);
  return [...numbers].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}

/** The note of an error, to read and to write. */
function noteBox(error) {
  const code = noteCode(error.system, reading.route.document, error.number);
  const { tag = "", remark = "" } = notes.found.get(code) || {};
  const state = h("span", { class: "note", role: "status" });
  let timer = 0;
  const kept = () => {
    clearTimeout(timer);
    setNote(code, tagField.value, field.value);
    state.textContent = "";
    timer = setTimeout(async () => {
      state.textContent = await keepNotes() ? "kept in this browser" : "this browser keeps nothing: export your notes";
    }, 250);
  };
  const tagField = h("input", { type: "text", list: "tags", value: tag, maxlength: 60, on: { input: kept } });
  const field = h("textarea", { rows: 2, maxlength: 5000, on: { input: kept } }, remark);
  return h("details", { class: "note-box", open: Boolean(tag || remark) },
    h("summary", null, tag || remark ? "Note" : "Add a note"),
    h("datalist", { id: "tags" }, tagCounts().filter(([name]) => name).map(([name]) => h("option", { value: name }))),
    h("label", null, h("span", { class: "note" }, "Tag"), tagField),
    h("label", null, h("span", { class: "note" }, "Remark"), field), state);
}

/** Notes as a whole: their tags with numbers, export, import; `draw` shows again what depends on them. */
function noteTools(asked, choose, draw) {
  const state = h("span", { class: "warning" });
  const file = h("input", { type: "file", accept: ".json,application/json", hidden: true,
    on: { change: async () => {
      try {
        const found = await takeNotes(await file.files[0].text());
        await keepNotes();
        draw();
        announce(`${plural(found, "note")} read${notes.lost.length ? `, ${count(notes.lost.length)} about other errors` : ""}`);
      } catch (error) {
        state.textContent = `This is no file of notes: ${error.message}`;
        announce(state.textContent);
      }
    } } });
  const chips = tagCounts().map(([tag, number]) => button([h("bdi", null, tag || "no tag"), h("b", null, ` ${count(number)}`)],
    () => choose(asked.tag === (tag || "-") ? "" : tag || "-"),
    { class: "off-chip", "aria-pressed": String(asked.tag === (tag || "-")) }));
  return h("div", { class: "filter note-tools", role: "group", "aria-label": "Notes" },
    h("span", { class: "note" }, notes.found.size ? plural(notes.found.size, "note") : "Notes: open an error to write one"), chips,
    notes.found.size || notes.lost.length ? button("Export notes", async () => {
      download("notes.json", JSON.stringify(await writtenNotes(), null, 1), "application/json");
    }, { class: "step" }) : null,
    button("Import notes", () => file.click(), { class: "step" }), file, state);
}
