"""Turns the prediction server's log into rows, each line exactly once, and forgets what is too old.

How far a file has been read is a row that changes in the transaction that adds the lines, so a crash between two steps repeats
nothing and skips nothing. The server's own id is the key of a line, which holds even if folder and offsets come from different
backups.
"""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pydantic
from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from runtime.items.row.errors import RowInvalidError
from runtime.items.row.rows import row_parse
from studio.accounts.keys import keys_used
from studio.accounts.models import ApiKey
from studio.accounts.quotas import Quota, quota_limit
from studio.common.events import event_record
from studio.deployments.gateway import limits_publish
from studio.deployments.models import CallFeedback, Deployment, LogOffset, PredictionLog, ShadowCall
from studio.deployments.quota_use import calls_count

CHUNK_BYTES = 4 * 1024 * 1024
SHOWN_CHARACTERS = 2000
"""Of a kept text in the log's list; the whole is handed out by itself."""
SHOWN_CELLS = 100
"""Of a kept row in the log's list, and so many characters of each."""
SHOWN_CELL_CHARACTERS = 200
LATE = timedelta(hours=1)
"""A file of an hour that ended this long ago gets no more lines."""

_log = logging.getLogger(__name__)


class Top(pydantic.BaseModel):
    """The best answer for one item."""

    label: str
    score: float


class TopValue(pydantic.BaseModel):
    """The number that was predicted for one row."""

    value: float


class LogLine(pydantic.BaseModel):
    """A line of the prediction server's log. Fields that a newer server adds are let pass."""

    id: str = pydantic.Field(pattern=r"^prd_[0-9a-z]{26}$")
    at: datetime
    artefact: str = ""
    key: str | None = None
    status: int
    code: str = pydantic.Field(default="", max_length=64)
    """Of the refusal."""
    pinned: bool = False
    """Whether the caller named the model."""
    fallback_from: str = pydantic.Field(default="", max_length=40)
    """The model that failed before."""
    fallback_code: str = pydantic.Field(default="", max_length=64)
    latency_ms: float
    num_pictures: int = 0
    top: list[Top | TopValue | None] = []
    uncertainty: float | None = pydantic.Field(default=None, ge=0, le=1)
    held: list[dict[str, Any]] | None = None
    """What the model held to be on the kept input."""
    input: str | None = pydantic.Field(default=None, pattern=r"^[0-9a-f]{64}$")


class ShadowLine(pydantic.BaseModel):
    """A line about what a shadow predicted for a call; it comes after the call's own."""

    shadow_of: str = pydantic.Field(pattern=r"^prd_[0-9a-z]{26}$")
    at: datetime
    artefact: str
    code: str = pydantic.Field(default="", max_length=64)
    latency_ms: float
    top: list[Top | TopValue | None] = []
    uncertainty: float | None = pydantic.Field(default=None, ge=0, le=1)
    disagreement: float | None = pydantic.Field(default=None, ge=0, le=1)
    place: int = pydantic.Field(default=0, ge=0)
    held: list[dict[str, Any]] | None = None
    input: str | None = pydantic.Field(default=None, pattern=r"^[0-9a-f]{64}$")


class FactsLine(pydantic.BaseModel):
    """A line about where the facts of a call's first item fall; it comes after the call's own."""

    facts_of: str = pydantic.Field(pattern=r"^prd_[0-9a-z]{26}$")
    artefact: str
    """Whose bins these are."""
    bins: list[pydantic.NonNegativeInt] = pydantic.Field(max_length=1000)


def log_collect(*, clock: Callable[[], datetime] = timezone.now) -> int:
    """Reads what is new in all log files; returns the number of lines that became rows."""
    root = _log_root()
    folders = {path.name: path for path in root.iterdir() if path.is_dir()} if root.is_dir() else {}
    deployments = {each.id: each for each in Deployment.objects.filter(id__in=folders).select_related("project")}
    files = {name: sorted(folder.glob("*.jsonl")) for name, folder in folders.items()}
    known = _offsets(path for paths in files.values() for path in paths)
    num_rows = 0
    for name, folder in sorted(folders.items()):
        if name not in deployments:
            _folder_forget(folder)
            continue
        for path in files[name]:
            is_read = known.get(_name(path)) == path.stat().st_size
            num_new = 0 if is_read else _file_collect(path, deployments[name])
            num_rows += num_new
            if num_new and quota_limit(deployments[name].workspace_id, Quota.PREDICTIONS_PER_DAY) is not None:
                limits_publish(deployments[name].workspace_id)
            _file_retire(path, now=clock())
    return num_rows


def log_prune(*, clock: Callable[[], datetime] = timezone.now) -> int:
    """Deletes rows and kept inputs beyond their deployment's retention; returns the number of rows."""
    num_rows = 0
    for deployment in Deployment.objects.all():
        before = clock() - timedelta(days=deployment.retention_days)
        rows = PredictionLog.objects.filter(deployment=deployment, at__lt=before)
        shadows = ShadowCall.objects.filter(deployment=deployment, at__lt=before)
        inputs = {name for old in (rows, shadows) for name in _inputs_named(old)}
        num_rows += rows.delete()[0]
        shadows.delete()
        CallFeedback.objects.filter(deployment=deployment, received_at__lt=before).delete()
        inputs_forget(inputs)
    longest = Deployment.objects.aggregate(days=Max("retention_days"))["days"] or 0
    _strays_forget(before=clock() - timedelta(days=longest, hours=1))
    return num_rows


def inputs_of(deployment: Deployment) -> set[str]:
    """Hashes of the inputs that were kept for a deployment."""
    tables = (PredictionLog.objects, ShadowCall.objects)
    return {name for table in tables for name in _inputs_named(table.filter(deployment=deployment))}


def input_is_of(deployment: Deployment, sha256: str) -> bool:
    """Whether an input was kept for a call of a deployment."""
    named = {"deployment": deployment, "input_sha256": sha256}
    return PredictionLog.objects.filter(**named).exists() or ShadowCall.objects.filter(**named).exists()


def inputs_forget(inputs: Collection[str | None]) -> None:
    """Deletes kept inputs that no row names any more."""
    tables = (PredictionLog.objects, ShadowCall.objects)
    named = {name for table in tables for name in _inputs_named(table.filter(input_sha256__in=inputs))}
    for sha256 in set(inputs) - named - {None}:
        (_inputs_root() / str(sha256)).unlink(missing_ok=True)


def input_path(sha256: str) -> Path | None:
    """The file of a kept input; None when it was not kept or is forgotten."""
    path = _inputs_root() / sha256
    return path if len(sha256) == 64 and sha256.isalnum() and path.is_file() else None


def input_text_excerpt(sha256: str) -> str | None:
    """The beginning of a kept text; None when it was not kept or is forgotten.

    Args:
        sha256: of a text's input: a picture's would come out as nonsense.
    """
    path = input_path(sha256)
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            beginning = file.read(4 * SHOWN_CHARACTERS)  # no character takes more than four bytes
    except FileNotFoundError:  # forgotten a moment ago
        return None
    return beginning.decode("utf-8-sig", "ignore")[:SHOWN_CHARACTERS]


def input_row_excerpt(sha256: str) -> dict[str, str] | None:
    """The cells of a kept row, as many and as much of them as a list shows; None when it was not kept or is forgotten.

    Args:
        sha256: of a row's input.
    """
    path = input_path(sha256)
    try:
        cells = row_parse(path.read_bytes()) if path is not None else None
    except (FileNotFoundError, RowInvalidError):  # forgotten a moment ago, or another model's input
        return None
    if cells is None:
        return None
    return {name: str(cell)[:SHOWN_CELL_CHARACTERS] for name, cell in list(cells.items())[:SHOWN_CELLS]}


def _offsets(paths: Iterable[Path]) -> dict[str, int]:
    """How far files have become rows, by their names: most have not grown, and to see that each second must cost little."""
    names = [_name(path) for path in paths]
    return dict(LogOffset.objects.filter(path__in=names).values_list("path", "offset_bytes")) if names else {}


def _file_collect(path: Path, deployment: Deployment) -> int:
    num_rows = 0
    while True:
        with transaction.atomic():
            offset, _ = LogOffset.objects.select_for_update().get_or_create(path=_name(path))
            with path.open("rb") as file:
                file.seek(offset.offset_bytes)
                chunk = file.read(CHUNK_BYTES)
            whole = chunk[: chunk.rfind(b"\n") + 1]
            if not whole:
                return num_rows
            entries = list(_entries(whole, path, deployment))
            rows = [row for row in entries if isinstance(row, PredictionLog)]
            PredictionLog.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
            _shadows_create([row for row in entries if isinstance(row, ShadowCall)])
            _facts_note([row for row in entries if isinstance(row, FactsLine)])
            LogOffset.objects.filter(id=offset.id).update(offset_bytes=offset.offset_bytes + len(whole))
            num_rows += len(rows)
            _keys_note(rows)
            calls_count(deployment.workspace_id, rows)
            if rows:
                project = deployment.project
                event_record(
                    workspace=project.workspace_id,
                    project=project.id,
                    type="prediction.logged",
                    subject=deployment.id,
                    data={"calls": len(rows)},
                )


def _entries(chunk: bytes, path: Path, deployment: Deployment) -> Iterator[PredictionLog | ShadowCall | FactsLine]:
    """Lines as rows; one that is none of ours (the server was killed while it wrote) is skipped and logged."""
    for line in chunk.splitlines():
        try:
            fields = json.loads(line)
            if isinstance(fields, dict) and "shadow_of" in fields:
                yield _shadow_row(ShadowLine.model_validate(fields), deployment)
            elif isinstance(fields, dict) and "facts_of" in fields:
                yield FactsLine.model_validate(fields)
            else:
                yield _row(LogLine.model_validate(fields), deployment)
        except (ValueError, RecursionError) as error:
            _log.warning("%s: skipped a line: %s", _name(path), str(error).splitlines()[0])


def _row(line: LogLine, deployment: Deployment) -> PredictionLog:
    return PredictionLog(
        id=line.id,
        deployment=deployment,
        at=line.at,
        artefact=line.artefact,
        key=line.key or "",
        status=line.status,
        code=line.code,
        is_pinned=line.pinned,
        fallback_from=line.fallback_from,
        fallback_code=line.fallback_code,
        latency_ms=line.latency_ms,
        num_pictures=line.num_pictures,
        top=[top.model_dump() if top else None for top in line.top],
        uncertainty=line.uncertainty,
        held=line.held,
        input_sha256=line.input,
    )


def _shadow_row(line: ShadowLine, deployment: Deployment) -> ShadowCall:
    return ShadowCall(
        id=line.shadow_of,
        deployment=deployment,
        at=line.at,
        artefact=line.artefact,
        code=line.code,
        latency_ms=line.latency_ms,
        top=[top.model_dump() if top else None for top in line.top],
        uncertainty=line.uncertainty,
        disagreement=line.disagreement,
        place=line.place,
        held=line.held,
        input_sha256=line.input,
    )


def _shadows_create(shadows: Sequence[ShadowCall]) -> None:
    """Adds what shadows predicted for calls that there are; which model had answered stands with the call."""
    calls = PredictionLog.objects.filter(id__in=[each.id for each in shadows])
    answered_by = dict(calls.values_list("id", "artefact")) if shadows else {}
    for each in shadows:
        each.answered_by = answered_by.get(each.id, "")
    ShadowCall.objects.bulk_create([each for each in shadows if each.answered_by], ignore_conflicts=True, batch_size=500)


def _facts_note(lines: Sequence[FactsLine]) -> None:
    """Adds facts to the calls that there are."""
    bins = {(each.facts_of, each.artefact): each.bins for each in lines}
    calls = [
        call
        for call in PredictionLog.objects.filter(id__in=[each.facts_of for each in lines])
        if (call.id, call.artefact) in bins
    ]
    for call in calls:
        call.facts = bins[call.id, call.artefact]
    PredictionLog.objects.bulk_update(calls, ["facts"], batch_size=500)


def _inputs_named(rows: QuerySet[Any]) -> set[str]:
    return {name for name in rows.filter(input_sha256__isnull=False).values_list("input_sha256", flat=True) if name}


def _keys_note(rows: Sequence[PredictionLog]) -> None:
    """Says when API keys were used last; the platform's own are no rows."""
    used: dict[str, datetime] = {}
    for row in rows:
        if row.key.startswith(f"{ApiKey.ID_PREFIX}_"):
            used[row.key] = max(row.at, used.get(row.key, row.at))
    keys_used(used)


def _file_retire(path: Path, *, now: datetime) -> None:
    """Deletes a file that is read to its end and will not grow: first the file, then the row that says how far it was read."""
    try:
        hour = datetime.strptime(path.name.split(".")[0], "%Y%m%d%H").replace(tzinfo=UTC)
    except ValueError:
        return
    if now < hour + timedelta(hours=1) + LATE:
        return
    offset = LogOffset.objects.filter(path=_name(path)).first()
    if offset is None or offset.offset_bytes < path.stat().st_size:
        return
    path.unlink(missing_ok=True)
    offset.delete()


def _folder_forget(folder: Path) -> None:
    """Rows of a deployment that is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    LogOffset.objects.filter(path__startswith=f"{folder.name}/").delete()


def _strays_forget(*, before: datetime) -> None:
    """Kept inputs that no row names, e.g. the surer ones of a call with several."""
    root = _inputs_root()
    old = [path.name for path in root.iterdir() if path.stat().st_mtime < before.timestamp()] if root.is_dir() else []
    inputs_forget(old)


def _name(path: Path) -> str:
    return path.relative_to(_log_root()).as_posix()


def _log_root() -> Path:
    return Path(settings.SERVING_DIR) / "log"


def _inputs_root() -> Path:
    return Path(settings.SERVING_DIR) / "inputs"
