"""Heads on both sides: those of the files if both sides have them, else from the key's trees, else none."""

from __future__ import annotations

from collections.abc import Sequence

from ..document.document import about
from ..document.heads import Trees, lacks_heads, with_heads
from ..problems import Problems
from .pairs import Pair
from .scope import HEADS


def with_common_heads(pairs: Sequence[Pair], heads: str, problems: Problems) -> tuple[Sequence[Pair], str]:
    """Pairs whose heads can be compared, and the word of `HEADS` for where they come from.

    Where one side of a document lacks heads, both sides get them from the key's trees; without trees, both have none.
    The response must be on the key's words already.
    """
    found = [_common(pair, heads, problems) for pair in pairs]
    moved = [pair for pair, word in found if word == "tree"]
    if moved and heads == "file":
        remedy = "nothing, if that is meant; --match exact compares all words of mentions"
        number = f"{len(moved)} document{'s' * (len(moved) > 1)}"
        message = f"heads of {number} are taken from the key's trees, on both sides, as one side has none"
        about(moved[0].response, problems, remedy)(
            "heads-from-trees", message, moved[0].response.line, None, "heads in the files", fatal=False
        )
    return [pair for pair, _ in found], max((word for _, word in found), key=HEADS.index, default="file")


def _common(pair: Pair, heads: str, problems: Problems) -> tuple[Pair, str]:
    if heads == "file" and not (lacks_heads(pair.key) or lacks_heads(pair.response)):
        return pair, "file"
    trees = None if heads == "none" else Trees.of(pair.key)
    if trees:
        report = about(pair.key, problems, "fix the trees; --heads none compares all words of mentions instead")
        for word, reason in sorted(trees.wrong.items()):
            report(
                "bad-tree", reason, pair.key.line_at(word), pair.key.words[word], "trees in the columns HEAD and DEPS"
            )
    key, response = with_heads(pair.key, trees), with_heads(pair.response, trees)
    return pair._replace(key=key, response=response), "tree" if trees else "none"
