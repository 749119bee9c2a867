"""Quoted speech: the conventions of languages, slips, apostrophes."""

from __future__ import annotations

import pytest

from scoref.document.quotes import LONGEST, quoted


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("He said : “ I know . ” She left .", "I know ."),
        ("« Je sais » , dit-il .", "Je sais"),
        ("Er sagte : „ Ich weiß . “ Sie ging .", "Ich weiß ."),
        ("Er sagte : » Ich weiß . « Sie ging .", "Ich weiß ."),
        ("Powiedział : „ Wiem . ” I wyszła .", "Wiem ."),
        ("Hän sanoi : ” Tiedän . ” Ja lähti .", "Tiedän ."),
        ("Han sa : » Jag vet . » Hon gick .", "Jag vet ."),
        ("彼 は 「 知って いる 」 と 言った", "知って いる"),
        ("He said : `` I know . '' She left .", "I know ."),
        ('He said : " I know . " She said : " So do I . "', "I know . So do I ."),
        ("‘ I know , ’ he said .", "I know ,"),
        ("‘ The dogs ’ bones aren’t here , ’ he said .", "The dogs ’ bones aren’t here ,"),
        ("“I know,” he said.", "“I know,”"),
        ("“ I know . “ And more . ” She left .", "I know . “ And more ."),  # a new paragraph opens again
        ("„ Sag ‚ ja ‘ , “ bat er .", "Sag ‚ ja ‘ ,"),
        ("The dogs ’ bones , and Ada 's .", ""),
        ("He said : “ I know . She left .", ""),  # never closed
        ("I know . ” She said : “ Yes . ”", "Yes ."),  # an end without a beginning would turn all inside out
        ("", ""),
    ],
)
def test_quoted(text: str, inside: str) -> None:
    words = text.split()
    flags = quoted(words)
    assert " ".join(word for word, flag in zip(words, flags, strict=True) if flag) == inside


def test_a_mark_that_is_never_closed_does_not_turn_the_text_inside_out() -> None:
    words = ['"', *["word"] * (LONGEST + 1), '"', "Yes", '"', "he", "said"]
    assert [words[place] for place in quoted(words).nonzero()[0]] == ["Yes"]
