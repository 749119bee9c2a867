"""The agreement of annotators as text and as JSON."""

from __future__ import annotations

import json

from ..statistics.annotators import Agreement
from .sheet import sheet


def render_agreement(agreement: Agreement, output: str = "text") -> str:
    """The agreement in one of the output formats."""
    if output == "json":
        return json.dumps(agreement.to_dict(), ensure_ascii=False)
    if output == "csv":
        return sheet([agreement.whole_grid()], [], output)
    return sheet(agreement.grids(), agreement.notes(), output)
