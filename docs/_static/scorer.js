/* How results of a search are ranked: titles and index entries first, pages of tasks before others. */
const TASKS = ["start", "how-do-i", "score", "compare", "significance", "board", "codabench", "errors", "kinds", "long-texts", "look",
  "convert", "corefud", "cross-document", "nuggets", "tokenize", "split-antecedents", "training", "evaluator", "language-models",
  "scale", "agreement", "bias", "stability", "which-metric", "explain", "looks-wrong", "protocols"];
const LAST = ["changes", "architecture", "contributing", "command-line", "commands", "library", "performance", "conformance", "scorers"];
var Scorer = {
  score([docname, , , , score]) {
    return score + (TASKS.includes(docname) ? 20 : 0) - (LAST.includes(docname) ? 30 : 0);
  },
  objNameMatch: 11, objPartialMatch: 3, objPrio: { 0: 5, 1: 2, 2: -5 }, objPrioDefault: 0,
  title: 60, partialTitle: 25, term: 5, partialTerm: 1,
};
