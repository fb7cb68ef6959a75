"""Rows of tables, many at a time. A cell that cannot be read counts as missing, as in training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, cast

import orjson
import pyarrow as pa

from automl.contracts.artefact import ArtefactManifest, RowDecode
from automl.contracts.table import MAX_COLUMNS
from studio.datasets.files.formats import LabelFileProblem, Sheet, SheetRow
from studio.datasets.files.rows import column_names
from studio.datasets.files.table_options import TableOptions
from studio.datasets.models import Item
from studio.datasets.tables.table_files import table_format, table_sheets, tables_opened
from studio.datasets.uploads.entries import upload_archive_kind, upload_name
from studio.predictions.entries import Entry, ItemPreview
from studio.predictions.items.kind import SentFile

if TYPE_CHECKING:
    from runtime.items.row.kind import RowItems
    from runtime.items.row.rows import RowReader
    from runtime.predictor import Predictor

_NAME_CHARS = 480
"""Of a table's name before the number of the row."""


class Rows:
    """See ``PredictedItems``."""

    at_once: ClassVar[int] = 1_000
    in_part: ClassVar[int] = 20_000
    item_fields: ClassVar[tuple[str, ...]] = ("text",)
    excerpt: ClassVar[int | None] = None

    def of_item(self, item: Item) -> dict[str, str]:
        """Its cells."""
        return _cells(item.text)

    def of_version(self, table: pa.Table) -> Sequence[dict[str, str]]:
        """The cells of each."""
        return [_cells(row) for row in table.column("row").to_pylist()]

    def of_file(self, file: SentFile, skip: int) -> Iterator[tuple[Entry, float]]:
        """The rows of a table, or of those of an archive."""
        for make, done in islice(_unmade(file), skip, None):
            yield make(), done()

    def cell_names(self, contents: Sequence[Mapping[str, str]]) -> Iterable[str]:
        """The columns."""
        return chain.from_iterable(contents)

    def known_names(self, predictor: Predictor) -> frozenset[str]:
        """The model's columns."""
        return frozenset(_reader(predictor).names)

    def read(self, predictor: Predictor, contents: Sequence[Mapping[str, str]]) -> Any:  # noqa: ANN401 - the runtime's own
        """Reads the cells by column; columns that a row does not name are missing."""
        reader = _reader(predictor)
        known = dict.fromkeys(reader.names)
        return reader.read([{**known, **row} for row in contents], is_lenient=True)

    def data(self, content: Mapping[str, str]) -> bytes:
        """A row as a data set keeps it."""
        return orjson.dumps({"cells": content})

    def refusal(self, entry: Entry) -> str:
        """A row has too many cells."""
        del entry
        return "row_invalid"

    def preview(self, entry: Entry, decoded: Any) -> ItemPreview:  # noqa: ANN401 - the runtime's own
        """Its cells."""
        del decoded
        return ItemPreview(orjson.dumps(entry.content).decode())

    def columns(self, parts: pa.Table, names: Sequence[str]) -> list[tuple[str, pa.Array]]:
        """The table's own."""
        rows = [orjson.loads(text) if text else {} for text in parts.column("text").to_pylist()]
        return [(name, pa.array([row.get(name) for row in rows], pa.string())) for name in names]

    def prefix(self, manifest: ArtefactManifest) -> str:
        """The column that is predicted."""
        assert isinstance(manifest.decode, RowDecode)
        return f"{manifest.decode.target}_"


def _reader(predictor: Predictor) -> RowReader:
    return cast("RowItems", predictor.items).reader


def _cells(text: str | None) -> dict[str, str]:
    cells: dict[str, str] = orjson.loads(text or "{}").get("cells", {})
    return cells


_Unmade = tuple[Callable[[], Entry], Callable[[], float]]
"""An entry and how much of the file has been read, both made where they are wanted: most of the time that rows take."""


def _unmade(file: SentFile) -> Iterator[_Unmade]:
    complaints: list[LabelFileProblem] = []
    name, kind = upload_name(file.upload), upload_archive_kind(file.path, file.upload)
    form = table_format(file.upload.dataset.project)
    options = TableOptions.model_validate(file.upload.table_options)
    with tables_opened(file.path, name, kind, form=form, complain=complaints.append, options=options) as files:
        yield from ((partial(_refused, one), lambda: 0.0) for one in complaints)
        share = 1 / max(len(files), 1)
        for number, sheet in enumerate(table_sheets(files, name, form=form)):
            if isinstance(sheet, LabelFileProblem):
                yield partial(_refused, sheet), partial(_done, number, share)
            else:
                done = partial(_done, number, share, sheet.fraction)
                yield from ((make, done) for make in _of_sheet(sheet))


def _done(number: int, share: float, fraction: Callable[[], float] = lambda: 0.0) -> float:
    return min(share * (number + fraction()), 1.0)


def _of_sheet(sheet: Sheet) -> Iterator[Callable[[], Entry]]:
    names = column_names(sheet.columns)
    if len(names) > MAX_COLUMNS:
        yield partial(Entry, sheet.name, code="table_too_wide")
        return
    title, is_empty = sheet.name[-_NAME_CHARS:], True
    for one in sheet.rows:
        is_empty = False
        yield partial(_refused, one) if isinstance(one, LabelFileProblem) else partial(_row, title, names, one)
    if is_empty:
        yield partial(Entry, sheet.name, code="table_without_rows")


def _refused(one: LabelFileProblem) -> Entry:
    return Entry(one.name, code=one.code)


def _row(title: str, names: Sequence[str], row: SheetRow) -> Entry:
    return Entry(f"{title}#{row.line}", dict(zip_longest(names, row.cells, fillvalue="")))


KIND = Rows()
