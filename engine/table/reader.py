"""Reads the rows of a dataset version into arrays: a million rows in seconds, so nothing here looks at one row at a time.

Cells stand in the shards as canonical JSON (``automl.contracts.table.Row``). Arrow parses a shard at once; each different cell
is then read once by ``runtime.cells``, and plain numbers by Arrow itself, whose conversion rounds as Python's does.

Shapes: N rows.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import ValidationError

from automl.contracts.annotation import Annotation, Annotations, class_labels, item_numbers
from automl.contracts.artefact import RowColumn
from automl.contracts.dataset import Split
from automl.contracts.table import ColumnKind, TableSchema
from engine.data.version import DatasetVersion, VersionDamagedError
from engine.errors import raise_if_scarce
from engine.table.columns import plain_columns
from engine.table.table import Table
from runtime.cells import Cell, Spellings, moments_of, numbers_of, texts_of

_PLAIN_NUMBER = {
    ".": r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$",
    ",": r"^[+-]?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$",
}
"""Cells that ``number_of`` reads without looking at signs around them."""
_PLAIN_VALUE = r'^\[\{(?:"score":null,)?"kind":"value","value":(?P<value>-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\}\]$'
"""Annotations that are a number and nothing besides."""


@dataclass(frozen=True)
class CellRows:
    """Rows of a version with their cells as they came."""

    items: NDArray[np.object_]
    """Item ids, ``_N``."""
    splits: NDArray[np.object_]
    """Values of ``Split``, ``_N``."""
    cells: pa.Table
    """A column of strings a column that was asked for; null where the cell is empty."""
    annotations_json: pa.DictionaryArray
    """The annotations of each row as JSON; equal ones are kept once."""

    def __len__(self) -> int:
        return len(self.items)

    def take(self, rows: NDArray[np.intp]) -> CellRows:
        """Some of the rows, in the order given."""
        chosen = self.annotations_json.take(pa.array(rows))
        chosen = chosen.dictionary_decode().dictionary_encode()  # without what only the other rows have
        return CellRows(self.items[rows], self.splits[rows], self.cells.take(rows), chosen)

    def cells_of(self, row: int) -> dict[str, str]:
        """The cells of one row by column, empty ones left out."""
        found = {name: self.cells[name][row].as_py() for name in self.cells.column_names}
        return {name: cell for name, cell in found.items() if cell}

    def annotations(self, row: int) -> tuple[Annotation, ...]:
        """The annotations of one row.

        Raises:
            VersionDamagedError: these are no annotations; so in the three methods below.
        """
        return self._distinct([int(self._codes[row])])[0]

    def all_annotations(self) -> list[tuple[Annotation, ...]]:
        """The annotations of each row; rows with equal annotations share them."""
        distinct = self._distinct()
        return [distinct[code] for code in self._codes.tolist()]

    def label_indices(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The index of each row's label in ``names``, -1 where it has none of them."""
        places = {name: place for place, name in enumerate(names)}
        labels = (next(iter(class_labels(row)), None) for row in self._distinct())
        found = np.array([-1 if label is None else places.get(label, -1) for label in labels], dtype=np.int64)
        return found[self._codes]

    def values(self) -> NDArray[np.float64]:
        """The number that each row carries, NaN where it has none."""
        plain = pc.struct_field(pc.extract_regex(self.annotations_json.dictionary, pattern=_PLAIN_VALUE), "value")
        found = np.array(pc.cast(plain, pa.float64()).fill_null(float("nan")).to_numpy(zero_copy_only=False))
        others = np.flatnonzero(np.isnan(found)).tolist()
        for place, own in zip(others, self._distinct(others), strict=True):
            found[place] = next(iter(item_numbers(own)), np.nan)
        return found[self._codes]

    @cached_property
    def _codes(self) -> NDArray[np.int64]:
        return self.annotations_json.indices.to_numpy(zero_copy_only=False).astype(np.int64)

    def _distinct(self, places: Sequence[int] | None = None) -> list[tuple[Annotation, ...]]:
        """Different annotations, all or some."""
        distinct = self.annotations_json.dictionary
        distinct = distinct if places is None else distinct.take(pa.array(places, pa.int64()))
        try:
            return [Annotations.validate_json(each) for each in distinct.to_pylist()]
        except ValidationError as error:
            raise VersionDamagedError(f"The annotations of the dataset version cannot be read: {error}") from error


@dataclass(frozen=True)
class SplitRows:
    """The rows of one split, as they came and as a model takes them."""

    rows: CellRows
    table: Table

    def __len__(self) -> int:
        return len(self.rows)


def read_cells(version: DatasetVersion, names: Sequence[str] | None = None) -> CellRows:
    """Reads rows with their cells as they came, ordered as the version has them.

    Args:
        version: of a table.
        names: columns to read; None reads all of the schema, whatever they are for.

    Raises:
        VersionDamagedError: the version is of no table; a shard is missing or broken, holds no rows, or another number.
    """
    if version.manifest.columns is None:
        raise VersionDamagedError("The dataset version does not say which columns its rows have.")
    columns = tuple(column.name for column in version.manifest.columns.columns) if names is None else tuple(names)
    shards = [_shard(version, shard, columns) for shard in version.manifest.shards]
    if sum(shard.num_rows for shard, _ in shards) != version.manifest.num_items:
        message = f"The dataset version promises {version.manifest.num_items} items and holds another number."
        raise VersionDamagedError(message)
    if not shards:
        return CellRows(*(np.empty(0, dtype=object),) * 2, _no_cells(columns), pa.array([], pa.string()).dictionary_encode())
    facts = pa.concat_tables([facts for facts, _ in shards])
    return CellRows(
        items=facts["item"].to_numpy(),
        splits=facts["split"].to_numpy(),
        cells=pa.concat_tables([cells for _, cells in shards]),
        annotations_json=facts["annotations"].combine_chunks().dictionary_encode(),
    )


def read_rows(version: DatasetVersion, columns: Sequence[RowColumn] | None = None) -> dict[Split, SplitRows]:
    """Reads all rows of a version as a model takes them, by split; a split without rows is there and empty.

    Args:
        version: of a table.
        columns: what the model reads; None takes the features of the version's schema (``row_columns``).

    Raises:
        VersionDamagedError: see ``read_cells``.
    """
    schema = version.manifest.columns or TableSchema()
    chosen = plain_columns(schema) if columns is None else tuple(columns)
    every = read_cells(version, [column.name for column in chosen])
    found: dict[Split, SplitRows] = {}
    for split in Split:
        rows = every.take(np.flatnonzero(every.splits == split.value))
        found[split] = SplitRows(rows, table_of_cells(rows.cells, chosen, num_rows=len(rows)))
    return found


def table_of(rows: Sequence[Mapping[str, Cell]], columns: Sequence[RowColumn]) -> Table:
    """Rows from anywhere as a model takes them; a column that a row does not have is missing, one unknown is left alone."""
    by_kind: dict[ColumnKind, list[NDArray[Any]]] = {kind: [] for kind in ColumnKind}
    for column in columns:
        cells = [row.get(column.name) for row in rows]
        if column.kind is ColumnKind.NUMBER:
            read: NDArray[Any] = numbers_of(cells, column.decimal, column.units)[0]
        elif column.kind is ColumnKind.DATETIME:
            read = moments_of(cells, column.datetime_format)[0]
        else:
            read = _words(cells, column)
        by_kind[column.kind].append(read)
    return _table(by_kind, tuple(columns), len(rows))


def table_of_cells(cells: pa.Table, columns: Sequence[RowColumn], *, num_rows: int | None = None) -> Table:
    """Cells as they came, a column of strings each, as a model takes them.

    Args:
        cells: holds at least the columns asked for.
        columns: in the order of the result.
        num_rows: N; None asks ``cells``, which cannot tell where it has no columns.
    """
    by_kind: dict[ColumnKind, list[NDArray[Any]]] = {kind: [] for kind in ColumnKind}
    for column in columns:
        by_kind[column.kind].append(read_column(cells[column.name], column))
    return _table(by_kind, tuple(columns), cells.num_rows if num_rows is None else num_rows)


def read_column(cells: pa.ChunkedArray, column: RowColumn) -> NDArray[Any]:
    """One column as ``cells.numbers_of``, ``moments_of`` or ``texts_of`` reads it, ``_N``; each different cell is read once."""
    if column.kind is ColumnKind.NUMBER:
        return _numbers(cells, column)
    coded = cells.combine_chunks().dictionary_encode()
    different: list[Cell] = [*coded.dictionary.to_pylist(), None]
    codes_N = coded.indices.fill_null(len(different) - 1).to_numpy(zero_copy_only=False)
    if column.kind is ColumnKind.DATETIME:
        return moments_of(different, column.datetime_format)[0][codes_N]
    return _words(different, column)[codes_N]


def _words(cells: Sequence[Cell], column: RowColumn) -> NDArray[np.object_]:
    """Categories as the known values that they are spellings of, or texts."""
    texts_N = texts_of(cells)
    if column.known is None:
        return texts_N
    spellings = Spellings(column.known)
    return np.array([spellings.of(text) for text in texts_N.tolist()], dtype=object)


def _numbers(cells: pa.ChunkedArray, column: RowColumn) -> NDArray[np.float64]:
    is_plain = pc.match_substring_regex(cells, pattern=_PLAIN_NUMBER[column.decimal])
    plain = pc.if_else(is_plain, cells, pa.scalar(None, pa.string()))
    if column.decimal == ",":
        plain = pc.replace_substring(plain, ",", ".")
    numbers_N = np.array(pc.fill_null(pc.cast(plain, pa.float64()), float("nan")).to_numpy())
    numbers_N[np.isinf(numbers_N)] = np.nan
    others = np.flatnonzero(pc.fill_null(pc.invert(is_plain), False).to_numpy())
    if len(others):
        coded = cells.take(others).combine_chunks().dictionary_encode()
        numbers_N[others] = numbers_of(coded.dictionary.to_pylist(), column.decimal, column.units)[0][coded.indices.to_numpy()]
    return numbers_N


def _table(by_kind: Mapping[ColumnKind, list[NDArray[Any]]], columns: tuple[RowColumn, ...], num_rows: int) -> Table:
    def stacked(kind: ColumnKind, dtype: type[Any]) -> NDArray[Any]:
        found = np.empty((num_rows, len(by_kind[kind])), dtype=dtype)
        for place, read in enumerate(by_kind[kind]):
            with np.errstate(over="ignore"):  # a number beyond float32 is infinite there, in a service as here
                found[:, place] = read
        return found

    return Table(
        columns=columns,
        numbers_NA=stacked(ColumnKind.NUMBER, np.float32),
        datetimes_ND=stacked(ColumnKind.DATETIME, np.int64),
        categories_NC=stacked(ColumnKind.CATEGORY, object),
        texts_NT=stacked(ColumnKind.TEXT, object),
    )


def _shard(version: DatasetVersion, name: str, names: Sequence[str]) -> tuple[pa.Table, pa.Table]:
    """Facts of the rows of a shard (item, split, annotations) and their cells."""
    try:
        shard = pq.read_table(version.shard_path(name), columns=["item", "split", "annotations", "row"])
        rows = shard["row"].to_pylist()
        if None in rows:
            raise VersionDamagedError(f"Shard {name} of the dataset version holds an item that is no row.")
        return shard.drop_columns(["row"]), _cells("\n".join(rows).encode(), len(rows), names)
    except (OSError, pa.ArrowException, KeyError, TypeError) as error:
        raise_if_scarce(error)
        raise VersionDamagedError(f"Shard {name} of the dataset version cannot be read: {error}") from error


def _cells(lines: bytes, num_rows: int, names: Sequence[str]) -> pa.Table:
    """Parses a JSON document a line; a number where text belongs, or a line that is none, raises ``pa.ArrowException``."""
    if not num_rows:
        return _no_cells(names)
    fields = pa.struct([pa.field(name, pa.string()) for name in names])
    parsed = pj.read_json(
        io.BytesIO(lines),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(lines) + 1),  # one block: no row stands across two
        parse_options=pj.ParseOptions(explicit_schema=pa.schema([("cells", fields)]), unexpected_field_behavior="ignore"),
    )
    cells = parsed["cells"].combine_chunks()
    if len(cells) != num_rows or cells.null_count:
        raise pa.ArrowInvalid("a row is no JSON object with cells")
    return pa.Table.from_arrays([cells.field(place) for place in range(len(names))], names=list(names))


def _no_cells(names: Sequence[str]) -> pa.Table:
    return pa.table({name: pa.array([], pa.string()) for name in names})
