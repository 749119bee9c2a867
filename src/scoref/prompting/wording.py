"""What models are told: every sentence of a prompt. A change of wording gets another `VERSION`."""

from __future__ import annotations

VERSION = 1

TASK = (
    "Find the expressions of a text that refer to the same person, thing, place, time or event: names, descriptions "
    "and pronouns, possessive pronouns included. An expression is as long as possible, with all words that belong to "
    "it, and may stand inside another one."
)
SINGLETONS = {
    "keep": "What is referred to only once counts, too.",
    "drop": "What is referred to only once does not count.",
}
MARKS = (
    "Copy the text word for word and mark the expressions; those that refer to the same get the same number. "
    "For example: {answer} Change nothing else, and write nothing else."
)
STRINGS = (
    "Answer with JSON alone: a list for each person or thing, with its expressions as they stand in the text, from the "
    "first to the last, each time they occur. For example, for “{text}”: {answer}"
)
NUMBERED = (
    "The words are numbered. Answer with JSON alone: a list for each person or thing, with its expressions and the "
    "numbers of their first and their last word. For example, for “{text}”: {answer}"
)
TEXT, ANSWER = "Text:\n", "Answer:\n"
