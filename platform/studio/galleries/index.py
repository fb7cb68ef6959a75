"""The exact index: all vectors of a gallery in one matrix, kept by the process until the gallery changes.

A search is one product of matrix and vector. ``docs/decisions/0038`` has the figures. Shapes: N entries, D numbers, K found.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from studio.galleries.embedding import VECTOR_TYPE
from studio.galleries.models import EntryVector, Gallery

MOST_KEPT = 8
"""Galleries whose matrices a process keeps, those asked last."""


@dataclass(frozen=True)
class Index:
    """Entries and their vectors."""

    entries: tuple[str, ...]
    names: tuple[str, ...]
    vectors: NDArray[np.float32]

    def nearest_names(self, vector: NDArray[np.float32], top: int) -> list[tuple[int, float]]:
        """The most similar entry of each of the most similar names, best first.

        Returns:
            Places of entries with their similarity, -1..1; at most ``top``.
        """
        if not self.entries:
            return []
        similarities = np.clip(self.vectors @ vector, -1.0, 1.0)
        found: dict[str, tuple[int, float]] = {}
        number = top
        while len(found) < top:  # names may have many pictures each
            number = min(4 * number, len(similarities))
            places = np.argpartition(-similarities, number - 1)[:number]
            found = {}
            for place in places[np.argsort(-similarities[places], kind="stable")]:
                found.setdefault(self.names[place], (int(place), float(similarities[place])))
            if number == len(similarities):
                break
        return list(found.values())[:top]


_kept: OrderedDict[tuple[str, str, int], Index] = OrderedDict()
_lock = Lock()


def index_of(gallery: Gallery) -> Index:
    """The gallery's index as it is now."""
    key = gallery.id, gallery.artefact_id or "", gallery.revision
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    index = _read(gallery)
    with _lock:
        for other in [each for each in _kept if each[0] == gallery.id]:
            del _kept[other]
        _kept[key] = index
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return index


def _read(gallery: Gallery) -> Index:
    rows = list(
        EntryVector.objects.filter(entry__gallery=gallery, artefact=gallery.artefact_id or "")
        .order_by("entry_id")
        .values_list("entry_id", "entry__name", "values")
    )
    vectors = np.frombuffer(b"".join(bytes(values) for _, _, values in rows), dtype=VECTOR_TYPE)
    return Index(
        entries=tuple(entry for entry, _, _ in rows),
        names=tuple(name for _, name, _ in rows),
        vectors=vectors.reshape(len(rows), -1) if rows else np.zeros((0, 0), dtype=np.float32),
    )
