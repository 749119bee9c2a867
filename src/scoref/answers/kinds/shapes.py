"""The shapes of JSON in which language models list entities: one declaration for each, the first that fits is taken.

A mention is a string, numbers, both in a list, or an object. Names in objects are compared without case, `_` and `-`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...formats.answer.replies import CONTAINERS, MEMBERS, name_of
from ..payloads import Link, Listed, Payload, joined
from .lenient import Object

# Further names of fields, each without case, blanks, `_` and `-`.
NAMES = ("entity", "name", "id", "cluster", "clusterid", "label")
GROUPS = ("clusterid", "cluster", "entityid", "entity", "chain", "group", "id")
IDS = ("id", "mentionid")
ANTECEDENTS = ("antecedent", "refersto", "referent")
ANAPHORS = ("anaphors", "anaphora")
TEXTS = ("text", "mention", "span", "word", "mentiontext", "expression", "phrase")
_KINDS = ("", "char", "character", "token", "word", "index", "idx", "offset", "pos", "position")
NUMBERS = tuple(
    (_first + kind if not turned else kind + _first, _last + kind if not turned else kind + _last)
    for _first, _last in (("start", "end"), ("begin", "end"), ("first", "last"), ("from", "to"), ("start", "stop"))
    for kind in _KINDS
    for turned in (False, True)
)
PAIRS = ("span", "indices", "offsets", "offset", "position", "positions", "range", "tokens", "words")
_ASIDE = frozenset(("tokens", "words", "sentences", "sentence", "text", "document"))  # what may stand beside entities


Inner = Callable[[Any], Payload | None]  # what a value within another lists


class JsonShape(NamedTuple):
    """A shape: what it looks like, and the function that reads a value which has it; None for any other."""

    example: str
    read: Callable[[Any, Inner], Payload | None]


def payload_of(value: Any) -> Payload | None:
    """What a value of JSON lists, if it has one of the shapes.

    Each value in it is read once, as several shapes may ask for it: else each level of brackets would double the work.
    """
    known: dict[int, tuple[Any, Payload | None]] = {}  # with the value, or another one could get its id

    def of(inner: Any) -> Payload | None:
        if id(inner) not in known:
            known[id(inner)] = (
                inner,
                next((found for shape in SHAPES if (found := shape.read(inner, of)) is not None), None),
            )
        return known[id(inner)][1]

    return of(value)


# -- mentions ---------------------------------------------------------------------------------------------------------


def mention_of(value: Any) -> Listed | None:
    """The mention that a value is; None if it is none."""
    if isinstance(value, str):
        return Listed(str(value), spot=getattr(value, "spot", None)) if value.strip() else None
    if isinstance(value, list):
        return _of_list(value)
    return _of_object(value) if isinstance(value, Object) else None


def _of_list(value: list[Any]) -> Listed | None:
    texts = [each for each in value if isinstance(each, str)]
    others = [each for each in value if not isinstance(each, str)]
    if len(others) == 1 and isinstance(others[0], list):
        others = others[0]
    numbers = [number for each in others if (number := _number(each)) is not None]
    if len(value) > 3 or len(numbers) < len(others) or len(texts) > 1:
        return None
    if len(numbers) == 2:
        text = mention_of(texts[0]) if texts else None
        return Listed(text and text.text, (numbers[0], numbers[1]), text and text.spot)
    if len(numbers) == 3 and not texts:
        return Listed(None, (numbers[1], numbers[2]), document=numbers[0])
    return None


def _of_object(value: Object) -> Listed | None:
    fields = {name_of(name): each for name, each in reversed(value.pairs)}
    text = next((found for name in TEXTS if (found := mention_of(fields.get(name)))), None)
    numbers = text.numbers if text else None
    for first, last in NUMBERS:
        ends = _number(fields.get(first)), _number(fields.get(last))
        if ends[0] is not None and ends[1] is not None:
            numbers = ends[0], ends[1]
            break
    else:
        pairs = (mention_of(fields.get(name)) for name in PAIRS if isinstance(fields.get(name), list))
        numbers = next((each.numbers for each in pairs if each and each.numbers), numbers)
    if text is None and numbers is None:
        return None
    return Listed(text and text.text, numbers, text and text.spot)


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.strip().isdecimal() and len(value) < 16:
        return int(value)
    return value if type(value) is int else None


def _mentions(values: Any) -> list[Listed]:
    """The mentions of a list; what is none is left out."""
    if isinstance(values, str):
        values = [values]
    return [each for each in map(mention_of, values) if each is not None] if isinstance(values, list) else []


def _field(value: Object, names: Iterable[str], kind: Any) -> Any:
    """The first of these fields that is of this type; None if there is none."""
    for name in names:
        for own, each in value.pairs:
            if name_of(own) == name and isinstance(each, kind):
                return each
    return None


def _scalar(value: Object, names: Iterable[str]) -> str | None:
    found = _field(value, names, str | int | float)
    return None if found is None else str(found)


# -- shapes -----------------------------------------------------------------------------------------------------------


def _container(value: Any, of: Inner) -> Payload | None:
    if not isinstance(value, Object):
        return None
    table = _table(value)
    for name in CONTAINERS:
        inner = _field(value, (name,), list | Object)
        if inner is None:
            continue
        found = of(_with_mentions(inner, table)) if table else None
        found = found if found and found.mentions else of(inner)
        if found is not None and (found.mentions or len(value.pairs) == 1 or not _table(value)):
            return found
    return None


def _table(value: Object) -> dict[str, Any]:
    """Mentions by their ids, of an object that has them beside its clusters."""
    rows = _field(value, MEMBERS, list) or []
    if rows and all(isinstance(each, str | list) for each in rows):
        return {str(number): each for number, each in enumerate(rows)}
    found = {}
    for each in rows:
        own = _scalar(each, IDS) if isinstance(each, Object) else None
        if own is not None and mention_of(each):
            found[own] = each
    return found


def _with_mentions(value: Any, table: dict[str, Any]) -> Any:
    """A value with the mentions of a table in place of their ids, where these are members of lists."""
    if isinstance(value, Object):
        return Object([(name, _with_mentions(each, table) if isinstance(each, list) else each)
                       for name, each in value.pairs])  # fmt: skip
    if not isinstance(value, list):
        return value
    return [
        table.get(str(each), each) if isinstance(each, str | int) else _with_mentions(each, table) for each in value
    ]


def _of_links(value: Any, of: Inner) -> Payload | None:
    rows = value if isinstance(value, list) else [value]
    links = [link for each in rows if isinstance(each, Object) and (link := _link(each))]
    return Payload(links=links) if links else None


def _link(value: Object) -> Link | None:
    named = [each for name, each in value.pairs if name_of(name) in ANTECEDENTS]
    if not named or _field(value, ANAPHORS, list) is not None:
        return None
    others = [(name, each) for name, each in value.pairs if name_of(name) not in ANTECEDENTS]
    mention = mention_of(Object(others)) or mention_of(_field(value, ("anaphor", "pronoun"), str | list | Object))
    if mention is None:
        return None
    return Link.of(mention, mention_of(named[0]))


def _of_entities(value: Any, of: Inner) -> Payload | None:
    """Objects that are entities, in a list, by names, or one alone."""
    rows = [each for _, each in value.pairs] if isinstance(value, Object) else value
    if isinstance(value, Object) and (one := _entity(value)) is not None:
        return Payload([one])
    if not isinstance(rows, list):
        return None
    found = [one for each in rows if isinstance(each, Object) and (one := _entity(each)) is not None]
    return Payload(found) if any(found) else None


def _entity(value: Object) -> list[Listed] | None:
    """The mentions of an object that is an entity."""
    anaphors = _field(value, ANAPHORS, list)
    if anaphors is not None:
        first = mention_of(_field(value, ANTECEDENTS, str | list | Object))
        return [*([first] if first else []), *_mentions(anaphors)]
    members = _field(value, MEMBERS, list | str)
    if members is not None:
        return None if _groups(members) else _mentions(members)
    lists = [each for _, each in value.pairs if isinstance(each, list) and _mentions(each)]
    if lists and _scalar(value, NAMES) is not None:
        return [each for one in lists for each in _mentions(one)]
    return None


def _of_groups(value: Any, of: Inner) -> Payload | None:
    """A flat list of mentions that name their entity; alone, or among the fields of an object."""
    rows = _field(value, MEMBERS, list) if isinstance(value, Object) else value
    if isinstance(value, Object) and rows is None:
        rows = [value]
    field = _groups(rows)
    if not field:
        return None
    groups: dict[str, list[Listed]] = {}
    for number, each in enumerate(rows):
        mention = _without(each, field) if isinstance(each, Object) else None
        if mention is not None:
            name = _scalar(each, (field,))
            groups.setdefault(f"{number}" if name is None else f"={name}", []).append(mention)
    return Payload([*groups.values()])


def _without(value: Object, field: str) -> Listed | None:
    return mention_of(Object([(name, each) for name, each in value.pairs if name_of(name) != field]))


def _groups(rows: Any) -> str | None:
    """The field in which objects of a list name their entity; None if they do not."""
    objects = [each for each in rows if isinstance(each, Object)] if isinstance(rows, list) else []
    objects = [each for each in objects if not any(isinstance(inner, list | Object) and name_of(name) in MEMBERS
                                                   for name, inner in each.pairs)]  # fmt: skip
    for field in GROUPS:
        if any(_scalar(each, (field,)) is not None and _without(each, field) for each in objects):
            return field
    return None


def _of_names(value: Any, of: Inner) -> Payload | None:
    """`{name: [mention, ...]}`, and lists of such objects."""
    if isinstance(value, list):
        objects = [each for each in value if isinstance(each, Object)]
        parts = [found for each in objects if (found := of(each)) is not None and found.mentions]
        return joined(parts) if parts else None
    if not isinstance(value, Object):
        return None
    lists = [(name, each) for name, each in value.pairs if isinstance(each, list) and _is_flat(each)]
    nested = any(isinstance(each, list | Object) and not _is_flat(each) and (found := of(each))
                 and found.mentions for _, each in value.pairs)  # fmt: skip
    own = [each for name, each in lists if name_of(name) not in _ASIDE] or [each for _, each in lists]
    entities = [mentions for each in own if (mentions := _mentions(each))]
    return Payload(entities) if entities and not nested else None


def _is_flat(value: Any) -> bool:
    """Whether a list has mentions that are no entities and do not name theirs."""
    if not isinstance(value, list) or not _mentions(value) or _groups(value):
        return False
    return not any(isinstance(each, Object) and (_link(each) or _entity(each) is not None) for each in value)


def _of_strings(value: Any, of: Inner) -> Payload | None:
    """`{mention: antecedent}`."""
    if not isinstance(value, Object) or not value.pairs:
        return None
    if not all(each is None or isinstance(each, str) for _, each in value.pairs):
        return None
    links = [_link(Object([("mention", name), ("antecedent", each)])) for name, each in value.pairs]
    return Payload(links=[link for link in links if link])


def _of_lists(value: Any, of: Inner) -> Payload | None:
    if not isinstance(value, list) or not any(isinstance(each, list) for each in value):
        return None
    flat = [mention_of(each) for each in value if isinstance(each, list)]
    if all(each is not None and each.text is not None and each.numbers for each in flat):
        return Payload([_mentions(value)])  # ["Ada", 0, 0] is a mention
    rows = [each for each in value if isinstance(each, list)]
    entities = [_mentions(each) for each in rows]
    if any(entities):
        pairs = all(len(row) == len(each) == 2 for row, each in zip(rows, entities, strict=True))
        return Payload([each for each in entities if each], pairs=pairs and len(rows) == len(value))
    return of(value[0]) if len(value) == 1 else None


def _of_one(value: Any, of: Inner) -> Payload | None:
    flat = isinstance(value, list) and value and all(isinstance(each, str) for each in value)
    return Payload([_mentions(value)]) if flat else None


def _wrapped(value: Any, of: Inner) -> Payload | None:
    """An unknown name around any of the others, or names of types around several."""
    if not isinstance(value, Object):
        return None
    inner = (of(each) for _, each in value.pairs if isinstance(each, list | Object))
    parts = [found for found in inner if found is not None]
    filled = [found for found in parts if found.mentions]
    return joined(filled) if len(filled) > 1 else next(iter(filled or parts), None)


def _nothing(value: Any, of: Inner) -> Payload | None:
    empty = isinstance(value, Object) and not value.pairs
    lists = isinstance(value, list) and all(isinstance(each, list) and not each for each in value)
    return Payload() if empty or lists else None


SHAPES = (
    JsonShape('{"clusters": any of these}', _container),
    JsonShape('[{"mention": "She", "antecedent": "Ada"}]', _of_links),
    JsonShape('[{"entity": "Ada", "mentions": ["Ada", "She"]}]', _of_entities),
    JsonShape('[{"text": "Ada", "cluster_id": 1}, {"text": "She", "cluster_id": 1}]', _of_groups),
    JsonShape('{"the woman": ["Ada", "She"]}', _of_names),
    JsonShape('{"She": "Ada"}', _of_strings),
    JsonShape('[["Ada", "She"]]', _of_lists),
    JsonShape('["Ada", "She"]', _of_one),
    JsonShape("[]", _nothing),
    JsonShape('{"result": any of these}', _wrapped),
)


def grouped(values: Sequence[Any]) -> Payload | None:
    """Several objects, or several flat lists of strings, that stand one behind the other, as one payload."""
    if all(isinstance(each, list) for each in values):
        return Payload([_mentions(each) for each in values])
    contained = any(_container(each, payload_of) is not None for each in values)
    return None if contained else payload_of([*values])
