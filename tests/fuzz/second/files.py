"""Writes made-up annotation in every format, as the pages of docs/ describe them, without scoref."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from .extras import enriched
from .truth import Text

Files = dict[str, bytes]  # relative names, and what is in the files


def _starts(text: Text, at: int) -> list[tuple[int, str]]:
    """The ends and entities of spans that begin here, the longest first."""
    return sorted(((end, name) for (start, end), name in text.spans.items() if start == at), reverse=True)


def _closing(text: Text, at: int) -> list[str]:
    """The entities of spans of several words that end here, the shortest first."""
    found = sorted((start for (start, end) in text.spans if end == at and start < at), reverse=True)
    return [text.spans[start, at] for start in found]


def conll(texts: list[Text], chance: random.Random) -> str:
    """CoNLL-2012 with three to twelve columns."""
    lines, gap = [], chance.choice(["\t", "\t", "   "])
    parsed = chance.random() < 0.4
    for text in texts:
        lines.append(f"#begin document {text.name}")
        at = 0
        for sentence in text.sentences:
            for number, word in enumerate(sentence):
                opened = [f"({name})" if end == at else f"({name}" for end, name in _starts(text, at)]
                cell = "|".join([f"{name})" for name in _closing(text, at)] + opened) or "-"
                tree = "(TOP(NP*" * (number == 0) + "*" * (number > 0) + "))" * (number == len(sentence) - 1)
                wide = ["NN", tree, "-", "-", "-", "-", "*"] if parsed else []
                lines.append(gap.join(["doc", "0", str(number), word, *wide, cell]))
                at += 1
            lines.append("")
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def corefud(texts: list[Text], chance: random.Random) -> str:
    """CoNLL-U with entities in MISC."""
    lines = ["# global.Entity = eid-etype-head"]
    if chance.random() < 0.5:
        lines = []
    for text in texts:
        lines.append(f"# newdoc id = {text.name}")
        if len(lines) == 1 or "global" not in lines[0]:
            lines.append("# global.Entity = eid-etype-head")
        at = 0
        for sentence in text.sentences:
            for number, word in enumerate(sentence, 1):
                opened = [f"({name}-t-1" + ")" * (end == at) for end, name in _starts(text, at)]
                cell = "".join([f"{name})" for name in _closing(text, at)] + opened)
                misc = f"Entity={cell}" if cell else "_"
                head = "0" if number == 1 else "1"
                lines.append("\t".join([str(number), word, "_", "_", "_", "_", head, "x", "_", misc]))
                at += 1
            lines.append("")
    return "\n".join(lines) + "\n"


def ua(texts: list[Text], chance: random.Random) -> str:
    """CONLL-UA with three columns."""
    lines = ["# global.columns = ID FORM IDENTITY"]
    for text in texts:
        lines.append(f"# newdoc id = {text.name}")
        at = 0
        for sentence in text.sentences:
            for word in sentence:
                opened = [
                    f"(EntityID={name}|MarkableID=m{at}_{end}" + ")" * (end == at) for end, name in _starts(text, at)
                ]
                lines.append(f"{at + 1}\t{word}\t" + (")" * len(_closing(text, at)) + "".join(opened) or "_"))
                at += 1
            lines.append("")
    return "\n".join(lines) + "\n"


def jsonl(texts: list[Text], chance: random.Random) -> str:
    """JSON lines in one of the shapes of coreference models."""
    shape = chance.choice(["clusters", "clusters", "span_clusters", "coref_chains", "ends"])
    lines = []
    for text in texts:
        groups = [sorted(spans) for spans in text.entities.values()]
        record: dict[str, object] = {"doc_key": text.name, "sentences": text.sentences}
        if shape == "clusters":
            record["clusters"] = groups
        elif shape == "coref_chains":
            begins = [sum(map(len, text.sentences[:at])) for at in range(len(text.sentences) + 1)]
            place = {span: max(at for at, begin in enumerate(begins[:-1]) if begin <= span[0]) for span in text.spans}
            record[shape] = [
                [[place[span], span[0] - begins[place[span]], span[1] - begins[place[span]]] for span in group]
                for group in groups
            ]
        else:
            record["span_clusters" if shape == "span_clusters" else "clusters"] = [
                [[start, end + 1] for start, end in group] for group in groups
            ]
            if shape == "ends":
                record["ends"] = "exclusive"
        lines.append(json.dumps(record, ensure_ascii=chance.random() < 0.5))
    if chance.random() < 0.15:
        return "[" + ",\n".join(lines) + "]"
    return "\n".join(lines) + "\n"


def clusters(texts: list[Text], chance: random.Random) -> str:
    """Names of mentions in sets."""
    groups = {name: [f"{start}-{end}" for start, end in spans] for name, spans in texts[0].entities.items()}
    if chance.random() < 0.5:
        return json.dumps({"type": "clusters", "clusters": groups})
    links = [pair for group in groups.values() for pair in pairwise(group)]
    return json.dumps(
        {"type": "graph", "mentions": [mention for group in groups.values() for mention in group], "links": links}
    )


def text(texts: list[Text], chance: random.Random) -> str:
    """Running text with marks."""
    style = chance.choice([("[", "](#{})"), ("[", "]_{{{}}}"), ("<m>", "</m>#{}"), ('<coref id="{}">', "</coref>")])
    lines = []
    for each in texts:
        parts = []
        for at, word in enumerate(each.words):
            before = "".join(style[0].format(name) for _, name in _starts(each, at))
            alone = [each.spans[at, at]] if (at, at) in each.spans else []
            behind = "".join(style[1].format(name) for name in alone + _closing(each, at))
            parts.append(before + word + behind)
        lines += [f"#begin document {each.name}", " ".join(parts), "#end document"]
    return "\n".join(lines) + "\n"


def _characters(each: Text) -> tuple[str, list[int]]:
    body, begins = "", []
    for sentence in each.sentences:
        for word in sentence:
            begins.append(len(body))
            body += word + " "
        body = body[:-1] + "\n"
    return body, begins


def tbf(texts: list[Text], chance: random.Random) -> str:
    """Event nuggets by characters."""
    lines = []
    for each in texts:
        body, begins = _characters(each)
        words = each.words
        lines.append(f"#BeginOfDocument {each.name}")
        for start, end in each.spans:
            first, last = begins[start], begins[end] + len(words[end])
            words_here = body[first:last].replace("\n", " ")
            lines.append(f"run\t{each.name}\tm{start}_{end}\t{first},{last}\t{words_here}\tFire_Start\tActual")
        for number, spans in enumerate(each.entities.values()):
            if len(spans) > 1:
                lines.append(f"@Coreference\tC{number}\t" + ",".join(f"m{start}_{end}" for start, end in spans))
        lines.append("#EndOfDocument")
    return "\n".join(lines) + "\n"


def muc(texts: list[Text], chance: random.Random) -> str:
    """SGML of MUC."""
    out = []
    for each in texts:
        ids = {span: str(number) for number, span in enumerate(sorted(each.spans), 1)}
        parts = []
        for at, word in enumerate(each.words):
            before = ""
            for end, name in _starts(each, at):
                first = min(each.entities[name])
                link = "" if first == (at, end) else f' TYPE="IDENT" REF="{ids[first]}"'
                before += f'<COREF ID="{ids[at, end]}"{link}>'
            closers = len(_closing(each, at)) + ((at, at) in each.spans)
            parts.append(before + escape(word) + "</COREF>" * closers)
        out.append(f"<DOC><DOCNO>{escape(each.name)}</DOCNO><TXT>\n{' '.join(parts)}\n</TXT></DOC>")
    return "\n".join(out) + "\n"


def ecb(texts: list[Text], chance: random.Random) -> str:
    """XML of CAT."""
    each = texts[0]
    lines = [f"<Document doc_name={quoteattr(each.name)}>"]
    at = 0
    for number, sentence in enumerate(each.sentences):
        for place, word in enumerate(sentence):
            lines.append(f'<token t_id="{at + 1}" sentence="{number}" number="{place}">{escape(word)}</token>')
            at += 1
    lines.append("<Markables>")
    ids = {span: number for number, span in enumerate(each.spans, 1)}
    for (start, end), number in ids.items():
        anchors = "".join(f'<token_anchor t_id="{t + 1}"/>' for t in range(start, end + 1))
        lines.append(f'<HUMAN_PART m_id="{number}">{anchors}</HUMAN_PART>')
    relations = []
    for number, (name, spans) in enumerate(each.entities.items(), 1000):
        lines.append(f'<HUMAN_PART m_id="{number}" TAG_DESCRIPTOR="x" instance_id={quoteattr(name)}/>')
        sources = "".join(f'<source m_id="{ids[span]}"/>' for span in spans)
        relations += [
            f'<CROSS_DOC_COREF r_id="{number}" note={quoteattr(name)}>',
            f'{sources}<target m_id="{number}"/></CROSS_DOC_COREF>',
        ]
    return "\n".join([*lines, "</Markables>", "<Relations>", *relations, "</Relations>", "</Document>"])


def webanno(texts: list[Text], chance: random.Random) -> str:
    """WebAnno TSV 3 with a layer of chains."""
    each = texts[0]
    kind = "de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink"
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_CH={kind}|referenceRelation|referenceType", ""]
    chains = {name: number for number, name in enumerate(each.entities, 1)}
    links = {span: f"{chains[name]}-{sorted(each.entities[name]).index(span) + 1}" for span, name in each.spans.items()}
    _, begins = _characters(each)
    at = 0
    for number, sentence in enumerate(each.sentences, 1):
        lines += ["", f"#Text={' '.join(sentence)}"]
        for place, word in enumerate(sentence, 1):
            here = [links[span] for span in links if span[0] <= at <= span[1]]
            cells = ["|".join(f"*->{link}" for link in here) or "_", "|".join("*" for _ in here) or "_"]
            lines.append("\t".join([f"{number}-{place}", f"{begins[at]}-{begins[at] + len(word)}", word, *cells]))
            at += 1
    return "\n".join(lines) + "\n"


def table(texts: list[Text], chance: random.Random) -> str:
    """A row for each mention, commas between cells."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator=chance.choice(["\n", "\r\n"]))
    rows.writerow(["document", "mention", "entity"])
    for each in texts:
        rows.writerows([each.name, f"{start}-{end}", name] for (start, end), name in each.spans.items())
    return out.getvalue()


def _brat(each: Text, name: str) -> Files:
    body, begins = _characters(each)
    lines, ids = [], {}
    for number, (start, end) in enumerate(each.spans, 1):
        first, last = begins[start], begins[end] + len(each.words[end])
        ids[start, end] = f"T{number}"
        words_here = body[first:last].replace("\n", " ")
        lines.append(f"T{number}\tPerson {first} {last}\t{words_here}")
    links = [pair for spans in each.entities.values() for pair in pairwise(sorted(spans))]
    lines += [f"R{n}\tCoreference Arg1:{ids[a]} Arg2:{ids[b]}" for n, (a, b) in enumerate(links, 1)]
    return {f"{name}.ann": ("\n".join(lines) + "\n" * bool(lines)).encode(), f"{name}.txt": body.encode()}


def _booknlp(each: Text, name: str) -> Files:
    head = (
        "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\tlemma\tbyte_onset\t"
        "byte_offset\tPOS_tag\tfine_POS_tag\tdependency_relation\tsyntactic_head_ID\tevent"
    )
    tokens, at = [head], 0
    for number, sentence in enumerate(each.sentences):
        for place, word in enumerate(sentence):
            tokens.append(f"0\t{number}\t{place}\t{at}\t{word}\t{word}\t{at}\t{at}\tNN\tNN\tdep\t{at}\tO")
            at += 1
    chains = {entity: number for number, entity in enumerate(each.entities)}
    rows = ["COREF\tstart_token\tend_token\tprop\tcat\ttext"]
    for (start, end), entity in each.spans.items():
        rows.append(f"{chains[entity]}\t{start}\t{end}\tPROP\tPER\t{' '.join(each.words[start : end + 1])}")
    return {
        f"{name}.entities": ("\n".join(rows) + "\n").encode(),
        f"{name}.tokens": ("\n".join(tokens) + "\n").encode(),
    }


_WRITERS: dict[str, tuple[str, Callable[[list[Text], random.Random], str]]] = {
    "conll": (".conll", conll), "corefud": (".conllu", corefud), "ua": (".conllua", ua), "jsonl": (".jsonl", jsonl),
    "clusters": (".json", clusters), "text": (".txt", text), "tbf": (".tbf", tbf), "muc": (".sgm", muc),
    "ecb": (".xml", ecb), "webanno": (".tsv", webanno), "table": (".csv", table),
}  # fmt: skip
FORMATS = [*_WRITERS, "brat", "booknlp"]
ALONE = ["clusters", "ecb", "webanno", "brat", "booknlp"]  # these hold one document


def written(kind: str, texts: list[Text], chance: random.Random, stem: str, rich: bool = False) -> Files:
    """The files of some documents; the first is the one to name. Rich ones hold more than entities."""
    made = _written(kind, texts, chance, stem)
    if rich:
        name = next(iter(made))
        made[name] = enriched(kind, made[name].decode("utf-8", "surrogatepass"), chance).encode(
            "utf-8", "surrogatepass"
        )
    return made


def _written(kind: str, texts: list[Text], chance: random.Random, stem: str) -> Files:
    if kind == "brat":
        return _brat(texts[0], stem)
    if kind == "booknlp":
        return _booknlp(texts[0], stem)
    ending, write = _WRITERS[kind]
    return {stem + ending: write(texts, chance).encode("utf-8", "surrogatepass")}
