"""Earlier boards: reads the JSON of one, and refuses it if it is of another key or another signature."""

from __future__ import annotations

from typing import NamedTuple

from ..formats import load
from ..formats.jsonl.shapes import loads
from ..layout.render import Json
from ..problems import Error

NAME = "scoref-board"
VERSION = 1


class Earlier(NamedTuple):
    """What stood on an earlier board: its date, and the rank and main score of each submission it accepted."""

    date: str
    accepted: dict[str, tuple[int | None, float | None]]

    def to_dict(self) -> Json:
        """The board for JSON, as boards after it have it."""
        return {"date": self.date, "accepted": [
            {"name": name, "rank": rank, "score": score} for name, (rank, score) in self.accepted.items()
        ]}  # fmt: skip


def history(path: str, digest: str, signature: str) -> list[Earlier]:
    """The boards before, the oldest first, from the JSON of the last one.

    Only boards of the same key, by its digest, and the same signature can be compared.
    """

    def refuse(code: str, message: str, expected: str, remedy: str) -> Error:
        return Error(code, message, path=path, expected=expected, remedy=remedy)

    made = "the file of scoref board --json F"
    try:
        record = loads(load(path).decode())
        if not isinstance(record, dict) or record.get(NAME) != VERSION:
            raise ValueError(f"the key {NAME} is missing, or is not {VERSION}")
        key, signed = record["key"]["digest"], record["signature_full"]
        boards = [*record["history"], {"date": record["date"], "accepted": [
            {"name": each["name"], "rank": each["rank"], "score": each["score"]} for each in record["accepted"]
        ]}]  # fmt: skip
        found = [_earlier(each) for each in boards]
    except (KeyError, TypeError, ValueError, AttributeError) as reason:
        raise refuse("bad-board", f"no board that can be used: {reason}", made, "name that file") from None
    if key != digest:
        raise refuse("changed-key", "the key has changed since that board", f"the key with the digest {key}",
                     "use the key of that board, or begin a new history, without --since")  # fmt: skip
    if signed != signature:
        raise refuse("other-signature", "that board has another signature", signature,
                     "use its protocol and version of scoref, or begin a new history, without --since")  # fmt: skip
    return found


def _earlier(record: Json) -> Earlier:
    accepted = {str(each["name"]): (each["rank"], each["score"]) for each in record["accepted"]}
    for rank, score in accepted.values():
        if not isinstance(rank, int | None) or not isinstance(score, int | float | None):
            raise ValueError("a rank or a score that is no number")
    return Earlier(str(record["date"]), accepted)
