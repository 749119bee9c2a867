"use strict";

// -- elements: text is only ever text -------------------------------------------------------------------------------

const SVG_NAMES = new Set(["svg", "g", "rect", "line", "path", "circle", "text", "title"]);

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

/** Puts other children into an element; the focus stays with what is the same, or in the element. */
function replace(element, ...children) {
  const { activeElement } = document;
  const held = activeElement !== element && element.contains(activeElement) ? focusName(activeElement) : null;
  element.replaceChildren();
  add(element, children);
  if (held) focusAgain(element, held);
}

/** What an element that has the focus is known by: what it is, and what it says. */
function focusName(element) {
  const said = (each) => each.getAttribute("aria-label") || each.id || each.textContent;
  return { tag: element.tagName, said: said(element), href: element.getAttribute("href"), same(other) {
    return other.tagName === this.tag && (this.href ? other.getAttribute("href") === this.href : said(other) === this.said);
  } };
}

function focusAgain(element, held) {
  if (document.activeElement && document.activeElement !== document.body) return;
  const found = [...element.querySelectorAll(held.tag)].find((each) => held.same(each));
  (found || element.closest("[tabindex]") || document.getElementById("main")).focus({ preventScroll: true });
}

function button(label, action, properties) {
  return h("button", { type: "button", ...properties, on: { click: action } }, label);
}

// -- data -----------------------------------------------------------------------------------------------------------

const unpacked = new Map();

/** A part of the report that stays unpacked: all errors, all tangles. */
function part(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(name));
  return unpacked.get(name);
}

async function unpack(name) {
  const packed = document.getElementById(name).textContent;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

async function unpackDocument(number) {
  return whole(await unpack(`document-${number}`));
}

/**
 * A document with its columns as lists: units are one text, each on a line of its own, unless one has line breaks;
 * numbers are letters. A mention is its entity, and the first and last unit of each of its pieces.
 */
function whole(chunk) {
  if (typeof chunk.units === "string") chunk.units = chunk.units.split("\n");
  for (const side of [...chunk.keys, ...chunk.systems.map(({ response }) => response)]) {
    const [owners, more] = [numbersOf(side.owners), numbersOf(side.more)];
    const pieces = side.pieces || {};
    side.mentions = summed(numbersOf(side.firsts)).map((first, at) => [owners[at], ...(pieces[at] || [first, first + more[at]])]);
    if (typeof side.lines === "string") side.lines = summed(numbersOf(side.lines));
  }
  for (const system of chunk.systems) {
    let last = -1;
    system.twins = numbersOf(system.twins).map((step) => (step ? (last += step) : -1));
  }
  return chunk;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIX = new Map([...ALPHABET].map((letter, number) => [letter.charCodeAt(0), number]));

/** Numbers from their letters: five bits each, the lowest first, and one that says that more follow; then the sign. */
function numbersOf(text) {
  const found = [];
  let [number, scale] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const bits = SIX.get(text.charCodeAt(at));
    number += (bits & 31) * scale;
    scale *= 32;
    if (bits < 32) {
      found.push(number % 2 ? -(number - 1) / 2 : number / 2);
      [number, scale] = [0, 1];
    }
  }
  return found;
}

function summed(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

const opened = new Map();

/** A document of the report; the last ones stay unpacked. */
function openDocument(number) {
  const found = opened.get(number) || unpackDocument(number);
  opened.delete(number);
  opened.set(number, found);
  if (opened.size > 40) opened.delete(opened.keys().next().value);
  return found;
}

// -- numbers and words ----------------------------------------------------------------------------------------------

/**
 * A number with that many digits, exactly as Python prints it: of two equally near, the even one. `toFixed` takes the
 * larger. A double can lie in the middle of two only if it is an odd multiple of 2 to the power of -digits - 1.
 */
function fixed(value, digits) {
  const text = value.toFixed(digits);
  const between = Math.abs(value * 2 ** (digits + 1)) % 2 === 1;
  if (!between || Number(text.slice(-1)) % 2 === 0) return text;
  return (value - Math.sign(value) * 10 ** (-digits - 1)).toFixed(digits);
}

const percent = (value) => (value === null || value === undefined ? "–" : fixed(100 * value, 2));
const points = (value) => (value === null || value === undefined ? "–" : signed(100 * value, 1));
const count = (value) => value.toLocaleString("en");

function signed(value, digits) {
  const text = fixed(Math.abs(value), digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "−" : "+") + text;
}

function plural(number, word) {
  return `${count(number)} ${number === 1 ? word : word.endsWith("y") ? word.slice(0, -1) + "ies" : word + "s"}`;
}

let overview = null;

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
    return true;
  } catch {
    return false; // a page without storage forgets
  }
}

function announce(text) {
  document.getElementById("live").textContent = text;
}
