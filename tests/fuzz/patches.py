"""Small bugs to put into the source, one at a time: `python -m tests.fuzz --inject` says who finds each.

`old` stands exactly once in its file: a test applies all of them. When the source moves, a patch moves with it.
"""

from __future__ import annotations

from typing import NamedTuple


class Patch(NamedTuple):
    """A bug: the module in the package, the text that is there, what takes its place, and the folders of its tests."""

    path: str
    old: str
    new: str
    tests: tuple[str, ...]


_COUNTING = ("counting", "run", "tables")
_FORMATS = ("formats",)
_C = "counting/coreference.py"
PATCHES = (
    # metrics
    Patch(_C, "return table.n - (table.n > 0) * (1 - table.credit)",
          "return table.n - (table.n > 1) * (1 - table.credit)", _COUNTING),
    Patch(_C, "    return table.key.size - 1\n", "    return table.key.size\n", _COUNTING),
    Patch(_C, "    return table.weight**2\n", "    return table.weight * table.n**0.99\n", _COUNTING),
    Patch(_C, "(table.r == 1) & (table.n > 0)", "(table.r >= 1) & (table.n > 0)", _COUNTING),
    Patch(_C, "np.where(table.k == 1, _self_link(table), pairwise(table))", "pairwise(table)", _COUNTING),
    Patch(_C, "return table.weight * (others + table.weight) / 2", "return table.weight * others / 2", _COUNTING),
    Patch(_C, "return 2 * n / (k + r)", "return n / np.maximum(k, r)", _COUNTING),
    Patch(_C, "(table.weight == table.k) & (table.weight == table.r)", "table.weight == table.k", _COUNTING),
    Patch("matching/assign.py", "weight >= _best_other(row, weight) + _best_other(column, weight)",
          "weight >= np.maximum(_best_other(row, weight), _best_other(column, weight))", ("matching", *_COUNTING)),
    Patch("matching/assign.py", "alone = at_best & (np.bincount(line[at_best], minlength=len(best))[line] == 1)",
          "alone = at_best", ("matching", *_COUNTING)),
    # mentions without a twin, singletons, averages
    Patch("counting/rules.py", "(table.response.size == 1) & (table.transposed.shared == 0)",
          "table.response.size == 1", _COUNTING),
    Patch("counting/rules.py", "return as_is(_with_singletons(table.transposed).transposed)",
          "return as_is(_with_singletons(table))", _COUNTING),
    Patch("counting/rules.py", "return as_is(system(table)[1])", "return system(table)", _COUNTING),
    Patch("counting/rules.py", "return padded(_without_twinless_singletons(table))", "return padded(table)", _COUNTING),
    Patch("counting/split.py", "similarity = 2 * table.n / (table.k + table.r)",
          "similarity = 2 / table.n / (table.k + table.r)", ("counting",)),
    Patch("results/averages.py", 'weight = np.ones_like(known) if protocol.averaging.empty == "count" else known',
          'weight = np.ones_like(known) if protocol.averaging.empty == "skip" else known', ("results",)),
    Patch("results/averages.py", "np.any(there, axis=0, keepdims=True)[0]", "np.any(there, axis=0)[0]", ("results",)),
    Patch("results/averages.py", 'sides = [1, 3] if links == "both" else [1]', "sides = [1, 3]",
          ("results", "counting")),
    Patch("results/averages.py", "return found.mean(axis=0), np.any(there, axis=0)",
          "return found.max(axis=0), np.any(there, axis=0)", ("results", "run")),
    Patch("results/averages.py", 'width = 3 if _kind(leaf, protocol) == "macro" else 2', "width = 2",
          ("results", "run")),
    # reading: what is wrong and not said
    Patch("formats/conll/read.py", 'report("missing-end", "a document without its end", begin + 1, name, expected)',
          "pass", _FORMATS),
    Patch("formats/conll/read.py", "if is_new(name, begin + 1, names, report):", "if True:", _FORMATS),
    Patch("formats/conll/read.py", "_END.match(text) or not re.fullmatch", "_END.match(text) and not re.fullmatch",
          _FORMATS),
    Patch("formats/corefud/entities.py", 'self.report("unclosed-mention", "mention never closed", line, f"({label}",'
          " expected)", "pass", _FORMATS),
    Patch("formats/corefud/entities.py", "if piece and int(piece[2]) < int(piece[3]):",
          "if piece and int(piece[2]) <= int(piece[3]):", _FORMATS),
    Patch("formats/corefud/entities.py", "self.found[waiting[-1]] = piece[1], fields, line", "pass", _FORMATS),
    Patch("formats/ua/read.py", "text.wrong += tables[text.columns].wrong_lines(text.begin, line)", "pass", _FORMATS),
    Patch("formats/ua/markables.py", "            if not closed:  # a stand-in", "            if closed:  # a stand-in",
          _FORMATS),
    Patch("formats/ua/markables.py", "if not name or self.open[index].id == name:", "if True:", _FORMATS),
    Patch("formats/tbf/read.py", "        if end <= begin:\n", "        if end < begin:\n", _FORMATS),
    Patch("formats/tbf/read.py", "        if more:\n", "        if False:\n", _FORMATS),
    Patch("formats/tbf/read.py", "return stretch(begin, end - 1), \"\"", "return stretch(begin, end), \"\"", _FORMATS),
    Patch("formats/jsonl/shapes.py", "self.places[first : last + 1]", "self.places[first:last]", _FORMATS),
    Patch("formats/jsonl/shapes.py", "return {head: (start, end - 1) for", "return {head: (start, end) for", _FORMATS),
    Patch("formats/jsonl/read.py", "known = SHAPES if side == \"key\" else (PREDICTED, *SHAPES)", "known = SHAPES",
          _FORMATS),
    Patch("formats/conll/write.py", "if ends and end > ends[-1]:", "if ends and end > ends[0]:", _FORMATS),
    Patch("formats/conll/write.py", "        if start == end:\n", "        if start >= end - 1:\n", _FORMATS),
    # pairing, preparing, relations
    Patch("pairing/pairs.py", 'document.line, None, expected, fatal=extra == "refuse")',
          "document.line, None, expected, fatal=False)", ("pairing", "formats")),
    Patch("pairing/pairs.py", "partners, bare = ordered if unnamed or ours == theirs else",
          "partners, bare = ordered if unnamed or len(ours) == len(theirs) else", ("pairing", "formats")),
    Patch("pairing/pairs.py", "key.words and key.words == response.words and not",
          "key.words and len(key.words) == len(response.words) and not", ("pairing", "formats")),
    Patch("relations/anaphors.py", "for name in ranked.split(\",\") if name in index]",
          "for name in ranked.split(\",\") if name in index][:1]", ("relations",)),
    Patch("relations/anaphors.py", "anaphors += bool(candidates)", "anaphors += 1", ("relations",)),
    # tables, merging, statistics
    Patch("tables/shapes.py", '"conll-2011": (_BOTH, _BOTH),', '"conll-2011": (_KEY, _BOTH),', ("tables",)),
    Patch("tables/shapes.py", '"pad-key": (_RESPONSE, _RESPONSE),', '"pad-key": (_KEY, _RESPONSE),', ("tables",)),
    Patch("tables/rows.py", 'value is None or value == "" or value != value', "value is None or value != value",
          ("tables",)),
    Patch("results/merging.py", "np.concatenate([part.counts[name] for part in parts])",
          "np.concatenate([part.counts[name] for part in parts[:2]])", ("results",)),
    Patch("results/saved.py", "    if checksum != _checksum(record):\n", "    if checksum is None:\n", ("results",)),
)  # fmt: skip
