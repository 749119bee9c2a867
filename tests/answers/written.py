"""Correct answers for documents, written in every shape and style."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

NAMES = ["Ada", "Tom", "Karl", "Brandt", "Leeds", "Göta", "O'Neil", "Zoë"]
NOUNS = ["ferry", "baker", "tap", "letter", "kitchen", "dog", "lighthouse", "bridge", "well-known", "42", "shop"]
PRONOUNS = ["she", "He", "it", "her", "They", "himself"]
VERBS = ["saw", "phoned", "left", "mended", "under", "before", "and", "was", "not", "sold", "again"]
SIGNS = [",", ".", ";", "!"]
LITERAL = ["[sic]", "(", ")", "[", "]", "“", "”"]


class Told(NamedTuple):
    """A mention: its words, and the first and last of them."""

    text: str
    first: int
    last: int


class Story(NamedTuple):
    """The words of a key, and its entities, each a list of mentions from left to right."""

    words: list[str]
    entities: list[list[Told]]

    @property
    def mentions(self) -> list[Told]:
        return sorted((each for entity in self.entities for each in entity), key=lambda each: each[1:])

    def owner(self, mention: Told) -> int:
        return next(number for number, entity in enumerate(self.entities) if mention in entity)


@st.composite
def stories(draw: Any, literal: bool = False, nested: bool = True, single: bool = False) -> Story:
    """A document whose strings leave no choice: all places of a string are mentions of one entity.

    `literal` gives it brackets and quotes of its own; `nested` mentions in others; `single` has one word a mention.
    """
    heads = draw(st.lists(st.sampled_from(NAMES + NOUNS + PRONOUNS), min_size=1, max_size=8, unique_by=str.casefold))
    owners = [draw(st.integers(0, min(3, number))) for number in range(len(heads))]
    phrases = []
    for head in heads:
        before = [] if single or head in PRONOUNS else draw(st.sampled_from([[], ["the"], ["the", "old"], ["a"]]))
        phrases.append([*before, head])
    if nested and not single and len(heads) > 1 and draw(st.booleans()):  # a whole phrase within another
        phrases[-1] = [*phrases[-1], "of", *phrases[0]]
    order = draw(st.lists(st.integers(0, len(phrases) - 1), min_size=len(phrases), max_size=14))
    order = [*range(len(phrases)), *order]
    between = st.lists(st.sampled_from(VERBS + SIGNS + LITERAL * literal), min_size=1, max_size=4)
    words: list[str] = draw(between)
    spans: list[tuple[int, int, int]] = []
    last = len(order) - 1
    for place, number in enumerate(order):
        spans.append((owners[number], len(words), len(words) + len(phrases[number]) - 1))
        if len(phrases[number]) > len(phrases[0]) and phrases[number][-len(phrases[0]) :] == phrases[0]:
            end = spans[-1][2]
            spans += [(owners[0], end - len(phrases[0]) + 1, end)] if "of" in phrases[number] else []
        words += phrases[number] + (draw(between) if place < last else [])
    words += draw(st.lists(st.sampled_from(VERBS), max_size=8))  # none: a mention is at the end
    numbers = sorted({owner for owner, _, _ in spans})
    entities = [
        [Told(" ".join(words[first : last + 1]), first, last) for own, first, last in sorted({*spans}) if own == owner]
        for owner in numbers
    ]  # fmt: skip
    return Story(words, entities)


# -- how a mention is written in JSON ---------------------------------------------------------------------------------


def letters(story: Story) -> list[int]:
    """Where each word begins, with a blank between words."""
    begins, place = [], 0
    for word in story.words:
        begins.append(place)
        place += len(word) + 1
    return begins


def ranges(story: Story, each: Told, base: int, unit: str, exclusive: bool) -> tuple[int, int]:
    """The two numbers of a mention."""
    if unit == "words":
        return each.first + base, each.last + base + exclusive
    begin = letters(story)[each.first]
    return begin + base, begin + len(each.text) + base - (not exclusive)


READINGS = [(base, unit, exclusive) for base in (0, 1) for unit in ("words", "letters") for exclusive in (False, True)]
OBJECTS = [
    ("text", "start", "end"), ("mention", "begin", "end"), ("span", "start_char", "end_char"),
    ("word", "start_token", "end_token"), ("mention_text", "first", "last"), ("expression", "startIndex", "endIndex"),
    ("phrase", "from", "to"),
]  # fmt: skip

Writer = Callable[[Told], Any]


@st.composite
def writers(draw: Any, story: Story) -> Writer:
    """A way to write mentions: strings, numbers, both in a list or in an object."""
    kind = draw(st.sampled_from(["string", "string", "numbers", "list", "turned", "around", "object", "texts"]))
    if kind == "string":
        return lambda each: each.text
    if kind == "numbers":
        return lambda each: [each.first, each.last]
    base, unit, exclusive = draw(st.sampled_from(READINGS))
    text, first, last = draw(st.sampled_from(OBJECTS))

    def written(each: Told) -> Any:
        numbers = ranges(story, each, base, unit, exclusive)
        return {
            "list": [each.text, *numbers],
            "turned": [*numbers, each.text],
            "around": [[*numbers], each.text],
            "object": {text: each.text, first: numbers[0], last: numbers[1]},
            "texts": {text: each.text},
        }[kind]

    return written


# -- how entities are written in JSON ---------------------------------------------------------------------------------

CONTAINERS = ["clusters", "coreference_clusters", "Coreference-Chains", "chains", "entities", "coreferences", "coref"]
NAMED = ["entity", "name", "id", "cluster", "cluster_id", "label"]
MEMBERS = ["mentions", "spans", "references", "members", "expressions", "occurrences"]
GROUPED = ["cluster_id", "cluster", "entity_id", "entity", "chain", "group"]


def name_of(number: int, entity: Sequence[Told]) -> str:
    return f"Entity {number}"


def plain(story: Story, write: Writer) -> list[list[Any]]:
    return [[write(each) for each in entity] for entity in story.entities]


def by_names(story: Story, write: Writer) -> dict[str, Any]:
    return {name_of(number, entity): [write(each) for each in entity] for number, entity in enumerate(story.entities)}


def objects(story: Story, write: Writer, name: str, members: str) -> list[dict[str, Any]]:
    return [{name: name_of(number, entity), members: [write(each) for each in entity]}
            for number, entity in enumerate(story.entities)]  # fmt: skip


def flat(story: Story, write: Writer, field: str) -> list[dict[str, Any]]:
    rows = []
    for each in story.mentions:
        mention = write(each)
        mention = mention if isinstance(mention, dict) else {"mention": mention} if isinstance(mention, str) else None
        rows.append({**(mention or {"text": each.text}), field: story.owner(each)})
    return rows


def links(story: Story, write: Writer, field: str, none: Any) -> list[dict[str, Any]]:
    """Each mention with the one before it in its entity."""
    rows = []
    for each in story.mentions:
        entity = story.entities[story.owner(each)]
        before = entity.index(each) - 1
        rows.append({"mention": write(each), field: write(entity[before]) if before >= 0 else none})
    return rows


def with_table(story: Story, write: Writer) -> dict[str, Any]:
    """A table of mentions with ids, and clusters of these ids."""
    ids = {each: f"m{number}" for number, each in enumerate(story.mentions)}
    rows = [{"id": ids[each], "text": each.text, "start": each.first, "end": each.last} for each in story.mentions]
    return {"mentions": rows, "clusters": [[ids[each] for each in entity] for entity in story.entities]}


@st.composite
def values(draw: Any, story: Story) -> Any:
    """A value of JSON that says what the entities of a story are."""
    write = draw(writers(story))
    strings = isinstance(write(story.mentions[0]), str)
    shape = draw(st.sampled_from(
        ["plain", "contained", "names", "objects", "contained objects", "numbered", "anaphors", "types", "flat",
         "contained flat", "links", "table", "wrapped", "names and pronouns", "triples"]
    ))  # fmt: skip
    entities = plain(story, write)
    container = draw(st.sampled_from(CONTAINERS))
    rows = objects(story, write, draw(st.sampled_from(NAMED)), draw(st.sampled_from(MEMBERS)))
    if shape == "links" and not strings and not isinstance(write(story.mentions[0]), dict):
        shape = "objects"
    if shape == "anaphors":
        return [{"antecedent": entity[0], "anaphors": entity[1:]} for entity in entities]
    if shape == "types":
        return {"PERSON": by_names(Story(story.words, story.entities[:1]), write),
                "OTHER": by_names(Story(story.words, story.entities[1:]), write)}  # fmt: skip
    if shape == "names and pronouns":
        return [{"name": name_of(number, ()), "names": entity[:1], "pronouns": entity[1:]}
                for number, entity in enumerate(entities)]  # fmt: skip
    if shape == "triples":
        return [[[0, each.first, each.last] for each in entity] for entity in story.entities]
    return {
        "plain": lambda: entities,
        "contained": lambda: {container: entities},
        "names": lambda: by_names(story, write),
        "objects": lambda: rows,
        "contained objects": lambda: {"text": " ".join(story.words), container: rows},
        "numbered": lambda: {str(number): row for number, row in enumerate(rows, 1)},
        "flat": lambda: flat(story, write, draw(st.sampled_from(GROUPED))),
        "contained flat": lambda: {"mentions": flat(story, write, draw(st.sampled_from(GROUPED)))},
        "links": lambda: links(story, write, draw(st.sampled_from(["antecedent", "refers_to", "referent"])),
                               draw(st.sampled_from([None, "", "none", "no antecedent"]))),
        "table": lambda: with_table(story, write),
        "wrapped": lambda: {"result": {container: entities}},
    }[shape]()  # fmt: skip


def with_tuples(value: Any) -> Any:
    """The value with tuples for innermost lists, as a program of Python prints it."""
    if isinstance(value, list):
        inner = [with_tuples(each) for each in value]
        return tuple(inner) if not any(isinstance(each, list | tuple | dict) for each in inner) else inner
    return {name: with_tuples(each) for name, each in value.items()} if isinstance(value, dict) else value


def with_commas(value: Any) -> str:
    """JSON over lines, with a comment and a comma before the closing bracket."""
    lines = json.dumps(value, indent=1, ensure_ascii=False).split("\n")
    return "\n".join([lines[0] + " // all of them", *lines[1:-1], "," + lines[-1]])


NOTATIONS: list[Callable[[Any], str]] = [
    json.dumps, lambda value: json.dumps(value, indent=2, ensure_ascii=False), repr,
    lambda value: repr(with_tuples(value)), with_commas,
]  # fmt: skip


def json_lines(value: Any) -> str:
    """The parts of a list one behind the other: objects on lines, lists with labels."""
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return "\n".join(map(json.dumps, value))
    if isinstance(value, list) and all(isinstance(each, list) and {*map(type, each)} == {str} for each in value):
        return "\n".join(f"Cluster {number}: {json.dumps(each)}" for number, each in enumerate(value, 1))
    return json.dumps(value)


# -- lists and tables -------------------------------------------------------------------------------------------------


def _lines(story: Story, line: Callable[[int, str, list[str]], str]) -> str:
    return "\n".join(line(number, f"Entity {number}", [each.text for each in entity])
                     for number, entity in enumerate(story.entities, 1))  # fmt: skip


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f'"{each}"' for each in texts)


def _rows(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def _links(story: Story) -> list[tuple[str, str]]:
    rows = links(story, lambda each: each.text, "antecedent", "none")
    return [(each["mention"], each["antecedent"]) for each in rows]


LISTS: dict[str, Callable[[Story], str]] = {
    "bullets, quoted": lambda story: _lines(story, lambda _, name, texts: f"- **{name}**: {_quoted(texts)}"),
    "numbers": lambda story: _lines(story, lambda number, name, texts: f"{number}. {name}: {', '.join(texts)}"),
    "brackets": lambda story: _lines(story, lambda number, _, texts: f"{number}. [{', '.join(texts)}]"),
    "names": lambda story: _lines(story, lambda _, name, texts: f"{name}: {'; '.join(texts)}"),
    "no names": lambda story: _lines(story, lambda _, __, texts: f"* {_quoted(texts)}"),
    "bullets under names": lambda story: _lines(
        story, lambda _, name, texts: f"**{name}**:\n" + "".join(f"- {each}\n" for each in texts)
    ),
    "bullets under headings": lambda story: _lines(
        story, lambda _, name, texts: f"### {name}\n\n" + "".join(f'* "{each}"\n' for each in texts)
    ),
    "deeper bullets": lambda story: _lines(
        story, lambda _, name, texts: f"- {name}\n" + "\n".join(f"    - {each}" for each in texts)
    ),
    "lines of mentions": lambda story: _lines(
        story, lambda number, name, texts: f"**{name}**\n- Type: thing\n- Mentions: {_quoted(texts)}\n"
    ),
    "table of entities": lambda story: _rows(
        ["Entity", "Mentions"], [(f"E{number}", ", ".join(each.text for each in entity))
                                 for number, entity in enumerate(story.entities)]
    ),
    "table of mentions": lambda story: _rows(
        ["#", "Mention", "Cluster"],
        [(number, each.text, f"C{story.owner(each)}") for number, each in enumerate(story.mentions)],
    ),
    "table of links": lambda story: _rows(["Mention", "Antecedent"], _links(story)),
}  # fmt: skip


# -- marks ------------------------------------------------------------------------------------------------------------

TEMPLATES = [
    "[{words}](#{id})", "[{words}]({id})", "[{words}][{id}]", "[{words}]_{{id}}", "[{words}]_{id}", "[{words}: {id}]",
    "<m> {words} | {id} </m>", "<m>{words}</m>#{id}", "{{id} {words}}", '<coref id="{id}">{words}</coref>',
    "<MENTION ENTITY={id}>{words}</MENTION>", "<span type='x' cluster_id='{id}'>{words}</span>",
    "<e{id}>{words}</e{id}>",
    "[{words}|{id}]", "[{words}]{{id}}", "[{words}]#{id}", "[{words}]^{id}", "[{words}]<sub>{id}</sub>",
    "[{words}] (#{id})", "[{words}] ({id})", "[{id} {words}]", "[{id}: {words}]", "**{words}** ({id})",
]  # fmt: skip
FLAT = {"**{words}** ({id})"}  # without marks in marks


def marked(story: Story, template: str, ids: Sequence[str], tight: bool = False) -> str:
    """The text with marks; `tight`: no blanks before punctuation."""
    before, behind = template.split("{words}")
    opens: dict[int, list[tuple[int, str]]] = {}
    closes: dict[int, list[tuple[int, str]]] = {}
    for each in story.mentions:
        id = ids[story.owner(each)]
        opens.setdefault(each.first, []).append((-each.last, before.replace("{id}", id)))
        closes.setdefault(each.last, []).append((-each.first, behind.replace("{id}", id)))
    text = ""
    for number, word in enumerate(story.words):
        blank = " " if number and not (tight and word in SIGNS) else ""
        marks = "".join(mark for _, mark in sorted(opens.get(number, ())))
        ends = "".join(mark for _, mark in sorted(closes.get(number, ())))
        text += f"{blank}{marks}{word}{ends}"
    return text


def low(number: int) -> str:
    """A number in low digits."""
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))


# -- what stands around an answer -------------------------------------------------------------------------------------

BEFORE = ["", "Sure! Here is the result:\n\n", "Here are the clusters you asked for.\n\n", "**Answer**\n\n"]
BEHIND = ["", "\n\nLet me know if you need anything else!", "\n\nNote: singletons are included.\n"]
THOUGHTS = [
    "", "<think>Hm. Perhaps [[\"Ada\", \"it\"]]?</think>\n", "Let me think about [Ada](#9) first.</think>\n\n",
    "<|channel|>analysis<|message|>[[\"Ada\"]]<|end|><|channel|>final<|message|>", "<s>", "[THINK]no[/THINK]",
]  # fmt: skip


def wrapped(reply: str, kind: str) -> str:
    """The reply as it comes from an API, or with nothing around it."""
    message = {"role": "assistant", "content": reply}
    parts = [{"text": reply[:7]}, {"text": reply[7:]}]
    return {
        "": lambda: reply,
        "openai": lambda: json.dumps({"id": "x", "choices": [{"index": 0, "message": message}], "usage": {}}),
        "parts": lambda: json.dumps({"candidates": [{"content": {"parts": parts}}]}),
        "generated": lambda: json.dumps([{"generated_text": reply}]),
        "blocks": lambda: json.dumps({"role": "assistant", "content": [{"type": "text", "text": reply}]}),
        "chat": lambda: json.dumps([{"role": "user", "content": 'Find [["Ada"]]'}, message]),
        "string": lambda: json.dumps(reply),
        "record": lambda: json.dumps({"id": "d", "output": reply}),
    }[kind]()


WRAPPINGS = ["", "", "", "openai", "parts", "generated", "blocks", "chat", "string", "record"]


@st.composite
def around(draw: Any, payload: str) -> str:
    """The payload with reasoning, remarks and fences around it, and what an API wraps around all that."""
    fence = draw(st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```", "~~~\n{}\n~~~"]))
    payload = fence.replace("{}", payload)
    reply = draw(st.sampled_from(THOUGHTS)) + draw(st.sampled_from(BEFORE)) + payload + draw(st.sampled_from(BEHIND))
    return wrapped(reply, draw(st.sampled_from(WRAPPINGS)))
