"""Hooks that this app calls and apps above it implement, with their signatures; see ``studio.common.app_config``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.db.models import QuerySet

from automl.contracts.annotation import Annotation
from studio.common.app_config import hook_functions
from studio.projects.models import Project


class EmbeddingsAdded(Protocol):
    """Items can be compared now that could not before."""

    def __call__(self, project: Project, /) -> None:
        """Makes use of it."""


class AnnotationsChanged(Protocol):
    """Inside the transaction that changes annotations of items."""

    def __call__(self, datasets: Collection[str], /) -> None:
        """Takes notice; ``datasets`` are ids."""


class PredictionsImported(Protocol):
    """An upload proposes labels of items."""

    def __call__(self, dataset_id: str, predictions: Mapping[str, Sequence[Annotation]], source: str, /) -> None:
        """Keeps them, by the id of the item; ``source`` says where they come from."""


class OpenComments(Protocol):
    """What the filter by open comments looks for."""

    def __call__(self, dataset: str, /) -> QuerySet[Any]:
        """One row, with its ``item``, for each item of a dataset that an open comment is about."""


class ExampleFilesAdded(Protocol):
    """A quick start brings more than data."""

    def __call__(self, project: Project, folder: Path, /) -> None:
        """Takes what it knows from the folder; a second call with the same files changes nothing."""


class StorageByProject(Protocol):
    """What takes storage beside data."""

    def __call__(self, workspace: str, /) -> dict[str, int]:
        """Bytes by the id of a project of a workspace."""


def storage_by_project(part: str, workspace: str) -> dict[str, int]:
    """Bytes that one part of the platform, such as ``galleries``, takes in each project of a workspace."""
    function: StorageByProject
    (function,) = hook_functions(f"storage_by_project:{part}")
    return function(workspace)


def embeddings_added(project: Project) -> None:
    """Items of a project can be compared now that could not before."""
    function: EmbeddingsAdded
    for function in hook_functions("embeddings_added"):
        function(project)


def example_files_added(project: Project, folder: Path) -> None:
    """A quick start of a project brings more than data."""
    function: ExampleFilesAdded
    for function in hook_functions("example_files_added"):
        function(project, folder)


def annotations_changed(datasets: Collection[str]) -> None:
    """Annotations of items of datasets change in this transaction."""
    function: AnnotationsChanged
    for function in hook_functions("annotations_changed"):
        function(datasets)


def predictions_imported(dataset_id: str, predictions: Mapping[str, Sequence[Annotation]], source: str) -> None:
    """An upload proposes labels of items."""
    function: PredictionsImported
    for function in hook_functions("predictions_imported"):
        function(dataset_id, predictions, source)


def open_comments(dataset: str) -> QuerySet[Any]:
    """One row, with its ``item``, for each item of a dataset that an open comment is about; comments have one app."""
    function: OpenComments
    (function,) = hook_functions("open_comments")
    return function(dataset)
