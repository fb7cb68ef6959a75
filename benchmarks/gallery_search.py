"""Searches in a gallery: the first one after a picture came or went, and those after it, in processor time.

Vectors of 128 numbers, ten similar ones a name, lie in PostgreSQL. The anchor of changes is what a process did before: it read
all vectors again. The anchor of a search is the bare product of matrix and vector; of a gallery whose search is approximate,
the share of the same ten names beside a search in all is claimed, too. What the graph of the model takes for the picture is in
neither. ``--full`` has a gallery of a million. Time is that of this process and of the database together.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from benchmarks.harness import Claim, Options, main
from benchmarks.version_commit import database

NUM_NUMBERS = 128
PER_NAME = 10
"""Entries of a name."""
TOP = 10
ADDED, REMOVED, BARE, APPROXIMATE = 0.1, 0.5, 3.0, 0.5
"""Targets: of the time to read all again, twice, and of the time of the bare product, twice."""
SAME = 0.95
_VARIED = 40
"""Directions in which things differ: vectors of models fill a part of their space."""
_numbers = count()


def measure(options: Options) -> list[Claim]:
    """Each size of a gallery.

    Raises:
        SkippedError: there is no PostgreSQL.
    """
    sizes = options.pick((10_000, 100_000), smoke=(200,), quick=(10_000,), full=(10_000, 100_000, 1_000_000))
    with database(is_shared=options.is_smoke):
        return [claim for num in sizes for claim in _claims(num, options)]


def _claims(num: int, options: Options) -> list[Claim]:
    from studio.galleries.index import index_of
    from studio.galleries.models import Gallery

    gallery = _gallery(num)
    generator = np.random.default_rng(1)

    def asked() -> None:
        index_of(Gallery.objects.get(id=gallery)).nearest_names(_vectors(generator, 1)[0], TOP)

    def again() -> None:
        _read_all(gallery)

    asked()
    took: dict[str, list[float]] = {"added": [], "removed": [], "all": [], "search": [], "bare": []}
    for _ in range(options.num_rounds):
        for name, change, contestant in (
            ("added", lambda: _add(gallery, generator), asked),
            ("removed", lambda: _remove(gallery), asked),
            ("all", lambda: None, again),
        ):
            change()
            took[name].append(_ms(contestant, _both_seconds))
    index = index_of(Gallery.objects.get(id=gallery))
    same = []
    for _ in range(10 * options.num_rounds):
        vector = _like(index.vectors[generator.integers(num)], generator)
        if index.codes:
            every = replace(index, codes=None).nearest_names(vector, TOP)
            same.append(len({*every} & {*index.nearest_names(vector, TOP)}) / len(every))
        took["search"].append(_ms(partial(index.nearest_names, vector, TOP), time.process_time))
        took["bare"].append(_ms(partial(np.matmul, index.vectors, vector), time.process_time))
    medians = {name: statistics.median(times) for name, times in took.items()}
    sys.stderr.write(f"{num}: " + ", ".join(f"{name} {ms:.2f} ms" for name, ms in medians.items()) + "\n")
    where = f"{num:,} pictures"
    found = (
        [Claim("gallery_search", f"names found of ten, {where}", statistics.mean(same), 1.0, statistics.mean(same), SAME)]
        if same
        else []
    )
    target = APPROXIMATE if index.codes else BARE
    return [
        *found,
        _claim(f"ms of the first search after a picture was added, {where}", medians, "added", "all", ADDED),
        _claim(f"ms of the first search after a picture was removed, {where}", medians, "removed", "all", REMOVED),
        _claim(f"ms of another search, {where}", medians, "search", "bare", target),
    ]


def _claim(metric: str, medians: dict[str, float], ours: str, anchor: str, target: float) -> Claim:
    ratio = medians[ours] / medians[anchor]
    return Claim("gallery_search", metric, medians[ours], medians[anchor], ratio, target, is_at_most=True)


def _ms(work: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    work()
    return (clock() - start) * 1000


def _both_seconds() -> float:
    """Processor time of this process and of the one that answers it in the database."""
    from django.db import connection

    own = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text(encoding="utf-8")
    return time.process_time() + int(own.split()[0]) / 1e9


def _vectors(generator: np.random.Generator, num: int) -> np.ndarray:
    """Of things, ``PER_NAME`` pictures each."""
    things = generator.standard_normal((-(-num // PER_NAME), _VARIED), dtype=np.float32).repeat(PER_NAME, axis=0)[:num]
    within = things + 0.45 * generator.standard_normal(things.shape, dtype=np.float32)
    ways = np.random.default_rng(7).standard_normal((_VARIED, NUM_NUMBERS), dtype=np.float32)
    drawn: np.ndarray = within @ ways + 1.8 * generator.standard_normal((num, NUM_NUMBERS), dtype=np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn


def _like(vector: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Another picture of the same thing."""
    near: np.ndarray = vector + 0.03 * generator.standard_normal(NUM_NUMBERS, dtype=np.float32)
    near /= np.linalg.norm(near)
    return near


def _gallery(num: int) -> str:
    """A gallery of so many entries."""
    from django.db import connection

    from studio.accounts.access import SYSTEM
    from studio.accounts.models import Workspace
    from studio.galleries.models import Gallery
    from studio.projects.services import project_create

    workspace = Workspace.objects.create(name="bench")
    project = project_create(workspace=workspace, name="bench", task="image_similarity", actor=SYSTEM)
    gallery = Gallery.objects.create(project=project, name="bench", false_match_rate="0.01", created_by="x")
    ids = [f"gle_{next(_numbers):026d}" for _ in range(num)]
    vectors = _vectors(np.random.default_rng(0), num)
    with connection.cursor() as cursor:
        columns = "id, created_at, gallery_id, name, blob, size_bytes, created_by"
        with cursor.copy(f"COPY galleries_galleryentry ({columns}) FROM STDIN") as copy:
            for place, entry in enumerate(ids):
                copy.write_row((entry, "2026-11-20", gallery.id, f"thing {place // PER_NAME}", f"{place:064d}", 1, "x"))
        with cursor.copy('COPY galleries_entryvector (entry_id, artefact, "values") FROM STDIN') as copy:
            for entry, vector in zip(ids, vectors, strict=True):
                copy.write_row((entry, "", vector.tobytes()))
        cursor.execute("VACUUM ANALYZE")
    return str(gallery.id)


def _add(gallery: str, generator: np.random.Generator) -> None:
    """A picture, as ``entries_add`` adds it once the model has looked at it."""
    from django.db.models import F

    from studio.galleries.models import EntryVector, Gallery, GalleryEntry

    blob = f"{next(_numbers):064x}"
    entry = GalleryEntry.objects.create(gallery_id=gallery, name="new", blob=f"f{blob[1:]}", size_bytes=1, created_by="x")
    EntryVector.objects.create(entry=entry, artefact="", values=_vectors(generator, 1)[0].tobytes())
    Gallery.objects.filter(id=gallery).update(revision=F("revision") + 1)


def _remove(gallery: str) -> None:
    from studio.accounts.access import SYSTEM
    from studio.galleries.models import Gallery, GalleryEntry
    from studio.galleries.services import entries_delete

    found = Gallery.objects.select_related("project").get(id=gallery)
    entry = GalleryEntry.objects.filter(gallery=found).order_by("id")[:1].get()
    assert entries_delete(gallery=found, entries=[entry.id], actor=SYSTEM) == 1


def _read_all(gallery: str) -> np.ndarray:
    """The anchor: all rows and a search."""
    from studio.galleries.models import EntryVector

    rows = list(
        EntryVector.objects.filter(entry__gallery=gallery, artefact="")
        .order_by("entry_id")
        .values_list("entry_id", "entry__name", "values")
    )
    vectors = np.frombuffer(b"".join(bytes(values) for _, _, values in rows), dtype=np.float32).reshape(len(rows), -1)
    return np.argpartition(-(vectors @ vectors[0]), min(TOP, len(rows) - 1))[:TOP]


if __name__ == "__main__":
    main(measure)
