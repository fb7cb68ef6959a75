"""Reads tables: each row becomes an item, labelled at once where the dataset has a target.

Rows are written by thousands in a few statements, past the models, since a table has a million of them. Killed at any point the
job begins again: what became an item already is recognised by its hash.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from automl.contracts.table import MAX_COLUMNS, TableSchema
from engine.table.guess import SAMPLE_ROWS, table_guess
from studio.datasets.files.archive import ArchiveKind
from studio.datasets.files.formats import LabelFileProblem, LabelFormat, Sheet, SheetRow
from studio.datasets.files.rows import RowMaker, RowRefusedError, column_names
from studio.datasets.files.table_options import TableOptions
from studio.datasets.models import Upload
from studio.datasets.tables.columns import columns_add
from studio.datasets.tables.row_write import IncomingRow, RowCounts, RowWriter
from studio.datasets.tables.table_files import TableFiles, table_format, table_sheets, tables_opened

BATCH_ROWS = 5_000
_LISTED = 200
"""Complaints of one kind that are listed of a table; of the others only the number is reported."""
_SAMPLE_CELLS = 100_000
"""So many tell what the columns are in a second or two, however many rows and columns there are."""
_LEAST_SAMPLE = 500
"""Rows, however many columns there are."""

ReportFraction = Callable[[float], None]
"""Called with the fraction done, 0..1."""


@dataclass
class RowIngest:
    """One attempt at the tables of an upload."""

    upload: Upload
    report: ReportFraction
    complain: Callable[[LabelFileProblem], None]
    counts: RowCounts = field(default_factory=RowCounts)
    _complaints: Counter[tuple[str, str]] = field(default_factory=Counter)

    def take(self, path: Path, name: str, kind: ArchiveKind | None) -> None:
        """Reads a table, or those of an archive in the order of their names."""
        form = table_format(self.upload.dataset.project)
        options = TableOptions.model_validate(self.upload.table_options)
        with tables_opened(path, name, kind, form=form, complain=self.complain, options=options) as files:
            self._read(files, name, form)

    def _read(self, files: TableFiles, name: str, form: LabelFormat) -> None:
        number, total = 0, max(len(files), 1)
        for sheet in table_sheets(files, name, form=form):
            if isinstance(sheet, LabelFileProblem):
                self.complain(sheet)
                continue
            number = min(number + 1, total)
            done = number - 1
            self._sheet(sheet, lambda part, done=done: self.report((done + part) / total))  # type: ignore[misc]
        for (place, code), num in self._complaints.items():
            if num > _LISTED:
                self.complain(LabelFileProblem(f"{place} (× {num - _LISTED})", code))
        self._complaints.clear()

    def _sheet(self, sheet: Sheet, report: ReportFraction) -> None:
        walk = _SheetRows(self.upload, sheet)

        def complain(one: LabelFileProblem) -> None:
            self._complain(sheet.name, one)

        writer = RowWriter(self.upload, self.counts, complain)
        for batch in walk.batches(complain):
            writer.write(batch)
            report(sheet.fraction())
        if not walk.num_rows:
            self.complain(LabelFileProblem(sheet.name, "table_without_rows"))
            return
        guessed = walk.guessed(TableOptions.model_validate(self.upload.table_options).decimal)
        try:
            columns_add(dataset=self.upload.dataset, guessed=guessed)
        except ValueError:
            self.complain(LabelFileProblem(sheet.name, "table_too_wide"))

    def _complain(self, name: str, one: LabelFileProblem) -> None:
        """A table may be wrong in every row: the first ones are listed."""
        self._complaints[name, one.code] += 1
        if self._complaints[name, one.code] <= _LISTED:
            self.complain(one)


class _SheetRows:
    """The rows of a sheet, and an even sample of them (Vitter 1985, algorithm R), which tells what the columns are."""

    def __init__(self, upload: Upload, sheet: Sheet) -> None:
        self._sheet = sheet
        self.names = column_names(sheet.columns)
        self._order = sorted(range(len(self.names)), key=self.names.__getitem__)
        self._most = min(SAMPLE_ROWS, max(_LEAST_SAMPLE, _SAMPLE_CELLS // max(1, len(self.names))))
        self._sample: list[tuple[int, Sequence[str]]] = []
        self._chance = random.Random(upload.id)  # noqa: S311 - the same upload gives the same sample
        self.num_rows = 0

    def batches(self, complain: Callable[[LabelFileProblem], None]) -> Iterator[list[IncomingRow]]:
        """The rows that can be kept."""
        maker, batch = RowMaker(), list[IncomingRow]()
        if len(self.names) > MAX_COLUMNS:
            complain(LabelFileProblem(self._sheet.name, "table_too_wide"))
            return
        for one in self._sheet.rows:
            if isinstance(one, LabelFileProblem):
                complain(one)
                continue
            try:
                row = maker.row(self.names, self._order, one.cells)
            except RowRefusedError as error:
                complain(LabelFileProblem(f"{self._sheet.name}:{one.line}", error.code))
                continue
            self._keep(one)
            name = f"{self._sheet.name[-480:]}#{one.line}"
            batch.append(IncomingRow(name, row, one.split or self._sheet.split, one.target))
            if len(batch) >= BATCH_ROWS:
                yield batch
                batch = []
        if batch:
            yield batch

    def _keep(self, row: SheetRow) -> None:
        self.num_rows += 1
        if len(self._sample) < self._most:
            self._sample.append((self.num_rows, row.cells))
        elif (place := self._chance.randrange(self.num_rows)) < self._most:
            self._sample[place] = (self.num_rows, row.cells)

    def guessed(self, decimal: Literal[".", ","] | None) -> TableSchema:
        """What the columns mean, by the sample; ``decimal`` is the mark of numbers that could be read with either."""
        rows = [cells for _, cells in sorted(self._sample, key=lambda one: one[0])]
        columns = [[cells[at] if at < len(cells) else "" for cells in rows] for at in range(len(self.names))]
        return table_guess(self.names, columns, decimal=decimal)
