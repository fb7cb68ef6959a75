"""The platform's folder of deployments, followed while the server runs.

::

    deployments/<id>.json     what to serve, written by the platform
    keys.json                 who may call, written by the platform
    status/<id>.json          what became of it, written here

Models are loaded and warmed in the watcher's thread; only then is the snapshot swapped. Calls in flight keep the
model they began with. An artefact that cannot be loaded never replaces one that answers. A deployment's file may name further
models beside its first one: ``variants`` with a share of the calls each, and a ``shadow``.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .errors import ArtefactUnreadableError
from .predictor import MODEL_FILE, Predictor
from .responses import json_bytes
from .state import Deployment, Key, Quota, Settings, Snapshot, deployments_index
from .templates import Template, TemplateInvalidError, template_parse

POLL_EVERY_S = 0.2
DEFAULT_MAX_BODY_BYTES = 16 << 20
DEFAULT_MIN_UNCERTAINTY = 0.5

Stamp = tuple[int, int, int]
"""Of a file: inode, size, time of change. An atomic write changes the first."""
Loaded = tuple[str, Stamp]
"""Which file a model was read from."""

logger = logging.getLogger(__name__)


class ServingFolder:
    """A source that follows the folder."""

    is_open = False
    settling_s = POLL_EVERY_S + 0.15  # the second part is for reading the files

    def __init__(self, folder: Path) -> None:
        self.snapshot = Snapshot()
        self.is_ready = False
        self._folder = folder
        self._keys_file = str(folder / "keys.json")  # looked at before each call: joined and made a text once
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serving", daemon=True)
        self._lock = threading.Lock()
        self._quotas: dict[str, Quota] = {}
        self._keys_stamp: Stamp | None = None
        self._keys: Mapping[str, Key] = {}
        self._stamps: dict[Path, Stamp] = {}
        self._deployments: dict[Path, Deployment] = {}
        self._predictors: dict[Loaded, Predictor] = {}
        self._written_status: dict[str, dict[str, Any]] = {}

    def start(self) -> None:
        """Begins to load, then watches."""
        self._thread.start()

    def stop(self) -> None:
        """Stops watching."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                self.refresh()
            except Exception:
                # The edge of the thread: what is served stays as it was, and the next look may succeed.
                logger.exception("the serving folder could not be read")
            self.is_ready = True
            if self._stopping.wait(POLL_EVERY_S):
                return

    def refresh(self) -> None:
        """Looks once and takes over what changed."""
        is_changed = self.keys_refresh()
        stamps = {path: file_stamp(path) for path in sorted(self._folder.glob("deployments/*.json"))}
        gone = [path for path in self._stamps if path not in stamps]
        for path in gone:
            self._forget(path)
        fresh = [path for path, stamp in stamps.items() if stamp is not None and self._stamps.get(path) != stamp]
        waiting = [path for path in fresh if self._refresh_settings(path)]
        self._stamps.update({path: stamp for path in fresh if (stamp := stamps[path]) is not None})
        if gone or fresh or is_changed:
            self._publish()
        for path in waiting:
            self._load(path)
            self._publish()
        if gone or fresh:
            self._unload()

    def keys_refresh(self) -> bool:
        """Takes over the keys when their file is another; says whether it was.

        Also called before each call is let in, which costs one look at the file's time: a key that was revoked, or whose owner
        was removed, must not be served while a model is being loaded.
        """
        if file_stamp(self._keys_file) == self._keys_stamp:
            return False
        with self._lock:
            stamp = file_stamp(self._keys_file)
            if stamp == self._keys_stamp:
                return False
            self._keys_stamp = stamp
            try:
                self._keys = (
                    {}
                    if stamp is None
                    else {row["sha256"]: _key(row) for row in json.loads(Path(self._keys_file).read_bytes())}
                )
            except (OSError, ValueError, KeyError, TypeError):
                logger.exception("keys.json cannot be read; the keys stay as they were")
                return False
            self.snapshot = Snapshot(self.snapshot.deployments, self._keys)
        return True

    def _refresh_settings(self, path: Path) -> bool:
        """Reads one deployment's file; says whether a model must be loaded for it."""
        try:
            settings = _settings(json.loads(path.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            logger.exception("%s cannot be read; what was served before stays", path.name)
            return False
        old = self._deployments.get(path)
        limit = settings.quota_per_minute
        quota = None if limit is None else self._quota_of(settings.workspace, limit)
        if settings.is_running and not all(self._file_of(each) in self._predictors for each in settings.models):
            # Until the new models are warm the old ones answer, under their old settings.
            is_answering = old is not None and any(each.predictor is not None for each in old.models)
            self._deployments[path] = (
                replace(old, quota=quota, fault=None, fault_code=None)
                if old is not None and is_answering
                else Deployment(settings, None, quota=quota)
            )
            return True
        self._deployments[path] = self._opened(settings, quota)
        return False

    def _quota_of(self, workspace: str, per_minute: int) -> Quota:
        """The bucket that all deployments of a workspace share."""
        quota = self._quotas.get(workspace)
        if quota is None or quota.per_minute != per_minute:
            quota = self._quotas[workspace] = Quota(per_minute)
        return quota

    def _load(self, path: Path) -> None:
        old = self._deployments[path]
        new = self._opened(_settings(json.loads(path.read_bytes())), old.quota)
        if new.fault is not None and any(each.predictor is not None for each in old.models):
            self._deployments[path] = replace(old, fault=new.fault, fault_code=new.fault_code)
            return
        self._deployments[path] = new

    def _opened(self, settings: Settings, quota: Quota | None) -> Deployment:
        """A deployment with its models; what cannot be loaded says why."""
        if not settings.is_running:
            return Deployment(settings, None, quota=quota)
        deployment = self._model(settings)
        deployment.quota = quota
        deployment.variants = tuple(self._model(each) for each in settings.variants)
        deployment.shadow = None if settings.shadow is None else self._model(settings.shadow)
        for each in _all_models(deployment):
            each.is_compared = deployment.shadow is not None
        return deployment

    def _model(self, settings: Settings) -> Deployment:
        """One model of a deployment; those of the same artefact are one in memory."""
        file = self._file_of(settings)
        predictor = self._predictors.get(file)
        if predictor is None:
            predictor = Predictor()
            try:
                predictor.setup(self._folder / settings.artefact_dir)
            except ArtefactUnreadableError as error:
                logger.error("%s: %s", settings.id, error.detail)
                return Deployment(settings, None, error.detail, error.code)
            self._predictors[file] = predictor
        return Deployment(settings, predictor)

    def _file_of(self, settings: Settings) -> Loaded:
        model = self._folder / settings.artefact_dir / MODEL_FILE
        return settings.artefact_dir, file_stamp(model) or (0, 0, 0)

    def _unload(self) -> None:
        """Forgets models that no deployment has any more."""
        used = {id(each.predictor) for deployment in self._deployments.values() for each in _all_models(deployment)}
        self._predictors = {file: each for file, each in self._predictors.items() if id(each) in used}

    def _forget(self, path: Path) -> None:
        self._stamps.pop(path)
        deployment = self._deployments.pop(path, None)
        if deployment is not None:
            self._written_status.pop(deployment.settings.id, None)
            (self._folder / "status" / path.name).unlink(missing_ok=True)

    def _publish(self) -> None:
        with self._lock:
            self.snapshot = Snapshot(deployments_index(self._deployments.values()), self._keys)
        for deployment in self._deployments.values():
            self._notify(deployment)

    def _notify(self, deployment: Deployment) -> None:
        """Writes the status file when the deployment's state is a new one."""
        settings = deployment.settings
        status = {
            "id": settings.id,
            "artefact": settings.artefact,
            "state": _state(deployment),
            "code": deployment.fault_code,
            "message": deployment.fault,
            "models": {each.settings.artefact: each.fault for each in _all_models(deployment)},
        }
        if self._written_status.get(settings.id) == status:
            return
        path = self._folder / "status" / f"{settings.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(json_bytes({**status, "at": datetime.now(UTC).isoformat(timespec="milliseconds")}))
        partial.replace(path)
        self._written_status[settings.id] = status


def _all_models(deployment: Deployment) -> Iterator[Deployment]:
    """Those that answer callers, and the shadow."""
    yield from deployment.models
    if deployment.shadow is not None:
        yield deployment.shadow


def _state(deployment: Deployment) -> str:
    if not deployment.settings.is_running:
        return "stopped"
    if deployment.fault is not None:
        return "failed"
    return "starting" if deployment.predictor is None else "ready"


def file_stamp(path: Path | str) -> Stamp | None:
    """What changes with a file; None where there is none."""
    try:
        facts = os.stat(path)
    except FileNotFoundError:
        return None
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


def _key(row: Mapping[str, Any]) -> Key:
    return Key(
        id=row["id"],
        workspace=row["workspace"],
        expires_at=_time(row.get("expires_at")),
        can_predict=bool(row["can_predict"]),
        projects=dict(row.get("projects") or {}),
        project=row.get("project"),
        deployment=row.get("deployment"),
        is_logged=bool(row.get("is_logged", True)),
    )


def _time(text: str | None) -> float | None:
    return None if text is None else datetime.fromisoformat(text).timestamp()


def _settings(fields: Mapping[str, Any]) -> Settings:
    quota = fields.get("quota_per_minute")
    alone = Settings(
        id=fields["id"],
        slug=fields["slug"],
        workspace=fields["workspace"],
        project=str(fields.get("project") or ""),
        refused_until=_time(fields.get("refused_until")),
        artefact=fields["artefact"],
        artefact_dir=fields["artefact_dir"],
        is_running=fields["state"] == "running",
        thresholds=_thresholds(fields),
        coverage=fields.get("coverage"),
        keep_inputs=fields.get("keep_inputs") or "none",
        min_uncertainty=float(fields.get("min_uncertainty") or DEFAULT_MIN_UNCERTAINTY),
        max_body_bytes=int(fields.get("max_body_bytes") or DEFAULT_MAX_BODY_BYTES),
        quota_per_minute=None if quota is None else int(quota),
        templates=_templates(fields),
    )
    shadow = fields.get("shadow")
    variants = tuple(_with_model(alone, each) for each in fields.get("variants") or ())
    return replace(
        alone,
        share=100 - sum(each.share for each in variants),
        variants=variants,
        shadow=None if shadow is None else _with_model(alone, shadow),
    )


def _with_model(settings: Settings, fields: Mapping[str, Any]) -> Settings:
    """The same deployment with another model."""
    return replace(
        settings,
        artefact=fields["artefact"],
        artefact_dir=fields["artefact_dir"],
        thresholds=_thresholds(fields),
        coverage=fields.get("coverage"),
        share=int(fields.get("share") or 0),
    )


def _templates(fields: Mapping[str, Any]) -> dict[str, Template]:
    """A template that is not by the contract is left out: the others answer."""
    found = {}
    for slug, content in (fields.get("templates") or {}).items():
        try:
            found[slug] = template_parse(slug, content)
        except TemplateInvalidError as error:
            logger.error("%s: %s", fields["id"], error.detail)
    return found


def _thresholds(fields: Mapping[str, Any]) -> dict[str, float] | None:
    thresholds = fields.get("thresholds")
    return {str(label): float(score) for label, score in thresholds.items()} if thresholds else None
