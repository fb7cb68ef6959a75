"""Batch predictions: a model's predictions for many items, made by the server in a job that outlives this program."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from modelyard.download import download
from modelyard.errors import ModelyardError
from modelyard.files import LocalFile, files_find
from modelyard.progress import Meter, Progress
from modelyard.records import Job

if TYPE_CHECKING:
    from modelyard.client import Client, Project

FORMATS = ("csv", "jsonl", "parquet")
MAX_FILES = 1_000
"""That one batch prediction takes; an archive is one file."""
CONCURRENCY = 4


@dataclass(frozen=True)
class BatchResult:
    """The result for one item."""

    name: str
    """Of the file, or of the item of the project."""
    item: str | None
    """Id of the project's item; None of files that were sent."""
    annotations: list[dict[str, Any]]
    """The model's predictions, surest first; empty if it predicts nothing, or if ``code`` says why there is no prediction."""
    scores: list[float] | None
    """By label, in the order of the model's labels; None for models that predict boxes or a number."""
    code: str | None
    """Why there is no prediction, e.g. ``damaged_picture``."""
    reason: str
    """The same in words; empty if there is a prediction."""

    @property
    def label(self) -> str | None:
        """The label it is most sure of; None where nothing was found, and where a number is predicted."""
        return self.annotations[0].get("label") if self.annotations else None

    @property
    def value(self) -> float | None:
        """The number that is predicted; None where labels are."""
        return self.annotations[0].get("value") if self.annotations else None


@dataclass(frozen=True)
class BatchPrediction:
    """A batch prediction as it stood when it was read."""

    client: Client
    id: str
    project: str
    model: int | None
    """Number of the model; None where it was deleted."""
    num_expected: int | None
    """Number of items in all; None while it is not known: for files, until the end."""
    num_results: int
    """So far, failed ones included."""
    num_failed: int
    num_suggested: int | None
    """Items that got the results as suggestions; None if that was not requested."""
    job: Job
    suggest_job: Job | None

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Self:
        """The batch prediction of a JSON object."""
        names = ("id", "project", "num_expected", "num_results", "num_failed", "num_suggested")
        return cls(
            client=client,
            model=data["artefact"] and data["artefact"]["number"],
            job=Job.read(data["job"]),
            suggest_job=data["suggest_job"] and Job.read(data["suggest_job"]),
            **{name: data[name] for name in names},
        )

    def refreshed(self) -> Self:
        """As it stands now."""
        return self.read(self.client, self._call("GET"))

    def wait(self, *, timeout_s: float | None = None, progress: Callable[[Job], None] | None = None) -> Self:
        """Waits until it has ended, and returns it as it stands then.

        Raises:
            JobFailedError: it failed or was cancelled; the results that are there stay, and ``resume`` goes on behind them.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        self.client.wait(self.job.id, timeout_s=timeout_s, progress=progress)
        return self.refreshed()

    def results(self, *, failed_only: bool = False) -> Iterator[BatchResult]:
        """The results in order, as far as there are some."""
        query = {"only": "failed"} if failed_only else {}
        for data in self.client.pages(f"/predictions/{self.id}/results", **query):
            reason = (data["reason"] or {}).get("en", "")
            known = {name: data[name] for name in ("name", "item", "annotations", "scores", "code")}
            yield BatchResult(**known, reason=reason)

    def download(self, path: str | os.PathLike[str], *, form: str | None = None) -> Path:
        """Saves the results that are there as one file.

        Args:
            path: the file to write; it is there whole or not at all.
            form: ``csv``, ``jsonl`` or ``parquet``; None takes what the file's name ends with.

        Raises:
            ModelyardError: the name ends with none of them, or the model was deleted.
        """
        form = form or form_of(path)
        return download(self.client, f"/predictions/{self.id}/download", Path(path), query={"format": form})

    def cancel(self) -> Self:
        """Ends it; the results that are there stay."""
        return self.read(self.client, self._call("POST", "/cancel"))

    def resume(self) -> Self:
        """Goes on behind the results that are there, where it was cancelled or failed."""
        return self.read(self.client, self._call("POST", "/resume"))

    def suggest(self) -> int:
        """Gives the results to items that nobody has labelled, as suggestions; returns how many.

        Raises:
            ApiError: they are of files (``prediction_no_items``).
        """
        started = self.read(self.client, self._call("POST", "/suggestions"))
        assert started.suggest_job is not None
        self.client.wait(started.suggest_job.id)
        return self.refreshed().num_suggested or 0

    def delete(self) -> None:
        """Deletes it with its files and results."""
        self._call("DELETE")

    def _call(self, method: str, below: str = "") -> Any:  # noqa: ANN401 - JSON
        return self.client.transport.json(method, f"/predictions/{self.id}{below}")


def form_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's name ends with.

    Raises:
        ModelyardError: none of ``FORMATS``.
    """
    form = Path(path).suffix.removeprefix(".").lower()
    if form not in FORMATS:
        raise ModelyardError(f"{path} ends with no format.", hint=f"There are: {', '.join(FORMATS)}.")
    return form


def batch_start(
    project: Project,
    paths: Sequence[str | os.PathLike[str]],
    *,
    model: int | None,
    version: int | None,
    items: Mapping[str, Any] | None,
    progress: Callable[[Progress], None] | None,
) -> BatchPrediction:
    """Sends the files, where there are some, and starts; see ``Project.predict_batch``."""
    if sum((bool(paths), version is not None, items is not None)) > 1:
        raise ModelyardError("Files, a version and items were named together.", hint="Predict each by itself.")
    artefact = project.model(model).id
    body: dict[str, Any] = {"artefact": artefact, "source": "items", "filter": dict(items or {})}
    if paths:
        body = {"artefact": artefact, "source": "files", "uploads": _sent(project, paths, progress)}
    elif version is not None:
        body = {"artefact": artefact, "source": "version", "version": project.version(version).id}
    data = project.client.transport.json("POST", f"/projects/{project.id}/predictions", body=body)
    return BatchPrediction.read(project.client, data)


def _sent(project: Project, paths: Sequence[str | os.PathLike[str]], progress: Callable[[Progress], None] | None) -> list[str]:
    """Sends files; returns the ids of the uploads, in the order of the files."""
    files = files_find(paths)
    if len(files) > MAX_FILES:
        raise ModelyardError(f"{len(files):,} files are more than {MAX_FILES:,}.", hint="Put them into an archive.")
    meter = Meter(files, progress)
    with ThreadPoolExecutor(CONCURRENCY) as pool:
        return list(pool.map(partial(_send, project, meter), files))


def _send(project: Project, meter: Meter, file: LocalFile) -> str:
    transport, base = project.client.transport, f"/datasets/{project.dataset_id}/uploads"
    name = os.path.basename(file.path)
    body = {"name": name, "size_bytes": file.size_bytes, "kind": "predict", "relative_path": file.name}
    upload = transport.json("POST", base, body=body)
    with open(file.path, "rb") as stream:
        while data := stream.read(int(upload["part_bytes"])):
            query = {"offset": stream.tell() - len(data)}
            transport.json("PUT", f"{base}/{upload['id']}/parts", query=query, content=data)
            meter.add(size_bytes=len(data))
    meter.add(files=1)
    return str(upload["id"])
