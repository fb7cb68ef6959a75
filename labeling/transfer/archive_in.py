"""Reads the archive of a project.

Nobody vouches for such a file, so everything in it is checked before it counts: pictures and texts against their hashes and by
decoding them, versions against their ids, rows against the columns they are for, and every key against the archive itself, so
that no row can point at what belongs to somebody else. The walk through the file keeps to the caps of any uploaded archive.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pydantic
from django.db import IntegrityError, transaction

from automl.contracts.dataset import VersionManifest, version_id
from labeling.kinds import labelling_kind_of
from labeling.transfer.archive_out import ArchiveHead
from labeling.transfer.errors import ArchiveInvalidError
from labeling.transfer.people import people_in
from labeling.transfer.row_check import row_check
from labeling.transfer.tables import Intake, project_tables
from studio.accounts.quotas import Quota
from studio.datasets.files.archive import ArchiveKind, Entry, Fault, archive_kind, archive_walk
from studio.datasets.items.annotations import labels_rebuild
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, DatasetVersion, Item
from studio.datasets.versions.canonical import ContentHash, annotations_canonical
from studio.datasets.versions.records import version_tables
from studio.datasets.versions.shards import CELLS, shard_schema, version_tree_put
from studio.projects.models import Project

_VERSION_FILE = re.compile(r"versions/(dsv_[0-9a-f]{26})/(version\.json|items-\d{5}\.parquet)")
HEAD_BYTES = 16 * 2**20
"""Of ``archive.json`` at most; a hundred thousand labels take less."""
_LOCAL_HEADER = struct.Struct("<4s2xHH8xIIHH")
"""Signature, flags, method, packed and unpacked size, lengths of the name and of what follows it."""
_NOT_PLAIN = 0x1 | 0x8
"""Encrypted, or of a size that is known only afterwards."""
_TABLE_FILE = re.compile(r"tables/([a-z_.]+)/\d{6}\.jsonl")


def archive_head(path: Path) -> ArchiveHead:
    """The head of an archive. Only the beginning of the file is read, while a person waits; the job reads the rest.

    Raises:
        ArchiveInvalidError: it is no archive of a project.
    """
    try:
        return ArchiveHead.model_validate_json(_head_bytes(path))
    except pydantic.ValidationError as error:
        raise ArchiveInvalidError("archive.json", "head", error=error.errors()[0]["msg"]) from error


def _head_bytes(path: Path) -> bytes:
    """The file that an archive begins with, found by its own header: the directory at the end may be huge."""
    with path.open("rb") as file:
        header = file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or header[:4] != b"PK\x03\x04":
            raise ArchiveInvalidError("archive", "no_zip")
        _, flags, method, packed_bytes, _, name_bytes, extra_bytes = _LOCAL_HEADER.unpack(header)
        if file.read(name_bytes) != b"archive.json":
            raise ArchiveInvalidError("archive.json", "missing")
        if flags & _NOT_PLAIN or packed_bytes > HEAD_BYTES:
            raise ArchiveInvalidError("archive.json", "form")
        file.seek(extra_bytes, io.SEEK_CUR)
        data = file.read(packed_bytes)
    if method == zipfile.ZIP_DEFLATED:
        try:
            data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, HEAD_BYTES + 1)
        except zlib.error:
            raise ArchiveInvalidError("archive.json", "damaged") from None
    if len(data) > HEAD_BYTES:
        raise ArchiveInvalidError("archive.json", "too_large")
    return data


def archive_amounts(path: Path) -> dict[Quota, int]:
    """How many living items an archive says it has, and how many bytes: known before anything of it is kept.

    Raises:
        ArchiveInvalidError: its table of items cannot be read.
    """
    num_items = size_bytes = 0
    for entry in _entries(path, lambda name: name.startswith("tables/datasets.item/")):
        for line in entry.data.splitlines():
            row = _row(line, entry.name)
            size = row.get("size_bytes")
            if row.get("deleted_at") is None and isinstance(size, int):
                num_items, size_bytes = num_items + 1, size_bytes + size
    return {Quota.ITEMS: num_items, Quota.STORAGE_BYTES: size_bytes}


def archive_read(path: Path, *, head: ArchiveHead, project: Project, report: Callable[[float], None]) -> int:
    """Fills an empty project from an archive; returns the number of people who were added.

    Args:
        path: the archive.
        head: the result of ``archive_head``.
        project: made from the head, without a dataset.
        report: called with the fraction done, 0..1; may raise to stop.

    Raises:
        ArchiveInvalidError: something in it is not right; what has been written so far is the caller's to remove.
    """
    size_bytes = max(1, path.stat().st_size)
    known: dict[str, int] = {}
    intake = Intake(project, known)
    num_people = 0
    with tempfile.TemporaryDirectory(prefix="archive-") as name:
        trees = Path(name)
        for entry in _entries(path, lambda _: True):
            report(min(1.0, entry.consumed_bytes / size_bytes))
            if entry.name.startswith("blobs/"):
                known[_blob_in(entry, project)] = len(entry.data)
            elif entry.name.startswith("versions/"):
                _version_file_in(entry, trees)
            elif entry.name.startswith("tables/"):
                _rows_in(entry, intake)
            elif entry.name == "people.json":
                num_people = people_in(_json(entry), workspace=project.workspace_id)
            elif entry.name != "archive.json":
                raise ArchiveInvalidError(entry.name, "file_unknown")
        intake.late_in()
        # Items hold the blobs that versions name, so a version must not name others.
        _versions_in(trees, project, set(Item.objects.filter(dataset__project=project).values_list("blob", flat=True)))
    if len(intake.ids("datasets.item")) != head.num_items or set(intake.ids("datasets.datasetversion")) != set(head.versions):
        raise ArchiveInvalidError("archive.json", "incomplete")
    labels_rebuild(dataset=Dataset.objects.get(project=project))
    return num_people


def _entries(path: Path, is_needed: Callable[[str], bool]) -> Iterator[Entry]:
    if archive_kind(path) is not ArchiveKind.ZIP:
        raise ArchiveInvalidError("archive", "no_zip")
    for found in archive_walk(path, ArchiveKind.ZIP, is_needed=is_needed):
        if isinstance(found, Fault):
            raise ArchiveInvalidError(found.name, found.code)
        yield found


def _blob_in(entry: Entry, project: Project) -> str:
    blob = entry.name.removeprefix("blobs/")
    if hashlib.sha256(entry.data).hexdigest() != blob:
        raise ArchiveInvalidError(entry.name, "bytes_other")
    labelling_kind_of(project).archive_file(entry.data, blob=blob, place=entry.name)
    return blob


def _version_file_in(entry: Entry, trees: Path) -> None:
    found = _VERSION_FILE.fullmatch(entry.name)
    if found is None:
        raise ArchiveInvalidError(entry.name, "version_file")
    folder = trees / found[1]
    folder.mkdir(exist_ok=True)
    (folder / found[2]).write_bytes(entry.data)


def _rows_in(entry: Entry, intake: Intake) -> None:
    found = _TABLE_FILE.fullmatch(entry.name)
    model = project_tables().get(found[1]) if found else None
    if model is None:
        raise ArchiveInvalidError(entry.name, "table_unknown")
    rows = [_row(line, entry.name) for line in entry.data.splitlines()]
    try:
        with transaction.atomic():
            intake.rows_in(model, rows, entry.name)
    except IntegrityError as error:
        raise ArchiveInvalidError(entry.name, "row_rule") from error


def _row(line: bytes, place: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise ArchiveInvalidError(place, "line_json") from error
    return row if isinstance(row, dict) else {}


def _json(entry: Entry) -> list[object]:
    try:
        found = json.loads(entry.data)
    except ValueError as error:
        raise ArchiveInvalidError(entry.name, "no_json") from error
    if not isinstance(found, list):
        raise ArchiveInvalidError(entry.name, "no_list")
    return found


def _versions_in(trees: Path, project: Project, of_items: set[str]) -> None:
    """Puts versions into the store after checking each against its id."""
    for version in DatasetVersion.objects.filter(project=project):
        folder = trees / version.id
        try:
            manifest = VersionManifest.read(folder / "version.json")
            content = _content(folder, manifest, of_items, shard_schema(kind_of(project)))
        except (OSError, pydantic.ValidationError, pa.ArrowException, KeyError, ValueError) as error:
            raise ArchiveInvalidError(version.id, "version_unreadable") from error
        is_itself = manifest.id == version.id == version_id(manifest) and manifest.content_sha256 == content
        if not is_itself or manifest.project != project.id or version.manifest != manifest.model_dump(mode="json"):
            raise ArchiveInvalidError(version.id, "version_other")
        version_tree_put(version.id, folder)
        shutil.rmtree(folder)
    left = next(trees.iterdir(), None)
    if left is not None:
        raise ArchiveInvalidError(left.name, "version_row")


def _content(folder: Path, manifest: VersionManifest, of_items: set[str], schema: pa.Schema) -> str:
    if any(not re.fullmatch(r"items-\d{5}\.parquet", shard) for shard in manifest.shards):
        raise ValueError("the name of a shard")
    content = ContentHash()
    for table in version_tables(folder, manifest):
        if table.schema.remove_metadata() != schema:
            raise ValueError("columns of a shard")
        if CELLS in schema.names:
            # Rows that were changed since have another hash now: each must be what its own one says.
            for text, blob in zip(table.column(CELLS).to_pylist(), table.column("blob").to_pylist(), strict=True):
                row_check(text, blob, folder.name)
        elif not of_items.issuperset(table.column("blob").to_pylist()):
            raise ValueError("items of a shard")
        texts, _ = annotations_canonical(table.column("annotations").combine_chunks())
        content.update(table.set_column(schema.get_field_index("annotations"), schema.field("annotations"), texts))
    return content.hexdigest()
