"""A table whose rows are items, as CSV, TSV, Excel, Parquet, JSON or JSONL; written as CSV.

Every column is kept; which of them is predicted is the project's business, so a row brings no labels of its own but in a table
of ours, whose last columns say what was annotated. Rows are called after their places, as ``sales.csv#12``. A column that says
of each row which split it belongs to is no cell of it; else the file's name may say so (``train.csv``).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from automl.contracts.annotation import AnnotationKind, ClassLabel, Value
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from automl.contracts.modality import Modality
from automl.contracts.table import MAX_COLUMNS, TableSchema
from automl.contracts.words import Words
from labeling.formats._files import SPLITS, split_named
from labeling.formats._hub import is_folder_file
from labeling.formats._row_columns import SAMPLE_ROWS, has_head, lacks_first, mostly_filled
from labeling.formats._row_files import SUFFIXES, Cells, Part, Rows, csv_layout, parts_of, sheet_titles
from labeling.formats._tables import TABLE_DAMAGE, RowFault, previewed
from labeling.formats._texts import is_name
from labeling.formats._values import LabelError
from labeling.formats._writing import Spool
from studio.common.spreadsheet import quoted, unquoted
from studio.datasets.files.formats import (
    ExportedFile,
    Facet,
    LabelFileProblem,
    ParsedLabels,
    ReadBlob,
    Sheet,
    SheetRow,
    TablePreview,
)
from studio.datasets.files.rows import cells_of
from studio.datasets.files.table_options import PLAIN, options_of

words = Words(__file__)

TITLE = words("table_rows")
KINDS: frozenset[AnnotationKind] = frozenset({"class", "value"})
KEEPS = frozenset({Facet.SPLITS})
MEDIA = frozenset({Modality.TABULAR})

_SPLIT_HEADS = {"split", "划分", "数据集划分"}
_SPLITS = SPLITS | {
    "训练": Split.TRAIN,
    "训练集": Split.TRAIN,
    "验证": Split.VALIDATION,
    "验证集": Split.VALIDATION,
    "测试": Split.TEST,
    "测试集": Split.TEST,
}
OUR_TAIL = ("modelyard_target", "split", "modelyard_item")
"""Behind the columns of a download: the target as it is annotated, the split, the item's id."""
_OURS = frozenset({OUR_TAIL[0], OUR_TAIL[2]})


def is_label_file(name: str) -> bool:
    """Whether the file is a table."""
    return name.lower().endswith(SUFFIXES)


def detect(names: Sequence[str], label_files: Mapping[str, bytes]) -> float:
    """Nothing else holds rows: any table will do."""
    del names
    return 0.5 if any(is_label_file(name) for name in label_files) else 0.0


def read(names: Sequence[str], label_files: Mapping[str, bytes]) -> ParsedLabels:
    """Offers the tables one after the other; their rows are read while they are walked."""
    del names
    places = sorted(name for name in label_files if is_label_file(name) and not is_folder_file(name))
    return ParsedLabels(sheets=_Sheets(places, label_files))


def preview(name: str, label_files: Mapping[str, bytes], *, most: int) -> TablePreview | LabelFileProblem:
    """How a table would be read, with so many of its first rows; else why it cannot be."""
    return previewed(name, lambda: _preview(name, label_files, most))


def _preview(name: str, label_files: Mapping[str, bytes], most: int) -> TablePreview:
    options = options_of(label_files)
    if name.lower().endswith(PLAIN):
        options = csv_layout(name, label_files)
    parts = parts_of(name, label_files)  # its file is open for as long as this is there
    part = next(parts, None)
    sample = [] if part is None else islice(_as_they_were(part.rows), SAMPLE_ROWS)
    rows = [row for row in sample if not isinstance(row, RowFault) and _is_filled(row)]
    given = options.has_head if part is None or part.has_head is None else part.has_head
    with_head = given if given is not None else bool(rows) and (OUR_TAIL[0] in rows[0] or has_head(rows))
    options = options.model_copy(update={"has_head": with_head})
    return TablePreview.of(rows, options, sheets=sheet_titles(name, label_files), most=most, is_fit=len(rows) > with_head)


class _Sheets:
    """The tables of the files; they can be walked again."""

    def __init__(self, places: Sequence[str], files: Mapping[str, bytes]) -> None:
        self._places, self._files = places, files

    def __iter__(self) -> Iterator[Sheet | LabelFileProblem]:
        for place in self._places:
            try:
                yield from _of_file(place, self._files)
            except LabelError as error:
                yield LabelFileProblem(place, error.code)
            except TABLE_DAMAGE:
                yield LabelFileProblem(place, "label_file_broken")


def _of_file(place: str, files: Mapping[str, bytes]) -> Iterator[Sheet | LabelFileProblem]:
    """The sheets of a file that have the columns of its first one."""
    first: tuple[str, ...] | None = None
    has_complaint = False
    for number, part in enumerate(parts_of(place, files), start=1):
        title = part.title if is_name(part.title) else str(number)
        sheet = _sheet(place if first is None else f"{place}/{title}", part, split_named(title) or split_named(place))
        if sheet is None:
            continue  # an empty one
        if len(sheet.columns) > MAX_COLUMNS:
            has_complaint = True
            yield LabelFileProblem(sheet.name, "table_too_wide")
        elif first is None:
            first = sheet.columns
            yield sheet
        elif sheet.columns == first:
            yield sheet
        else:
            yield LabelFileProblem(f"{place}/{title}", "table_sheet_left_out")
    if first is None and not has_complaint:
        yield LabelFileProblem(place, "table_without_rows")


def _sheet(name: str, part: Part, split: Split | None) -> Sheet | None:
    """A sheet with its columns; None when it is blank."""
    numbered = enumerate(_as_they_were(part.rows), start=1)
    sample = list(islice(numbered, SAMPLE_ROWS))
    filled = [row for _, row in sample if not isinstance(row, RowFault) and _is_filled(row)]
    if not filled:
        return None
    with_head = part.has_head if part.has_head is not None else OUR_TAIL[0] in filled[0] or has_head(filled)
    head = tuple(cell.strip() for cell in filled[0]) if with_head else ()
    while head and not head[-1] and not mostly_filled(len(head) - 1, filled[1:]):
        head = head[:-1]  # marks behind the last column
    if head and lacks_first(head, filled[1:]):
        head = ("", *head)
    width = len(head) or max(map(len, filled))
    at = _split_at(head, filled[1:])
    cell_places = [place for place in range(width) if place != at and (not head or head[place] not in _OURS)]
    columns = tuple(head[place] for place in cell_places) if head else ("",) * width
    target_at = head.index(OUR_TAIL[0]) if OUR_TAIL[0] in head else None
    rows = _rows(name, chain(sample, numbered), _Places(width, cell_places, at, target_at), skips_head=bool(head))
    return Sheet(name=name, columns=columns, rows=rows, split=split, fraction=part.fraction)


def _as_they_were(rows: Rows) -> Rows:
    """The rows; those of a download of ours without the quotes that keep spreadsheets from running cells."""
    first = next(rows, None)
    if first is None:
        return
    is_ours = not isinstance(first, RowFault) and tuple(first[-len(OUR_TAIL) :]) == OUR_TAIL
    for row in chain([first], rows):
        yield unquoted(row) if is_ours and not isinstance(row, RowFault) else row


def _is_filled(row: Cells) -> bool:
    return any(cell and not cell.isspace() for cell in row)


def _split_at(head: Sequence[str], rows: Sequence[Cells]) -> int | None:
    """The column that says which split a row belongs to, and nothing else; in a download of ours the one that we put there."""
    if tuple(head[-len(OUR_TAIL) :]) == OUR_TAIL:
        return len(head) - len(OUR_TAIL) + OUR_TAIL.index("split")
    at = next((place for place, name in enumerate(head) if name.lower() in _SPLIT_HEADS), None)
    if at is None:
        return None
    annotations = {row[at].strip().lower() for row in rows if at < len(row) and row[at].strip()}
    return at if annotations and annotations <= _SPLITS.keys() else None


@dataclass(frozen=True)
class _Places:
    """Where things stand in a row."""

    width: int
    """Columns of the head; of the widest row where there is none."""
    cell_places: Sequence[int]
    """Those that become cells."""
    split: int | None
    target: int | None

    def cells(self, row: Cells) -> Cells:
        """The cells that are kept."""
        return row[: self.width] if len(self.cell_places) == self.width else [_cell(row, at) for at in self.cell_places]


def _cell(row: Cells, at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def _rows(
    name: str, numbered: Iterable[tuple[int, Cells | RowFault]], places: _Places, *, skips_head: bool
) -> Iterator[SheetRow | LabelFileProblem]:
    """The rows of a sheet behind its head; what cannot be read is reported, and damage ends the sheet with a complaint."""
    try:
        for number, cells in numbered:
            if isinstance(cells, RowFault):
                yield LabelFileProblem(f"{name}:{cells.line or number}", cells.code)
            elif not _is_filled(cells):
                continue
            elif skips_head:
                skips_head = False
            elif len(cells) > places.width and _is_filled(cells[places.width :]):
                yield LabelFileProblem(f"{name}:{number}", "table_row_too_wide")
            else:
                part = _cell(cells, places.split).strip()
                split = _SPLITS.get(part.lower())
                if part and split is None:
                    yield LabelFileProblem(f"{name}:{number}", "split_unknown")
                yield SheetRow(number, places.cells(cells), split, _cell(cells, places.target).strip())
    except LabelError as error:
        yield LabelFileProblem(name, error.code)
    except TABLE_DAMAGE:
        yield LabelFileProblem(name, "label_file_broken")


def write(
    records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob, columns: TableSchema | None = None
) -> Iterator[ExportedFile]:
    """Writes ``rows.csv``: all columns in the order of the schema, the target as it is annotated, the split and the item."""
    del labels, blob
    names = [column.name for column in (columns or TableSchema()).columns]
    spool, out = Spool(), io.StringIO(newline="")
    writer = csv.writer(out)  # ends lines as the RFC has it: with another end it would not quote carriage returns
    writer.writerow(quoted([*names, *OUR_TAIL]))
    spool.add(b"\xef\xbb\xbf" + _drain(out))
    for record in records:
        cells = cells_of(record.row) if record.row is not None else {}
        written = [*(cells.get(name, "") for name in names), _target(record)]
        writer.writerow([*quoted(written), record.split.value, record.item])
        spool.add(_drain(out))
    yield ExportedFile(path="rows.csv", chunks=spool.chunks())


def _drain(out: io.StringIO) -> bytes:
    data = out.getvalue().encode()
    out.seek(0)
    out.truncate()
    return data


def _target(record: ItemRecord) -> str:
    for one in record.annotations:
        if isinstance(one, ClassLabel):
            return one.label
        if isinstance(one, Value):
            return str(int(one.value)) if one.value.is_integer() and abs(one.value) < 1e15 else repr(one.value)
    return ""
