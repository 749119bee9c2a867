"""The worked examples of papers: facts, with the numbers that the papers print, recall, precision, f1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Printed = dict[str, str]

CAI_STRUBE_2010: tuple[tuple[str, str, str, Printed], ...] = (
    (
        "table 1, system 1",
        "abc",
        "abd",
        {
            "b3-0": "0.444 1.0 0.615",
            "b3-all": "0.556 0.556 0.556",
            "b3-rn": "0.556 0.556 0.556",
            "b3-sys": "0.556 0.667 0.606",
            "ceafm-sys": "0.667 0.5 0.572",
        },
    ),
    (
        "table 1, system 2",
        "abc",
        "abde",
        {
            "b3-0": "0.444 1.0 0.615",
            "b3-all": "0.556 0.375 0.448",
            "b3-rn": "0.556 0.375 0.448",
            "b3-sys": "0.556 0.5 0.527",
            "ceafm-sys": "0.667 0.4 0.5",
        },
    ),
    (
        "table 2, system 1",
        "abc",
        "abd",
        {
            "b3-all": "0.556 0.556 0.556",
            "b3-rn": "0.556 0.556 0.556",
            "b3-sys": "0.556 0.667 0.606",
            "ceafm-sys": "0.667 0.5 0.572",
        },
    ),
    (
        "table 2, system 2",
        "abc",
        "abd|c",
        {
            "b3-all": "0.556 0.667 0.606",
            "b3-rn": "0.556 0.667 0.606",
            "b3-sys": "0.556 0.667 0.606",
            "ceafm-sys": "0.667 0.5 0.572",
        },
    ),
    (
        "table 3, system 1",
        "ab",
        "abd",
        {
            "b3-all": "1.0 0.556 0.715",
            "b3-rn": "1.0 0.556 0.715",
            "b3-sys": "1.0 0.556 0.715",
            "ceafm-sys": "1.0 0.667 0.8",
        },
    ),
    (
        "table 3, system 2",
        "ab",
        "abd|i|j|k",
        {
            "b3-all": "1.0 0.778 0.875",
            "b3-rn": "1.0 0.556 0.715",
            "b3-sys": "1.0 0.556 0.715",
            "ceafm-sys": "1.0 0.667 0.8",
        },
    ),
    (
        "table 4, system 1",
        "abc",
        "ab|c|i|j",
        {"ceafm": "0.667 0.4 0.5", "b3-sys": "0.556 1.0 0.715", "ceafm-sys": "0.667 0.667 0.667"},
    ),
    (
        "table 4, system 2",
        "abc",
        "ab|ij|c",
        {"ceafm": "0.667 0.4 0.5", "b3-sys": "0.556 0.8 0.656", "ceafm-sys": "0.667 0.6 0.632"},
    ),
    (
        "table 5, system 1",
        "abc",
        "ab|ij|kl|c",
        {"ceafm-rn": "0.667 0.286 0.4", "b3-sys": "0.556 0.714 0.625", "ceafm-sys": "0.667 0.571 0.615"},
    ),
    (
        "table 5, system 2",
        "abc",
        "ab|ijkl|c",
        {"ceafm-rn": "0.667 0.286 0.4", "b3-sys": "0.556 0.571 0.563", "ceafm-sys": "0.667 0.429 0.522"},
    ),
    ("table 6, system 1", "abc", "ab|c|i|j", {"ceafe-sys": "0.8 0.4 0.533", "ceafm-sys": "0.667 0.667 0.667"}),
    ("table 6, system 2", "abc", "ab|ij|c", {"ceafe-sys": "0.8 0.489 0.607", "ceafm-sys": "0.667 0.6 0.632"}),
    ("text 2.2.1", "abc", "abd", {"b3-0": "0.444 1.0 0.615", "b3-all": "0.556 0.556 0.556"}),
    ("text 2.2.2", "abc", "abd|ij", {"b3-sys": "0.556 0.611 0.582"}),
    ("text 2.3", "abc", "abd", {"ceafm": "0.667 0.667 0.667"}),
    ("table 12, response 1", "abcde", "ab|ij", {"b3-sys": "0.28 0.857 0.422"}),
    ("table 12, response 2", "abcde", "abc|ij", {"b3-sys": "0.44 0.857 0.581"}),
    ("table 12, response 3", "abcde", "abcd|ij", {"b3-sys": "0.68 0.857 0.784"}),
    ("table 12, response 4", "abcde", "abcde|ij", {"b3-sys": "1.0 0.857 0.923"}),
    ("table 13, response 1", "abcde", "abc|ij", {"b3-sys": "0.44 0.857 0.581"}),
    ("table 13, response 2", "abcde", "abc|ijk", {"b3-sys": "0.44 0.75 0.555"}),
    ("table 13, response 3", "abcde", "abc|ijkl", {"b3-sys": "0.44 0.667 0.53"}),
    ("table 13, response 4", "abcde", "abc|ijklm", {"b3-sys": "0.44 0.6 0.508"}),
    ("table 14, response 1", "abcde", "abij", {"b3-sys": "0.28 0.643 0.39"}),
    ("table 14, response 2", "abcde", "abcij", {"b3-sys": "0.44 0.6 0.508"}),
    ("table 14, response 3", "abcde", "abcdij", {"b3-sys": "0.68 0.571 0.621"}),
    ("table 14, response 4", "abcde", "abcdeij", {"b3-sys": "1.0 0.551 0.711"}),
    ("table 15, response 1", "abcde", "abcij", {"b3-sys": "0.44 0.6 0.508"}),
    ("table 15, response 2", "abcde", "abcijk", {"b3-sys": "0.44 0.5 0.468"}),
    ("table 15, response 3", "abcde", "abcijkl", {"b3-sys": "0.44 0.429 0.434"}),
    ("table 15, response 4", "abcde", "abcijklm", {"b3-sys": "0.44 0.375 0.405"}),
)
BAGGA_BALDWIN_1998: tuple[tuple[str, str, str, Printed], ...] = (  # recall and precision; figure 6
    ("figure 2", "abcde|fg|hijkl", "abcde|fghijkl", {"muc": "1 0.9", "b3": "1 0.76", "b3-classes": "1 0.796"}),
    ("figure 4", "abcde|fg|hijkl", "abcdehijkl|fg", {"muc": "1 0.9", "b3": "1 0.58", "b3-classes": "1 0.75"}),
)
PRADHAN_2014: tuple[tuple[str, str, str, Printed], ...] = (  # the example in all figures
    (
        "example",
        "abc|defg",
        "ab|cd|fghi",
        {"muc": "2/5 2/5", "b3": "5/12 1/2", "ceafm": "4/7 1/2", "ceafe": "13/20 13/30"},
    ),
)
PAPERS = {
    "Cai & Strube 2010": CAI_STRUBE_2010,
    "Bagga & Baldwin 1998": BAGGA_BALDWIN_1998,
    "Pradhan et al. 2014": PRADHAN_2014,
}


def papers() -> Iterator[dict[str, Any]]:
    """The examples of all papers."""
    for paper, examples in PAPERS.items():
        for name, key, response, printed in examples:
            yield {"name": f"{paper}, {name}", "key": key, "response": response, "printed": printed}


ROWS = {"papers": papers}
