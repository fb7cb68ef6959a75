"""The platform's folder of deployments, followed while the server runs.

::

    deployments/<id>.json     what to serve, written by the platform
    keys.json                 who may call, written by the platform
    status/<id>.json          what became of it, written here

Models are loaded and warmed in the watcher's thread; only then is the snapshot swapped. Calls in flight keep the
model they began with. An artefact that cannot be loaded never replaces one that answers.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .errors import ArtefactUnreadableError
from .predictor import MODEL_FILE, Predictor
from .responses import json_bytes
from .state import Deployment, Key, Quota, Settings, Snapshot, deployments_index

POLL_EVERY_S = 0.2
DEFAULT_MAX_BODY_BYTES = 16 << 20
DEFAULT_MIN_UNCERTAINTY = 0.5

Stamp = tuple[int, int, int]
"""Of a file: inode, size, time of change. An atomic write changes the first."""
Loaded = tuple[str, Stamp]
"""Which model a predictor holds."""

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
        self._loaded: dict[Path, Loaded] = {}
        self._told: dict[str, tuple[str, str]] = {}

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
        stamps = {path: _stamp(path) for path in sorted(self._folder.glob("deployments/*.json"))}
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

    def keys_refresh(self) -> bool:
        """Takes over the keys when their file is another; says whether it was.

        Also called before each call is let in, which costs one look at the file's time: a key that was revoked, or whose owner
        was removed, must not be served while a model is being loaded.
        """
        if _stamp(self._keys_file) == self._keys_stamp:
            return False
        with self._lock:
            stamp = _stamp(self._keys_file)
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
        if not settings.is_running:
            self._loaded.pop(path, None)
            self._deployments[path] = Deployment(settings, None, quota=quota)
            return False
        wanted = self._model_of(settings)
        if old is not None and old.predictor is not None and self._loaded.get(path) != wanted:
            # The old model answers, under its old settings, until the new one is warm.
            self._deployments[path] = Deployment(old.settings, old.predictor, quota=quota)
            return True
        self._deployments[path] = Deployment(settings, old.predictor if old else None, quota=quota)
        return old is None or old.predictor is None

    def _quota_of(self, workspace: str, per_minute: int) -> Quota:
        """The bucket that all deployments of a workspace share."""
        quota = self._quotas.get(workspace)
        if quota is None or quota.per_minute != per_minute:
            quota = self._quotas[workspace] = Quota(per_minute)
        return quota

    def _load(self, path: Path) -> None:
        settings = _settings(json.loads(path.read_bytes()))
        old = self._deployments[path]
        wanted = self._model_of(settings)
        try:
            predictor = self._shared(wanted) or self._open(settings)
        except ArtefactUnreadableError as error:
            logger.error("%s: %s", settings.id, error.detail)
            self._deployments[path] = Deployment(old.settings, old.predictor, error.detail, error.code, quota=old.quota)
            return
        self._deployments[path] = Deployment(settings, predictor, quota=old.quota)
        self._loaded[path] = wanted

    def _open(self, settings: Settings) -> Predictor:
        predictor = Predictor()
        predictor.setup(self._folder / settings.artefact_dir)
        return predictor

    def _shared(self, wanted: Loaded) -> Predictor | None:
        """Two deployments of one artefact share its model."""
        for path, loaded in self._loaded.items():
            if loaded == wanted:
                return self._deployments[path].predictor
        return None

    def _model_of(self, settings: Settings) -> Loaded:
        model = self._folder / settings.artefact_dir / MODEL_FILE
        return settings.artefact_dir, _stamp(model) or (0, 0, 0)

    def _forget(self, path: Path) -> None:
        self._stamps.pop(path)
        self._loaded.pop(path, None)
        deployment = self._deployments.pop(path, None)
        if deployment is not None:
            self._told.pop(deployment.settings.id, None)
            (self._folder / "status" / path.name).unlink(missing_ok=True)

    def _publish(self) -> None:
        with self._lock:
            self.snapshot = Snapshot(deployments_index(self._deployments.values()), self._keys)
        for deployment in self._deployments.values():
            self._tell(deployment)

    def _tell(self, deployment: Deployment) -> None:
        """Writes the status file when the deployment's state is a new one."""
        settings = deployment.settings
        state = _state(deployment)
        if self._told.get(settings.id) == (settings.artefact, state):
            return
        status = {
            "id": settings.id,
            "artefact": settings.artefact,
            "state": state,
            "code": deployment.fault_code,
            "message": deployment.fault,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }
        path = self._folder / "status" / f"{settings.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        partial.write_bytes(json_bytes(status))
        partial.replace(path)
        self._told[settings.id] = (settings.artefact, state)


def _state(deployment: Deployment) -> str:
    if not deployment.settings.is_running:
        return "stopped"
    if deployment.fault is not None:
        return "failed"
    return "starting" if deployment.predictor is None else "ready"


def _stamp(path: Path | str) -> Stamp | None:
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
        project=row.get("project"),
        deployment=row.get("deployment"),
        is_logged=bool(row.get("is_logged", True)),
    )


def _time(said: str | None) -> float | None:
    return None if said is None else datetime.fromisoformat(said).timestamp()


def _settings(fields: Mapping[str, Any]) -> Settings:
    thresholds = fields.get("thresholds")
    quota = fields.get("quota_per_minute")
    return Settings(
        id=fields["id"],
        slug=fields["slug"],
        workspace=fields["workspace"],
        project=str(fields.get("project") or ""),
        refused_until=_time(fields.get("refused_until")),
        artefact=fields["artefact"],
        artefact_dir=fields["artefact_dir"],
        is_running=fields["state"] == "running",
        thresholds={str(label): float(score) for label, score in thresholds.items()} if thresholds else None,
        keep_inputs=fields.get("keep_inputs") or "none",
        min_uncertainty=float(fields.get("min_uncertainty") or DEFAULT_MIN_UNCERTAINTY),
        max_body_bytes=int(fields.get("max_body_bytes") or DEFAULT_MAX_BODY_BYTES),
        quota_per_minute=None if quota is None else int(quota),
    )
