"""The model as one class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from .runtime.annotations import Annotation, Answer
from .runtime.cells import EPOCH_MS, EPOCH_S, ISO, Cell
from .runtime.items.row.kind import RowItems
from .runtime.predictor import Predictor
from .runtime.updates import InstalledModels

MODELS = InstalledModels(Path(__file__).resolve().parent)
BATCH_ROWS = 1_000


class Model:
    """The trained model, loaded and warm. May be used from several threads at once."""

    def __init__(self) -> None:
        self._predictor = Predictor()
        self._predictor.setup(MODELS.current().artefact_dir)
        assert isinstance(self._predictor.items, RowItems)  # the artefact reads rows
        self._reader = self._predictor.items.reader

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that the model reads."""
        return self._reader.names

    @property
    def target(self) -> str:
        """Name of what is predicted."""
        return self._reader.target

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the order of the model's outputs; empty where a number is predicted."""
        return self._predictor.labels

    def predict(
        self, row: Mapping[str, Any], *, top: int | None = None, threshold: float | None = None, is_lenient: bool = False
    ) -> list[Annotation]:
        """Answers one row: labels with scores, best first, or one number.

        Args:
            row: cells by column: texts, numbers and moments (of numpy too), booleans or None. Other columns are left alone,
                columns that are not there are missing.
            top: at most so many annotations; None takes 5.
            threshold: lowest score, 0..1; None takes the model's own.
            is_lenient: takes a cell that is no number or no moment where one is wanted as missing.

        Raises:
            ValueError: top or threshold is not allowed.
            runtime.errors.RuntimeFault: a cell cannot be read, or the row has none of the columns.
        """
        return self.answer(row, top=top, threshold=threshold, is_lenient=is_lenient)["annotations"]

    def answer(
        self, row: Mapping[str, Any], *, top: int | None = None, threshold: float | None = None, is_lenient: bool = False
    ) -> Answer:
        """As ``predict``, with what stands beside the annotations where an error rate was chosen for the model."""
        return self.answer_many([row], top=top, threshold=threshold, is_lenient=is_lenient)[0]

    def predict_many(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        top: int | None = None,
        threshold: float | None = None,
        is_lenient: bool = False,
    ) -> list[list[Annotation]]:
        """Answers many rows, in their order, much faster than one by one.

        Raises:
            ValueError: top or threshold is not allowed.
            runtime.errors.RuntimeFault: a cell cannot be read, or a row has none of the columns; rows are counted from 1 anew
                for each thousand.
        """
        found = self.answer_many(rows, top=top, threshold=threshold, is_lenient=is_lenient)
        return [each["annotations"] for each in found]

    def answer_many(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        top: int | None = None,
        threshold: float | None = None,
        is_lenient: bool = False,
    ) -> list[Answer]:
        """As ``predict_many``, with what stands beside the annotations where an error rate was chosen for the model."""
        if top is not None and top < 1:
            raise ValueError(f"top must be at least 1, not {top}")
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must lie between 0 and 1, not {threshold}")
        formats = {column.name: column.datetime_format for column in self._reader.columns}
        whole = [{name: _cell(cell, formats.get(name, "")) for name, cell in row.items()} for row in rows]
        found: list[Answer] = []
        for first in range(0, len(whole), BATCH_ROWS):
            read = self._reader.read(whole[first : first + BATCH_ROWS], is_lenient=is_lenient)
            answers = self._predictor.predict_many(read)
            found += [self._predictor.answer(answer, read, top=top, threshold=threshold) for answer in answers]
        return found


def _cell(cell: Any, datetime_format: str) -> Cell:  # noqa: ANN401 - whatever a table of the caller's holds
    """A number of numpy becomes one of Python, a moment is written as the column has it, what is not even itself is missing."""
    if cell is None or isinstance(cell, str):
        return cell
    if cell != cell:  # noqa: PLR0124 - NaN and NaT
        return None
    if isinstance(cell, np.datetime64):
        cell = cell.astype("datetime64[s]").item()
    if isinstance(cell, date):
        moment = cell if isinstance(cell, datetime) else datetime(cell.year, cell.month, cell.day, tzinfo=UTC)
        if datetime_format in {EPOCH_S, EPOCH_MS}:
            aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return aware.timestamp() * (1000 if datetime_format == EPOCH_MS else 1)
        return moment.isoformat() if datetime_format in {"", ISO} else moment.strftime(datetime_format)
    return cell.item() if isinstance(cell, np.generic) else cell
