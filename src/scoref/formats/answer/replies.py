"""The reply itself, out of what APIs and harnesses wrap around it."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any, NamedTuple

# Fields of a record of which the first is its reply, and of which the first is the name of its document.
REPLIES = (
    "output", "response", "answer", "completion", "prediction", "generated_text", "generation", "content", "result",
)  # fmt: skip
NAMES = ("custom_id", "id", "doc_id", "doc_key", "document")

# Fields of objects that list entities, and of those that list mentions; without case, blanks, `_` and `-`.
CONTAINERS = ("clusters", "coreferenceclusters", "coreferencechains", "chains", "entities", "coreferences", "coref")
MEMBERS = ("mentions", "spans", "references", "members", "expressions", "occurrences")

_CHOICES = ("choices", "candidates")
_WRAPPINGS = ("body", "message")  # of a reply in the record of a batch
_BY_API = ("object", "created", "usage", "model")  # beside choices: the record is an API's, which made its id itself
_IDS_OF_APIS = re.compile(r"(chatcmpl|cmpl|resp|msg|gen|batch_req)[-_]")
_OWN = ("assistant", "model")  # roles
_PARTS = ("text", "content", "output_text")  # of a content that is a list of parts


class Record(NamedTuple):
    """A reply, the name of its document if a record has one, and further replies, if an API was asked for several."""

    text: str
    name: str | None = None
    further: tuple[str, ...] = ()


def name_of(name: str) -> str:
    """The name of a field as it is compared."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def unwrapped(text: str) -> list[str]:
    """The replies that a text holds: itself, or what is in a string of JSON, in a record, in the reply of an API.

    >>> unwrapped('{"id": 3, "choices": [{"message": {"role": "assistant", "content": "[]"}}, {"text": "{}"}]}')
    ['[]', '{}']
    >>> unwrapped('{"clusters": [], "output": "?"}')
    ['{"clusters": [], "output": "?"}']
    """
    value = parsed(text)
    record = Record(value) if isinstance(value, str) else record_of(value)
    if record is None or record.text == text:
        return [text]
    return [reply for each in (record.text, *record.further) for reply in unwrapped(each)]


def parsed(text: str) -> Any:
    """The value of a JSON text; None for anything else."""
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def record_of(value: Any) -> Record | None:
    """The reply of a record, and the name that it gives; None if it has no reply.

    >>> record_of({"doc_id": "tale", "output": [{"role": "assistant", "content": "[]"}]})
    Record(text='[]', name='tale', further=())
    """
    if isinstance(value, list):
        return _of_list(value)
    if not isinstance(value, dict) or is_payload(value):
        return None
    replies = next((several for field in _CHOICES if (several := _choices(value.get(field)))), [])
    if not replies:
        said = (found for name in REPLIES if name in value and (found := _said(value[name])) is not None)
        replies = [*islice(said, 1)]
    if not replies:
        return None
    names = (each for each in NAMES if each != "id" or not _is_made(value))
    name = next((value[each] for each in names if type(value.get(each)) in (str, int)), None)
    return Record(replies[0], None if name is None else str(name), tuple(replies[1:]))


def _is_made(record: dict[str, Any]) -> bool:
    """Whether an API made the id of a record: then it names a reply, and no document.

    >>> _is_made({"id": "7f3", "object": "response"}), _is_made({"id": "tale", "model": "large", "output": "?"})
    (True, False)
    """
    if not {"object", "custom_id"}.isdisjoint(record) or (record.get("type") == "message" and "role" in record):
        return True
    chosen = not set(_CHOICES).isdisjoint(record)
    return chosen and (not set(_BY_API).isdisjoint(record) or _IDS_OF_APIS.match(str(record.get("id"))) is not None)


def is_payload(record: dict[str, Any]) -> bool:
    """Whether an object has a container or a list of mentions, and so is more than the wrapping of a reply."""
    return any(name_of(name) in (*CONTAINERS, *MEMBERS) and isinstance(each, list | dict)
               for name, each in record.items())  # fmt: skip


def _of_list(value: list[Any]) -> Record | None:
    if value and all(isinstance(each, dict) and "role" in each for each in value):
        return Record(_said(value) or "")
    if len(value) == 1 and isinstance(value[0], dict) and "generated_text" in value[0]:
        return record_of(value[0])
    return None


def _choices(choices: Any) -> list[str]:
    """What each of several choices says: `choices[0].message.content`, `candidates[0].content.parts`."""
    said = [_choice(each) for each in choices] if isinstance(choices, list) else []
    return [each or "" for each in said] if said and said[0] is not None else []


def _choice(choice: Any) -> str | None:
    if not isinstance(choice, dict):
        return None
    return _said(next((choice[name] for name in ("message", "content", "text") if name in choice), None))


def _said(value: Any) -> str | None:
    """The text of a reply: a string, a message, the last message of the assistant, parts, or JSON itself."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, dict):
        inner = next((value[name] for name in ("content", "parts") if name in value), None)
        wrapped = next((value[name] for name in _WRAPPINGS if isinstance(value.get(name), dict)), None)
        if inner is None and wrapped is not None:
            return json.dumps(wrapped, ensure_ascii=False)
        return json.dumps(value, ensure_ascii=False) if inner is None or is_payload(value) else _said(inner)
    if not isinstance(value, list):
        return None
    if messages := [each for each in value if isinstance(each, dict) and "role" in each]:
        own = [each for each in messages if each["role"] in _OWN]
        return _said(own[-1]) if own else ""
    if value and all(map(_is_part, value)):
        return "".join(next((each[name] for name in _PARTS if isinstance(each.get(name), str)), "") for each in value)
    return json.dumps(value, ensure_ascii=False)


def _is_part(value: Any) -> bool:
    """Whether it is a part of a content: `{"type": "text", "text": ...}`, or a text alone; thinking has no text."""
    if not isinstance(value, dict):
        return False
    return {*value} == {"text"} or ("type" in value and not {*map(name_of, value)} & {"start", "clusterid", "entity"})
