// -- lanes ----------------------------------------------------------------------------------------------------------

/** For each sentence the mentions of a side that have a part in it. */
function bySentence(model, side) {
  if (side.bySentence) return side.bySentence;
  const { starts } = model;
  const found = model.sentences.map(() => []);
  for (const mention of side.mentions) {
    if (!mention.pieces.length) continue;
    const last = mention.pieces[mention.pieces.length - 1];
    for (let at = placeIn(starts, mention.pieces[0]); at < starts.length && starts[at] <= last; at += 1) {
      found[at].push(mention);
    }
  }
  side.bySentence = found;
  return found;
}

/** The number of the last start that is not behind a unit. */
function placeIn(starts, unit) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

const extent = (mention) => mention.pieces[mention.pieces.length - 1] - mention.pieces[0];

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f000}-\u{3fffd}]/u;
const SMALL = 0.72; // the width of a letter of a label, in letters of the text

/** About how wide a text is, in letters. */
function widthOf(text) {
  let width = 0;
  for (const letter of text) width += letter > "\u10ff" && WIDE.test(letter) ? 2 : 1;
  return width;
}

/** About where each unit of a sentence begins, in letters; and where the last one ends. */
function placesOf(model, from, to) {
  const found = [0];
  for (let unit = from; unit < to; unit += 1) {
    found.push(found[unit - from] + widthOf(model.chunk.units[unit]) + (model.glued.has(unit) ? 0 : 1));
  }
  return found;
}

/**
 * Lanes for the mentions of a sentence, the first one nearest to the words: short mentions before the long ones around
 * them, each with room for its label, which may be wider than the mention.
 */
function lanes(mentions, places, from, to, labelled) {
  const taken = [];
  const sorted = [...mentions].sort((a, b) => extent(a) - extent(b) || a.pieces[0] - b.pieces[0] || a.index - b.index);
  const found = new Map();
  for (const mention of sorted) {
    const first = Math.max(mention.pieces[0], from) - from;
    const last = Math.min(mention.pieces[mention.pieces.length - 1], to - 1) - from;
    const low = places[first];
    const high = Math.max(places[last + 1] - 0.5, low + SMALL * widthOf(labelled(mention)) + 1.5);
    let lane = 0;
    while (taken[lane] && taken[lane].some(([left, right]) => low < right && left < high)) lane += 1;
    (taken[lane] = taken[lane] || []).push([low, high]);
    found.set(mention, lane);
  }
  return { found, number: taken.length };
}
