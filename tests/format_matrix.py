"""The matrix of formats: what every format of `FORMATS` is tried with, by what it declares to hold.

A new format joins by its entry. What it lacks is said in words by `missing`.
"""

from __future__ import annotations

import base64
import importlib
import json
import random
import re
from collections.abc import Hashable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import scoref
from scoref import formats
from scoref.document.document import Bridge, Document, Mention, position, stretch
from scoref.formats.fitting import fitted
from scoref.formats.format import HOLDS, TRAITS, Format
from scoref.formats.tokens.spans import in_words
from scoref.problems import Error, Problems
from scoref.protocol.protocol import PROTOCOLS

DOCS = Path(__file__).resolve().parents[1] / "docs"
WORDS = ("Ada", "saw", "her", "old", "cat", "She", "fed", "it", "twice")
WHOLE = stretch(2, 4)  # her old cat

# Files of formats that cannot be written, with the document above: names and texts.
READ_ONLY: dict[str, dict[str, str | bytes]] = {
    "answer": {"d.answer": '[["Ada", "She"], ["her old cat", "it"]]\n'},
    "booknlp": {
        "d.entities": "COREF\tstart_token\tend_token\tprop\tcat\ttext\n7\t0\t0\tPROP\tPER\tAda\n"
        "9\t2\t4\tNOM\tANI\ther old cat\n7\t5\t5\tPRON\tPER\tShe\n9\t7\t7\tPRON\tANI\tit\n",
        "d.tokens": "sentence_ID\ttoken_ID_within_document\tword\n"
        + "".join(f"{index // 5}\t{index}\t{word}\n" for index, word in enumerate(WORDS)),
    },
    "docbin": {  # by spaCy 3.8.18: DocBin(attrs=["ORTH", "SENT_START"], docs=[doc]).to_bytes()
        "d.spacy": base64.b85decode(
            "c%188UY1%^oSC1u*g(&4X<|u9QSl_lfMq55*{ONOM<)C+vGC$5oxO#T0Rn<P{#x(A`Qy@mDDdSzeuGU)&JxBCnt4F)*3MET7{B@0"
            "tkX{2wcaqkw3%&EzvVLzn0a@m`_`pBYSD+ut4qA)IVUXH2jd_7y-daOR{I(le_3%sVsdKn5l%)JSe}!bmtK-le1wG)Xx{STlA_GK"
            "^x`=S7CWXSE)LE}U7QG{lM_o8r=_MW&PXj<lv%PkKPP2zabo%6;*8X#CFPmPsY`$giYGQKP0LA4FP_-ADI>8szBDg8FTXr59%AF+"
            ")j&EgKD{Wvw4iw6QAX*eBbCid@)C1XHzem5rKZIv=ad$g0E05#91@BROF<fnCmqpXzz<+S!HicWD-g2*u?P^0PsFejmt!nRa10aF"
            "8V(>9#;cMYs!9fk<uDv$2>`$M*qQ"
        ),
    },
    "maven": {
        "d.jsonl": json.dumps(
            {
                "id": "d",
                "tokens": [WORDS[:5], WORDS[5:]],
                "events": [
                    {
                        "id": "7",
                        "mention": [
                            {"id": "E1", "sent_id": 0, "offset": [0, 1]},
                            {"id": "E3", "sent_id": 1, "offset": [0, 1]},
                        ],
                    },
                    {
                        "id": "9",
                        "type": "Person",
                        "mention": [
                            {"id": "E2", "sent_id": 0, "offset": [2, 5]},
                            {"id": "E4", "sent_id": 1, "offset": [2, 3]},
                        ],
                    },
                ],
                "subevent_relations": [["7", "9"]],
            }
        )
        + "\n",
    },
}

# What these files say differently, as their formats cannot say it as the example does: a relation of two entities.
MEANT = {"maven": {"relations": {("subevent", (one, other)) for one in ("E1", "E3") for other in ("E2", "E4")}}}


def missing(format: Format) -> Iterator[str]:
    """What a registered format still lacks, in words."""
    module = f"scoref.formats.{format.room}"
    if not (DOCS / f"format-{format.name}.md").is_file():
        yield f"a page docs/format-{format.name}.md that says what its files look like"
    try:
        room = importlib.import_module(module)
        if hasattr(room, "__path__"):
            room = importlib.import_module(f"{module}.read")
        if not callable(getattr(room, "read", None)):
            yield f"a function read(source, problems) in {room.__name__}"
    except ModuleNotFoundError:
        yield f"a reader: the module {module}, or {module}.read"
        return
    if not format.writes and "read-only" not in format.traits:
        yield f"a function write(documents) in {module}, or the trait read-only"
    if not format.holds:
        yield "what it holds: words of HOLDS in formats/format.py; all else is lost when it is written"
    yield from (f"a meaning of '{word}', which is not in HOLDS" for word in sorted(format.holds - HOLDS.keys()))
    words = [word.partition(":")[0] + ":" * (":" in word) for word in format.traits]
    yield from (f"a meaning of '{word}', which is not in TRAITS" for word in words if word not in TRAITS)
    if format.protocol not in PROTOCOLS:
        yield f"a protocol that there is, instead of {format.protocol}"
    if not format.writes and format.name not in READ_ONLY:
        yield "an example in READ_ONLY of tests/format_matrix.py, as it cannot be written"


# -- a document with everything that a format holds ------------------------------------------------------------------


def example(format: Format) -> Document:
    """A document with some of each thing that the format holds."""
    holds = format.holds
    attributes = [("type", "Person")] * ("types" in holds) + [("realis", "Actual")] * ("realis" in holds)
    attributes += [("other", "grey")] * ("attributes" in holds)
    whole = Mention(
        WHOLE,
        "9",
        None,
        stretch(4, 4) if "minimum spans" in holds else (),
        tuple(attributes),
        position(4) if "heads" in holds else None,
    )
    mentions = [Mention.at(0, 0, "7"), whole, Mention.at(5, 5, "7"), Mention.at(7, 7, "9")]
    mentions += [Mention((position(1), position(3)), "8")] * ("gaps" in holds)
    mentions += [Mention((position(6, 1),), "6")] * ("zeros" in holds and not format.styles)
    mentions += [Mention.at(8, 8, "5")] * ("non-referring" in holds)
    if "split antecedents" in holds:
        mentions.append(Mention.at(6, 6, "4"))
    if {"relations", "realis"} <= holds:
        mentions = [mention._replace(id=f"E{number}") for number, mention in enumerate(mentions, 1)]
    document = Document("d", WORDS, tuple(mentions), (0, 5))
    return replace(
        document,
        sets={"4": ("7", "9")} if "split antecedents" in holds else {},
        nonreferring=frozenset("5") if "non-referring" in holds else frozenset(),
        bridges=(Bridge(3, 0),) if "bridges" in holds else (),
        relations=(("After", "R1", ("E1", "E3")),) if "relations" in holds else (),
        deixis=replace(document, mentions=(Mention.at(7, 7, "3"),)) if "deixis" in holds else None,
        columns={"parse": ["(S*", *"*" * 7, "*)"]} if "parse" in holds else {},
    )


def things(document: Document) -> dict[str, object]:
    """What a document has of each thing that formats can hold, to be compared."""
    places = [place(mention) for mention in document.mentions]
    whole = next(
        (mention for mention, where in zip(document.mentions, places, strict=True) if where == (*WHOLE,)), None
    )
    attributes = dict(whole.attributes) if whole else {}
    chains: dict[Hashable, set[object]] = {}
    for mention, where in zip(document.mentions, places, strict=True):
        chains.setdefault(mention.entity, set()).add(where)
    return {
        "entities": {frozenset(members) for members in chains.values()},
        "words": list(document.words),
        "sentences": document.sentences,
        "entity names": {str(entity) for entity in chains if entity not in document.nonreferring},
        "split antecedents": {str(name): {*map(str, members)} for name, members in document.sets.items()},
        "bridges": {(places[each.anaphor], document.mentions[each.antecedent].entity) for each in document.bridges},
        "deixis": {place(mention) for mention in document.deixis.mentions} if document.deixis else set(),
        "non-referring": {
            where for m, where in zip(document.mentions, places, strict=True) if m.entity in document.nonreferring
        },
        "relations": {(name, ends) for name, _, ends in document.relations if name != "Coreference"},
        "heads": whole.head if whole else None,
        "minimum spans": tuple(whole.minimum) if whole else (),
        "types": attributes.get("type"),
        "realis": attributes.get("realis"),
        "attributes": any(name not in ("type", "realis", "text") for name in attributes),
        "parse": list(document.columns.get("parse", ())),
    }


def place(mention: Mention) -> tuple[Hashable, ...]:
    """The positions of a mention, also where a file only names it by them: `[3, 5]`, or `3-5,7.1`."""
    if mention.span:
        return tuple(mention.span)
    if isinstance(mention.id, tuple) and len(mention.id) == 2:
        return tuple(stretch(*mention.id))
    pieces = str(mention.id).split(",")
    if not all(re.fullmatch(r"\d+-\d+|\d+\.\d+", piece) for piece in pieces):
        return (mention.id,)
    ends = [[int(number) for number in re.split("[-.]", piece)] for piece in pieces]
    return tuple(
        where
        for piece, (first, last) in zip(pieces, ends, strict=True)
        for where in ((position(first, last),) if "." in piece else stretch(first, last))
    )


def put(format: Format, folder: Path, document: Document | None = None) -> Path:
    """A file of the format with its example, or with another document, and those that it has beside it."""
    if not format.writes:
        for name, text in READ_ONLY[format.name].items():
            (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return folder / next(iter(READ_ONLY[format.name]))
    path = folder / f"d{format.suffix}"
    formats.save_all(formats.rendered([document or example(format)], path, format.name))
    return path


def check_round_trip(format: Format, folder: Path) -> None:
    """What a format holds comes back from its files, and nothing has to be said of it."""
    document = example(format)
    if format.writes:
        assert fitted([document], format.name) == ([document], [])
    (again,) = scoref.read(put(format, folder), format.name)
    meant, read = things(document) | MEANT.get(format.name, {}), things(in_words(again).document)
    plain = {"entities"} & ({"entities"} if format.holds & {"word places", "character places"} else set())
    unread = {"sentences"} if format.styles else set()  # models break lines of running text anywhere
    for thing in plain | (format.holds & meant.keys()) - unread:
        assert read[thing] == meant[thing], f"{format.name} declares to hold {thing}"


def check_losses(format: Format) -> None:
    """What a format does not hold is said, in a sentence for each thing, or refused."""
    rich = example(formats.FORMATS["jsonl"])
    plain = tuple(mention for mention in rich.mentions if type(mention.span) is range)
    rich = replace(rich, mentions=plain, columns=rich.columns | {"ann": ["#1\tNote T1\tx"]})
    rich = replace(
        rich, mentions=tuple(m._replace(entity=f"e{m.entity}") for m in plain), nonreferring=frozenset(["e5"])
    )
    notes = " ".join(fitted([rich], format.name)[1])
    said = {
        "words": "words: ", "sentences": "sentences: ", "entity names": "names of entities: ",
        "split antecedents": "split antecedents: ", "bridges": "bridges: ", "deixis": "discourse deixis: ",
        "non-referring": "non-referring mention", "relations": "relations: ", "heads": "heads: ",
        "minimum spans": "minimum spans: ", "types": "types of mentions: ", "attributes": "attributes of mentions: ",
        "realis": "realis of mentions: ", "parse": "parse trees: ", "brat lines": "other lines of brat files: ",
    }  # fmt: skip
    unless = {"words": "standoff", "sentences": "standoff", "entity names": "numbered"}
    for thing, words in said.items():
        lost = thing not in format.holds and unless.get(thing) not in format.traits
        assert (words in notes) == lost, f"{format.name}: {thing}"
    for kind, span in (("gaps", (position(1), position(6))), ("zeros", (position(6, 1),)), ("mention names", ())):
        if kind not in format.holds and format.writes:
            odd = Document("d", WORDS, (Mention(span, "1", "name"),), (0,))
            with pytest.raises(Error, match="unwritable-mention"):
                formats.dumps([odd], format.name)


# -- hostile files ---------------------------------------------------------------------------------------------------


def broken(data: bytes, number: int) -> Iterator[bytes]:
    """The data cut, doubled, shuffled and with strange bytes, by chance of that number."""
    chance = random.Random(number)
    place, end = sorted(chance.sample(range(len(data) + 1), 2))
    lines = data.split(b"\n")
    chance.shuffle(lines)
    yield data[:place]
    yield data[:place] + data[end:]
    yield data[:end] + data[place:]
    yield b"\n".join(lines)
    for odd in (b"\x00", b"\xff", b"\xed\xa0\x80", b"9" * 30, b"(", b")", b'"', b"<", b"{", b"\t", b"\n", b"\r", b"-1"):
        yield data[:place] + odd + data[place:]
        yield data[:place] + odd + data[end:]


def check_hostile(format: Format, folder: Path, trials: int = 6) -> None:
    """Whatever is in a file, it is read, or an error says what is wrong with it; under both policies."""
    data = put(format, folder).read_bytes()
    name = str(folder / f"broken{format.suffix}")
    cases = [bad for number in range(trials) for bad in broken(data, number)]
    assert cases
    for bad in cases:
        assert isinstance(format.sniff(bad), bool)
        for policy in ("raise", "skip"):
            assert _path_of_error(format, bad, name, policy) in (None, name)


def _path_of_error(format: Format, data: bytes, name: str, policy: str) -> str | None:
    """The file that the error names that reading the data gives; None if it can be read."""
    try:
        formats.read_source(formats.Source(data, name), format.name, Problems(policy))
    except Error as error:
        return error.path or "no file"
    return None
