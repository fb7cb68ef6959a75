"""Finds copies of pictures: candidates from an index, each then laid over the other (``alignment.py``).

Candidates come from cosine transforms in all eight orientations and from what the pictures show; no more than a few a picture
are compared. Copies of copies form one cluster, of which one picture is the one to keep.

Shapes: N pictures, S side of the small copies, C channels, F frequencies, D features.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem
from engine.data.image import Pixels
from engine.quality.clusters import clusters
from engine.quality.items.image.alignment import Match, match
from engine.quality.items.image.orientation import ORIENTATIONS
from engine.quality.neighbours import neighbours

# Of copies cut by a tenth, 99 % correlate by more than 0.5 here, and all of the turned, resized and recompressed ones by 0.9.
_LEAST_WAVES_COSINE = 0.45
_PER_ORIENTATION = 2
_LEAST_VECTOR_COSINE = 0.75
_PER_VECTOR = 3
_MOST_PER_PICTURE = 8
# Between the copies and the most alike others of the planted sets lies 0.97 .. 0.995, and 0 .. 0.2.
LEAST_SIMILARITY = 0.975
MOST_WORST = 0.12
_ROUND = 512

Candidate = tuple[int, int, int]
"""Two rows and the orientation (index into ``ORIENTATIONS``) that lays the first like the second."""


@dataclass(frozen=True)
class Copy:
    """Two rows that show the same picture."""

    first: int
    second: int
    orientation: str
    match: Match
    is_exact: bool = False


def candidates(waves_NFF: NDArray[np.float32], units_ND: NDArray[np.float32]) -> list[Candidate]:
    """Pairs worth a comparison, most promising first for each picture."""
    num = len(waves_NFF)
    if num < 2:
        return []
    flat_ND = waves_NFF.reshape(num, -1)
    found: dict[int, dict[tuple[int, int], float]] = defaultdict(dict)
    for index, orientation in enumerate(ORIENTATIONS):
        laid_ND = np.ascontiguousarray(orientation.apply_to_waves(waves_NFF)).reshape(num, -1)
        _gather(found, *neighbours(flat_ND, _PER_ORIENTATION, laid_ND), index, _LEAST_WAVES_COSINE)
    _gather(found, *neighbours(units_ND, _PER_VECTOR), 0, _LEAST_VECTOR_COSINE)
    pairs: dict[Candidate, None] = {}
    for row, others in found.items():
        for other, turn in sorted(others, key=lambda key: -others[key])[:_MOST_PER_PICTURE]:
            # From the other's side this is the inverse orientation: only the two quarter turns are not their own.
            inverse = {5: 6, 6: 5}.get(turn, turn)
            pairs[(row, other, turn) if row < other else (other, row, inverse)] = None
    return list(pairs)


def _gather(cosine_of, cosines_NK, rows_NK, orientation: int, least: float) -> None:
    for row, column in np.argwhere(cosines_NK >= least):
        key = (int(rows_NK[row, column]), orientation)
        cosine_of[int(row)][key] = max(float(cosines_NK[row, column]), cosine_of[int(row)].get(key, -1.0))


def verified(
    pairs: Sequence[Candidate],
    small_NSSC: NDArray[np.uint8],
    *,
    num_threads: int,
    on_progress: Callable[[int, int], None],
) -> list[Copy]:
    """The candidates that are copies. ``on_progress`` may raise to end the work."""

    def compare(pair: Candidate) -> Copy | None:
        first, second, index = pair
        found = match(ORIENTATIONS[index].apply(small_NSSC[first]), small_NSSC[second])
        if found is None or found.similarity < LEAST_SIMILARITY or found.worst > MOST_WORST:
            return None
        return Copy(first, second, ORIENTATIONS[index].name, found)

    copies: dict[tuple[int, int], Copy] = {}
    with ThreadPoolExecutor(num_threads) as pool:
        for start in range(0, len(pairs), _ROUND):
            for copy in pool.map(compare, pairs[start : start + _ROUND]):
                if copy is None:
                    continue
                key = (copy.first, copy.second)
                if key not in copies or copy.match.similarity > copies[key].match.similarity:
                    copies[key] = copy
            on_progress(min(start + _ROUND, len(pairs)), len(pairs))
    return list(copies.values())


def exact_marked(
    copies: Iterable[Copy], items: Sequence[QualityItem], pixels_of: Callable[[QualityItem], Pixels | None]
) -> list[Copy]:
    """Marks the copies whose pixels are equal, by decoding in full those that may be."""
    out = []
    for copy in copies:
        first, second = items[copy.first], items[copy.second]
        may_be = copy.orientation == "upright" and (first.width, first.height) == (second.width, second.height)
        if may_be and copy.match.similarity > 0.9995:
            one, two = pixels_of(first), pixels_of(second)
            if one is not None and two is not None and np.array_equal(one, two):
                out.append(Copy(copy.first, copy.second, copy.orientation, copy.match, is_exact=True))
                continue
        out.append(copy)
    return out


def findings_of_copies(copies: Sequence[Copy], items: Sequence[QualityItem]) -> list[Finding]:
    """Findings of the kinds exact duplicate, near duplicate and leak."""
    partners: dict[int, list[Copy]] = defaultdict(list)
    for copy in copies:
        partners[copy.first].append(copy)
        partners[copy.second].append(copy)
    keeper_of = {row: keeper for members, keeper in clusters(copies, items) for row in members}
    out = []
    for row in sorted(partners):
        mine = sorted(partners[row], key=lambda copy: (-copy.match.similarity, copy.first, copy.second))
        shared = {"cluster": items[keeper_of[row]].item, "is_kept": keeper_of[row] == row}
        for kind, chosen in _by_kind(row, mine, items):
            out.append(_finding(kind, row, chosen, items, shared))
    return out


def _by_kind(row: int, mine: Sequence[Copy], items: Sequence[QualityItem]) -> Iterable[tuple[FindingKind, Copy]]:
    exact = next((copy for copy in mine if copy.is_exact), None)
    near = next((copy for copy in mine if not copy.is_exact), None)
    leak = next((copy for copy in mine if items[_other(copy, row)].split != items[row].split), None)
    for kind, copy in ((FindingKind.EXACT_DUPLICATE, exact), (FindingKind.NEAR_DUPLICATE, near), (FindingKind.LEAK, leak)):
        if copy is not None:
            yield kind, copy


def _finding(kind: FindingKind, row: int, copy: Copy, items: Sequence[QualityItem], shared: Mapping[str, object]) -> Finding:
    other = items[_other(copy, row)]
    detail = {
        **shared,
        "other": other.item,
        "orientation": copy.orientation,
        "similarity": round(min(1.0, copy.match.similarity), 4),
        "kept_fraction": round(copy.match.kept_fraction, 3),
        "is_resized": (items[row].width * items[row].height) != (other.width * other.height),
    }
    if kind is FindingKind.LEAK:
        detail |= {"split": items[row].split.value, "other_split": other.split.value, "is_exact": copy.is_exact}
    severity = 1.0 if copy.is_exact else min(1.0, max(0.0, copy.match.similarity - copy.match.worst))
    return Finding(item=items[row].item, kind=kind, severity=severity, detail=detail)


def _other(copy: Copy, row: int) -> int:
    return copy.second if copy.first == row else copy.first
