"""Rows of tables, many at a time. A cell that cannot be read counts as missing, as in training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, cast

import orjson
import pyarrow as pa

from automl.contracts.artefact import ArtefactManifest, RowDecode
from automl.contracts.table import MAX_COLUMNS
from studio.datasets.files.formats import LabelFileProblem, Sheet
from studio.datasets.files.rows import column_names
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
        return islice(_entries(file), skip, None)

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


def _entries(file: SentFile) -> Iterator[tuple[Entry, float]]:
    complaints: list[LabelFileProblem] = []
    name, kind = upload_name(file.upload), upload_archive_kind(file.path, file.upload)
    form = table_format(file.upload.dataset.project)
    with tables_opened(file.path, name, kind, form=form, complain=complaints.append) as files:
        yield from ((Entry(one.name, code=one.code), 0.0) for one in complaints)
        for number, sheet in enumerate(table_sheets(files, name, form=form)):
            done = min(number / max(len(files), 1), 1.0)
            if isinstance(sheet, LabelFileProblem):
                yield Entry(sheet.name, code=sheet.code), done
            else:
                share = 1 / max(len(files), 1)
                yield from ((entry, min(done + share * sheet.fraction(), 1.0)) for entry in _of_sheet(sheet))


def _of_sheet(sheet: Sheet) -> Iterator[Entry]:
    names = column_names(sheet.columns)
    if len(names) > MAX_COLUMNS:
        yield Entry(sheet.name, code="table_too_wide")
        return
    title, is_empty = sheet.name[-_NAME_CHARS:], True
    for one in sheet.rows:
        is_empty = False
        if isinstance(one, LabelFileProblem):
            yield Entry(one.name, code=one.code)
        else:
            yield Entry(f"{title}#{one.line}", dict(zip_longest(names, one.cells, fillvalue="")))
    if is_empty:
        yield Entry(sheet.name, code="table_without_rows")


KIND = Rows()
