"""Backup and restore of a whole installation: the database first, then the files that it names, so that the two agree.

A file in the store never changes, and one that nobody holds stays for an hour at least; so whatever the database named at its
moment is among the files that are copied after it. What is not kept: caches, logs, folders of jobs, uploads that are under way.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from studio.common.blob_fields import blob_fields
from studio.common.blob_store import file_sha256
from studio.common.blobs import blobs
from studio.common.errors import StudioError
from studio.common.sql import dialect
from studio.common.sql.dialect import TableCounts
from studio.common.sql.tables import table_counts, table_names
from studio.config.store_copy import Store, store

FORMAT = 1
MANIFEST, FILES, DATABASE, SECRET_KEY = "backup.json", "files.jsonl", "database", "secret_key"
EXTRA_FOLDERS = ("serving/inputs",)
"""Folders of the home beside the store that are kept: inputs of calls."""


class BackupError(StudioError):
    """A backup cannot be made or restored."""

    code = "backup_refused"
    title = "The backup cannot be used"


@dataclass(frozen=True)
class Manifest:
    """What a backup holds; written last, so that one that broke off has none."""

    format: int
    made_at: str
    database: str
    database_sha256: str
    rows: TableCounts
    num_files: int
    num_bytes: int
    has_secret_key: bool
    """False where the key comes from ``MODELYARD_SECRET_KEY`` and must be kept elsewhere."""


def backup(folder: Path) -> Manifest:
    """Writes a backup into a folder that is empty or not there yet."""
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty.", hint="Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    rows = dialect().save(folder / DATABASE)
    num_files = num_bytes = 0
    with (folder / FILES).open("w", encoding="utf-8") as lines:
        for name, path in _copied(folder / "files"):
            ref = file_sha256(path)
            if name.startswith(("store/blobs/", "store/aside/")) and ref.sha256 != path.name:
                raise BackupError(
                    f"{name} is damaged: its bytes are not those of its name.", hint="Check the disk of the store."
                )
            lines.write(json.dumps({"name": name, "sha256": ref.sha256, "size_bytes": ref.size_bytes}) + "\n")
            num_files += 1
            num_bytes += ref.size_bytes
    key = settings.HOME / SECRET_KEY
    if key.exists():
        shutil.copyfile(key, folder / SECRET_KEY)
    database = file_sha256(folder / DATABASE).sha256
    made = Manifest(FORMAT, timezone.now().isoformat(), dialect().name, database, rows, num_files, num_bytes, key.exists())
    (folder / MANIFEST).write_text(json.dumps(asdict(made), indent=2), encoding="utf-8")
    return made


def _copied(folder: Path) -> Iterator[tuple[str, Path]]:
    where = store()
    for name in where.names():
        path = folder / "store" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if where.read(name, path):
            yield f"store/{name}", path
    for name in EXTRA_FOLDERS:
        for source in sorted((settings.HOME / name).rglob("*")):
            if source.is_file():
                path = folder / "home" / source.relative_to(settings.HOME)
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, path)
                yield f"home/{source.relative_to(settings.HOME).as_posix()}", path


def restore(folder: Path) -> tuple[Manifest, list[str]]:
    """Fills an empty installation; returns what was restored and the hashes of blobs that the database names and nobody has."""
    manifest = _manifest(folder)
    _refuse_unless_empty(manifest)
    if file_sha256(folder / DATABASE).sha256 != manifest.database_sha256:
        raise BackupError("The database of the backup is damaged: its hash is another.")
    entries = [json.loads(line) for line in (folder / FILES).read_text(encoding="utf-8").splitlines()]
    if len(entries) != manifest.num_files:
        raise BackupError(f"The backup lists {len(entries)} files instead of {manifest.num_files}.")
    for entry in entries:  # all before anything is written
        path = folder / "files" / entry["name"]
        if not path.is_file() or file_sha256(path).sha256 != entry["sha256"]:
            raise BackupError(f"{entry['name']} of the backup is missing or damaged.", hint="Take another backup.")
    where = store()
    for entry in entries:
        _put(where, folder / "files" / entry["name"], entry["name"])
    if manifest.has_secret_key:
        shutil.copyfile(folder / SECRET_KEY, settings.HOME / SECRET_KEY)
    dialect().load(folder / DATABASE)
    rows = table_counts()
    wrong = sorted(table for table, count in manifest.rows.items() if rows.get(table) != count)
    if wrong:
        raise BackupError(f"After restoring, these tables have other numbers of rows: {', '.join(wrong)}.")
    call_command("migrate", verbosity=0, interactive=False)
    return manifest, sorted(_missing())


def _manifest(folder: Path) -> Manifest:
    try:
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise BackupError(f"{folder} holds no backup, or one that broke off: {MANIFEST} is missing.") from None
    except (ValueError, TypeError):
        raise BackupError(f"{MANIFEST} cannot be read.", hint="It may be of a newer Modelyard.") from None
    if manifest.format != FORMAT:
        raise BackupError(f"The backup is of format {manifest.format}; this Modelyard reads {FORMAT}.")
    return manifest


def _refuse_unless_empty(manifest: Manifest) -> None:
    if manifest.database != dialect().name:
        message = f"The backup is of {manifest.database}; MODELYARD_DATABASE_URL names {dialect().name}."
        raise BackupError(message, hint="Restore into a database of the same kind.")
    if table_names():
        raise BackupError("The database is not empty.", hint="Name an empty one, or another MODELYARD_HOME.")
    if next(store().names(), None) is not None:
        raise BackupError("The blob store is not empty.", hint="Name another MODELYARD_HOME, or an empty bucket.")


def _put(where: Store, path: Path, name: str) -> None:
    place, _, rest = name.partition("/")
    if place == "store":
        where.write(rest, path)
        return
    target = settings.HOME / rest
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def _missing() -> Iterator[str]:
    """Blobs that rows name and the store has not."""
    seen: set[str] = set()
    for field in blob_fields():
        rows = field.model._base_manager.all() if field.holds is None else field.model._base_manager.filter(field.holds)
        for sha256 in rows.order_by().values_list(field.name, flat=True).iterator(chunk_size=5_000):
            if sha256 and sha256 not in seen:
                seen.add(sha256)
                if not blobs().exists(sha256):
                    yield sha256
