"""How a table would be read, shown before its rows are in: what is guessed of it, and what a person says instead."""

from __future__ import annotations

import codecs
from typing import Any, cast

from automl.contracts.table import ColumnKind
from engine.table.guess import table_guess
from studio.datasets.files.formats import LabelFileProblem, TablePreview, format_load
from studio.datasets.files.limits import MIB
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.rows import column_names
from studio.datasets.files.table_options import TableOptions, options_for
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, UploadKind
from studio.datasets.uploads.errors import PartTooLargeError, TableOptionsMisplacedError, TableUnreadableError

MAX_PREVIEW_BYTES = 16 * MIB
"""Of a file's beginning, or of the whole of one whose end is needed."""
ROWS = 40
CELL_CHARS = 300
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class _Beginning(dict[str, bytes]):
    """One file by its name, with what is said of it."""

    def __init__(self, name: str, data: bytes, options: TableOptions) -> None:
        super().__init__({name: data})
        self.options = options


def table_preview(
    *, dataset: Dataset, name: str, data: bytes, is_whole: bool, options: TableOptions
) -> tuple[TablePreview, frozenset[str]]:
    """How a table would be read, and the options that may be said of it.

    Args:
        dataset: where it would go.
        name: of the file; its ending says what it is.
        data: its beginning, or all of it.
        is_whole: whether it is all; Excel and Parquet cannot be read without their ends.
        options: what a person says.

    Raises:
        PartTooLargeError: more than ``MAX_PREVIEW_BYTES``.
        TableOptionsMisplacedError: an option means nothing to such a file, or here.
        TableUnreadableError: it cannot be read so; the error says why.
    """
    if len(data) > MAX_PREVIEW_BYTES:
        raise PartTooLargeError(limit_bytes=MAX_PREVIEW_BYTES)
    options_check(dataset=dataset, name=name, kind=UploadKind.FILE, options=options)
    kind = kind_of(dataset.project)
    form = format_load(kind.table_form)
    if not form.is_label_file(name):
        raise TableUnreadableError(REASONS["table_kind_unknown"])
    beginning = _Beginning(name, data if is_whole else _whole_lines(data, options), options)
    found = cast(Any, form).preview(name, beginning, most=ROWS)
    offered = options_for(name) & kind.table_choices
    if isinstance(found, LabelFileProblem):
        raise TableUnreadableError(REASONS[found.code], offered=offered)
    return _with_decimal(found) if "decimal" in offered else found, offered


def options_check(*, dataset: Dataset, name: str, kind: str, options: TableOptions) -> None:
    """Refuses what means nothing to a file, or to the items of a project.

    Raises:
        TableOptionsMisplacedError: it does.
    """
    fitting = kind_of(dataset.project).table_choices
    if kind != UploadKind.ARCHIVE:
        fitting &= options_for(name)
    if wrong := sorted(options.given - fitting):
        raise TableOptionsMisplacedError(option=wrong[0], name=name)


def _whole_lines(data: bytes, options: TableOptions) -> bytes:
    """The beginning without a line that is cut."""
    if options.encoding == "utf-16" or data[:2] in _WIDE_MARKS:
        line_end = "\n".encode("utf-16-be" if data[:2] == codecs.BOM_UTF16_BE else "utf-16-le")
        at = data.rfind(line_end)
        while at % 2 and at > 0:
            at = data.rfind(line_end, 0, at)
        return data[: at + 2] if at > 0 else data[: len(data) // 2 * 2]
    at = data.rfind(b"\n")
    return data[: at + 1] if at > 0 else data


def _with_decimal(found: TablePreview) -> TablePreview:
    """With the decimal mark that most columns of numbers would be read with, where none is said and there are such columns."""
    names = column_names(found.columns)
    cells = [[row[at] if at < len(row) else "" for row in found.rows] for at in range(len(names))]
    schema = table_guess(names, cells, decimal=found.options.decimal)
    marks = [column.decimal for column in schema.columns if column.kind is ColumnKind.NUMBER]
    if not marks or found.options.decimal is not None:
        return found
    most = max(sorted(set(marks)), key=marks.count)
    return found.with_options(decimal=most)


def cells_cut(row: tuple[str, ...]) -> list[str]:
    """As much of the cells as is shown."""
    return [cell if len(cell) <= CELL_CHARS else f"{cell[:CELL_CHARS]}…" for cell in row]
