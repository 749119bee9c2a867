"""Numbers as the suite writes them: the fraction that a scorer's number is, or the number itself where it is none."""

from __future__ import annotations

import math
from fractions import Fraction

LARGEST = 1_000_000  # denominator of a fraction that a number is taken for
PRINTED = 5000  # a number with a larger denominator is written with digits if that is shorter: 0.6667
NEAR = 1e-9  # scores that are no farther apart are the same: sums of the same parts in another order


def written(number: float | Fraction) -> str:
    """A number as a fraction if it is one, within what 64 bits can tell; else with all of its digits.

    >>> written(2 / 3), written(0.0), written(Fraction(2, 3)), written(float("nan"))
    ('2/3', '0', '2/3', 'nan')
    >>> written(0.1234567890123)
    '0.1234567890123'
    """
    if isinstance(number, Fraction):
        return str(number)
    if not math.isfinite(number):
        return str(number)
    near = Fraction(number).limit_denominator(LARGEST)
    if abs(float(near) - number) > 4e-15 * max(1.0, abs(number)):
        return repr(number)
    return min(str(near), repr(number), key=len) if near.denominator >= PRINTED else str(near)


def value(text: str) -> float:
    """The number that is written.

    >>> value("1/2"), value("0.25")
    (0.5, 0.25)
    """
    return float(Fraction(text)) if "/" in text else float(text)


def same(one: str, other: str, near: float = NEAR) -> bool:
    """Whether two scores, each of several numbers with blanks between them, are the same.

    >>> same("1/3 1 1/2", "0.3333333333 1 0.5"), same("nan 0 0", "nan 0 0"), same("1 0 0", "crash: ZeroDivisionError")
    (True, True, False)
    """
    if one == other:
        return True
    try:
        pairs = [*zip(map(value, one.split()), map(value, other.split()), strict=True)]
    except ValueError:
        return False
    return all(abs(a - b) <= near or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def harmonic(recall: float, precision: float) -> float:
    """Their harmonic mean, 0 if both are 0."""
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def triple(recall: float | Fraction, precision: float | Fraction, f1: float | Fraction) -> str:
    """Recall, precision and f1 as one word."""
    return " ".join(map(written, (recall, precision, f1)))
