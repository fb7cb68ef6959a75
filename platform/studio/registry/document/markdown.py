"""Pieces of a Markdown file. Texts of people are escaped, so that no label or name makes a table, a link or a tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# Signs that mean something, some of them only at the beginning of a line or the edge of a word.
_SPECIAL = re.compile(r"[\\`*{}\[\]<>#|~!]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)|^[-+=]")
_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")


def plain(text: str) -> str:
    """Text as it is, in one line."""
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", " ".join(text.split())))


def quote(text: str) -> str:
    """Lines of a person."""
    return "\n".join(f"> {plain(line)}".rstrip() for line in text.strip().splitlines())


def listed(lines: Iterable[str]) -> str:
    """One line each."""
    return "\n".join(f"- {line}" for line in lines)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, num_texts: int = 1) -> str:
    """A table whose first columns are texts and whose others are numbers.

    Args:
        head: titles of the columns.
        rows: cells of each row, as many as there are titles.
        num_texts: columns of texts.
    """
    rule = ["---" if index < num_texts else "---:" for index in range(len(head))]
    cells = [[plain(cell) for cell in head], rule, *([plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
