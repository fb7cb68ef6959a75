"""Writes the archive of a project: a zip that can be larger than 4 GiB, written in one pass with flat memory.

Layout, in this order (``archive_in`` relies on it)::

    archive.json                  ArchiveHead
    blobs/<sha256>                every picture or text once
    versions/<id>/...             version.json and shards, as they are in the store
    tables/<table>/<part>.jsonl   rows, tables that others point to first
    people.json                   names and addresses of those who are named in them
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from django.utils import timezone
from pydantic import Field

from automl.contracts.base import Contract
from automl.contracts.dataset import LabelSet
from labeling.transfer.people import MENTION, people_out
from labeling.transfer.tables import ENCODER, PART_BYTES, PART_ROWS, project_tables, rows_out
from studio.common.blobs import blob_checked
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import DatasetVersion, Item
from studio.datasets.versions.shards import shard_file, version_tree
from studio.projects.models import Project


class ArchiveHead(Contract):
    """``archive.json``: what the archive is of, and how much is in it."""

    schema_version: Literal[1] = 1
    format: Literal["modelyard-project"] = "modelyard-project"
    made_at: datetime
    project: str
    name: str
    description: str
    task: str
    task_options: dict[str, str]
    label_set: LabelSet
    overlap: str = Field(default="", exclude_if=lambda value: not value)
    """The rule for areas that meet, where somebody chose one."""
    created_at: datetime
    versions: tuple[str, ...]
    num_blobs: int
    num_items: int


def archive_write(path: Path, *, project: Project, report: Callable[[float], None]) -> ArchiveHead:
    """Writes the archive of a project as it stands.

    Args:
        path: the file to write.
        project: which one.
        report: called with the fraction done, 0..1; may raise to stop.
    """
    items = Item.objects.filter(dataset__project=project)
    versions = list(DatasetVersion.objects.filter(project=project).order_by("number").values_list("id", flat=True))
    num_items = items.count()
    with_files = items if kind_of(project).has_files else items.none()
    head = ArchiveHead(
        made_at=timezone.now(),
        project=project.id,
        name=project.name,
        description=project.description,
        task=project.task,
        task_options=project.task_options,
        label_set=project.labels,
        overlap=project.overlap,
        created_at=project.created_at,
        versions=tuple(versions),
        num_blobs=with_files.values("blob").distinct().count(),
        num_items=num_items,
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr("archive.json", head.model_dump_json(indent=2))
        seen = with_files.order_by("blob").values_list("blob", flat=True).distinct()
        for done, blob in enumerate(seen.iterator(chunk_size=2_000)):
            # Pictures are compressed already; storing them costs no time.
            archive.write(blob_checked(blob), f"blobs/{blob}")
            report(0.7 * done / max(1, head.num_blobs))
        for version in versions:
            folder = version_tree(version)
            for file in sorted(folder.glob("*.parquet")):
                archive.write(shard_file(folder, file.name), f"versions/{version}/{file.name}")
            archive.write(folder / "version.json", f"versions/{version}/version.json")
        report(0.8)
        people: set[str] = set()
        for name, data in _table_files(project):
            people.update(found.decode() for found in MENTION.findall(data))
            archive.writestr(name, data, compress_type=zipfile.ZIP_DEFLATED, compresslevel=1)
        archive.writestr("people.json", ENCODER.encode(people_out(people)))
    report(1.0)
    return head


def _table_files(project: Project) -> Iterator[tuple[str, bytes]]:
    for label, model in project_tables().items():
        for number, part in enumerate(_parts(map(_line, rows_out(model, project)))):
            yield f"tables/{label}/{number:06d}.jsonl", part


def _parts(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines in files of ``PART_ROWS``, or of fewer where they are long, as those of texts may be."""
    part: list[bytes] = []
    size_bytes = 0
    for line in lines:
        part.append(line)
        size_bytes += len(line)
        if len(part) == PART_ROWS or size_bytes >= PART_BYTES:
            yield b"".join(part)
            part, size_bytes = [], 0
    if part:
        yield b"".join(part)


def _line(row: dict[str, Any]) -> bytes:
    return ENCODER.encode(row).encode() + b"\n"
