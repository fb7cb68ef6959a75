"""Warnings about a table that a person should check before training.

Shapes: S rows of the sample, K different cells of a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import Column, ColumnKind, ColumnProfile, ColumnRole, ColumnWarning, ValueCount, WarningCode
from engine.table.associations import LEAST_ROWS, SampledColumn, Target
from engine.table.outliers import is_far
from engine.table.profile_leaks import leak

_MOSTLY_MISSING = 0.7
_NEARLY_ALL = 0.95
_MANY_VALUES = 1_000
_IMBALANCED = 0.9
_RARE_ROWS = 10
_MOST_RARE = 100
_FEW = 0.01
"""Share of a column's rows up to which numbers far from all others are reported; with more it is the column's nature."""
_DRIFT = 0.15
_SURE = 2.3
"""Of Kolmogorov and Smirnov's statistic times the root of the rows: by chance once in 20,000 (2 exp(-2 x^2))."""
_SENTINEL = re.compile(r"-?9{2,}|-1|-9|-99[0-9]9")
_FAR_DAYS = (253_402_214_400.0, -2_208_988_800.0, 0.0)
"""9999-12-31, 1900-01-01, 1970-01-01."""


@dataclass(frozen=True)
class ColumnStatistics:
    """All statistics of one column."""

    column: Column
    profile: ColumnProfile
    counts_K: NDArray[np.int64]
    values_K: NDArray[np.float64] | None
    sampled: SampledColumn
    guess: Column
    fingerprint: bytes
    """Equal where two columns part the rows into the same groups."""
    odd: str | None
    """The commonest cell that cannot be read."""
    odd_share: float | None
    """Of a category of many numbers and some words, or the other way round: the share of the fewer; else None."""
    mixed_units: tuple[str, ...]
    """Where its numbers have different units: the commonest of these."""

    def with_profile(self, profile: ColumnProfile) -> ColumnStatistics:
        """The same with another profile."""
        return replace(self, profile=profile)


def table_warnings(
    seen: Sequence[ColumnStatistics],
    *,
    target: Target | None,
    class_counts: Mapping[str, int],
    is_held_back_S: NDArray[np.bool_] | None,
    num_different_rows: int,
    others: Mapping[str, str],
) -> Iterator[ColumnWarning]:
    """All warnings, those of the table first, then column by column. Ignored columns get none.

    Args:
        seen: the columns.
        target: in the rows of the sample.
        class_counts: rows of each class; empty where a number is predicted.
        is_held_back_S: rows that are not trained on.
        num_different_rows: of the columns that are not ignored.
        others: columns that could be read in another way (``guess.other_readings``).
    """
    used = [one for one in seen if one.column.role is not ColumnRole.IGNORED]
    yield from _of_rows(used, num_different_rows)
    target_name = next((one.column.name for one in used if one.column.role is ColumnRole.TARGET), None)
    yield from _of_classes(class_counts, target_name)
    first_of: dict[bytes, str] = {}
    for one in used:
        name = one.column.name
        if one.column.role is ColumnRole.FEATURE:
            yield from leak(one.column.name, one.sampled, target, one.profile.target_association)
        yield from _of_cells(one)
        if name in others:
            yield ColumnWarning(code=WarningCode.AMBIGUOUS, column=name, value=others[name])
        if one.values_K is not None:
            yield from _sentinels(one)
            yield from _outliers(one)
        if one.column.role is ColumnRole.FEATURE and one.profile.num_distinct > 1 and one.profile.num_rows >= LEAST_ROWS:
            if one.fingerprint in first_of:
                yield ColumnWarning(
                    code=WarningCode.DUPLICATE_COLUMN,
                    column=name,
                    other=first_of[one.fingerprint],
                    suggested_role=ColumnRole.IGNORED,
                )
            first_of.setdefault(one.fingerprint, name)
        if is_held_back_S is not None:
            yield from _drift(one, is_held_back_S)


def _of_rows(used: Sequence[ColumnStatistics], num_different: int) -> Iterator[ColumnWarning]:
    """Rows that occur twice, where the columns have room for so many different ones that this is no chance."""
    if not used or not used[0].profile.num_rows:
        return
    num_rows = used[0].profile.num_rows
    log_combinations = sum(np.log(max(1, one.profile.num_distinct)) for one in used)
    if num_different < num_rows and log_combinations > np.log(num_rows) + np.log(100):
        yield ColumnWarning(code=WarningCode.DUPLICATE_ROWS, share=1 - num_different / num_rows)


def _of_classes(counts: Mapping[str, int], target: str | None) -> Iterator[ColumnWarning]:
    num = sum(counts.values())
    if not num:
        return
    commonest = max(counts, key=lambda name: counts[name])
    if len(counts) > 1 and counts[commonest] >= _IMBALANCED * num:
        yield ColumnWarning(code=WarningCode.IMBALANCED_TARGET, value=commonest, share=counts[commonest] / num)
    rare = sorted((count, name) for name, count in counts.items() if count < _RARE_ROWS)
    if rare:
        values = tuple(ValueCount(value=name, count=count) for count, name in rare[:_MOST_RARE])
        share = sum(count for count, _ in rare) / num
        yield ColumnWarning(code=WarningCode.RARE_CLASS, column=target, share=share, values=values, num_values=len(rare))


def _of_cells(one: ColumnStatistics) -> Iterator[ColumnWarning]:
    profile, name = one.profile, one.column.name
    num_there = profile.num_rows - profile.num_missing
    is_feature = one.column.role is ColumnRole.FEATURE
    ignored = ColumnRole.IGNORED if is_feature else None
    if profile.num_rows == 0:
        return
    share = profile.num_missing / profile.num_rows
    if is_feature and share >= _MOSTLY_MISSING:
        suggested = ignored if share >= _NEARLY_ALL else None
        yield ColumnWarning(code=WarningCode.MOSTLY_MISSING, column=name, share=share, suggested_role=suggested)
    if num_there > 1 and profile.num_distinct == 1 and (profile.num_missing == 0 or not is_feature):
        yield ColumnWarning(code=WarningCode.CONSTANT, column=name, suggested_role=ignored)
    is_identifier = one.guess.role is ColumnRole.IGNORED and profile.num_distinct >= 0.9 * num_there and num_there >= 5
    if is_feature and is_identifier and one.column.kind is not ColumnKind.DATETIME:
        yield ColumnWarning(
            code=WarningCode.IDENTIFIER,
            column=name,
            share=min(1.0, profile.num_distinct / max(1, num_there)),
            suggested_role=ignored,
        )
    elif one.column.kind is ColumnKind.CATEGORY and is_feature:
        is_wide = num_there >= 100 and profile.num_distinct > 0.5 * num_there
        if profile.num_distinct > _MANY_VALUES or is_wide:
            yield ColumnWarning(code=WarningCode.HIGH_CARDINALITY, column=name, share=profile.num_distinct / num_there)
    if profile.num_invalid:
        yield ColumnWarning(code=WarningCode.MIXED, column=name, value=one.odd, share=profile.num_invalid / num_there)
    elif one.column.kind in {ColumnKind.CATEGORY, ColumnKind.TEXT} and one.odd_share is not None:
        yield ColumnWarning(code=WarningCode.MIXED, column=name, share=one.odd_share)
    if one.mixed_units:
        yield ColumnWarning(code=WarningCode.MIXED_UNITS, column=name, value=", ".join(one.mixed_units))


def _sentinels(one: ColumnStatistics) -> Iterator[ColumnWarning]:
    """Numbers of nines, or below nothing, that stand far from all others and come again and again."""
    assert one.values_K is not None
    values, counts = _read(one)
    if len(values) < 10:
        return
    num = int(counts.sum())
    ends = (0, len(values) - 1)
    for place in ends:
        rest = values[1:] if place == 0 else values[:-1]
        gap = abs(float(values[place]) - float(rest[0 if place == 0 else -1]))
        is_often = counts[place] >= max(3, 0.002 * num)
        if one.column.kind is ColumnKind.DATETIME:
            is_sentinel = float(values[place]) // 86_400 * 86_400 in _FAR_DAYS and gap > 0.5 * float(np.ptp(rest))
            word = str(np.datetime64(int(values[place]), "s"))[:10]
        else:
            word = f"{values[place]:g}"
            is_below = place == 0 and float(values[0]) < 0 <= float(rest[0]) and float(np.ptp(rest)) > 10
            is_far = gap > 0.5 * float(np.ptp(rest)) and word not in {"-1", "-9"}
            is_sentinel = (is_below or is_far) and _SENTINEL.fullmatch(word) is not None
        if is_often and is_sentinel:
            yield ColumnWarning(code=WarningCode.SENTINEL, column=one.column.name, value=word, share=counts[place] / num)


def _outliers(one: ColumnStatistics) -> Iterator[ColumnWarning]:
    """Numbers far from all others: few of a column that is learned from, and of the target however many."""
    if one.column.kind is not ColumnKind.NUMBER:
        return
    values, counts = _read(one)
    is_target = one.column.role is ColumnRole.TARGET
    is_far_K = is_far(values, counts, is_target=is_target)
    share = float(counts[is_far_K].sum()) / max(1, int(counts.sum()))
    if 0 < share <= (1.0 if is_target else _FEW):
        places = np.flatnonzero(is_far_K)
        middle = float(np.median(values))
        value = values[places[np.argmax(np.abs(values[places] - middle))]]
        yield ColumnWarning(code=WarningCode.OUTLIERS, column=one.column.name, value=f"{value:g}", share=share)


def _read(one: ColumnStatistics) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The different numbers in order, and how often each occurs."""
    assert one.values_K is not None
    is_read = ~np.isnan(one.values_K)
    values, places = np.unique(one.values_K[is_read], return_inverse=True)
    return values, np.bincount(places, weights=one.counts_K[is_read], minlength=len(values)).astype(np.int64)


def _drift(one: ColumnStatistics, is_held_back_S: NDArray[np.bool_]) -> Iterator[ColumnWarning]:
    """Columns whose cells differ between training and held-back rows.

    Of numbers it is Kolmogorov and Smirnov's statistic, of categories the total variation beyond that of chance.
    """
    if one.column.kind is ColumnKind.TEXT:
        return
    there_S = ~one.sampled.missing
    held_back_S, train_S = there_S & is_held_back_S, there_S & ~is_held_back_S
    num_held_back, num_train = int(held_back_S.sum()), int(train_S.sum())
    if min(num_held_back, num_train) < LEAST_ROWS:
        return
    pooled = num_held_back * num_train / (num_held_back + num_train)
    if one.sampled.is_numeric:
        numbers_S = one.sampled.numbers_S
        grid = np.unique(numbers_S[there_S])
        rest, train = (
            np.searchsorted(np.sort(numbers_S[side]), grid, side="right") / side.sum() for side in (held_back_S, train_S)
        )
        distance = float(np.abs(rest - train).max())
        is_sure = distance * np.sqrt(pooled) > _SURE
    else:
        num = int(one.sampled.codes_S.max()) + 1
        rest, train = (np.bincount(one.sampled.codes_S[side], minlength=num) / side.sum() for side in (held_back_S, train_S))
        both = (rest * num_held_back + train * num_train) / (num_held_back + num_train)
        chance = float(np.sqrt(2 / np.pi * both * (1 - both) / pooled).sum()) / 2
        distance = float(np.abs(rest - train).sum()) / 2 - chance
        is_sure = distance > chance
    if distance >= _DRIFT and is_sure:
        yield ColumnWarning(code=WarningCode.DRIFT, column=one.column.name, share=min(1.0, distance))
