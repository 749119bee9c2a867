"""What some formats hold beside entities: zeros, sets, bridging, pieces, segments, relations, types."""

from __future__ import annotations

import random
import re


def enriched(kind: str, said: str, chance: random.Random) -> str:
    """The file with a few of them; mostly right, sometimes not."""
    change = {"corefud": _corefud, "ua": _ua, "tbf": _tbf, "brat": _brat, "jsonl": _jsonl, "ecb": _ecb}.get(kind)
    for _ in range(chance.choice([1, 2, 4, 8])):
        said = change(said, chance) if change else said
    return said


def _pick(pattern: str, said: str, chance: random.Random) -> re.Match[str] | None:
    found = list(re.finditer(pattern, said, re.MULTILINE))
    return chance.choice(found) if found else None


def _after(said: str, hit: re.Match[str], what: str) -> str:
    return said[: hit.end()] + what + said[hit.end() :]


def _corefud(said: str, chance: random.Random) -> str:
    names = re.findall(r"\((\w+)-t-1", said) or ["1"]
    what = chance.randrange(5)
    if what <= 1 and (hit := _pick(r"^(\d+)\t.*\n(?!\d+\.)", said, chance)):
        number, name = hit[1], chance.choice([*names, "z1"])
        misc = chance.choice(["_", f"Entity=({name}-t-1)"])
        parent = chance.choice([f"{number}:nsubj", "1:obj", "_", "0:root", "1:a|2:b"])
        return _after(said, hit, f"{number}.1\t_\t_\tPRON\t_\t_\t_\t_\t{parent}\t{misc}\n")
    if what == 2 and (hit := _pick(r"Entity=\((\w+)-t-1.*$", said, chance)):
        return _after(said, hit, f"|SplitAnte={chance.choice(names)}<{hit[1]},{chance.choice(names)}<{hit[1]}")
    if what == 3 and (hit := _pick(r"Entity=\((\w+)-t-1.*$", said, chance)):
        return _after(said, hit, f"|Bridge={chance.choice(names)}<{hit[1]}:part")
    hit = _pick(r"^(1\t.*\t)_\n((?:.*\n){1,2}?)(\d+\t.*\t)_$", said, chance)
    if hit and "\n\n" not in hit[0]:
        name = chance.choice([*names, "p"])
        pieces = f"{hit[1]}Entity=({name}[1/2]-t-1)\n{hit[2]}{hit[3]}Entity=({name}[2/2]-t-1)"
        return said[: hit.start()] + pieces + said[hit.end() :]
    return said


def _ua(said: str, chance: random.Random) -> str:
    names = re.findall(r"EntityID=([^|)\s]+)", said) or ["1"]
    ids = re.findall(r"MarkableID=(\w+)", said) or ["m"]
    what = chance.randrange(5)
    if "BRIDGING" not in said and chance.random() < 0.6:
        said = said.replace("FORM IDENTITY", "FORM IDENTITY BRIDGING DISCOURSE_DEIXIS", 1)
        said = re.sub(r"^(\d+\t.*)$", r"\1\t_\t_", said, flags=re.MULTILINE)
    if what == 0 and (hit := _pick(r"MarkableID=\w+", said, chance)):
        return _after(said, hit, f"|ElementOf={chance.choice([chance.choice(names), 'set1', 'set1,set2'])}")
    if what == 1 and (hit := _pick(r"MarkableID=m(\d+)_(\d+)", said, chance)):
        number = chance.randint(int(hit[1]), int(hit[2])) + 1
        return _after(said, hit, f"|Min={number}" + (f",{number}" if chance.random() < 0.3 else ""))
    if what == 2 and (hit := _pick(r"EntityID=\w+", said, chance)):
        return _after(said, hit, "-Pseudo")
    if what == 3 and "BRIDGING" in said and (hit := _pick(r"MarkableID=(\w+)[^\t\n]*\t(?=_\t_$)", said, chance)):
        anchor = f"(MarkableID={hit[1]}|Rel=part|MentionAnchor={chance.choice(ids)})"
        return said[: hit.end()] + anchor + said[hit.end() + 1 :]
    if "DEIXIS" in said and (hit := _pick(r"(?<=\t)_$", said, chance)):
        segment = f"(EntityID={chance.randrange(3)}-DD|MarkableID=dd{chance.randrange(99)})"
        return said[: hit.start()] + segment + said[hit.end() :]
    return said


def _tbf(said: str, chance: random.Random) -> str:
    ids = re.findall(r"\t(m\w+)\t", said) or ["m"]
    what = chance.randrange(4)
    if what == 0 and (hit := _pick(r"^.*(?=\n#EndOf)", said, chance)):
        name = chance.choice(["After", "Subevent", "Cause"])
        return _after(said, hit, f"\n@{name}\tA{chance.randrange(99)}\t{chance.choice(ids)},{chance.choice(ids)}")
    if what == 1 and (hit := _pick(r"\t(\d+),(\d+)(?=\t)", said, chance)):
        return _after(said, hit, f";{int(hit[2]) + 1},{int(hit[2]) + 3}")
    if what == 2 and (hit := _pick(r"Fire_Start\tActual", said, chance)):
        new = chance.choice(
            ["Fire_End\tOther", "fire-start\tActual", "Fire_Start\tGeneric", "X\tNOT_ANNOTATED", "\tActual"]
        )
        return said[: hit.start()] + new + said[hit.end() :]
    if hit := _pick(r"^run\t(.*)\tm(\w+)\t.*$", said, chance):
        return _after(said, hit, "\n" + hit[0].replace(f"\tm{hit[2]}\t", f"\tn{chance.randrange(99)}\t", 1))
    return said


def _brat(said: str, chance: random.Random) -> str:
    ids = re.findall(r"^([TE]\d+)", said, re.MULTILINE) or ["T1"]
    number = chance.randrange(500, 9999)
    new = [
        f"E{number}\tPerson:{chance.choice(ids)}",
        f"R{number}\tAfter Arg1:{chance.choice(ids)} Arg2:{chance.choice(ids)}",
        f"A{number}\tRealis {chance.choice(ids)} Other",
        f"*\tEquiv {chance.choice(ids)} {chance.choice(ids)}",
        f"#{number}\tAnnotatorNotes {chance.choice(ids)}\ta note",
        f"N{number}\tReference {chance.choice(ids)} Wikipedia:1\tx",
        f"E{number}\tPerson:{chance.choice(ids)} Agent:{chance.choice(ids)}",
    ]
    return said + chance.choice(new) + "\n"


def _jsonl(said: str, chance: random.Random) -> str:
    new = ['"genre": "bc"', '"predicted_clusters": [[[0, 0]]]', '"part_id": 3', '"topic": "1"',
        '"entities": ["a"]', '"scoref": {}', '"subtoken_map": [0, 0, 1, 2]', '"speakers": [["a"]]',
        '"text": "Ada told"', '"scoref": {"mentions": []}']  # fmt: skip
    return re.sub(r"\}(?=\]?,?$)", ", " + chance.choice(new) + "}", said, flags=re.MULTILINE)


def _ecb(said: str, chance: random.Random) -> str:
    kind = chance.choice(["ACTION_OCCURRENCE", "NEG_ACTION_STATE", "LOC_OTHER", "UNKNOWN_INSTANCE_TAG"])
    if chance.random() < 0.5:
        return said.replace("CROSS_DOC_COREF", "INTRA_DOC_COREF")
    return re.sub(r"<HUMAN_PART (m_id=\"\d\".*)</HUMAN_PART>", rf"<{kind} \1</{kind}>", said)
