"""A snapshot of what the server serves: deployments, keys and quotas.

A snapshot is replaced as a whole, never changed, so a request sees either the old snapshot or the new one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from .backend_choice import BackendTrial
from .coverage import Coverage, coverage_open
from .errors import (
    ApiKeyExpiredError,
    ApiKeyMissingError,
    ApiKeyUnknownError,
    DeploymentFailedError,
    DeploymentNotFoundError,
    DeploymentStartingError,
    DeploymentStoppedError,
    KeyOutOfScopeError,
    PermissionDeniedError,
    QuotaExceededError,
)
from .items import Calls
from .pool import CallTimer
from .predictor import Predictor
from .templates import Template

KeepInputs = Literal["none", "uncertain", "all"]
OPEN_WORKSPACE = ""
"""Workspace of a bundle, where no key may be asked for."""


@dataclass(frozen=True, slots=True)
class Key:
    """An API key, known by its hash only."""

    id: str
    workspace: str
    expires_at: float | None
    """Seconds since 1970; None never ends."""
    can_predict: bool = True
    projects: Mapping[str, bool] = field(default_factory=dict)
    """Ids of projects in which it is not as ``can_predict`` says."""
    project: str | None = None
    """Id of the only project whose deployments it may call; None: every one."""
    deployment: str | None = None
    """Id of the only deployment that it may call; None: every one."""
    is_logged: bool = True
    """Whether its calls go into the prediction log; those by which a platform looks into a model are nobody's traffic."""

    def sees(self, settings: Settings) -> bool:
        """Whether its owner may predict in the project of a deployment."""
        return self.projects.get(settings.project, self.can_predict)

    def may_call(self, settings: Settings) -> bool:
        """Whether its scope lets it call a deployment of its workspace."""
        return self.deployment in (None, settings.id) and self.project in (None, settings.project)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a deployment, from its file."""

    id: str
    slug: str
    workspace: str
    artefact: str
    artefact_dir: str
    is_running: bool
    thresholds: Mapping[str, float] | None
    """Lowest score by label; None takes the artefact's."""
    keep_inputs: KeepInputs
    min_uncertainty: float
    """What ``uncertain`` keeps, 0..1."""
    max_body_bytes: int
    quota_per_minute: int | None
    project: str = ""
    """Id of its project; empty where that is not known."""
    refused_until: float | None = None
    """Seconds since 1970 until which calls are refused, because those of the day are used up; None refuses none."""
    coverage: Mapping[str, Any] | None = None
    """What was chosen for its model (``automl.contracts.coverage.Coverage``); None takes what the artefact says."""
    templates: Mapping[str, Template] = field(default_factory=dict)
    """By which it answers with fields, by slug; those of the artefact come besides."""
    share: int = 100
    """Percent of the calls that this model is chosen for."""
    variants: tuple[Settings, ...] = ()
    """The same deployment with each of its further models, which have shares of their own."""
    shadow: Settings | None = None
    """The same with the model that is asked after callers have their answers."""

    @property
    def models(self) -> tuple[Settings, ...]:
        """One for each model, the shadow last."""
        return (self, *self.variants) if self.shadow is None else (self, *self.variants, self.shadow)


class Quota:
    """A bucket that holds a minute's calls and fills evenly."""

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self._left = float(per_minute)
        self._filled_at = time.monotonic()

    def take(self, now: float) -> None:
        """Takes one call.

        Raises:
            QuotaExceededError: none is left; says when one will be.
        """
        per_second = self.per_minute / 60
        self._left = min(float(self.per_minute), self._left + (now - self._filled_at) * per_second)
        self._filled_at = now
        if self._left < 1:
            wait_s = int((1 - self._left) / per_second) + 1
            raise QuotaExceededError(f"{self.per_minute} calls a minute are used up", retry_after_s=wait_s)
        self._left -= 1


@dataclass(slots=True)
class Deployment:
    """A deployment with its model, when that is loaded."""

    settings: Settings
    predictor: Predictor | None
    fault: str | None = None
    """Why there is no predictor, or not the requested one, although loading was tried."""
    fault_code: str | None = None
    """The same as a code."""
    quota: Quota | None = None
    variants: tuple[Deployment, ...] = ()
    """The same deployment with each of its further models."""
    shadow: Deployment | None = None
    """The same with its shadow."""
    tried: Sequence[BackendTrial] = ()
    """The backends that were tried for its model; none where there is only one."""
    is_compared: bool = False
    """Whether its answers are compared with those of a shadow."""
    timer: CallTimer = field(default_factory=CallTimer)
    _calls: Calls | None = None
    _coverage: Coverage | None = None

    @property
    def models(self) -> tuple[Deployment, ...]:
        """Itself and its variants: the models that answer callers."""
        return (self, *self.variants)

    @property
    def calls(self) -> Calls:
        """How calls ask its model about items."""
        if self._calls is None:
            items = self.running().items
            self._calls = items.calls(items)
        return self._calls

    @property
    def coverage(self) -> Coverage | None:
        """What its answers say besides: as it was chosen for it, else as its model says; None says nothing."""
        predictor = self.running()
        if self._coverage is None and self.settings.coverage is not None:
            self._coverage = coverage_open(predictor.manifest["output"], self.settings.coverage, predictor.labels)
        return self._coverage or predictor.coverage

    def templates(self) -> Mapping[str, Template]:
        """By which it answers with fields: its own, and those that came with its model."""
        return {**self.running().templates, **self.settings.templates}

    def running(self) -> Predictor:
        """Its model.

        Raises:
            DeploymentStoppedError, DeploymentFailedError, DeploymentStartingError: it has none at this moment.
        """
        if not self.settings.is_running:
            raise DeploymentStoppedError
        if self.predictor is None:
            raise DeploymentFailedError(self.fault) if self.fault else DeploymentStartingError(retry_after_s=1)
        return self.predictor

    def admit(self) -> None:
        """Lets one call in.

        Raises:
            QuotaExceededError: the calls are used up.
        """
        until = self.settings.refused_until
        if until is not None and until > time.time():
            raise QuotaExceededError("the calls of this day are used up", retry_after_s=int(until - time.time()) + 1)
        if self.quota is not None:
            self.quota.take(time.monotonic())


@dataclass(frozen=True)
class Snapshot:
    """All that a request may ask."""

    deployments: Mapping[tuple[str, str], Deployment] = field(default_factory=dict)
    """By (workspace, id) and (workspace, slug), so that a foreign deployment simply is not there."""
    keys: Mapping[str, Key] | None = field(default_factory=dict)
    """By SHA-256; None asks for no key."""

    def key_find(self, secret: str | None) -> Key | None:
        """Finds the caller's key; None where no key is asked for.

        Raises:
            ApiKeyMissingError, ApiKeyUnknownError, ApiKeyExpiredError, PermissionDeniedError: the caller may not predict.
        """
        if self.keys is None:
            return None
        if secret is None:
            raise ApiKeyMissingError
        key = self.keys.get(hashlib.sha256(secret.encode()).hexdigest())
        if key is None:
            raise ApiKeyUnknownError
        if key.expires_at is not None and key.expires_at <= time.time():
            raise ApiKeyExpiredError
        if not key.can_predict and True not in key.projects.values():
            raise PermissionDeniedError
        return key

    def deployment_find(self, key: Key | None, name: str) -> Deployment:
        """Finds a deployment of the key's workspace by id or slug.

        Raises:
            DeploymentNotFoundError: there is none.
            KeyOutOfScopeError: the key is for another one.
        """
        deployment = self.deployments.get((OPEN_WORKSPACE if key is None else key.workspace, name))
        if deployment is None or (key is not None and not key.sees(deployment.settings)):
            raise DeploymentNotFoundError
        if key is not None and not key.may_call(deployment.settings):
            raise KeyOutOfScopeError
        return deployment

    def deployments_of(self, key: Key | None) -> list[Deployment]:
        """Those that a caller may ask, by their slugs."""
        workspace = OPEN_WORKSPACE if key is None else key.workspace
        found = {each.settings.id: each for (place, _), each in self.deployments.items() if place == workspace}
        mine = [each for each in found.values() if key is None or (key.sees(each.settings) and key.may_call(each.settings))]
        return sorted(mine, key=lambda each: each.settings.slug)


def deployments_index(deployments: Iterable[Deployment]) -> dict[tuple[str, str], Deployment]:
    """Builds the look-up of a snapshot; an id wins over a slug that reads the same."""
    listed = list(deployments)
    index = {(d.settings.workspace, d.settings.slug): d for d in listed}
    index.update({(d.settings.workspace, d.settings.id): d for d in listed})
    return index


class Source(Protocol):
    """Where snapshots come from."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest one."""

    @property
    def settling_s(self) -> float:
        """After so long at most, a snapshot holds what was written down; 0 where nothing changes."""

    @property
    def is_ready(self) -> bool:
        """Whether every model that should run has been loaded once, or failed."""

    def keys_refresh(self) -> bool:
        """Takes over keys that were written down since; quick, and called before each call is let in."""

    def start(self) -> None:
        """Begins to load and to watch, without blocking."""

    def stop(self) -> None:
        """Stops watching."""

    @property
    def is_open(self) -> bool:
        """Whether anybody may know which models are served."""


class FixedSource:
    """The source of a bundle: a snapshot that never changes."""

    is_ready = True
    is_open = True
    settling_s = 0.0

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def keys_refresh(self) -> bool:
        """Has nothing to take over."""
        return False

    def start(self) -> None:
        """Has nothing to start."""

    def stop(self) -> None:
        """Has nothing to stop."""
