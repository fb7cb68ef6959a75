"""What differs between two states of a dataset, item by item and annotation by annotation.

A state is a version or the working state. Both are read in the order of item ids and merged by the block, so memory stays flat
and only what differs becomes Python objects. The summary of two versions never changes and is kept in the blob store.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from automl.contracts.annotation import Annotation, Annotations
from automl.contracts.table import Row as TableRow
from studio.common.blob_store import BlobMissingError
from studio.common.blobs import blobs
from studio.datasets.files.rows import row_of
from studio.datasets.items.kinds import kind_of
from studio.datasets.items.present import picture_url, texts_of, thumbnail_url
from studio.datasets.models import Dataset, DatasetVersion
from studio.datasets.versions.canonical import annotations_canonical
from studio.datasets.versions.diff_schemas import Aspect, DiffItemOut, DiffLabelOut, DiffMoveOut, DiffOut, Kind
from studio.datasets.versions.manifest import version_all_tables
from studio.datasets.versions.shards import CELLS
from studio.datasets.versions.working_tables import working_tables

State = DatasetVersion | Dataset
"""A version, or the dataset as it stands."""

SCAN_ROWS = 200_000
"""Rows that one page looks at before it answers with what it has: about half a second."""
MOVES_SHOWN = 100
_COMPARED: dict[str, Aspect] = {
    "annotations": "annotations",
    "split": "split",
    "group": "group",
    "provenance": "provenance",
    "blob": "row",
}
"""Columns that may differ, by the name of the aspect: the content of an item changes only where it is a row of a table."""


@dataclass(frozen=True)
class Row:
    """An item on one side; annotations as canonical JSON."""

    item: str
    name: str
    blob: str
    split: str
    group: str
    provenance: str
    annotations: str
    row: str
    """Canonical JSON of a row of a table; empty of what is none."""
    width: int
    """Of a picture, in pixels; 0 of what is none."""
    height: int


@dataclass(frozen=True)
class Change:
    """An item that differs. ``before`` is None for one that was added, ``after`` for one that was removed."""

    before: Row | None
    after: Row | None

    @property
    def row(self) -> Row:
        """The item as it is last."""
        row = self.after or self.before
        assert row is not None
        return row

    @property
    def kind(self) -> Kind:
        """What happened to the item."""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        return "changed"

    @property
    def aspects(self) -> list[Aspect]:
        """What of a changed item differs."""
        if self.before is None or self.after is None:
            return []
        return [aspect for name, aspect in _COMPARED.items() if getattr(self.before, name) != getattr(self.after, name)]


@dataclass(frozen=True)
class Block:
    """What differs among the items up to ``last``, in their order."""

    changes: list[Change]
    num_rows: int
    last: str


def state_tables(state: State, *, after: str = "") -> Iterator[pa.Table]:
    """The rows of a state with ids above ``after``."""
    return version_all_tables(state, after=after) if isinstance(state, DatasetVersion) else working_tables(state, after=after)


def state_changes(before: State, after: State, *, cursor: str = "") -> Generator[Block, None, None]:
    """What differs between two states, block by block; begins behind item ``cursor``."""
    return tables_changes(state_tables(before, after=cursor), state_tables(after, after=cursor))


def tables_changes(before: Iterable[pa.Table], after: Iterable[pa.Table]) -> Generator[Block, None, None]:
    """Merges two streams of rows that are ordered by item."""
    left, right = _Side(before), _Side(after)
    while True:
        ends = [side.last() for side in (left, right) if side.fill()]
        if not ends:
            return
        last = min(ends)
        one, other = left.cut(last), right.cut(last)
        yield Block(_compare(one, other), max(one.num_rows, other.num_rows), last)


class _Side:
    def __init__(self, tables: Iterable[pa.Table]) -> None:
        self._tables = iter(tables)
        self._rows: pa.Table | None = None

    def fill(self) -> bool:
        """Reads on when nothing is left; says whether there is something."""
        while self._rows is None or self._rows.num_rows == 0:
            self._rows = next(self._tables, None)
            if self._rows is None:
                self._tables = iter(())
                return False
        return True

    def last(self) -> str:
        assert self._rows is not None
        return str(self._rows.column("item")[-1].as_py())

    def cut(self, last: str) -> pa.Table:
        """Takes the rows up to an item."""
        if self._rows is None:
            return pa.table({name: pa.array([], pa.string()) for name in Row.__dataclass_fields__})
        count = pc.sum(pc.less_equal(self._rows.column("item"), last)).as_py() or 0
        rows, self._rows = self._rows.slice(0, count), self._rows.slice(count)
        return rows


def _compare(before: pa.Table, after: pa.Table) -> list[Change]:
    before, after = _chosen(before), _chosen(after)
    place = pc.index_in(after.column("item"), value_set=before.column("item"))
    is_both = pc.is_valid(place)
    is_removed = pc.invert(pc.is_in(before.column("item"), value_set=after.column("item")))
    changes = [Change(None, row) for row in _rows(after.filter(pc.invert(is_both)))]
    changes += [Change(row, None) for row in _rows(before.filter(is_removed))]
    here = after.filter(is_both)
    there = before.take(place.filter(is_both))
    differs = pa.array([], pa.bool_()) if here.num_rows == 0 else _differs(there, here)
    pairs = zip(_rows(there.filter(differs)), _rows(here.filter(differs)), strict=True)
    # Texts of older versions and of the working state order their keys in another way: they differ, the annotations may not.
    changes += [Change(old, new) for old, new in pairs if old != new and Change(old, new).aspects]
    return sorted(changes, key=lambda change: change.row.item)


def _chosen(table: pa.Table) -> pa.Table:
    """The columns of a ``Row``."""
    if CELLS not in table.schema.names:
        table = table.append_column(CELLS, pa.repeat(pa.scalar("", pa.string()), table.num_rows))
    return table.select(list(Row.__dataclass_fields__)).combine_chunks()


def _differs(one: pa.Table, other: pa.Table) -> pa.ChunkedArray:
    unequal = [pc.not_equal(one.column(name), other.column(name)) for name in _COMPARED]
    found = unequal[0]
    for column in unequal[1:]:
        found = pc.or_(found, column)
    return found


def _rows(table: pa.Table) -> list[Row]:
    if table.num_rows == 0:
        return []
    texts, _ = annotations_canonical(table.column("annotations").combine_chunks())
    table = table.set_column(table.schema.get_field_index("annotations"), "annotations", texts)
    return [Row(*values) for values in zip(*(table.column(name).to_pylist() for name in Row.__dataclass_fields__), strict=True)]


def diff_summary(before: State, after: State) -> DiffOut:
    """Counts what differs; that of two versions is counted once."""
    if not (isinstance(before, DatasetVersion) and isinstance(after, DatasetVersion)):
        return _summary(before, after)
    key = f"diffs/{before.id}..{after.id}.json"
    try:
        return DiffOut.model_validate_json(blobs().get_object(key).read_bytes())
    except BlobMissingError:
        found = _summary(before, after)
    with tempfile.TemporaryDirectory(prefix="diff-") as folder:
        path = Path(folder) / "diff.json"
        path.write_text(found.model_dump_json(), encoding="utf-8")
        blobs().put_object(key, path)
    return found


def _summary(before: State, after: State) -> DiffOut:
    kinds: Counter[str] = Counter()
    added: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    moves: Counter[tuple[str, str]] = Counter()
    for block in state_changes(before, after):
        for change in block.changes:
            kinds[change.kind] += 1
            kinds.update(f"{aspect}_changed" for aspect in change.aspects)
            gone, come = _labels(*_texts(change))
            removed.update(gone)
            added.update(come)
            if len(gone) == len(come) == 1 and gone != come:
                moves[gone[0], come[0]] += 1
    labels = sorted(set(added) | set(removed), key=lambda label: (-added[label] - removed[label], label))
    return DiffOut(
        num_added=kinds["added"],
        num_removed=kinds["removed"],
        num_changed=kinds["changed"],
        num_annotations_changed=kinds["annotations_changed"],
        num_split_changed=kinds["split_changed"],
        num_rows_changed=kinds["row_changed"],
        labels=[DiffLabelOut(label=label, added=added[label], removed=removed[label]) for label in labels],
        moves=[DiffMoveOut(before=pair[0], after=pair[1], num_items=num) for pair, num in moves.most_common(MOVES_SHOWN)],
    )


def diff_page(
    before: State, after: State, *, kind: Kind | None, label: str | None, cursor: str, limit: int
) -> tuple[list[DiffItemOut], str | None]:
    """Some items that differ, and the cursor behind them; a page may hold few or none although more follow.

    Args:
        before: the older state.
        after: the newer state.
        kind: only items to which this happened.
        label: only items of which an annotation with this label came, went or changed.
        cursor: the item behind which to go on; empty starts.
        limit: items in a page.
    """
    # The states are read to their end, or let go, before anything else is asked of the database: it is in the middle of a COPY.
    changes, following = _page(state_changes(before, after, cursor=cursor), kind, label, limit)
    written = texts_of([change.row.item for change in changes])
    has_thumbnails = kind_of(before.project).has_thumbnails
    return [_item_out(change, written.get(change.row.item), has_thumbnails) for change in changes], following


def _page(
    blocks: Generator[Block, None, None], kind: Kind | None, label: str | None, limit: int
) -> tuple[list[Change], str | None]:
    found: list[Change] = []
    num_rows = 0
    with closing(blocks):
        for block in blocks:
            for change in block.changes:
                if kind in {None, change.kind} and (
                    label is None or label in {one for side in _labels(*_texts(change)) for one in side}
                ):
                    found.append(change)
                    if len(found) == limit:
                        return found, change.row.item
            num_rows += block.num_rows
            if num_rows >= SCAN_ROWS:
                return found, block.last
    return found, None


def _texts(change: Change) -> tuple[str, str]:
    return (
        "[]" if change.before is None else change.before.annotations,
        "[]" if change.after is None else change.after.annotations,
    )


@lru_cache(maxsize=4096)
def _labels(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels of the annotations that went and that came; the same pair is common where items carry one label."""
    gone, come = _parts(before, after)
    sides = ((before, gone), (after, come))
    one, other = (tuple(label for index in at if (label := json.loads(text)[index].get("label"))) for text, at in sides)
    return one, other


def _parts(before: str, after: str) -> tuple[list[int], list[int]]:
    """Places of the annotations that only one side has; the same annotation twice counts twice."""
    old, new = ([json.dumps(one, sort_keys=True) for one in json.loads(text)] for text in (before, after))
    return _beyond(old, Counter(new)), _beyond(new, Counter(old))


def _beyond(listed: list[str], other: Counter[str]) -> list[int]:
    places = []
    for index, one in enumerate(listed):
        if other[one] > 0:
            other[one] -= 1
        else:
            places.append(index)
    return places


def _item_out(change: Change, text: str | None, has_thumbnails: bool) -> DiffItemOut:
    gone, come = _parts(*_texts(change))
    row, before, after = change.row, change.before, change.after
    return DiffItemOut(
        item=row.item,
        name=row.name,
        kind=change.kind,
        aspects=change.aspects,
        thumbnail_url=thumbnail_url(row.item, row.blob) if has_thumbnails else None,
        picture_url=picture_url(row.item, row.blob),
        width_px=row.width or None,
        height_px=row.height or None,
        text=text,
        before=None if before is None else _annotations(before.annotations),
        after=None if after is None else _annotations(after.annotations),
        gone=gone,
        come=come,
        split_before=None if before is None else before.split,
        split_after=None if after is None else after.split,
        provenance_before=None if before is None else before.provenance,
        provenance_after=None if after is None else after.provenance,
        row_before=_table_row(before),
        row_after=_table_row(after),
    )


def _table_row(side: Row | None) -> TableRow | None:
    return None if side is None or not side.row else row_of(side.row)


def _annotations(text: str) -> list[Annotation]:
    return list(Annotations.validate_json(text))
