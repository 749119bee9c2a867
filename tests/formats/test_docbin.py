"""DocBin of spaCy: bytes that spaCy wrote, and bytes that it would not write."""

from __future__ import annotations

import base64
import zlib

import pytest

from scoref import formats
from scoref.document.document import Document, word_of
from scoref.formats.docbin.packing import loads, number_of, unpacked
from scoref.problems import Error, Problems

# By spaCy 3.8.18: DocBin(attrs=["ORTH", "SENT_START"], docs=[...]).to_bytes() of "Ada saw the cat . She ran ." with
# spans["coref_clusters_1"] = [Ada, She], coref_clusters_2 = [the cat], other = [Ada saw the]; and of "DET is Ärger", in
# which DET is a symbol of spaCy, with coref_clusters_1 = [Ärger].
DATA = base64.b85decode(
    "c%188UY1%^oSC1u*g(&4X<|u9QSl_lfMq55*{ONOM>hO1vGC$5oxO#T0Rn<P{#x(A`Qy@mD3~;>*mPMMUpkE6d~DWfr|w#B7=O{B"
    "H9l`{)~|>0rOj-U`YoS%z|3<?w7RbK{e2uR^-)lDF!fG5-iW7^Md&lY+;fp_pH9E7CXBzVxF9h(wfG1(BLXbXNzF?y$tXU;!2wjk"
    "48+TeONuh{(u?OWSg5zyF(q-ai)+Z@;EdG8i9mL8V#(r^)RIM+#fys)^A;B;mM<;_N|j`!E<4;(l%86&?C=s0wFIcJcv3^d(zKk!"
    "^x{d4n=%rM<4g0h^YY8{;vvpBj8$+okj{%wFUl`1D4ukb(XRPOW%H7}#N5;k$@xX8Y4OQ9rNt${NQsBWN5fK(hT=&_G#Ky$SRgUu"
    "Rmlp(Y(Ojo#G(^1>^$O+-7!Wej+uzp3ML?C0b)>i^J7?Hbi@T>#nOCWpcau}E(0|FK!AH9MEjAHMqExdB+<zrquGI&2QyRv7t$26"
)


def read(data: bytes, problems: Problems | None = None) -> list[Document]:
    return formats.read_source(formats.Source(data, "file.spacy"), None, problems or Problems())[1]


def test_groups_of_spans_are_entities() -> None:
    problems = Problems()
    one, two = read(DATA, problems)
    assert ([*one.words], one.sentences) == (["Ada", "saw", "the", "cat", ".", "She", "ran", "."], (0, 5))
    spans = [(each.entity, word_of(each.span[0]), word_of(each.span[-1])) for each in one.mentions]
    assert spans == [("1", 0, 0), ("1", 5, 5), ("2", 2, 3)]
    assert ([*two.words], [two.text_of(each) for each in two.mentions]) == (["_", "is", "Ärger"], ["Ärger"])
    assert [(each.code, each.fatal) for each in problems.found] == [("unknown-word", False)]
    assert (one.id, two.id, one.origin.numbered) == ("1", "2", True)


def test_words_have_the_numbers_of_spacy() -> None:
    assert number_of("coffee") == 3197928453018144401  # spacy.io/usage/spacy-101#vocab
    words = ("Ada", "She", "Ärger", "a word of more than eight bytes")  # spacy.strings.hash_string
    assert [number_of(word) for word in words] == [
        13014124235272500476,
        5252949303365547547,
        2967185151836475730,
        10643121989121963412,
    ]


def outcome(data: bytes) -> str | None:
    """How many documents are read, or the file that an error names."""
    try:
        return f"{len(read(data, Problems('skip')))} documents"
    except Error as error:
        return error.path


@pytest.mark.parametrize("place", range(0, len(DATA), 7))
def test_cut_files_are_errors(place: int) -> None:
    with pytest.raises(Error) as error:
        formats.read_source(formats.Source(DATA[:place], "file.spacy"), "docbin", Problems())
    assert error.value.path == "file.spacy"


@pytest.mark.parametrize("number", range(40))
def test_changed_bytes_are_read_or_are_errors(number: int) -> None:
    plain = bytearray(zlib.decompress(DATA))
    plain[number * 7919 % len(plain)] ^= 1 << number % 8
    assert outcome(zlib.compress(bytes(plain))) in ("file.spacy", "1 documents", "2 documents")


def test_a_file_without_groups_of_coreference_is_refused() -> None:
    with pytest.raises(Error, match="no-entities"):
        read(zlib.compress(zlib.decompress(DATA).replace(b"coref_clusters", b"other_clusters")))


def test_what_is_packed_is_unpacked_within_limits() -> None:
    assert unpacked(zlib.compress(b"a" * 1000), 1000) == b"a" * 1000
    assert unpacked(zlib.compress(b"a" * 1_000_000), 1000) is None
    for bad in (b"\xdd\xff\xff\xff\xff", b"\x91" * 1000 + b"\xc0", b"\xc1", b"\xc7\x01\x01a", b"\xc0\xc0", b"\xa5ab"):
        with pytest.raises(ValueError):  # noqa: PT011
            loads(bad)
    assert loads(b"\x82\xa1a\x93\x01\xff\xcd\x01\x00\xc4\x01b\xc3") == {"a": [1, -1, 256], b"b": True}
