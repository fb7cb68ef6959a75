"""Describes a table: each column's cells, how well it predicts the target, and what a person should check.

Counts are of all rows; what needs a model or pairs of columns is computed on a sample of 20,000. Columns are gone through
one at a time.

Shapes: N rows, S rows of the sample, K different cells of a column.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from automl.contracts.table import Column, ColumnKind, ColumnProfile, ColumnRole, Correlation, TableProfile, TableSchema
from engine.table.associations import SampledColumn, Target, correlations, target_association
from engine.table.guess import column_guess, other_readings, sample_places
from engine.table.profile_cells import CodedColumn, coded, odd_share, values_of
from engine.table.profile_column import column_profile
from engine.table.profile_warnings import ColumnStatistics, table_warnings
from engine.table.units import units_guess

SAMPLE_ROWS = 20_000
_GUESS_ROWS, _GUESS_CELLS = 4_000, 400_000
_PART_WORDS = 10_000
_MOST_CORRELATIONS = 500
_MOST_CORRELATED = 150
"""So many columns are compared with one another: those that predict the target best."""
_MOST_VALUES = 100
"""A category of more values in the sample is not compared: any two of such columns seem to go together."""
_LEAST_STRENGTH = 0.05


@dataclass(frozen=True)
class RowTargets:
    """Labels or numbers of the rows, where they are not the target's cells."""

    labels: pa.Array | None
    """Strings ``_N``, null where a row has none."""
    values_N: NDArray[np.float64] | None
    """NaN where a row has none."""


@np.errstate(over="ignore", invalid="ignore")  # cells may hold numbers whose squares are none
def table_profile(
    schema: TableSchema,
    cells: pa.Table,
    *,
    is_held_back_N: NDArray[np.bool_] | None = None,
    targets: RowTargets | None = None,
    seed: int = 0,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> TableProfile:
    """Describes a table.

    Args:
        schema: how its cells are read.
        cells: a column of strings for each of the schema's, null or empty where a cell is missing.
        is_held_back_N: rows that are not trained on; None when they are not parted yet.
        targets: labels or numbers of the rows; None takes the target's cells.
        seed: of the sample.
        on_progress: called with steps that are done and all; it may raise what ends the work.

    Raises:
        KeyError: a column is not among the cells.
    """
    num_rows, num_columns = cells.num_rows, len(schema.columns)
    rows_S = _sample(num_rows, seed)
    look = sample_places(num_rows, num_columns)
    look = look[:: max(1, len(look) // min(_GUESS_ROWS, max(500, _GUESS_CELLS // max(1, num_columns))))]
    row_hash_N = np.zeros(num_rows, dtype=np.uint64)
    seen: list[ColumnStatistics] = []
    looked: dict[str, list[str]] = {}
    own_target: Target | None = None
    class_counts: dict[str, int] = {}
    for place, column in enumerate(schema.columns):
        on_progress(2 * place, 3 * num_columns)
        column_cells = coded(cells.column(column.name))
        values_K = values_of(column, column_cells) if column.kind in {ColumnKind.NUMBER, ColumnKind.DATETIME} else None
        looked[column.name] = _words_of(column_cells, look)
        guess = column_guess(column.name, looked[column.name])
        profile = column_profile(column, column_cells, values_K, guess)
        sampled = _sampled(column, column_cells, values_K, rows_S)
        seen.append(
            ColumnStatistics(
                column=column,
                profile=profile,
                counts_K=column_cells.counts,
                values_K=values_K,
                sampled=sampled,
                guess=guess,
                fingerprint=_fingerprint(column_cells, values_K),
                odd=_odd(column_cells, values_K),
                odd_share=odd_share(column_cells) if values_K is None else None,
                mixed_units=units_guess(Counter(filter(None, looked[column.name]))).mixed,
            )
        )
        if column.role is not ColumnRole.IGNORED:
            _mix(row_hash_N, column_cells.codes_N)
        if column.role is ColumnRole.TARGET and targets is None:
            own_target = _own_target(sampled)
            class_counts = _class_counts(column, column_cells)
    target = own_target if targets is None else _target(targets, rows_S)
    if targets is not None and targets.labels is not None:
        class_counts = {each["values"]: each["counts"] for each in targets.labels.drop_null().value_counts().to_pylist()}
    profiles = []
    for place, one in enumerate(seen):
        on_progress(2 * num_columns + place, 3 * num_columns)
        profiles.append(_associated(one.profile, one.sampled, target, seed))
    seen = [one.with_profile(profile) for one, profile in zip(seen, profiles, strict=True)]
    return TableProfile(
        num_rows=num_rows,
        num_sampled=len(rows_S),
        columns=tuple(profiles),
        warnings=tuple(
            table_warnings(
                seen,
                target=target,
                class_counts=class_counts,
                is_held_back_S=None if is_held_back_N is None else is_held_back_N[rows_S],
                num_different_rows=len(np.unique(row_hash_N)),
                others=other_readings(schema, looked),
            )
        ),
        correlations=_correlations(seen),
    )


def _sample(num_rows: int, seed: int) -> NDArray[np.intp]:
    if num_rows <= SAMPLE_ROWS:
        return np.arange(num_rows)
    return np.sort(np.random.default_rng(seed).choice(num_rows, SAMPLE_ROWS, replace=False))


def _words_of(cells: CodedColumn, rows: NDArray[np.intp]) -> list[str]:
    """The cells of some rows, empty where missing."""
    codes = cells.codes_N[rows]
    found, places = np.unique(codes, return_inverse=True)
    words = np.array([""] * int((found < 0).sum()) + cells.words_at(found[found >= 0].astype(np.intp)), dtype=object)
    return list(words[places]) if len(words) else []


def _sampled(
    column: Column, cells: CodedColumn, values_K: NDArray[np.float64] | None, rows_S: NDArray[np.intp]
) -> SampledColumn:
    codes_S = cells.codes_N[rows_S]
    if values_K is not None:
        numbers_S = np.append(values_K, np.nan)[codes_S]
        return SampledColumn(column.name, column.kind, numbers_S, codes_S.astype(np.int64))
    found, places_S = np.unique(codes_S, return_inverse=True)
    has_missing = bool(len(found) and found[0] < 0)
    compact_S = places_S.astype(np.int64) - has_missing
    words = cells.words_at(found[has_missing:].astype(np.intp)) if column.kind is ColumnKind.TEXT else []
    return SampledColumn(column.name, column.kind, np.zeros(0), compact_S, words)


def _fingerprint(cells: CodedColumn, values_K: NDArray[np.float64] | None) -> bytes:
    """Equal where two columns part the rows alike; where most rows have a value of their own, where the values are equal."""
    found = hashlib.blake2b(cells.codes_N.tobytes(), digest_size=16)
    if 2 * cells.num_distinct <= cells.num_rows - cells.num_missing:
        return found.digest()
    if values_K is not None:
        found.update(values_K.tobytes())
    for start in range(0, cells.num_distinct if values_K is None else 0, _PART_WORDS):
        found.update("\0".join(cells.words.slice(start, _PART_WORDS).to_pylist()).encode())
    return found.digest()


def _odd(cells: CodedColumn, values_K: NDArray[np.float64] | None) -> str | None:
    """The commonest cell that cannot be read."""
    if values_K is None or not np.isnan(values_K).any():
        return None
    place = int(np.argmax(np.where(np.isnan(values_K), cells.counts, 0)))
    return cells.words_at(np.array([place]))[0]


def _mix(row_hash_N: NDArray[np.uint64], codes_N: NDArray[np.int32]) -> None:
    """Takes a column into the hashes of the rows (multiply and shift, as splitmix64 does)."""
    row_hash_N += codes_N.astype(np.int64).view(np.uint64)
    row_hash_N += np.uint64(0x9E3779B97F4A7C15)
    row_hash_N ^= row_hash_N >> np.uint64(30)
    row_hash_N *= np.uint64(0xBF58476D1CE4E5B9)
    row_hash_N ^= row_hash_N >> np.uint64(27)
    row_hash_N *= np.uint64(0x94D049BB133111EB)


def _own_target(sampled: SampledColumn) -> Target:
    if sampled.is_numeric:
        return Target(None, sampled.numbers_S)
    return Target(sampled.codes_S, None)


def _target(targets: RowTargets, rows_S: NDArray[np.intp]) -> Target:
    if targets.labels is None:
        assert targets.values_N is not None
        return Target(None, targets.values_N[rows_S])
    codes = targets.labels.take(pa.array(rows_S)).dictionary_encode().indices.fill_null(-1)
    return Target(codes.to_numpy(zero_copy_only=False).astype(np.int64), None)


def _class_counts(column: Column, cells: CodedColumn) -> dict[str, int]:
    if column.kind is not ColumnKind.CATEGORY:
        return {}
    return dict(zip(cells.words.to_pylist(), cells.counts.tolist(), strict=True))


def _associated(profile: ColumnProfile, sampled: SampledColumn, target: Target | None, seed: int) -> ColumnProfile:
    if target is None or profile.role is ColumnRole.TARGET:
        return profile
    return profile.model_copy(update={"target_association": target_association(sampled, target, seed=seed)})


def _correlations(seen: list[ColumnStatistics]) -> tuple[Correlation, ...]:
    """The strongest pairs among columns that are learned from, and the target."""
    fit = [
        one
        for one in seen
        if one.column.role is not ColumnRole.IGNORED
        and one.column.kind is not ColumnKind.TEXT
        and (one.sampled.is_numeric or one.sampled.codes_S.max(initial=-1) < _MOST_VALUES)
    ]
    fit.sort(key=lambda one: -(1.0 if one.column.role is ColumnRole.TARGET else one.profile.target_association or 0.0))
    names = {one.column.name for one in fit[:_MOST_CORRELATED]}
    places = {one.column.name: place for place, one in enumerate(seen)}
    found = []
    for first, second, strength in correlations([one.sampled for one in seen if one.column.name in names]):
        if abs(strength) >= _LEAST_STRENGTH:
            left, right = sorted((first, second), key=lambda name: places[name])
            found.append(Correlation(first=left, second=right, strength=round(abs(strength), 4), is_inverse=strength < 0))
    found.sort(key=lambda one: (-one.strength, places[one.first], places[one.second]))
    return tuple(found[:_MOST_CORRELATIONS])
