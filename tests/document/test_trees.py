"""What is found in a parse is remembered with its columns, which key and response have in common."""

from __future__ import annotations

from dataclasses import replace

import pytest

import scoref
from scoref.document.spans import stretch
from scoref.document.trees import fragments, has_parse
from scoref.formats.conll.lines import ConllColumns

ROW = "d 0 0 {word} {tag} {bit} - - - - * -"
TOKENS = "the/DT/(S(NP* dog/NN/*) saw/VBD/(VP* the/DT/(NP* red/JJ/* dog/NN/*))) it/PRP/(S(NP*) barked/VBD/(VP*))"


def document(*sentences: int) -> scoref.Document:
    cells = [token.split("/") for token in TOKENS.split()]
    rows = [ROW.format(word=word, tag=tag, bit=bit) for word, tag, bit in cells]
    columns = ConllColumns("\n".join(rows).encode(), slice(None), len(rows))
    words = tuple(word for word, _, _ in cells)
    return scoref.Document("d", words, (scoref.Mention.at(0, 1, "a"),), sentences, columns)


def test_documents_with_the_same_columns_share_what_is_found_in_them() -> None:
    key = document(0, 6)
    response = replace(key, mentions=(scoref.Mention.at(3, 5, "a"),))
    assert fragments(key) is fragments(response)
    assert has_parse(key)
    assert has_parse(response)


@pytest.mark.parametrize("change", [{"sentences": (0,)}, {"words": tuple("abcdefgh")}])
def test_other_sentences_and_other_words_are_not_shared(change: dict[str, tuple[object, ...]]) -> None:
    """A plain mapping of columns remembers nothing: each document has its own."""
    key = document(0, 6)
    response = replace(key, mentions=(scoref.Mention.at(3, 5, "a"),), **change)
    alone = replace(response, columns=dict(response.columns))
    spans = [stretch(0, 1), stretch(3, 5), stretch(6, 6)]
    before = [*map(fragments(key).shared_minimum, spans)]
    found = [*map(fragments(response).shared_minimum, spans)]
    assert found == [*map(fragments(alone).shared_minimum, spans)] != before
    assert [*map(fragments(key).shared_minimum, spans)] == before
