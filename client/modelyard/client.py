"""The objects a person works with: a client, its projects, their datasets."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from modelyard.batch import BatchPrediction, batch_start
from modelyard.deployment import Deployment
from modelyard.download import download
from modelyard.errors import JobFailedError, ModelyardError
from modelyard.models import Model
from modelyard.preflights import Preflight, preflight_start
from modelyard.progress import Progress
from modelyard.records import Item, Job, RefusedFile, UploadResult, Version
from modelyard.shelves import Shelf
from modelyard.studies import Study, study_start
from modelyard.transport import Transport
from modelyard.upload import CONCURRENCY, Upload

POLL_S = 0.5
PAGE = 200


class Client:
    """Access to a workspace with an API key.

    Args:
        url: address of the platform, e.g. ``https://modelyard.example.org``.
        key: an API key of the workspace, ``my_...``.
    """

    def __init__(self, url: str, key: str) -> None:
        self.transport = Transport(url, key)

    def __enter__(self) -> Self:
        """For ``with``."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the connections."""
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self.transport.close()

    def projects(self) -> Iterator[Project]:
        """All projects that the key may see, newest first."""
        return (Project.read(self, data) for data in self.pages("/projects"))

    def project(self, name: str) -> Project:
        """A project by its id or name.

        Raises:
            ModelyardError: there is none, or several have the name.
        """
        if name.startswith("prj_"):
            return Project.read(self, self.transport.json("GET", f"/projects/{name}"))
        found = [project for project in self.projects() if project.name == name]
        if len(found) != 1:
            known = ", ".join(sorted(project.name for project in self.projects())[:20]) or "none"
            message = f"{len(found)} projects are called {name!r}." if found else f"There is no project {name!r}."
            raise ModelyardError(message, hint="Use the id." if found else f"There are: {known}.")
        return found[0]

    def create_project(
        self, name: str, *, workspace: str, task: str = "image_classification", options: Mapping[str, str] | None = None
    ) -> Project:
        """Creates a project with its dataset.

        Args:
            name: what people call it.
            workspace: id of the workspace, as ``Project.workspace`` has it.
            task: name of a task type.
            options: choices of the task, e.g. ``{"labels": "several"}``.
        """
        body = {"name": name, "workspace": workspace, "task": task, "task_options": dict(options or {})}
        return Project.read(self, self.transport.json("POST", "/projects", body=body))

    def deployment(self, deployment: str) -> Deployment:
        """A deployed model by its id; ``Project.deployment`` finds it by its name."""
        return Deployment.read(self, self.transport.json("GET", f"/deployments/{deployment}"))

    def shelf(self, shelf: str) -> Shelf:
        """A shelf by its id; ``Project.shelves`` lists those of a project."""
        return Shelf.read(self, self.transport.json("GET", f"/shelves/{shelf}"))

    def study(self, study: str) -> Study:
        """A study by its id, as it stands."""
        return Study.read(self, self.transport.json("GET", f"/studies/{study}"))

    def model(self, model: str) -> Model:
        """A model by its id; ``Project.model`` finds it by its number."""
        return Model.read(self, self.transport.json("GET", f"/artefacts/{model}"))

    def targets(self) -> list[dict[str, Any]]:
        """What models can be exported for, each with its options, as the API has them."""
        return list(self.transport.json("GET", "/targets"))

    def batch_prediction(self, prediction: str) -> BatchPrediction:
        """A batch prediction by its id, as it stands."""
        return BatchPrediction.read(self, self.transport.json("GET", f"/predictions/{prediction}"))

    def job(self, job: str) -> Job:
        """A job as it stands."""
        return Job.read(self.transport.json("GET", f"/jobs/{job}"))

    def wait(self, job: str, *, timeout_s: float | None = None, progress: Callable[[Job], None] | None = None) -> Job:
        """Waits until a job has ended.

        Raises:
            JobFailedError: it did not succeed.
            TimeoutError: it takes longer than ``timeout_s``; it goes on all the same.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            now = self.job(job)
            if progress is not None:
                progress(now)
            if now.state == "succeeded":
                return now
            if now.has_ended:
                error = now.error or {}
                raise JobFailedError(error.get("message") or f"The job was {now.state}.", hint=error.get("hint", ""))
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"{job} has not ended after {timeout_s} s; it goes on.")
            time.sleep(POLL_S)

    def pages(self, path: str, **query: object) -> Iterator[dict[str, Any]]:
        """All entries of a list of the API, read page by page."""
        cursor: str | None = None
        while True:
            params = {"limit": PAGE, **query, **({"cursor": cursor} if cursor else {})}
            page = self.transport.json("GET", path, query=params)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return


@dataclass(frozen=True)
class Project:
    """A project; ``dataset`` leads to its pictures or texts."""

    client: Client
    id: str
    name: str
    task: str
    workspace: str
    dataset_id: str
    labels: tuple[str, ...]
    num_items: int
    role: str
    """What the caller is in it: owner, engineer, labeller, viewer or annotator."""
    is_restricted: bool
    """Whether it is open to the owners of the workspace and to the people named in it only."""

    @classmethod
    def read(cls, client: Client, data: Mapping[str, Any]) -> Project:
        """The project of a JSON object."""
        return cls(
            client=client,
            id=data["id"],
            name=data["name"],
            task=data["task"],
            workspace=data["workspace"],
            dataset_id=data["dataset"],
            labels=tuple(label["name"] for label in data["label_set"]["labels"]),
            num_items=data["counts"]["items"],
            role=data["role"],
            is_restricted=data["is_restricted"],
        )

    @property
    def dataset(self) -> Dataset:
        """The project's pictures or texts."""
        return Dataset(self.client, self.dataset_id, self.id)

    def versions(self) -> Iterator[Version]:
        """The versions, newest first."""
        return (Version.read(data) for data in self.client.pages(f"/projects/{self.id}/versions"))

    def version(self, number: int) -> Version:
        """A version by its number.

        Raises:
            ModelyardError: there is none.
        """
        for version in self.versions():
            if version.number == number:
                return version
        raise ModelyardError(f"{self.name} has no version {number}.")

    def create_version(self, *, note: str = "") -> Version:
        """Creates a version of the current items; for a large dataset it waits for the job."""
        data = self.client.transport.json("POST", "/labeling/snapshots", body={"project": self.id, "note": note})
        if "job" not in data:
            return Version.read(data)
        self.client.wait(data["job"]["id"])
        return next(self.versions())

    def train(
        self,
        *,
        version: int | None = None,
        objective: str = "",
        start_from: int | None = None,
        teacher: int | None = None,
        **settings: Any,
    ) -> Study:
        """Starts a study, as the page *New study* does, and returns at once; ``Study.wait`` waits for it.

        Args:
            version: number of the version to learn from; None takes the newest, and cuts one where there is none.
            objective: name of the metric to improve; empty takes the task's own.
            start_from: number of a model to go on from.
            teacher: number of the model that small ones learn from, with ``strategy="distill"``.
            **settings: further fields of the API's ``StudyIn``: ``goal`` (``fastest``, ``fast``, ``balanced``, ``accurate``,
                ``most_accurate``), ``families``, ``max_trials``, ``time_limit_s``, ``strategy``, ``seed``, ``name`` and so on;
                what is left out is as the API has it.

        Raises:
            ModelyardError: there is no such version, model or setting.
            ApiError: the version cannot be learned from (``hint`` says what is missing), or a setting is out of range.
        """
        named = {"objective": objective, **settings}
        return study_start(self, version=version, start_from=start_from, teacher=teacher, settings=named)

    def preflight(
        self, *, version: int | None = None, objective: str = "", start_from: int | None = None, **settings: Any
    ) -> Preflight:
        """Has a training checked before it is started, and returns at once; ``Preflight.wait`` waits for what was found.

        The server runs its code on the hardest items and on a sample: a minute at most, and nothing is kept.

        Args:
            version: as of ``train``.
            objective: as of ``train``.
            start_from: as of ``train``.
            **settings: as of ``train``.

        Raises:
            ModelyardError, ApiError: as of ``train``.
        """
        named = {"objective": objective, **settings}
        return preflight_start(self, version=version, start_from=start_from, settings=named)

    def studies(self) -> Iterator[Study]:
        """The studies, newest first."""
        return (Study.read(self.client, data) for data in self.client.pages("/studies", project=self.id))

    def models(self) -> Iterator[Model]:
        """The models, newest first."""
        return (Model.read(self.client, data) for data in self.client.pages("/artefacts", project=self.id))

    def model(self, number: int | None = None) -> Model:
        """A model by its number; None takes the one in production, else the newest.

        Raises:
            ModelyardError: there is none.
        """
        models = list(self.models())
        if number is None:
            found = next((one for one in models if one.stage == "production"), models[0] if models else None)
        else:
            found = next((one for one in models if one.number == number), None)
        if found is None:
            known = ", ".join(str(one.number) for one in models[:20]) or "none"
            message = f"{self.name} has no model" + ("." if number is None else f" {number}.")
            raise ModelyardError(message, hint=f"There are: {known}.")
        return found

    def deployments(self) -> Iterator[Deployment]:
        """The deployed models, newest first."""
        return (Deployment.read(self.client, data) for data in self.client.pages("/deployments", project=self.id))

    def deployment(self, name: str) -> Deployment:
        """A deployed model by its id, the slug in its address or its name.

        Raises:
            ModelyardError: there is none.
        """
        deployments = list(self.deployments())
        for field in ("id", "slug", "name"):
            for deployment in deployments:
                if getattr(deployment, field) == name:
                    return deployment
        known = ", ".join(sorted(deployment.slug for deployment in deployments)[:20]) or "none"
        raise ModelyardError(f"{self.name} has no deployment {name!r}.", hint=f"There are: {known}.")

    def shelves(self) -> Iterator[Shelf]:
        """The shelves that photos are checked of, newest first."""
        return (Shelf.read(self.client, data) for data in self.client.pages(f"/projects/{self.id}/shelves"))

    def create_shelf(self, name: str, *, deployment: Deployment, gallery: str, plan: Mapping[str, int] | None = None) -> Shelf:
        """Creates a shelf.

        Args:
            name: what people call it.
            deployment: of this project; its boxes are the packs.
            gallery: id of the gallery that names them.
            plan: packs of each product that should stand there.
        """
        body = {"name": name, "deployment": deployment.id, "gallery": gallery, "plan": dict(plan or {})}
        return Shelf.read(self.client, self.client.transport.json("POST", f"/projects/{self.id}/shelves", body=body))

    def batch_predictions(self) -> Iterator[BatchPrediction]:
        """The batch predictions, newest first."""
        return (BatchPrediction.read(self.client, data) for data in self.client.pages(f"/projects/{self.id}/predictions"))

    def predict_batch(
        self,
        *paths: str | os.PathLike[str],
        model: int | None = None,
        version: int | None = None,
        items: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> BatchPrediction:
        """Has the server predict many items in a job, and returns once it has started; ``BatchPrediction.wait`` waits for it.

        Args:
            paths: files, folders and archives, which become no items of the project. Without them, and without a version, the
                project's items are predicted.
            model: number of a model; None takes the one in production, else the newest.
            version: number of a version whose items are predicted.
            items: which of the project's items, as the API's ``ItemFilter``, e.g. ``{"state": "unlabelled"}``; None takes all.
            progress: called with the state of the sending, some times a second, from several threads.

        Raises:
            ModelyardError: there is no such model or version, there are too many files, or several of these were named.
            ApiError: nothing was found to predict (``prediction_empty``), or the model is of another task.
        """
        return batch_start(self, paths, model=model, version=version, items=items, progress=progress)


@dataclass(frozen=True)
class Dataset:
    """The pictures or texts of a project."""

    client: Client
    id: str
    project: str

    def upload(
        self,
        *paths: str | os.PathLike[str],
        labels: str = "folder",
        table: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], None] | None = None,
        wait: bool = True,
        concurrency: int = CONCURRENCY,
    ) -> UploadResult:
        """Sends pictures, texts, folders and archives. If it is interrupted, the same call continues where it stopped.

        In a project of texts, tables (CSV, TSV, Excel, Parquet, JSONL) hold many texts with their labels, a row each, and their
        other columns become metadata; in one of pictures a CSV says the labels of pictures.

        Args:
            paths: files and folders.
            labels: ``folder`` takes the first folder of a path for the label, ``none`` leaves labels out. In archives ``csv``
                reads a table, ``auto`` what the server recognises, and a format's name (``coco``, ``yolo``) that format.
            table: how tables are read where the server guesses wrong, with some of ``separator`` (``""``: none), ``encoding``
                (``utf-8``, ``utf-16``, ``gb18030``, ``big5``, ``shift-jis``, ``windows-1252``), ``has_head``, ``sheet`` of
                Excel, ``decimal`` of rows, and of texts ``columns``, counted from 0: ``{"text": 2, "label": 0}``.
            progress: called with the state of it, some times a second, from several threads.
            wait: whether to wait for the jobs that read archives and large files.
            concurrency: requests at a time.

        Raises:
            NotFoundHereError: a path does not exist.
            ApiError, UnreachableError: the server refused, or did not answer.
            JobFailedError: an archive could not be read.
        """
        run = Upload(
            self.client.transport,
            self.id,
            project=self.project,
            labels=labels,
            table=table,
            progress=progress,
            concurrency=concurrency,
        )
        result = run.run(paths)
        for place, job in enumerate(result.jobs if wait else ()):
            result.jobs[place] = self.client.wait(job.id)
            self.read_into(job, result)
        return result

    def items(self, **query: object) -> Iterator[Item]:
        """The pictures or texts, oldest first; ``query`` are fields of the API's list, e.g. ``state="unlabelled"``."""
        return (Item.read(data) for data in self.client.pages(f"/datasets/{self.id}/items", **query))

    def annotate(self, item: Item, annotations: Sequence[Mapping[str, Any]] | None) -> Item:
        """Sets an item's annotations; None makes it unlabelled again, an empty list means that nothing is there.

        Raises:
            ApiError: code ``revision_stale``: somebody else changed the item since it was read.
        """
        body = {
            "annotations": None if annotations is None else [dict(one) for one in annotations],
            "revision": item.revision,
            "operation": str(uuid.uuid4()),
        }
        data = self.client.transport.json("PUT", f"/labeling/items/{item.id}/annotations", body=body)
        return Item.read(data["item"])

    def label(self, item: Item, *labels: str) -> Item:
        """Gives a whole picture or text its classes."""
        return self.annotate(item, [{"kind": "class", "label": label} for label in labels])

    def download_item(self, item: Item, path: str | os.PathLike[str]) -> Path:
        """Saves a picture as it was uploaded, a text in UTF-8."""
        return download(self.client, f"/items/{item.id}/picture", Path(path))

    def read_into(self, job: Job, result: UploadResult) -> None:
        """Adds the numbers and refused files of the upload that an ended job has read to a result."""
        data = self.client.transport.json("GET", f"/datasets/{self.id}/uploads/{job.subject}")
        result.num_new += data["num_items"]
        result.num_duplicates += data["num_duplicates"]
        result.num_labelled += data.get("num_labelled") or 0
        if data["num_rejected"] or data.get("num_noted"):
            for one in self.client.pages(f"/datasets/{self.id}/uploads/{job.subject}/rejects"):
                listed = result.notes if one.get("is_note") else result.refused
                listed.append(RefusedFile(name=one["name"], code=one["code"], reason=one["reason"]["en"]))
