"""Finds copies of texts: the same letters, or nearly the same by the shingles that they share.

Candidates come from minwise hashes in bands (A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997) and
are then compared in full. Vectors are not asked: what they hold alike says the same in other words, and is no copy.

Shapes: N texts, S shingles of a text, T of all texts, H hashes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from automl.contracts.quality import Finding, FindingKind, QualityItem

SHINGLE = 3
LEAST_CHARACTERS = 12
"""Of a text without white space and punctuation: shorter ones are alike by chance."""
MOST_CHARACTERS = 20_000
"""So much of a text is compared."""
LEAST_SIMILARITY = 0.7
"""Of the shingles of both that they share. Texts with one of eight words exchanged share as many."""
_BANDS, _ROWS = 24, 3
"""Texts at the limit meet in at least one band with 0.9999, those that share a fifth of their shingles with 0.17."""
_MOST_IN_BUCKET = 40
"""In larger ones, such as of a template, only neighbours are compared: clusters grow by chains."""
_CHUNK_TEXTS = 2_000
_MULTIPLIERS = np.random.default_rng(20_261_121).integers(1, 2**63, _BANDS * _ROWS, dtype=np.uint64) | np.uint64(1)
_SHINGLE_MULTIPLIERS = tuple(np.uint64(value) for value in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))


@dataclass(frozen=True)
class TextCopy:
    """Two rows that hold the same text."""

    first: int
    second: int
    similarity: float
    """Share of the shingles of both, 0..1; 1 where the letters are the same."""
    is_exact: bool


def copies_of(plains: Sequence[str], splits: Sequence[str], on_progress: Callable[[int, int], None]) -> list[TextCopy]:
    """Copies among texts.

    Args:
        plains: the texts without case, white space and punctuation (``measure.normalised``).
        splits: of the texts: a copy in another split is always among what is found.
        on_progress: called now and then; may raise to end the work.
    """
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(plains):
        rows_of[text].append(row)
    exact = [copy for rows in rows_of.values() if len(rows) > 1 for copy in _same(rows, splits)]
    singles = [rows[0] for text, rows in rows_of.items() if len(text) >= LEAST_CHARACTERS]
    shingles = _shingles([plains[row][:MOST_CHARACTERS] for row in singles])
    near = []
    pairs = sorted(_candidates(shingles, on_progress))
    for number, (one, other) in enumerate(pairs):
        similarity = _resemblance(shingles[one], shingles[other])
        if similarity >= LEAST_SIMILARITY:
            near.append(TextCopy(singles[one], singles[other], similarity, is_exact=False))
        if number % _CHUNK_TEXTS == 0:
            on_progress(len(singles), 2 * len(singles))
    return exact + near


def findings_of_copies(
    copies: Sequence[TextCopy], items: Sequence[QualityItem], keepers: Mapping[int, int]
) -> Iterator[Finding]:
    """Findings of the kinds exact duplicate, near duplicate and leak.

    Args:
        copies: what was found.
        items: by row.
        keepers: of each row that has a copy, the row to keep (``duplicates.clusters``).
    """
    partners: dict[int, list[TextCopy]] = defaultdict(list)
    for copy in copies:
        partners[copy.first].append(copy)
        partners[copy.second].append(copy)
    for row in sorted(partners):
        mine = sorted(partners[row], key=lambda copy: (-copy.similarity, copy.first, copy.second))
        for kind, is_kind in _KINDS.items():
            found = next((copy for copy in mine if is_kind(copy, items)), None)
            if found is not None:
                yield _finding(kind, row, found, items, keepers[row])


_KINDS: Mapping[FindingKind, Callable[[TextCopy, Sequence[QualityItem]], bool]] = {
    FindingKind.EXACT_DUPLICATE: lambda copy, _items: copy.is_exact,
    FindingKind.NEAR_DUPLICATE: lambda copy, _items: not copy.is_exact,
    FindingKind.LEAK: lambda copy, items: items[copy.first].split != items[copy.second].split,
}


def _finding(kind: FindingKind, row: int, copy: TextCopy, items: Sequence[QualityItem], keeper: int) -> Finding:
    other = items[copy.second if copy.first == row else copy.first]
    detail = {
        "cluster": items[keeper].item,
        "is_kept": keeper == row,
        "other": other.item,
        "similarity": round(copy.similarity, 4),
    }
    if kind is FindingKind.LEAK:
        detail |= {"split": items[row].split.value, "other_split": other.split.value, "is_exact": copy.is_exact}
    return Finding(item=items[row].item, kind=kind, severity=min(1.0, copy.similarity), detail=detail)


def _same(rows: Sequence[int], splits: Sequence[str]) -> Iterator[TextCopy]:
    """Each row beside the first, and beside one of another split where there is one."""
    for row in rows[1:]:
        yield TextCopy(rows[0], row, 1.0, is_exact=True)
        stranger = next((other for other in rows if splits[other] != splits[row]), rows[0])
        if stranger != rows[0]:
            yield TextCopy(row, stranger, 1.0, is_exact=True)


def _shingles(texts: Sequence[str]) -> list[NDArray[np.uint64]]:
    """The shingles of each text as numbers ``_S``, ascending, each once."""
    out = []
    for text in texts:
        codes = np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), dtype=np.uint32).astype(np.uint64)
        width = len(codes) - SHINGLE + 1
        parts = [codes[at : at + width] * multiplier for at, multiplier in enumerate(_SHINGLE_MULTIPLIERS)]
        mixed = parts[0] ^ (parts[1] >> np.uint64(7)) ^ (parts[2] >> np.uint64(13))
        mixed = (mixed ^ (mixed >> np.uint64(32))) * _SHINGLE_MULTIPLIERS[0]
        out.append(np.unique(mixed ^ (mixed >> np.uint64(29))))
    return out


def _candidates(shingles: Sequence[NDArray[np.uint64]], on_progress: Callable[[int, int], None]) -> set[tuple[int, int]]:
    """Pairs that agree in some band."""
    if len(shingles) < 2:
        return set()
    signatures_NH = np.concatenate(list(_signatures(shingles, on_progress)))
    pairs: set[tuple[int, int]] = set()
    for band in range(_BANDS):
        part_NR = np.ascontiguousarray(signatures_NH[:, band * _ROWS : (band + 1) * _ROWS])
        _, bucket_N, sizes = np.unique(part_NR, axis=0, return_inverse=True, return_counts=True)
        bucket_N = bucket_N.reshape(-1)
        shared = np.flatnonzero(sizes[bucket_N] > 1)
        order = shared[np.argsort(bucket_N[shared], kind="stable")]
        starts = np.flatnonzero(np.diff(bucket_N[order], prepend=-1))
        for members in np.split(order, starts[1:]):
            pairs.update(_pairs(members.tolist()))
    return pairs


def _pairs(members: Sequence[int]) -> Iterable[tuple[int, int]]:
    if len(members) > _MOST_IN_BUCKET:
        return pairwise(members)
    return ((one, other) for place, one in enumerate(members) for other in members[place + 1 :])


def _signatures(
    shingles: Sequence[NDArray[np.uint64]], on_progress: Callable[[int, int], None]
) -> Iterator[NDArray[np.uint64]]:
    """Least hashes ``_NH`` of the shingles, chunk by chunk."""
    for start in range(0, len(shingles), _CHUNK_TEXTS):
        some = shingles[start : start + _CHUNK_TEXTS]
        starts = np.concatenate([[0], np.cumsum([len(one) for one in some])[:-1]])
        all_T = np.concatenate(some)
        hashes = [np.minimum.reduceat((all_T * multiplier) >> np.uint64(16), starts) for multiplier in _MULTIPLIERS]
        yield np.stack(hashes, axis=1)
        on_progress(start + len(some), 2 * len(shingles))


def _resemblance(one_S: NDArray[np.uint64], other_S: NDArray[np.uint64]) -> float:
    """Jaccard's similarity of two sets, each ascending."""
    num_shared = len(np.intersect1d(one_S, other_S, assume_unique=True))
    return num_shared / max(len(one_S) + len(other_S) - num_shared, 1)
