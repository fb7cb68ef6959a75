"""Models: what a study leaves, to be judged, deployed and exported."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from modelyard.deployment import Deployment
from modelyard.download import download
from modelyard.errors import JobFailedError
from modelyard.records import Job, Version

if TYPE_CHECKING:
    from modelyard.client import Client

POLL_S = 0.5


@dataclass(frozen=True)
class Model:
    """A model as it stood when it was read."""

    client: Client
    id: str
    project: str
    number: int
    name: str
    family: str
    size: str
    stage: str
    """``none``, ``candidate``, ``production`` or ``archived``."""
    version_number: int
    """Of the version that it has learned from."""
    metrics: dict[str, dict[str, float]]
    """By split and name, e.g. ``metrics["test"]["accuracy"]``."""
    intervals: dict[str, dict[str, list[float]]]
    """Of 95 %, in the same order; where there are some."""
    latency_ms: float
    size_bytes: int

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Self:
        """The model of a JSON object."""
        names = (name for name in cls.__dataclass_fields__ if name != "client")
        return cls(client=client, **{name: data[name] for name in names})

    def refreshed(self) -> Self:
        """As it stands now."""
        return self.read(self.client, self._call("GET"))

    def report(self) -> dict[str, Any]:
        """The report of its own version, as the API has it."""
        return dict(self._call("GET", "/report"))

    def save_report(self, path: str | os.PathLike[str]) -> Path:
        """Saves the report as one HTML page that needs no network."""
        return download(self.client, f"/artefacts/{self.id}/report.html", Path(path))

    def evaluate(self, version: Version, *, split: str = "test", timeout_s: float | None = None) -> dict[str, float]:
        """Measures it on a split of another version, in a job that is waited for; returns the metrics by name.

        Raises:
            JobFailedError: it could not be measured.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        job = self._call("POST", "/evaluate", {"version": version.id, "split": split})
        self.client.wait(job["id"], timeout_s=timeout_s)
        found = next(one for one in self._call("GET", "/evaluations") if one["version"] == version.id and one["split"] == split)
        return dict(found["metrics"])

    def advice(self, *, timeout_s: float | None = None) -> dict[str, Any]:
        """Measures what more items of each label would bring, in a job that is waited for; returns the API's report.

        Raises:
            ApiError: no quick model can stand for this one.
            JobFailedError: it could not be measured.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        job = self._call("POST", "/advice")
        self.client.wait(job["id"], timeout_s=timeout_s)
        return dict(self._call("GET", "/advice")["report"])

    def promote(self, stage: str, *, reason: str) -> Self:
        """Changes what it is used for: ``candidate``, ``production``, ``archived`` or ``none``; the reason is kept."""
        return self.read(self.client, self._call("POST", "/promote", {"stage": stage, "reason": reason}))

    def deploy(self, name: str, *, slug: str | None = None, timeout_s: float = 120) -> Deployment:
        """Puts it behind an address and waits until it answers.

        Args:
            name: what people call the deployment.
            slug: its part of the address; None makes one of the name.
            timeout_s: how long to wait for its first answer.

        Raises:
            JobFailedError: it does not start.
            TimeoutError: it has not started after ``timeout_s``; it goes on all the same.
        """
        body = {"project": self.project, "artefact": self.id, "name": name, "slug": slug}
        deployment = Deployment.read(self.client, self.client.transport.json("POST", "/deployments", body=body))
        deadline = time.monotonic() + timeout_s
        while deployment.state == "starting":
            if time.monotonic() > deadline:
                raise TimeoutError(f"{deployment.id} has not started after {timeout_s} s; it goes on.")
            time.sleep(POLL_S)
            deployment = self.client.deployment(deployment.id)
        if deployment.state != "running":
            raise JobFailedError(f"The deployment {name} is {deployment.state}.", hint="Its log says why.")
        return deployment

    def export(
        self,
        target: str,
        *,
        path: str | os.PathLike[str] | None = None,
        gallery: str | None = None,
        timeout_s: float | None = None,
        progress: Callable[[Job], None] | None = None,
        **options: bool | float | str,
    ) -> Path:
        """Has a package built and checked, and saves it.

        Args:
            target: what for, e.g. ``onprem_server`` or ``python_sdk``; ``Client.targets`` lists them.
            path: where to; None takes the name of the package, in the working directory.
            gallery: id of a gallery of this model, with whose names the package is to answer instead of with vectors.
            timeout_s: of the build; None waits as long as it takes.
            progress: called with the job of the build, twice a second.
            **options: of the target.

        Raises:
            ApiError: there is no such target or option, or the target does not take this model.
            JobFailedError: it could not be built, or does not answer as the model does.
        """
        body = {"artefact": self.id, "target": target, "options": options, "gallery": gallery}
        built = self.client.transport.json("POST", "/exports", body=body)
        if built["job"] is not None:
            self.client.wait(built["job"]["id"], timeout_s=timeout_s, progress=progress)
        built = self.client.transport.json("GET", f"/exports/{built['id']}")
        return download(self.client, f"/exports/{built['id']}/download", Path(path or built["report"]["file"]))

    def _call(self, method: str, rest: str = "", body: object = None) -> Any:  # noqa: ANN401 - JSON
        return self.client.transport.json(method, f"/artefacts/{self.id}{rest}", body=body)
