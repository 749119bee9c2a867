// -- lists as files -------------------------------------------------------------------------------------------------

/** Gives the reader a file; nothing leaves the machine. */
function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Rows as CSV, `fields` are [name, value of a row]. What a spreadsheet would take for a formula is kept a text. */
function toCsv(fields, rows) {
  const cell = (value) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return `${[fields.map(([name]) => name), ...rows.map((row) => fields.map(([, value]) => value(row)))]
    .map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** A button that gives the rows that are shown as CSV. */
function csvButton(name, fields, rows) {
  return button("CSV", () => download(`${name}.csv`, toCsv(fields, rows()), "text/csv"),
    { class: "step", title: "The rows that are shown, as a file", "aria-label": `${name} as CSV` });
}
