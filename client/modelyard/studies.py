"""Studies: the server trains models of a version in a job that outlives this program, and keeps the best."""

from __future__ import annotations

import json
import os
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import yaml

from modelyard.errors import JobFailedError, ModelyardError
from modelyard.models import Model

if TYPE_CHECKING:
    from modelyard.client import Client, Project

POLL_S = 1.0
READERS: Mapping[str, Callable[[str], Any]] = {
    ".json": json.loads,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}
"""Of a file with settings, by what its name ends with."""
SETTINGS = (
    "name",
    "strategy",
    "families",
    "max_trials",
    "concurrency",
    "num_processes",
    "num_hosts",
    "data_parallel",
    "pruner",
    "time_limit_s",
    "seed",
    "refits",
    "learns_test",
    "max_answer_ratio",
    "prefers_fast",
    "also_improves",
    "ranges",
    "at_most",
    "device",
)
"""Of a study, what begins another like it as it stands there."""
KNOWN = frozenset({*SETTINGS, "goal", "objective", "train", "version", "start_from", "teacher", "warm_start"})
"""What ``Project.train`` takes."""


@dataclass(frozen=True)
class Trial:
    """One training of a study."""

    id: str
    number: int
    state: str
    """``queued``, ``running``, ``succeeded``, ``failed``, ``pruned`` or ``cancelled``."""
    family: str
    size: str
    params: dict[str, Any]
    value: float | None
    """Of the study's objective on the validation items; None while there is none."""
    artefact: str | None
    """Id of its model."""
    error: dict[str, Any] | None


@dataclass(frozen=True)
class Cure:
    """A way to try a failed study again."""

    name: str
    title: str
    changes: tuple[str, ...]
    """What it changes, one sentence each."""
    page: str | None
    """The page of the web app where a person does it; None of one that ``Study.cure`` applies."""


@dataclass(frozen=True)
class Study:
    """A study as it stood when it was read."""

    client: Client
    id: str
    project: str
    name: str
    state: str
    """``running``, ``succeeded``, ``failed`` or ``cancelled``; it succeeded as soon as one trial did."""
    objective: str
    """Name of the metric that is improved."""
    best_value: float | None
    best_interval: tuple[float, float] | None
    """Of 95 %, around ``best_value``."""
    num_trials: int
    """That have ended, however they did."""
    max_trials: int
    remaining_s: float | None
    """Estimated; None while nobody can say."""
    ended_by: str | None
    """``done``, ``time_limit`` or ``finish``."""
    is_shipping: bool
    """Whether its best model is still learning once more from all items."""
    data: Mapping[str, Any]
    """All fields of the API's study."""

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Self:
        """The study of a JSON object."""
        interval = data["best_interval"]
        counts = data["counts"]
        return cls(
            client=client,
            objective=data["objective"]["name"],
            best_interval=(interval[0], interval[1]) if interval else None,
            num_trials=sum(counts[state] for state in ("succeeded", "failed", "pruned", "cancelled")),
            remaining_s=data["estimated_remaining_s"],
            is_shipping=data["shipping"] in {"to_come", "running"},
            data=data,
            **{name: data[name] for name in ("id", "project", "name", "state", "best_value", "max_trials", "ended_by")},
        )

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, and its shipped model is there."""
        return self.state != "running" and not self.is_shipping

    @property
    def settings(self) -> dict[str, Any]:
        """What ``Project.train`` takes to begin another like it; written to a file, it is what ``--config`` reads."""
        return {name: self.data[name] for name in SETTINGS} | {"objective": self.objective}

    def refreshed(self) -> Self:
        """As it stands now."""
        return self.read(self.client, self._call("GET"))

    def wait(self, *, timeout_s: float | None = None, progress: Callable[[Study], None] | None = None) -> Self:
        """Waits until it has ended and its best model has learned from all items; returns it as it stands then.

        A pause is waited for, too.

        Args:
            timeout_s: None waits as long as it takes.
            progress: called about once a second with the study.

        Raises:
            JobFailedError: it failed or was cancelled.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            now = self.refreshed()
            if progress is not None:
                progress(now)
            if now.has_ended:
                break
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"{self.id} has not ended after {timeout_s} s; it goes on.")
            time.sleep(POLL_S)
        if now.state != "succeeded":
            error = now.data["error"] or {}
            raise JobFailedError(error.get("message") or f"The study was {now.state}.", hint=error.get("hint", ""))
        return now

    def trials(self) -> list[Trial]:
        """Its trials so far, in order."""
        return [
            Trial(
                family=data["train"]["family"],
                size=data["train"]["size"],
                params=data["train"]["params"],
                **{name: data[name] for name in ("id", "number", "state", "value", "artefact", "error")},
            )
            for data in self._call("GET", "/trials")
        ]

    def best_model(self) -> Model:
        """The model that it ships.

        Raises:
            ModelyardError: no trial has left a model yet.
        """
        best = self.refreshed().data["best_trial"]
        artefact = next((data["artefact"] for data in self._call("GET", "/trials") if data["id"] == best), None)
        if artefact is None:
            raise ModelyardError(f"The study {self.name} has no model yet.", hint="Wait for its first trial.")
        return self.client.model(artefact)

    def extend(self, max_trials: int) -> Self:
        """Lets it go on to a larger number of trials, also when it has ended."""
        return self.read(self.client, self._call("POST", "/extend", {"max_trials": max_trials}))

    def pause(self) -> Self:
        """No trial goes on until ``resume``; the time of the pause does not count for its time limit."""
        return self.read(self.client, self._call("POST", "/pause"))

    def resume(self) -> Self:
        """Lets it go on from the last checkpoints of its trials."""
        return self.read(self.client, self._call("POST", "/resume"))

    def cures(self, *, trial: str | None = None) -> list[Cure]:
        """What may cure it, the most promising first; empty unless it failed or its time limit cut its model off.

        Args:
            trial: id of one of its trials that failed: what may cure that one, whatever became of the study.
        """
        return [cure_read(data) for data in self._call("GET", "/cures", query=_of_trial(trial))["cures"]]

    def cure(self, name: str | None = None, *, trial: str | None = None) -> Self:
        """Starts a study with its settings, changed by a cure, and returns that one; with a large dataset it waits for the job.

        Args:
            name: of one of its ``cures``; None takes the first that needs no person.
            trial: id of the trial that is cured; None asks why the study failed.

        Raises:
            ModelyardError: it has none.
        """
        chosen = name or next((cure.name for cure in self.cures(trial=trial) if cure.page is None), None)
        if chosen is None:
            raise ModelyardError(f"Nothing is known that cures the study {self.name}.", hint="Look at why its trials failed.")
        started = self._call("POST", f"/cures/{chosen}", query=_of_trial(trial))
        if "job" in started:
            made = self.client.wait(started["job"]["id"]).made
            started = self.client.transport.json("GET", f"/studies/{made}")
        return self.read(self.client, started)

    def finish(self) -> Self:
        """Ends it with what it has: trials that run leave what they have learned until now."""
        return self.read(self.client, self._call("POST", "/finish"))

    def cancel(self) -> Self:
        """Ends it at once; models that are there stay."""
        return self.read(self.client, self._call("POST", "/cancel"))

    def _call(self, method: str, rest: str = "", body: object = None, query: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
        return self.client.transport.json(method, f"/studies/{self.id}{rest}", body=body, query=query)


def _of_trial(trial: str | None) -> Mapping[str, str] | None:
    return None if trial is None else {"trial": trial}


def study_start(
    project: Project, *, version: int | None, start_from: int | None, teacher: int | None, settings: Mapping[str, Any]
) -> Study:
    """Starts a study; see ``Project.train``."""
    body = study_body(project, version=version, start_from=start_from, teacher=teacher, settings=settings)
    return Study.read(project.client, project.client.transport.json("POST", "/studies", body=body))


def cure_read(data: Mapping[str, Any]) -> Cure:
    """The cure of a JSON object."""
    changes = tuple(change["en"] for change in data["changes"])
    return Cure(title=data["title"]["en"], changes=changes, **{name: data[name] for name in ("name", "page")})


def study_body(
    project: Project, *, version: int | None, start_from: int | None, teacher: int | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The API's ``StudyIn`` of settings; cuts a version where there is none.

    Raises:
        ModelyardError: there is no such version, model or setting.
    """
    unknown = sorted(settings.keys() - KNOWN)
    if unknown:
        known = ", ".join(sorted(KNOWN))
        raise ModelyardError(f"A study has no setting {', '.join(unknown)}.", hint=f"There are: {known}.")
    found = project.version(version) if version is not None else next(project.versions(), None) or project.create_version()
    body = {"project": project.id, "version": found.id, **settings}
    for name, number in (("start_from", start_from), ("teacher", teacher)):
        if number is not None:
            body[name] = project.model(number).id
    return body


def settings_read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The settings of a study from a YAML, TOML or JSON file.

    Raises:
        ModelyardError: the file is not there, is none of these or holds no settings.
    """
    file = Path(path)
    reader = READERS.get(file.suffix.lower())
    if reader is None:
        raise ModelyardError(f"{file} is no file of settings.", hint=f"Its name ends with one of {', '.join(READERS)}.")
    try:
        settings = reader(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelyardError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, yaml.YAMLError) as error:
        raise ModelyardError(f"{file} cannot be read: {error}") from error
    if not isinstance(settings, dict) or not all(isinstance(name, str) for name in settings):
        raise ModelyardError(f"{file} holds no settings.", hint="Write a name and a value on each line, such as max_trials: 8.")
    return settings
