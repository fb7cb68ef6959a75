"""What the cells of one column look like: counts, spread, histogram, commonest values.

Shapes: N rows, K different cells.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from automl.contracts.table import Column, ColumnKind, ColumnProfile, Histogram, ValueCount
from engine.table.associations import words_in
from engine.table.profile_cells import CodedColumn

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_TOP = 50
_NUM_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 200
_NUM_BINS = 30
_HUGE = 1e300
_MOST_WHOLE_BINS = 40
_WORD_CELLS = 20_000
"""Of a text, so many different cells are searched for words."""
_SHORT_WORDS = frozenset(
    word
    for line in (
        "a an and are as at be but by for from had has have he her his i in is it its me my not of on or our she so that the",
        "their them there they this to was we were what which who will with you your 的 了 是 在 我 和 也 就 都 而 及 与",
    )
    for word in line.split()
)


def column_profile(column: Column, cells: CodedColumn, values_K: NDArray[np.float64] | None, guessed: Column) -> ColumnProfile:
    """Describes all cells of a column.

    Args:
        column: what the cells mean.
        cells: of all rows.
        values_K: of numbers and moments what each different cell means (``profile_cells.values_of``), else None.
        guessed: what the cells look like.

    Returns:
        The profile without ``target_association``. The words of a text are counted in at most 20,000 different cells, each
        word once a row, and words that every text has are left out.
    """
    counts_K = cells.counts
    profile = ColumnProfile(
        name=column.name,
        kind=column.kind,
        role=column.role,
        guessed=guessed.kind,
        guessed_units=guessed.units,
        num_rows=cells.num_rows,
        num_missing=cells.num_missing,
        num_invalid=0,
        num_distinct=cells.num_distinct,
        examples=_examples(cells),
    )
    if values_K is not None:
        return profile.model_copy(update=_of_values(values_K, counts_K, is_whole=column.kind is ColumnKind.NUMBER))
    top = _words(cells) if column.kind is ColumnKind.TEXT else _commonest(cells)
    return profile.model_copy(update={"top": top})


def _of_values(values_K: NDArray[np.float64], counts_K: NDArray[np.int64], *, is_whole: bool) -> dict[str, object]:
    """Facts about numbers and moments."""
    is_read = ~np.isnan(values_K)
    facts: dict[str, object] = {"num_invalid": int(counts_K[~is_read].sum())}
    if not is_read.any():
        return facts | {"num_distinct": 0}
    order = np.argsort(values_K[is_read], kind="stable")
    values, counts = values_K[is_read][order], counts_K[is_read][order]
    num = int(counts.sum())
    mean = float((values * counts).sum()) / num
    spread = float(np.sqrt((counts * (values - mean) ** 2).sum() / (num - 1))) if num > 1 else 0.0
    return facts | {
        "num_distinct": int((np.diff(values) != 0).sum()) + 1,
        "minimum": float(values[0]),
        "maximum": float(values[-1]),
        "mean": mean if np.isfinite(mean) else None,
        "std": spread if np.isfinite(spread) else None,
        "quantiles": tuple(weighted_quantiles(values, counts, QUANTILES)),
        "histogram": _histogram(values, counts, is_whole=is_whole),
    }


def weighted_quantiles(values: NDArray[np.float64], counts: NDArray[np.int64], at: tuple[float, ...]) -> list[float]:
    """Quantiles of values that occur several times, as ``numpy.quantile`` gives them of all, interpolated linearly.

    Args:
        values: sorted.
        counts: of each, at least 1.
        at: 0..1.
    """
    ends = np.cumsum(counts)
    found = []
    for fraction in at:
        position = fraction * (int(ends[-1]) - 1)
        low = int(np.floor(position))
        below = float(values[np.searchsorted(ends, low, side="right")])
        above = float(values[np.searchsorted(ends, min(low + 1, int(ends[-1]) - 1), side="right")])
        share = position - low
        found.append(below if below == above else below * (1 - share) + above * share)  # their difference may be infinite
    return found


def _histogram(values: NDArray[np.float64], counts: NDArray[np.int64], *, is_whole: bool) -> Histogram | None:
    """Thirty bins, one a number where there are few whole ones; far outliers stand in two wider bins at the ends."""
    low, high = float(values[0]), float(values[-1])
    if abs(low) > _HUGE or abs(high) > _HUGE:
        return None  # wider than a number can say
    if is_whole and high - low < _MOST_WHOLE_BINS and bool((values == np.round(values)).all()):
        edges = np.arange(low - 0.5, high + 1.0)
    elif high == low:
        edges = np.array([low - 0.5, high + 0.5])
    else:
        inner_low, inner_high = weighted_quantiles(values, counts, (0.005, 0.995))
        is_far = inner_high > inner_low and high - low > 4 * (inner_high - inner_low)
        start, end = (inner_low, inner_high) if is_far else (low, high)
        edges = np.linspace(start, end, _NUM_BINS + 1)
        edges = np.unique(np.concatenate([[low], edges, [high]]))
    found, _ = np.histogram(values, bins=edges, weights=counts)
    return Histogram(edges=tuple(map(float, edges)), counts=tuple(round(float(count)) for count in found))


def _commonest(cells: CodedColumn) -> tuple[ValueCount, ...]:
    counts_K = cells.counts
    order = np.argsort(-counts_K, kind="stable")[:_MOST_TOP]
    words = cells.words_at(order)
    return tuple(ValueCount(value=word, count=int(counts_K[place])) for word, place in zip(words, order, strict=True))


def _words(cells: CodedColumn) -> tuple[ValueCount, ...]:
    places = np.unique(np.linspace(0, cells.num_distinct - 1, min(cells.num_distinct, _WORD_CELLS)).astype(np.intp))
    found: Counter[str] = Counter()
    for text, place in zip(cells.words_at(places), places, strict=True):
        for word in set(words_in(text)):
            found[word] += int(cells.counts[place])
    counts = [(word, count) for word, count in found.most_common(_MOST_TOP + len(_SHORT_WORDS)) if word not in _SHORT_WORDS]
    return tuple(ValueCount(value=word, count=count) for word, count in counts[:_MOST_TOP])


def _examples(cells: CodedColumn) -> tuple[str, ...]:
    """Different cells from all over the column."""
    if not cells.num_distinct:
        return ()
    places = np.unique(np.linspace(0, cells.num_distinct - 1, _NUM_EXAMPLES).astype(np.intp))
    return tuple(
        word if len(word) <= _EXAMPLE_CHARACTERS else word[: _EXAMPLE_CHARACTERS - 1] + "…" for word in cells.words_at(places)
    )
