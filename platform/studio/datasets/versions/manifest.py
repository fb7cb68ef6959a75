"""Cuts, keeps and gives out dataset versions.

A version is a tree in the blob store (``version.json`` and its shards) that never changes, and a row that finds it. Its
pictures are the blobs that the items have anyway: nothing is copied when a version is cut, and nothing is
deleted that one may use.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from automl.contracts.artefact import HASHES_FILE
from automl.contracts.dataset import ItemRecord, Split, VersionManifest, blob_path
from automl.contracts.task import Problem
from engine.tasks import task_part, task_spec
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.datasets.items.kinds import kind_of, kind_of_format
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemState
from studio.datasets.versions.errors import SplitFieldError
from studio.datasets.versions.next_splits import planned_moves, splits_move
from studio.datasets.versions.records import (
    VersionWriter,
    table_records,
    version_records,
    version_rows,
    version_rows_where,
    version_tables,
)
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.shards import version_tree, version_tree_put
from studio.datasets.versions.version_note import NO_NOTE, VersionNote
from studio.datasets.versions.working_tables import working_tables
from studio.projects.models import Project

INLINE_ITEMS = 20_000
"""Up to here a version is cut while a request waits: about two seconds."""


def version_is_small(dataset: Dataset) -> bool:
    """Whether a version can be cut while a request waits."""
    rows = Item.objects.filter(dataset=dataset, deleted_at=None, state=ItemState.ANNOTATED)
    return rows[: INLINE_ITEMS + 1].count() <= INLINE_ITEMS


def dataset_records(dataset: Dataset) -> Iterator[ItemRecord]:
    """The rows that a version cut now would hold: annotated living items, ordered by id."""
    try:
        moved = planned_moves(dataset).splits
    except SplitFieldError:  # raised when a version is cut; until then the items stand where they stand
        moved = {}
    for table in working_tables(dataset):
        for record in table_records(table):
            yield record.model_copy(update={"split": moved[record.item]}) if record.item in moved else record


def dataset_problems(dataset: Dataset) -> list[Problem]:
    """The problems of the current dataset by its task's checker, blocking ones first."""
    return _problems(dataset, dataset_records(dataset))


def version_commit(
    *,
    dataset: Dataset,
    actor: Principal,
    note: VersionNote = NO_NOTE,
    refuse: Callable[[list[Problem]], None] | None = None,
) -> tuple[DatasetVersion, bool]:
    """Cuts a version of the dataset as it stands; says too whether it is new. The dataset follows it from then on.

    The same state gives the same id, so cutting it again finds the version that is there.

    ``refuse`` is called with the problems of the rows that are cut, and may raise; without it the checker does not run.
    """
    project = dataset.project
    dataset.refresh_from_db(fields=["base", "branch", "columns", "split_rule"])
    splits_move(dataset=dataset)
    with tempfile.TemporaryDirectory(prefix="version-") as name:
        folder = Path(name)
        writer = VersionWriter(folder, project.labels)
        if refuse is None:
            for table in working_tables(dataset):
                writer.add(table)
        else:
            refuse(_problems(dataset, _records(working_tables(dataset), writer.add)))
        manifest = writer.finish(
            project=project.id,
            parent=dataset.base_id,
            task=project.task,
            task_options=project.task_options,
            annotation_kinds=task_spec(project.task).annotation.kinds,
            columns=schema_of(dataset),
        )
        existing = DatasetVersion.objects.select_related("project").filter(id=manifest.id).first()
        if existing is not None:
            base_set(dataset=dataset, base=existing)
            return existing, False
        version_tree_put(manifest.id, folder)
    # Another person may have cut the same state at this moment; then the tree and its parent are theirs.
    return _row_create(dataset, VersionManifest.read(version_tree(manifest.id) / "version.json"), actor, note)


def _records(tables: Iterator[pa.Table], listen: Callable[[pa.Table], None]) -> Iterator[ItemRecord]:
    """The rows of tables, each table passed on too: one reading of the database serves both.

    The listener, whose hashing and compressing hold no lock, works in a thread while the rows of its table are looked at.
    """
    with ThreadPoolExecutor(1) as pool:
        for table in tables:
            listening = pool.submit(listen, table)
            yield from table_records(table)
            listening.result()


def _problems(dataset: Dataset, records: Iterator[ItemRecord]) -> list[Problem]:
    project = dataset.project
    check = task_part(project.task, "check")
    more = {"columns": schema_of(dataset)} if kind_of(project).has_columns else {}
    found: list[Problem] = check.problems(records, project.labels, project.task_options, **more)
    for _ in records:  # a checker may have seen enough before the end
        pass
    return found


def base_set(*, dataset: Dataset, base: DatasetVersion, branch: str | None = None) -> None:
    """Says which version the working state follows and, when given, on which branch the next one is cut."""
    changed = [
        name for name, old, new in (("base", dataset.base_id, base.id), ("branch", dataset.branch, branch)) if old != new
    ]
    dataset.base = base
    if branch is None:
        changed = [name for name in changed if name == "base"]
    else:
        dataset.branch = branch
    if changed:
        dataset.save(update_fields=changed)


def _row_create(
    dataset: Dataset, manifest: VersionManifest, actor: Principal, note: VersionNote
) -> tuple[DatasetVersion, bool]:
    project = dataset.project
    with transaction.atomic():
        Project.objects.select_for_update().get(id=project.id)  # numbers are given out one by one
        last = DatasetVersion.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        version, is_new = DatasetVersion.objects.select_related("project").get_or_create(
            id=manifest.id,
            defaults={
                "project": project,
                "number": last + 1,
                "parent_id": manifest.parent,
                "created_at": timezone.now(),
                "created_by": actor.id,
                "note": note.text,
                "note_code": note.code,
                "note_params": note.params,
                "branch": dataset.branch,
                "manifest": manifest.model_dump(mode="json"),
            },
        )
        base_set(dataset=dataset, base=version)
        if is_new:
            data = {"number": version.number, "num_items": manifest.num_items, "branch": version.branch}
            workspace = project.workspace_id
            audit_record(
                workspace=workspace,
                project=project.id,
                actor=actor,
                action="version.committed",
                subject=version.id,
                detail=data,
            )
            event_record(workspace=workspace, project=project.id, type="version.committed", subject=version.id, data=data)
    return version, is_new


def version_items(version: DatasetVersion, *, start: int, count: int) -> list[ItemRecord]:
    """Rows ``start`` to ``start + count`` of a version."""
    return version_rows(version_tree(version.id), version_manifest(version), start=start, count=count)


def version_items_where(
    version: DatasetVersion, *, split: Split | None, label: str | None, start: int, count: int
) -> tuple[list[ItemRecord], int | None]:
    """Rows of a split and with a label from row ``start`` on, at most ``count``; and the row to go on at, None at the end.

    Looks at a limited number of rows, so it may give few or none although more follow.
    """
    return version_rows_where(
        version_tree(version.id), version_manifest(version), split=split, label=label, start=start, count=count
    )


def version_all_items(version: DatasetVersion) -> Iterator[ItemRecord]:
    """All rows of a version, in order, without holding them."""
    return version_records(version_tree(version.id), version_manifest(version))


def version_all_tables(version: DatasetVersion, *, after: str = "") -> Iterator[pa.Table]:
    """All rows of a version with ids above ``after``, by the table in the columns of a shard."""
    return version_tables(version_tree(version.id), version_manifest(version), after=after)


def version_place(version: DatasetVersion, data_dir: Path) -> None:
    """Lays a version into a job's ``data/`` folder: manifest, shards and ``blobs``, linked and not copied.

    Doing it again is harmless.

    Args:
        version: which one.
        data_dir: made if it is not there.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    folder = version_tree(version.id)
    manifest = version_manifest(version)
    for name in ("version.json", *manifest.shards):
        shutil.copyfile(folder / name, data_dir / name)
    if (folder / HASHES_FILE).exists():  # those of earlier releases have none
        shutil.copyfile(folder / HASHES_FILE, data_dir / HASHES_FILE)
    root = blobs().link_root()
    if root is None:
        _blobs_fetch(version_records(folder, manifest), data_dir)
    elif not (data_dir / "blobs").is_symlink():
        (data_dir / "blobs").symlink_to(root, target_is_directory=True)


def _blobs_fetch(records: Iterator[ItemRecord], data_dir: Path) -> None:
    """Links each blob from this host's cache of the remote store, which fetches what it lacks."""
    for record in records:
        if not kind_of_format(record.media.format).has_files:
            continue  # it stands in the shard
        target = data_dir / blob_path(record.blob)
        if not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(blobs().local_path(record.blob))
