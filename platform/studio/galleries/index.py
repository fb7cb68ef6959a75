"""The index: all vectors of a gallery in one matrix, kept by the process, and brought up to date after changes.

A search is one product of matrix and vector; in a large gallery codes choose first what is compared (``codes``).
``docs/decisions/0076`` has the figures.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from itertools import compress
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from studio.galleries.codes import PER_FOUND, Codes, codes_of
from studio.galleries.embedding import VECTOR_TYPE
from studio.galleries.models import EntryVector, Gallery

MOST_KEPT = 8
"""Galleries whose matrices a process keeps, those asked last."""
_SPARE_ROWS = 1024
"""Rows that a matrix has to spare at least, so that an addition seldom copies it."""


@dataclass(frozen=True)
class Index:
    """Entries and their vectors."""

    entries: tuple[str, ...]
    names: tuple[str, ...]
    vectors: NDArray[np.float32]
    codes: Codes | None = None
    """Of a large gallery, where the package for them is installed."""

    def nearest_names(self, vector: NDArray[np.float32], top: int) -> list[tuple[int, float]]:
        """The most similar entry of each of the most similar names, best first.

        Returns:
            Places of entries with their similarity, -1..1; at most ``top``.
        """
        if not self.entries:
            return []
        found: dict[str, tuple[int, float]] = {}
        number = top
        while len(found) < top:  # names may have many pictures each
            number = min(4 * number, len(self.entries))
            places, similarities = self._nearest(vector, number)
            found = {}
            for at in np.argsort(-similarities, kind="stable"):
                place, similarity = int(places[at]), min(1.0, max(-1.0, float(similarities[at])))
                found.setdefault(self.names[place], (place, similarity))
            if number == len(self.entries):
                break
        return list(found.values())[:top]

    def _nearest(self, vector: NDArray[np.float32], number: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Places and similarities of the most similar entries, in no order; with codes there may be more than asked for."""
        if self.codes is None or PER_FOUND * number >= len(self.entries):
            similarities = self.vectors @ vector
            places = np.argpartition(similarities, len(similarities) - number)[-number:]
            return places, similarities[places]
        places = np.concatenate([self.codes.nearest(vector, number), np.arange(self.codes.num_known, len(self.entries))])
        return places, self.vectors[places] @ vector


_EMPTY = Index((), (), np.zeros((0, 0), dtype=np.float32))


@dataclass(frozen=True)
class _Kept:
    """A gallery as this process last read it."""

    artefact: str
    revision: int
    removal: int
    rows: NDArray[np.int64]
    """Ids of the vectors, ascending: each vector that is added later has a larger one, as additions wait for each other."""
    index: Index
    matrix: NDArray[np.float32]
    """Begins with the index's vectors and has room for more behind them, which no index has seen yet."""

    def shows(self, gallery: Gallery) -> bool:
        """Whether it has all that the gallery had when its row was read."""
        return self.artefact == (gallery.artefact_id or "") and self.revision >= gallery.revision


_kept: OrderedDict[str, _Kept] = OrderedDict()
_lock = Lock()
_reading = [Lock() for _ in range(16)]
"""Of several requests that find the same gallery changed, one reads it."""


def index_of(gallery: Gallery) -> Index:
    """The gallery's index as it is now: of what this process has, only vectors that were added since are read."""
    found = _kept_of(gallery)
    if found is None or not found.shows(gallery):
        with _reading[hash(gallery.id) % len(_reading)]:
            found = _kept_of(gallery)
            if found is None or not found.shows(gallery):
                found = _read(gallery, found)
                _keep(gallery, found)
    return found.index


def _kept_of(gallery: Gallery) -> _Kept | None:
    with _lock:
        if gallery.id in _kept:
            _kept.move_to_end(gallery.id)
        return _kept.get(gallery.id)


def _keep(gallery: Gallery, read: _Kept) -> None:
    """Keeps what was read, unless it is of a gallery as it was before what is kept."""
    with _lock:
        other = _kept.get(gallery.id)
        if other is None or other.revision <= read.revision:
            _kept[gallery.id] = read
            _kept.move_to_end(gallery.id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _read(gallery: Gallery, before: _Kept | None) -> _Kept:
    """All vectors, or what came and went since a reading by the same model.

    What is read may be newer than the gallery's row: then the row has changed by the next request, which reads the rest.
    """
    artefact = gallery.artefact_id or ""
    if before is None or before.artefact != artefact:
        before = _Kept(artefact, 0, 0, np.zeros(0, dtype=np.int64), _EMPTY, _EMPTY.vectors)
    elif before.removal != gallery.removal:
        before = _without_gone(gallery, before)
    added = list(
        EntryVector.objects.filter(entry__gallery=gallery, artefact=artefact, id__gt=before.rows[-1] if len(before.rows) else 0)
        .order_by("id")
        .values_list("id", "entry_id", "entry__name", "values")
    )
    matrix, index = before.matrix, before.index
    if added:
        vectors = np.frombuffer(b"".join(bytes(row[3]) for row in added), dtype=VECTOR_TYPE).reshape(len(added), -1)
        number = len(index.entries) + len(added)
        if number > len(matrix):
            matrix = _roomy(number, vectors.shape[1])
            if index.entries:
                matrix[: len(index.entries)] = index.vectors
        matrix[len(index.entries) : number] = vectors
        index = Index(
            entries=(*index.entries, *(row[1] for row in added)),
            names=(*index.names, *(row[2] for row in added)),
            vectors=matrix[:number],
            codes=index.codes,
        )
    if index.codes is None or not index.codes.serve(len(index.entries)):
        index = replace(index, codes=codes_of(index.vectors))
    rows = np.concatenate([before.rows, np.array([row[0] for row in added], dtype=np.int64)])
    return _Kept(artefact, gallery.revision, gallery.removal, rows, index, matrix)


def _without_gone(gallery: Gallery, before: _Kept) -> _Kept:
    """What is there still; ids alone are read."""
    there = EntryVector.objects.filter(entry__gallery=gallery, artefact=before.artefact).values_list("id", flat=True)
    stays = np.isin(before.rows, np.fromiter(there, dtype=np.int64))
    entries = tuple(compress(before.index.entries, stays))
    matrix = _roomy(len(entries), before.matrix.shape[1])
    # No place is out of bounds; another mode would copy once more.
    np.take(before.index.vectors, np.flatnonzero(stays), axis=0, out=matrix[: len(entries)], mode="clip")
    index = Index(
        entries=entries,
        names=tuple(compress(before.index.names, stays)),
        vectors=matrix[: len(entries)],
        codes=before.index.codes.without(stays) if before.index.codes else None,
    )
    return replace(before, rows=before.rows[stays], index=index, matrix=matrix)


def _roomy(number: int, num_numbers: int) -> NDArray[np.float32]:
    """A matrix for so many vectors and some more."""
    return np.empty((number + number // 8 + _SPARE_ROWS, num_numbers), dtype=np.float32)
