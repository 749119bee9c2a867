// -- from counts to scores, as in `results/averages.py` -------------------------------------------------------------

const ratioOf = (top, bottom) => (bottom === 0 ? 0 : top / bottom);
const nearRatio = (top, bottom, otherwise) => (Math.abs(bottom) > 1e-9 ? top / bottom : otherwise);

/** Recall, precision and f1 of the four counts; 0/0 is 0. */
function ratiosOf([a, b, c, d]) {
  const [recall, precision] = [ratioOf(a, b), ratioOf(c, d)];
  return [recall, precision, ratioOf(2 * recall * precision, recall + precision)];
}

const WHOLE_RATIOS = {
  adjusted_rand: ([together, ours, theirs, number]) => {
    const chance = nearRatio(ours * theirs, pairsAmong(number), 0);
    const index = number > 0 ? nearRatio(together - chance, (ours + theirs) / 2 - chance, 1) : 0;
    return [index, index, index];
  },
  correlation: ([together, ours, theirs, number]) => {
    const every = pairsAmong(number);
    const spread = Math.sqrt((ours * (every - ours)) * (theirs * (every - theirs)));
    const found = ratioOf(together * every - ours * theirs, spread);
    return [found, found, found];
  },
  v_measure: ([together, ours, theirs, number]) => {
    if (!(number > 0)) return [0, 0, 0];
    const whole = surprise(number);
    const [homogeneity, completeness] = [1 - nearRatio(theirs - together, whole - ours, 0), 1 - nearRatio(ours - together, whole - theirs, 0)];
    return [completeness, homogeneity, nearRatio(2 * completeness * homogeneity, completeness + homogeneity, 0)];
  },
  detection: ([together, ours, , theirs]) => [ratioOf(together, ours), ratioOf(together, theirs),
    ratioOf(together, ours + theirs - together)],
  means: ([a, b, c, number]) => [ratioOf(a, number), ratioOf(b, number), ratioOf(c, number)],
};

/** The scores of a metric or of BLANC, HOTA from the counts that they are made of. */
function scoresOf(name, counts, { how, blends, choices: { links } }) {
  const blend = blends[name];
  if (!blend) return how[name].ratios ? WHOLE_RATIOS[how[name].ratios](counts[name]) : ratiosOf(counts[name]);
  const parts = blend.of.map((part) => counts[part]);
  if (blend.skip_empty && links === "maven-ere") return mavenScores(parts);
  let values = blend.of.map((part) => scoresOf(part, counts, { how, blends, choices: { links } }));
  if (blend.geometric) return [0, 1, 2].map((at) => Math.sqrt(values.reduce((product, each) => product * each[at], 1)));
  let there = parts.map(() => true);
  if (blend.skip_empty && links === "always") {
    values = values.map((each, place) => (parts[place][1] === 0 && parts[place][3] === 0 ? [1, 1, 1] : each));
  } else if (blend.skip_empty) {
    there = parts.map((each) => each[1] !== 0 || (links === "both" && each[3] !== 0));
  }
  const some = values.filter((_, place) => there[place]);
  if (blend.skip_empty && links === "scorch" && !some.length) {
    const sizes = counts.b3;
    const few = sizes[1] === 1 && sizes[3] === 1 ? sizes[0] : Number(parts[parts.length - 1][3] === 0);
    return [few, few, few];
  }
  return [0, 1, 2].map((at) => ratioOf(sum(some.map((each) => each[at])), some.length));
}

function mavenScores(kinds) {
  const mean = (values) => sum(values) / values.length;
  return [mean(kinds.map((each) => each[0] / (each[1] + 1e-6))), mean(kinds.map((each) => each[2] / (each[3] + 1e-6))),
    mean(kinds.map((each) => ratiosOf(each)[2]))];
}

const isMicro = (leaf, { how, choices: { average } }) => ["micro", "datasets"].includes(average) ||
  (average === "means" && Boolean(how[leaf]?.summed));

/** What a document adds to the sums. */
function addendsOf(counts, changing) {
  return Object.entries(changing.leaves).flatMap(([leaf, parts]) => leafAddends(leaf, parts, counts, changing));
}

function leafAddends(leaf, parts, given, changing) {
  const { average, empty, links } = changing.choices;
  let counts = given;
  const made = changing.blends[leaf] ? changing.blends[leaf].of : [leaf];
  if (links === "always" && parts.length > made.length) { // a mention that is alone on both sides is a link of each kind
    const [same, ours, , theirs] = counts.mentions;
    const more = ours === 1 && theirs === 1 ? same : 0;
    counts = { ...counts, ...Object.fromEntries(made.map((part) => [part, counts[part].map((value) => value + more)])) };
  }
  if (isMicro(leaf, changing)) return parts.flatMap((part) => counts[part]);
  const each = scoresOf(leaf, counts, changing);
  if (average === "weighted") {
    const sizes = [counts.b3[1], counts.b3[3]];
    const weights = [...sizes, sizes[0] + sizes[1]];
    return [...each.map((value, at) => value * weights[at]), ...sizes, ...each, 1];
  }
  const there = empty === "count" || made.some((part) => counts[part][1] !== 0 || counts[part][3] !== 0) ? 1 : 0;
  return [...each.slice(0, average === "macro" ? 3 : 2).map((value) => value * there), there];
}

/** The scores of all metrics from sums, one list of columns for each dataset. */
function finishedScores(sums, changing) {
  const { average } = changing.choices;
  const values = {};
  let start = 0;
  for (const [leaf, parts] of Object.entries(changing.leaves)) {
    const width = isMicro(leaf, changing) ? 4 * parts.length : { macro: 4, means: 3, weighted: 9 }[average];
    values[leaf] = sums.map((row) => {
      const columns = row.slice(start, start + width);
      return { score: leafScore(leaf, parts, columns, changing), there: columns.some((value) => value !== 0) };
    });
    start += width;
  }
  return Object.fromEntries(changing.metrics.map((name) => [name, ofDatasets(averaged(name, values, changing), changing)]));
}

function leafScore(leaf, parts, columns, changing) {
  const { average } = changing.choices;
  if (isMicro(leaf, changing)) {
    return scoresOf(leaf, Object.fromEntries(parts.map((part, place) => [part, columns.slice(4 * place, 4 * place + 4)])), changing);
  }
  if (average === "weighted") {
    const weights = [columns[3], columns[4], columns[3] + columns[4]];
    return weights.map((weight, at) => (weight === 0 ? ratioOf(columns[5 + at], columns[8]) : columns[at] / weight));
  }
  const means = columns.slice(0, -1).map((value) => ratioOf(value, columns[columns.length - 1]));
  return average === "macro" ? means : [...means, ratioOf(2 * means[0] * means[1], means[0] + means[1])];
}

/** The scores of a metric, or of a mean like CoNLL from those of its parts, in each dataset. */
function averaged(name, values, changing) {
  if (values[name]) return values[name];
  const each = changing.parts[name].map((part) => averaged(part, values, changing));
  return each[0].map((_, dataset) => ({
    score: [0, 1, 2].map((at) => sum(each.map((part) => shortDigits(part[dataset].score[at], changing))) / each.length),
    there: each.some((part) => part[dataset].there),
  }));
}

function ofDatasets(values, changing) {
  const { average, empty } = changing.choices;
  if (average !== "datasets") return values[0].score;
  const some = values.filter(({ there }) => there || empty === "count");
  return [0, 1, 2].map((at) => ratioOf(sum(some.map(({ score }) => shortDigits(score[at], changing))), some.length));
}

/** A score before it is averaged: as it is, or rounded or cut off to a percentage. */
function shortDigits(value, { choices: { digits } }) {
  if (digits === "exact") return value;
  const [how, number] = digits.split("-");
  const scale = 100 * 10 ** Number(number);
  return Math.floor(value * scale + (how === "cut" ? 1e-9 : 0.5 + 1e-9)) / scale;
}
