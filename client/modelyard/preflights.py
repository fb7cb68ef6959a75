"""Pre-flights: the server tries a training before it is started: will it run, how long does it take, with how much memory?"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from modelyard.errors import JobFailedError
from modelyard.studies import POLL_S, Cure, cure_read, study_body

if TYPE_CHECKING:
    from modelyard.client import Client, Project

NOT_CHECKED = frozenset({"name", "pruner", "time_limit_s", "target", "seed"})
"""Settings of a study that change nothing of what one trial does."""


@dataclass(frozen=True)
class CheckedStage:
    """One stage of a model's training."""

    name: str
    """``data``, ``step``, ``export``, ``call`` or ``evaluation``."""
    outcome: str
    """``passed``, ``failed`` or ``not_reached``."""
    error: Mapping[str, Any] | None
    """Of one that failed: ``code``, ``message``, ``hint`` and ``items``, the ids of those that caused it."""


@dataclass(frozen=True)
class CheckedModel:
    """One model, trained on a part of the version."""

    family: str
    size: str
    stages: tuple[CheckedStage, ...]
    estimated_s: float | None
    """What its trial takes with the whole version; None where time was too short to measure it."""
    memory_bytes: int | None


@dataclass(frozen=True)
class Preflight:
    """A check of a training as it stood when it was read."""

    client: Client
    id: str
    verdict: str | None
    """``runs``, ``partly`` (some models fail), ``fails`` or ``unknown``; None until it has ended."""
    estimated_s: float | None
    """Of the whole training; None until it has ended, and where all that was tried fails."""
    least_s: float | None
    most_s: float | None
    """Between which that will most likely lie."""
    time_basis: str | None
    """``measured``; ``derived``, where some of it was; or ``planned``, from operations alone."""
    estimated_cpu_s: float | None
    """Processor time on all cores together; None where nothing was measured."""
    memory_bytes: int | None
    """Of the trials that run at once, at their peak."""
    models: tuple[CheckedModel, ...]
    problems: tuple[str, ...]
    """Of the data, what blocks first; each with its remedy."""
    cures: tuple[Cure, ...]
    """What may be changed where it fails."""
    data: Mapping[str, Any]
    """All fields of the API's pre-flight."""

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Self:
        """The check of a JSON object."""
        return cls(
            client=client,
            models=tuple(_model_read(trial) for trial in data["trials"]),
            problems=tuple(f"{one['message']['en']} {one['remedy']['en']}" for one in data["problems"]),
            cures=tuple(cure_read(cure) for cure in data["failure"]["cures"]),
            data=data,
            **{name: data[name] for name in ("id", "verdict", "estimated_s", "least_s", "most_s")},
            **{name: data[name] for name in ("time_basis", "estimated_cpu_s", "memory_bytes")},
        )

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing more to come."""
        return self.verdict is not None or self.data["job"]["state"] in {"cancelled", "stopped"}

    def refreshed(self) -> Self:
        """As it stands now."""
        return self.read(self.client, self.client.transport.json("GET", f"/preflights/{self.id}"))

    def wait(self, *, timeout_s: float | None = None) -> Self:
        """Waits until it has ended, about a minute at most once it runs; returns it as it stands then.

        Raises:
            JobFailedError: it was cancelled.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            now = self.refreshed()
            if now.verdict is not None:
                return now
            if now.has_ended:
                raise JobFailedError(f"The check was {now.data['job']['state']}.")
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"{self.id} has not ended after {timeout_s} s; it goes on.")
            time.sleep(POLL_S)

    def cancel(self) -> None:
        """Ends it."""
        self.client.transport.json("POST", f"/jobs/{self.id}/cancel")


def preflight_start(project: Project, *, version: int | None, start_from: int | None, settings: Mapping[str, Any]) -> Preflight:
    """Starts a check; see ``Project.preflight``."""
    body = study_body(project, version=version, start_from=start_from, teacher=None, settings=settings)
    asked = {name: value for name, value in body.items() if name not in NOT_CHECKED}
    return Preflight.read(project.client, project.client.transport.json("POST", "/preflights", body=asked))


def _model_read(data: Mapping[str, Any]) -> CheckedModel:
    stages = tuple(CheckedStage(stage["stage"], stage["outcome"], stage["error"]) for stage in data["stages"])
    return CheckedModel(stages=stages, **{name: data[name] for name in ("family", "size", "estimated_s", "memory_bytes")})
