"""Small files of every format to start from."""

# ruff: noqa: E501
from __future__ import annotations

import json

CONLLUA = (
    "# global.columns = ID FORM POS LEMMA HEAD MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
    "# newdoc id = d\n# sent_id = 1\n"
)

SEEDS = {
    "conll": "#begin document (d); part 000\n"
    + "".join(f"d\t0\t{n}\tw{n}\t{c}\n" for n, c in enumerate(["(1)", "(2|(3", "3)", "2)", "-", "(1)", "(3)"]))
    + "\n#end document\n",
    "jsonl": json.dumps(
        {
            "doc_key": "d",
            "sentences": [["a", "b", "c"], ["d", "e"]],
            "clusters": [[[0, 0], [3, 4]], [[1, 2], [4, 4]]],
            "predicted_clusters": [[[0, 0], [4, 4]]],
        }
    )
    + "\n",
    "record": json.dumps(
        {
            "doc_key": "d",
            "ends": "inclusive",
            "sentences": [["a", "b", "c", "d"]],
            "clusters": [[[3, 3]], [[1, 1]]],
            "scoref": {
                "mentions": [
                    {"span": [0, 2], "entity": 0},
                    {"span": [3], "entity": 0, "head": 3},
                    {"span": [[1, 1]], "entity": 1, "parents": [[256, "nsubj"]]},
                    {"span": [1], "entity": 1},
                ],
                "bridges": [[1, 0, {}]],
                "comments": [[0, "# x"]],
            },
        }
    )
    + "\n",
    "clusters": '{"type": "clusters", "clusters": {"A": ["a", "b", 3], "B": ["c", ["d", 1]]}}\n',
    "corefud": "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = s1\n# text = a b c\n"
    "1\ta\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)\n1.1\tz\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-person-1-)\n"
    "2\tb\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2-x-1-(e3[1/2]-x-1-\n3\tc\t_\t_\t_\t_\t1\tdep\t_\tEntity=e3[1/2])e2)(e3[2/2]-x-1-)\n\n",
    "tbf": "#BeginOfDocument d\n"
    "s\td\tE1\t0,4\tleft\tMovement\tActual\ns\td\tE2\t9,12\tran\tMovement\tActual\n"
    "@Coreference\tR1\tE1,E2\n@After\tR2\tE1,E2\n#EndOfDocument\n",
    "brat": "T1\tMovement 0 4;6 8\tleft ab\nE1\tMovement:T1\nA1\tRealis E1 Actual\nT2\tMovement 9 12\tran\nE2\tMovement:T2\n"
    "R1\tCoreference Arg1:E1 Arg2:E2\n*\tCoreference E1 E2\n",
    "muc": '<DOC><DOCNO>d</DOCNO><TXT><COREF ID="1">a b</COREF> c <COREF ID="2" TYPE="IDENT" REF="1" MIN="d">d e</COREF>'
    "</TXT></DOC>\n",
    "booknlp": "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t0\tPROP\tPER\ta\n1\t3\t4\tNOM\tPER\td e\n2\t1\t1\tNOM\tPER\tb\n",
    "ecb": '<Document doc_name="d" doc_id="x"><token t_id="1" sentence="0" number="0">a</token>'
    '<token t_id="2" sentence="0" number="1">b</token><Markables><HUMAN_PART m_id="1"><token_anchor t_id="1"/></HUMAN_PART>'
    '<HUMAN_PART m_id="2"><token_anchor t_id="2"/></HUMAN_PART><HUMAN_PART m_id="3" TAG_DESCRIPTOR="x" instance_id="I"/>'
    '</Markables><Relations><CROSS_DOC_COREF r_id="1" note="I"><source m_id="1"/><source m_id="2"/><target m_id="3"/>'
    "</CROSS_DOC_COREF></Relations></Document>\n",
    "ua": CONLLUA
    + "1\ta\t_\t_\t_\t_\t(EntityID=1-a|MarkableID=m1|Min=1|SemType=dn)\t_\t_\t_\t_\n"
    + "2\tb\t_\t_\t_\t_\t(EntityID=2|MarkableID=m2|Min=2,3|SemType=dn\t(MarkableID=m2|Rel=r|MentionAnchor=m1|EntityAnchor=1\t_\t_\t_\n"
    + "3\tc\t_\t_\t_\t_\t)\t)\t_\t_\t_\n"
    + "4\td\t_\t_\t_\t_\t(EntityID=1-a|MarkableID=m3|Min=4|SemType=dn)\t_\t_\t_\t_\n\n",
}
SUFFIXES = {
    "conll": "conll", "jsonl": "jsonl", "record": "jsonl", "clusters": "json", "corefud": "conllu", "tbf": "tbf",
    "brat": "ann", "muc": "sgm", "booknlp": "entities", "ecb": "xml", "ua": "conllua", "saved": "json",
}  # fmt: skip
