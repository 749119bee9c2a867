"use strict";

// -- elements: text is only ever text -------------------------------------------------------------------------------

const SVG_NAMES = new Set(["svg", "g", "rect", "line", "path", "circle", "text", "title", "polyline"]);

/** An element with properties (`on` for listeners, `style` for custom properties) and children. */
function h(tag, properties, ...children) {
  const element = SVG_NAMES.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "style") {
      for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  add(element, children);
  return element;
}

function add(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) {
      element.append(document.createTextNode(String(child)));
    }
  }
}

function replace(element, ...children) {
  element.replaceChildren();
  add(element, children);
}

function button(label, action, properties) {
  return h("button", { type: "button", ...properties, on: { click: action } }, label);
}

// -- data -----------------------------------------------------------------------------------------------------------

async function unpack(name) {
  const packed = document.getElementById(name).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

const opened = new Map();

/** A document of the report; the last few stay unpacked. */
async function openDocument(number) {
  if (!opened.has(number)) {
    opened.set(number, await unpack(`document-${number}`));
    if (opened.size > 4) opened.delete(opened.keys().next().value);
  }
  return opened.get(number);
}

// -- numbers and words ----------------------------------------------------------------------------------------------

const percent = (value) => (value === null || value === undefined ? "–" : (100 * value).toFixed(2));
const points = (value) => (value === null || value === undefined ? "–" : signed(100 * value, 1));
const count = (value) => value.toLocaleString("en");

function signed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "−" : "+") + text;
}

function plural(number, word) {
  return `${count(number)} ${number === 1 ? word : word.endsWith("y") ? word.slice(0, -1) + "ies" : word + "s"}`;
}

/** How the kinds of errors are marked in texts. */
const MARKS = {
  "span error": "≈",
  "conflated entities": "∪",
  "extra mention": "+",
  "extra entity": "⊕",
  "divided entity": "‖",
  "missing mention": "−",
  "missing entity": "⊖",
  partial: "~",
  "wrong type": "T",
  "wrong realis": "R",
  "wrong type and realis": "TR",
  missed: "?",
  spurious: "!",
  "bridging antecedent wrong": "↩",
  "bridging anaphor missed": "−",
  "bridging anaphor extra": "+",
  "non-referring missed": "−",
  "non-referring extra": "+",
};

function kindMark(kind) {
  return h("span", { class: "mark" }, MARKS[kind] || "!");
}

const MEANINGS = {
  "span error": "A mention of the response overlaps one of the key, but has other words.",
  "conflated entities": "Mentions of several key entities are in one response entity.",
  "extra mention": "A mention of the response that the key does not have, in an entity it has.",
  "extra entity": "No mention of this response entity is in the key.",
  "divided entity": "Mentions of one key entity are in several response entities.",
  "missing mention": "A mention of the key that the response does not have, of an entity it has.",
  "missing entity": "No mention of this key entity is in the response.",
  partial: "Found with the right type and realis, but not with all of its words.",
  "wrong type": "Found, with another type.",
  "wrong realis": "Found, with another realis.",
  "wrong type and realis": "Found, with another type and another realis.",
  missed: "A nugget of the key that the response does not have.",
  spurious: "A nugget of the response that the key does not have.",
  "bridging antecedent wrong": "A bridging anaphor, but not, or not only, of this antecedent.",
  "bridging anaphor missed": "A bridging anaphor of the key that is none in the response.",
  "bridging anaphor extra": "A bridging anaphor of the response that is none in the key.",
  "non-referring missed": "Does not refer in the key, but does in the response, or is not there.",
  "non-referring extra": "Does not refer in the response, but does in the key, or is not there.",
};

/** Words of the page on key and response; on a page without a key, the names of the two annotators instead. */
function named(words) {
  if (!overview.neutral) return words;
  const { name } = overview.systems[readAddress(location.hash).system];
  return words.replace(/\b(?:the )?(key|response)\b/gi, (_, side) => (side.toLowerCase() === "key" ? overview.neutral : name))
    .replace(/\berror(s?)\b/g, "difference$1").replace(/\bError(s?)\b/g, "Difference$1");
}

// -- addresses ------------------------------------------------------------------------------------------------------

let overview = null;

/** What an address asks for: #/, #/doc/3, #/doc/3/key/ENTITY/2, #/doc/3/error/17, #/compare; ?system=2&mode=side. */
function readAddress(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").map(decoded);
  const asked = new URLSearchParams(query || "");
  const system = clamp(Number.parseInt(asked.get("system") || "1", 10) - 1, overview.systems.length);
  const route = { view: "overview", system, mode: asked.get("mode") || "", kind: asked.get("kind") || "" };
  if (parts[0] === "compare" && overview.systems.length > 1) return { ...route, view: "compare" };
  if (parts[0] !== "doc") return route;
  const number = documentNumber(parts[1] || "");
  if (number === null) return { ...route, missing: `document ‘${parts[1] || ""}’` };
  const found = { ...route, view: "document", document: number };
  if (parts[2] === "error") {
    const error = /^\d+$/.test(parts[3] || "") ? Number.parseInt(parts[3], 10) - 1 : -1;
    return error < 0 ? { ...found, missing: `error ‘${parts[3] || ""}’` } : { ...found, error };
  }
  if (parts[2] === "key" || parts[2] === "response") {
    const which = parts[4] ? Number.parseInt(parts[4], 10) - 1 : 0;
    return { ...found, side: parts[2], entity: parts[3] || "", which: which >= 0 ? which : 0 };
  }
  return found;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function documentNumber(part) {
  const number = /^\d+$/.test(part) ? Number.parseInt(part, 10) - 1 : -1;
  if (number >= 0 && number < overview.documents.length) return number;
  const named = overview.documents.findIndex((each) => each[0] === part);
  return named >= 0 ? named : null;
}

function clamp(number, length) {
  return Number.isInteger(number) && number >= 0 && number < length ? number : 0;
}

function writeAddress(route) {
  const parts = [];
  if (route.view === "compare") parts.push("compare");
  if (route.view === "document") {
    parts.push("doc", route.document + 1);
    if (route.error !== undefined) parts.push("error", route.error + 1);
    else if (route.side) {
      parts.push(route.side, encodeURIComponent(route.entity));
      if (route.which) parts.push(route.which + 1);
    }
  }
  const query = new URLSearchParams();
  if (route.system) query.set("system", route.system + 1);
  if (route.view === "document" && route.mode) query.set("mode", route.mode);
  if (route.view === "document" && route.kind) query.set("kind", route.kind);
  const asked = query.toString();
  return `#/${parts.join("/")}${asked ? `?${asked}` : ""}`;
}

// -- what stays of a choice -----------------------------------------------------------------------------------------

function remembered(name) {
  try {
    return localStorage.getItem(`scoref-${name}`);
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`scoref-${name}`, value);
  } catch {
    // A page without storage forgets.
  }
}

function announce(text) {
  document.getElementById("live").textContent = text;
}
