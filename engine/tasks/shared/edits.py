"""How far two texts are apart, and which characters are taken for which."""

from __future__ import annotations

from collections.abc import Iterator


def num_edits(one: str, other: str) -> int:
    """Characters to insert, delete or replace (Levenshtein 1966)."""
    if one == other:
        return 0
    row = list(range(len(other) + 1))
    for place, character in enumerate(one, start=1):
        before, row[0] = row[0], place
        for column, seen in enumerate(other, start=1):
            before, row[column] = row[column], min(before + (character != seen), row[column] + 1, row[column - 1] + 1)
    return row[-1]


def confusions(truth: str, given: str) -> Iterator[tuple[str, str]]:
    """Pairs of a character and what was read in its place, on a shortest way from one text to the other.

    An empty string stands for none: a character that was left out, or one too many.
    """
    table = [
        [max(row, column) if not row or not column else 0 for column in range(len(given) + 1)] for row in range(len(truth) + 1)
    ]
    for row, character in enumerate(truth, start=1):
        for column, seen in enumerate(given, start=1):
            around = table[row - 1][column] + 1, table[row][column - 1] + 1
            table[row][column] = min(table[row - 1][column - 1] + (character != seen), *around)
    row, column = len(truth), len(given)
    while row or column:
        if row and column and table[row][column] == table[row - 1][column - 1] + (truth[row - 1] != given[column - 1]):
            row, column = row - 1, column - 1
            if truth[row] != given[column]:
                yield truth[row], given[column]
        elif row and table[row][column] == table[row - 1][column] + 1:
            row -= 1
            yield truth[row], ""
        else:
            column -= 1
            yield "", given[column]
