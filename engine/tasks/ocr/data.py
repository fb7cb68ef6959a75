"""Annotations to numbers: rows as a model answers them. Shapes: N items, R lines, D numbers of a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.dataset import ItemRecord
from engine.tasks.shared.text_lines import lines_of
from runtime.answers.quads import CORNERS, MAX_CHARACTERS, ROW_LENGTH


def targets(records: Sequence[ItemRecord], labels: Sequence[str], options: Mapping[str, str]) -> np.ndarray:
    """Lines ``_NRD`` in the order in which they were drawn, with the score 1; a line that nobody can read has no character."""
    del labels, options
    found = [lines_of(record.annotations) for record in records]
    rows_NRD = np.zeros((len(records), max([1, *map(len, found)]), ROW_LENGTH), dtype=np.float32)
    for rows_RD, record, lines in zip(rows_NRD, records, found, strict=True):
        sides = np.array([record.media.width, record.media.height], dtype=np.float64)
        for row_D, line in zip(rows_RD, lines, strict=False):
            characters = [ord(character) for character in line.text[:MAX_CHARACTERS]]
            row_D[:CORNERS] = (line.corners / sides).ravel()
            row_D[CORNERS] = 1.0
            row_D[CORNERS + 1 : CORNERS + 1 + len(characters)] = characters
    return rows_NRD
