"""What files look like: for each format whether data may be a file of it, or the beginning of one."""

from __future__ import annotations

import re

from .source import PACKED

OF_TEXTS = (".txt", ".json", ".jsonl", ".xml", ".answer")  # endings that say little of what is in a file
OF_ANSWERS = (".answer", ".txt", ".md")  # endings of files that may be the empty answer of a language model
BEGINNING = 1 << 18  # bytes, enough to tell most formats


def _finds(pattern: bytes, data: bytes, hint: bytes = b"") -> bool:
    """Whether the pattern occurs in the data; `hint`, a literal part of it, is searched for first, as that is fast."""
    return hint in data and re.search(pattern, data, re.MULTILINE) is not None


def answer(data: bytes) -> bool:
    """Whether it may be an answer of a language model: a text, or JSON that is not what programs write."""
    start = data.lstrip()[:1]
    if start not in (b"{", b"[", b'"'):
        return not table(data) and not data.lstrip().startswith((b"<?", b"<!")) and _is_lines(data)
    from .answer.replies import parsed, record_of
    from .jsonl.shapes import KEYS, TOKENS

    text = data.decode(errors="replace")
    value = parsed(text)
    if value is None:
        value = parsed(text.lstrip().partition("\n")[0])
    first = next(iter(value), None) if isinstance(value, list) else value
    if record_of(value) or record_of(first):
        return True
    if not isinstance(first, dict):  # lists of strings or numbers may be the clusters of a program
        return not clusters(data) or (isinstance(first, list) and any(isinstance(each, dict) for each in first))
    if not first.keys().isdisjoint((*TOKENS, "sentences", "doc_key", "type")):
        return False
    entities = next((first[name] for name in KEYS if name in first), None)
    mentions = [each for one in entities if isinstance(one, list) for each in one] if isinstance(entities, list) else []
    return entities is None or isinstance(entities, dict) or any(_is_said(each) for each in mentions[:1])


def _is_said(mention: object) -> bool:
    """Whether a mention has a text, or is an object."""
    return isinstance(mention, str | dict) or (
        isinstance(mention, list) and any(isinstance(one, str) for one in mention)
    )


def brat(data: bytes) -> bool:
    """Whether the first line is a line of brat annotation."""
    first = (
        rb"\s*(?:T[0-9]+\S*\t\S+ +[0-9]|E[0-9]+\S*\t\S+:T[0-9]|[AM][0-9]+\S*\t\S+ +[TE][0-9]"
        rb"|R[0-9]+\S*\t\S+ +\S+:[TE][0-9]|\*\t\S+ +[TE][0-9]|N[0-9]+\S*\t\S+ +[TE][0-9]|#[0-9]+\t\S+ +[TEAR][0-9])"
    )
    start = data.lstrip()[:2]
    named = start[1:].isdigit() and start[:1] in b"TEAMRN#"  # the pattern is long, and compiled only if it may match
    return (named or start[:1] == b"*") and re.match(first, data) is not None


def booknlp(data: bytes) -> bool:
    """Whether the first line names the columns of mentions."""
    first = data.partition(b"\n")[0].decode(errors="replace")
    return {*first.strip().split("\t")} >= {"COREF", "start_token", "end_token"}


def clusters(data: bytes) -> bool:
    """Whether the file begins as a list, or as an object whose type is clusters or graph or whose values are texts."""
    start = data.lstrip()[:1]
    if start == b"[":
        word = rb"null|true|false|NaN"
        listed = re.match(rb"\s*\[\s*(\]\s*$|\[\s*([-\"\[\]{0-9]|(%b)\b))" % word, data)  # not [{: these are documents
        flat = re.match(rb'\s*\[\s*("[^"\n]*"|-?[0-9.]+|%b)\s*(,|\]\s*$)' % word, data)
        return listed is not None or (flat is not None and not _has_marks(data))
    return start == b"{" and (_is_typed(data) or _holds_texts(data))


def _is_typed(data: bytes) -> bool:
    return _finds(rb'"type"\s*:\s*"(clusters|graph)"', data, b'"type"')


def _holds_texts(data: bytes) -> bool:
    """Whether it is an object of lists of texts; parsed only if it may be one."""
    from .jsonl.shapes import entities_of_texts, loads

    listed = rb'"clusters"\s*:\s*(?:\{|\[\s*(?:\[\s*\]\s*,\s*)*\[\s*")'
    if not re.match(rb'\s*\{\s*"[^"]*"\s*:\s*\[\s*["\]]', data) and not _finds(listed, data):
        return False
    try:
        return entities_of_texts(loads(data.decode())) is not None
    except ValueError:
        return False


_LAST = rb"^[^#\s].*[ \t](?:[-_*]|(?=\S*[()])[0-9()|]+)[ \t]*$"  # a line with the last column of CoNLL
_CELLS = rb"^(?=.*\t|(?:[^#\s]\S*[ ]+){1,4}?\d+[ ])" + _LAST[1:]  # and with tabs, or a number among its first cells


def conll(data: bytes) -> bool:
    """Whether there is a line `#begin document`, and no running text with marks behind it."""
    begins = _finds(rb"^[ \t]*#\s*begin document", data, b"begin document")
    return begins and (_has_columns(data[: BEGINNING >> 3]) or not _has_marks(data))


def _has_columns(data: bytes) -> bool:
    """Whether half of the lines are like lines of CoNLL; some lines of any text end like these, in a dash."""
    lines, fitting = (len(re.findall(pattern, data, re.MULTILINE)) for pattern in (rb"^[^#\s].*$", _CELLS))
    return 2 * fitting >= lines > 0


def corefud(data: bytes) -> bool:
    """Whether there is a header `# global.Entity`, or MISC with Entity brackets in ten columns."""
    if _names_identity(data):
        return False  # CONLL-UA that was converted from CorefUD
    misc = rb"^\d+(\t[^\t\n]*){8}\t([^\t\n]*\|)?Entity="
    return _finds(rb"^#\s*global\.Entity\s*=", data, b"global.Entity") or _finds(misc, data, b"Entity=")


def _names_identity(data: bytes) -> bool:
    """Whether a header names the columns, and a column of identities among them."""
    return _finds(rb"^#\s*global\.columns\s*=.*\bIDENTITY\b", data, b"global.columns")


def docbin(data: bytes) -> bool:
    """Whether it is packed by zlib, and begins as spaCy's DocBin does."""
    if not data.startswith(PACKED):
        return False
    import zlib

    try:
        start = zlib.decompressobj().decompress(data, 200)
    except zlib.error:
        return False
    return b"\xa7version" in start and b"\xa5attrs" in start


def ecb(data: bytes) -> bool:
    """Whether it is XML with a root `Document` and tokens with ids."""
    return data.lstrip()[:1] == b"<" and _finds(rb"<Document\b[^<>]*>\s*<token\s[^<>]*\bt_id=", data)


def edl(data: bytes) -> bool:
    """Whether the first lines have a document, two numbers and an id."""
    lines = [line for line in data[:4096].split(b"\n")[:5] if line.strip()]
    return bool(lines) and all(
        re.match(rb"[^\t]+\t[0-9]+\t[0-9]+\t[^\t]", line) for line in lines[: 1 + len(lines) // 2]
    )


def jsonl(data: bytes) -> bool:
    """Whether the first line, or all, is an object with a document's keys; or all is an array of such."""
    data = data.lstrip()
    if data[:1] not in (b"{", b"[") or maven(data):
        return False
    from .jsonl.shapes import KEYS, NAMES, TOKENS, loads

    some_key = rf'"({"|".join(KEYS)}|corefs)"\s*:'.encode()
    first = data[: data.find(b"\n") if b"\n" in data else None].rstrip()
    if re.match(rb"\[\s*\{", data) or first == b"{":
        return _finds(some_key, data) and not _is_typed(data) and not _holds_texts(data)
    if not first.startswith(b"{"):
        return False
    try:
        record = loads(first.decode())
    except ValueError:
        return _finds(some_key, first) and b'"type"' not in first and not _holds_texts(data)
    known = not record.keys().isdisjoint((*NAMES, *TOKENS, *KEYS, "sentences"))
    return known and "type" not in record and not _holds_texts(data)


def maven(data: bytes) -> bool:
    """Whether the first line is an object with events and tokens, or with relations or coreference of ids."""
    data = data.lstrip()
    first = data[: data.find(b"\n") if b"\n" in data else None].rstrip()
    if not first.startswith(b"{") or not re.search(rb'"(?:events|coreference|[a-z]+_relations)"\s*:', first):
        return False
    from .jsonl.shapes import KEYS, loads

    try:
        record = loads(first.decode())
    except ValueError:  # the line is longer than the beginning
        return b'"TIMEX"' in first or b'"temporal_relations"' in first
    said = {"coreference", "temporal_relations", "causal_relations", "subevent_relations"} & record.keys()
    named = "id" in record and record.keys().isdisjoint((*KEYS, "text"))
    return named and (bool(said) or {"events", "tokens"} <= record.keys())


def muc(data: bytes) -> bool:
    """Whether there is a tag `<COREF ID=...>`, and documents or references; else it is running text with marks.

    A response without mentions is recognised by `<DOC>` and `<TXT>` only.
    """
    if b"<COREF" not in data:
        return data.lstrip().startswith(b"<DOC>") and b"<TXT>" in data
    named = re.search(rb"<COREF\s[^<>]*\bID\s*=", data) is not None
    return named and (b"<DOC" in data or _finds(rb"<COREF\s[^<>]*\bREF\s*=", data))


def table(data: bytes) -> bool:
    """Whether the first line has the usual name of a column of mentions, and that of a column of entities."""
    from .table import separator, usual

    first = data[: 1 << 12].partition(b"\n")[0].decode(errors="replace").strip()
    names = [name.strip('"') for name in first.split(separator(first))]
    return usual(names, "mention") is not None and usual(names, "entity") is not None


def tbf(data: bytes) -> bool:
    """Whether there is a line `#BeginOfDocument`."""
    return _finds(rb"^[ \t]*#BeginOfDocument", data, b"#BeginOfDocument")


def text(data: bytes) -> bool:
    """Whether mentions are marked in a style, and it is neither JSON nor XML."""
    return not _is_markup(data) and _has_marks(data)


def _is_markup(data: bytes) -> bool:
    return re.match(rb'\s*(?:\[\s*)*\{\s*["}]|\s*<[?!]', data) is not None


def is_running(data: bytes) -> bool:
    """Whether it could be a running text: neither JSON nor XML, and less than half of its lines have columns."""
    return not _is_markup(data) and _is_lines(data)


def _is_lines(data: bytes) -> bool:
    """Whether less than half of its lines have columns."""
    lines = [line for line in map(bytes.strip, data.split(b"\n")) if line]
    return 2 * sum(b"\t" in line or re.match(_LAST, line) is not None for line in lines) < len(lines)


def _has_marks(data: bytes) -> bool:
    from .marked.marks import find_style

    return bool(find_style(data.decode(errors="replace")))


def ua(data: bytes) -> bool:
    """Whether the file names its columns, or has openers with EntityID and MarkableID."""
    return _names_identity(data) or _finds(rb"\(EntityID=[^\s()]*\|MarkableID=", data, b"(EntityID=")


def xmi(data: bytes) -> bool:
    """Whether it is XML with the root XMI, or JSON with feature structures."""
    start = data[:4096].lstrip()
    if start[:1] == b"<":
        return re.search(rb"<(?:xmi:)?XMI[\s>]", start) is not None
    return start[:1] == b"{" and re.match(rb'\{\s*"%[A-Z_]+"\s*:', start) is not None


def webanno(data: bytes) -> bool:
    """Whether the first line is that of WebAnno TSV 3."""
    return data.lstrip().startswith(b"#FORMAT=WebAnno TSV 3")
