// -- kinds of errors, and what the page calls things ---------------------------------------------------------------

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

/** What stands before the sign of an error where the other side lacks the mention: it is the first of its entity. */
const FIRSTS = { "conflated entities": "+", "divided entity": "−" };

/** The kind of an error without the layer that it is of, such as discourse deixis. */
const plainKind = (kind) => kind.replace(/^\w+: /, "");
const markFor = (kind) => MARKS[plainKind(kind)] || "!";
const meaning = (kind) => MEANINGS[plainKind(kind)] || "";

function kindMark(kind) {
  return h("span", { class: "mark" }, markFor(kind));
}

const MEANINGS = {
  "span error": "A mention of the response overlaps one of the key, but has other words.",
  "conflated entities": "Mentions of several key entities are in one response entity. With + before the sign: the first "
    + "mention of a response entity, which the key does not have; the others are taken as added to it.",
  "extra mention": "A mention of the response that the key does not have, in an entity it has.",
  "extra entity": "No mention of this response entity is in the key.",
  "divided entity": "Mentions of one key entity are in several response entities. With − before the sign: the first "
    + "mention of a key entity, which the response does not have; the others are taken as split from it.",
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
  const [a, b] = pairNames();
  return words.replace(/\b(?:the )?(key|response)\b/gi, (_, side) => (side.toLowerCase() === "key" ? a : b))
    .replace(/\berror(s?)\b/g, "difference$1").replace(/\bError(s?)\b/g, "Difference$1");
}

const METRICS = { conll: "CoNLL", muc: "MUC", b3: "B³", ceafe: "CEAFe", ceafm: "CEAFm", lea: "LEA", blanc: "BLANC",
  mor: "MOR" };

/** How papers write the name of a metric. */
const metricName = (name) => METRICS[name] || name;
