"""The job ``quality`` on rows of a table: rows that repeat or stand on both sides of a split, doubtful labels, odd rows.

Problems of whole columns (leaks of the target, identifiers, missing cells) are found by the profile (``engine.table.profile``).

Shapes: N items, D features.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from automl.contracts.items.row import KIND as ROW
from automl.contracts.quality import COLUMNS_FILE, Finding, FindingKind, Note, NoteCode, QualityItem
from automl.contracts.table import Row, TableSchema
from engine.errors import DataInvalidError
from engine.job import Job
from engine.quality.clusters import clusters
from engine.quality.doubts import doubts
from engine.quality.items.row import heads
from engine.quality.progress import within
from engine.quality.writing import HANDMADE, Outcome
from engine.table.columns import plain_columns
from engine.table.encode import Preparation
from engine.table.reader import table_of
from engine.table.table import Table

MOST_LOOKED_AT = 30_000
"""Rows whose labels are doubted and that may be odd: of more, so many are drawn. Repeated rows are sought among all."""
MOST_REPEATED_FRACTION = 0.2
"""Where more rows than that repeat another, few columns or few values are the reason and no mistake."""
_READ_TO, _LABELS_TO = 0.2, 0.9


@dataclass(frozen=True)
class _Repeat:
    """Two rows with the same cells."""

    first: int
    second: int


def inspect(job: Job, items: Sequence[QualityItem]) -> Outcome:
    """All that is found on rows.

    Raises:
        StoppedError: the job was asked to stop.
        DataInvalidError: there are no items, some are no rows, or no column is learned from.
    """
    schema = TableSchema.read(job.data_dir / COLUMNS_FILE)
    columns = plain_columns(schema)
    if not items or not columns or any(item.text is None for item in items):
        raise DataInvalidError("The dataset has no rows, or no column that may be learned from.")
    rows = [Row.model_validate_json(item.text or "").cells for item in items]
    job.control.raise_if_stopped()
    job.progress("look", _READ_TO)
    names = [column.name for column in columns]
    same = _groups([tuple(row.get(name, "") for name in names) for row in rows])
    repeats = [_Repeat(*pair) for members in same for pair in pairwise(members)]
    keeper_of = {row: keeper for members, keeper in clusters(repeats, items) for row in members}
    cluster_of = [keeper_of.get(row, row) for row in range(len(items))]
    repeated_fraction = len(keeper_of) / len(items)
    is_natural = repeated_fraction > MOST_REPEATED_FRACTION
    findings = [] if is_natural else list(_findings(same, items, rows, keeper_of))
    notes = [Note(code=NoteCode.ROWS_REPEAT, value=round(repeated_fraction, 3))] if is_natural else []

    chosen = _drawn(len(items), job.spec.seed)
    if len(chosen) < len(items):
        notes.append(Note(code=NoteCode.SAMPLED, value=float(len(chosen))))
    table = table_of([rows[row] for row in chosen], columns)
    # Prepared without the target, which must not judge itself.
    _, prepared_ND = Preparation.learn(table, np.zeros(len(table)), 0, style="dense", seed=job.spec.seed)
    vectors_ND = np.nan_to_num(prepared_ND)
    raw_ND, raw_columns_D = _unclipped(table, job.spec.seed)
    some = [items[row] for row in chosen]
    suspected = doubts(
        some,
        [vectors_ND],
        [cluster_of[row] for row in chosen],
        is_handmade=False,
        seed=job.spec.seed,
        on_progress=within(job, "labels", _READ_TO, _LABELS_TO),
        heads=heads.heads,
    )
    single = [place for place, row in enumerate(chosen) if cluster_of[row] == row]
    strange, limit = heads.odd_rows([some[place] for place in single], raw_ND[single], raw_columns_D, seed=job.spec.seed)
    return Outcome(
        findings=[*findings, *suspected.findings, *strange],
        kinds=ROW.findings,
        features=HANDMADE,
        histograms={},
        notes=[*notes, *suspected.notes],
        limits={**suspected.limits, **({} if limit is None else {FindingKind.OUTLIER.value: limit})},
        label_error_fraction=suspected.error_fraction,
        label_error_interval=suspected.error_interval,
    )


def _groups(keys: Sequence[tuple[str, ...]]) -> list[list[int]]:
    """Places of equal keys, those that stand alone left out."""
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        places[key].append(place)
    return [members for members in places.values() if len(members) > 1]


def _findings(
    same: Sequence[Sequence[int]],
    items: Sequence[QualityItem],
    rows: Sequence[Mapping[str, str]],
    keeper_of: Mapping[int, int],
) -> Iterator[Finding]:
    """Rows whose features another has too: as a copy where all cells agree, as a leak where it stands in another split."""
    for members in same:
        splits = Counter(items[row].split for row in members)
        for row in members:
            shared = {"cluster": items[keeper_of[row]].item, "is_kept": keeper_of[row] == row, "similarity": 1.0}
            alike = next((each for each in members if each != row and rows[each] == rows[row]), None)
            if alike is not None:
                detail = {**shared, "other": items[alike].item}
                yield Finding(item=items[row].item, kind=FindingKind.EXACT_DUPLICATE, severity=1.0, detail=detail)
            if len(splits) > 1:
                other = next(each for each in members if items[each].split != items[row].split)
                across = {
                    "other": items[other].item,
                    "split": items[row].split.value,
                    "other_split": items[other].split.value,
                    "is_exact": True,
                }
                yield Finding(item=items[row].item, kind=FindingKind.LEAK, severity=1.0, detail={**shared, **across})


def _unclipped(table: Table, seed: int) -> tuple[NDArray[np.float32], list[str]]:
    """Columns as trees take them ``_ND``: as they are, with the median where a cell is missing; and of which column each is."""
    preparation, prepared_ND = Preparation.learn(table, np.zeros(len(table)), 0, style="trees", seed=seed)
    known_ND = np.where(np.isfinite(prepared_ND), prepared_ND, np.nan)
    is_empty_D = np.isnan(known_ND).all(axis=0)
    known_ND[:, is_empty_D] = 0.0
    filled_ND = np.where(np.isnan(known_ND), np.nanmedian(known_ND, axis=0), known_ND).astype(np.float32)
    return filled_ND, [preparation.columns[place].name for place in preparation.sources_F]


def _drawn(number: int, seed: int) -> list[int]:
    if number <= MOST_LOOKED_AT:
        return list(range(number))
    drawn = np.random.default_rng(seed).choice(number, MOST_LOOKED_AT, replace=False)
    return sorted(map(int, drawn))
