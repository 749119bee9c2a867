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
    "conll-parts": "".join(
        f"#begin document (bn/cnn_{name}); part 00{part}\n"
        + "".join(f"bn/cnn_{name}   {part}   {n}   w{n}  NN  {tree}  -  {c}\n" for n, (tree, c) in enumerate(rows))
        + "\n#end document\n"
        for name, part, rows in (
            ("a", 0, [("(TOP(S(NP*)", "(1)"), ("(VP*", "-"), ("(NP(NP*)", "(2|(3)"), ("*", "2)"), ("(NP*))))", "(1)")]),
            ("a", 1, [("(TOP(NP*", "(1"), ("*))", "1)")]),
            ("b", 0, [("(TOP(NP*)", "(7)"), ("(NP*))", "(7)")]),
        )
    ),
    "jsonl-lines": "".join(
        json.dumps(
            {
                "doc_key": f"tc_{n}",
                "sentences": [["a", "b"], ["c", "d", "e"]],
                "subtoken_map": [0, 0, 1, 2, 3, 4],
                "clusters": [[[0, 1], [n, n]], [[4, 5], [3, 3]]],
                "topic": "t",
            }
        )
        + "\n"
        for n in (2, 3)
    ),
    "jsonl-shapes": "".join(
        json.dumps(record) + "\n"
        for record in (
            {"document_id": "a", "cased_words": ["a", "b", "c", "d"], "span_clusters": [[[0, 1], [2, 4]], [[1, 2]]]},
            {
                "id": "b",
                "sentences": [["a", "##_", "b"], ["c"]],
                "clusters_token_offsets": [[[0, 0], [1, 1]], [[3, 3]]],
            },
            {"id": "c", "sentences": [["a", "b"], ["c"]], "coref_chains": [[[0, 0, 1], [1, 0, 0]]]},
            {"id": "d", "sentences": [["a", "b"], ["c"]], "mention_clusters": [[[0, 0, 1], [1, 0, 1]]]},
            {"doc_id": "e", "part": 1, "tokens": ["a", "b", "c"], "word_clusters": [[0, 2], [1]]},
            {"id": "f", "text": "Ada ran. She fell.", "clusters": [[[0, 3], [9, 12]]], "ends": "exclusive"},
        )
    ),
    "graph": '{"type": "graph", "mentions": ["m1", "m2", ["m", 3], 4], "links": [["m1", "m2"], [["m", 3], 4]]}\n',
    "lists": '[["m1", "m4"], ["m2", "m5"], ["m3"]]\n',
    "corefud-sets": "# newdoc id = d\n# global.Entity = eid-etype-head-minspan-infstat-other\n# newpar\n# sent_id = s1\n"
    "0.1\tz\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-person-1-1-new-)\n"
    "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\ta\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1-1-new-)\n2\tb\t_\t_\t_\t_\t1\tdep\t_\tEntity=(e2-person-2-1,2-new-\n"
    "3\tc\t_\t_\t_\t_\t2\tdep\t_\tEntity=e2)|SplitAnte=e1<e3,e2<e3\n4\td\t_\t_\t_\t_\t1\tdep\t_\t"
    "Bridge=e1<e3:part|Entity=(e3-person-1-1-new-)|SplitAnte=e1<e3,e2<e3\n\n"
    "# newdoc id = e\n# sent_id = s2\n1\tx\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1-person-1-1-new-)\n\n",
    "tbf-tokens": "#BeginOfDocument d\n"
    "s\td\tE1\tt0\tleft\tMovement\tActual\t0.5\ns\td\tE2\tt2,t3\tran off\tMovement_X\tOther\ns\td\tE3\tt1\tb\tLife\tGeneric\n"
    "@Coreference\tR1\tE1,E2\n@Subevent\tR2\tE1,E3\n@After\tR3\tE1,E3\n#EndOfDocument\n",
    "webanno": "#FORMAT=WebAnno TSV 3.3\n"
    "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n"
    "\n\n#Text=Ada told her friend\n1-1\t0-3\tAda\tcoref->1-1\tname[1]\n1-2\t4-8\ttold\t_\t_\n"
    "1-3\t9-12\ther\tcoref->1-2|*->2-1\tpr[1]|*[2]\n1-4\t13-19\tfriend\t*->2-1\t*[2]\n\n#Text=Hi\n2-1\t20-22\tHi\t*->2-2\t*\n",
    "text-markdown": "#begin document (d); part 000\n[Ada](#1) phoned [the plumber of [her](#1) town](#2) .\n[He](#2) ran .\n#end document\n",
    "text-subscript": "[Ada]_1 phoned [the plumber of [her]_{1} town]_2.\n[He]_2 ran.\n",
    "text-colon": "[Ada: 1] phoned [the plumber of [her: 1] town: 2].\n[He: 2] ran.\n",
    "text-crac": "Ada|[e1] phoned the|[e2 plumber of her|[e1] town|e2] . ##|[e2] ran .\nHe|[e1 ran|e1] .\n",
    "text-pipe": "<m> Ada | 1 </m> phoned <m> the plumber of <m> her | 1 </m> town | 2 </m> .\n<m> He | 2 </m> ran .\n",
    "text-hash": "<m>Ada</m>#1 phoned <m>the plumber of <m>her</m>#1 town</m>#2.\n<m>He</m>#2 ran.\n",
    "text-curly": "{1 Ada} phoned {2 the plumber of {1 her} town}.\n{2 He} ran.\n",
    "text-xml": '<coref id="1">Ada</coref> phoned <coref id="2">the plumber of <coref id="1">her</coref> town</coref>.\n',
    "csv": 'record_id,cluster,year\nr1,a,2001\nr2,a,2001\nr3,b,2002\nr4,b,2002\n"r,5",c,2002\n',
    "tsv": "doc\tmention\tentity\nd\t1\t7\nd\t2\t7\ne\t1\t7\ne\t2\t8\ne\t3\t8\n",
}

SUFFIXES = {
    "record": "jsonl", "jsonl-lines": "jsonl", "jsonl-shapes": "jsonl", "clusters": "json", "graph": "json",
    "lists": "json", "conll-parts": "conll", "corefud": "conllu", "corefud-sets": "conllu", "tbf-tokens": "tbf",
    "brat": "ann", "muc": "sgm", "booknlp": "entities", "ecb": "xml", "ua": "conllua", "webanno": "tsv", "saved": "json",
    "parquet": "parquet", "gap": "tsv", "tokenize": "txt", "protocol": "toml", "types": "txt",
}  # fmt: skip

TOKENS = "token_id\ttoken_str\ttoken_begin\ttoken_end\nt0\tleft\t0\t3\nt1\tb\t5\t5\nt2\tran\t9\t11\nt3\toff\t13\t15\n"
BOOK_TOKENS = "paragraph_ID\tsentence_ID\ttoken_ID_within_sentence\ttoken_ID_within_document\tword\n" + "".join(
    f"0\t{n // 3}\t{n % 3}\t{n}\t{w}\n" for n, w in enumerate("abcde")
)
# Files beside those of a kind: the name, and the text.
BESIDE = {
    "brat": {"{}/d.txt": "left  ab ran and so on\n"},
    "booknlp": {"{}/d.tokens": BOOK_TOKENS},
    "tbf-tokens": {"tokens/d.tab": TOKENS, "texts/d.txt": "left b   ran off\n"},
    "types": {"key.tbf": SEEDS["tbf"]},
    "protocol": {"key.conll": SEEDS["conll"]},
}
OTHERS = {
    "gap": "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "development-1\tAda met Eve when she ran.\tshe\t17\tAda\t0\tTRUE\tEve\t8\tFALSE\thttp://x\n"
    "development-2\tBob met Tom when he ran.\the\t17\tBob\t0\tFALSE\tTom\t8\tTRUE\thttp://x\n",
    "tokenize": "Ada (of Leeds/York) can't run-off. \"No\", she said...\n\nIt's 5.30 p.m.\n",
    "types": "Movement\nLife_Die\n",
    "protocol": 'preset = "kbp-2015"\nmatch = "exact"\nbeta = 2\nmetrics = ["muc", "b3"]\n',
}


def suffix_of(kind: str) -> str:
    """The ending of files of a kind."""
    return SUFFIXES.get(kind) or ("txt" if kind.startswith("text-") else kind)
