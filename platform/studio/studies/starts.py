"""Studies that go on from an earlier model: which models can be gone on from, and what their trainings are given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from automl.contracts.family import FamilySpec
from automl.contracts.job import LEARNED_FILE, START_DIR
from engine.models import family_spec
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_all_tables
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_continues, artefacts_of_trials
from studio.studies.errors import StartUnsuitableError


def start_check(*, start: Artefact, version: DatasetVersion) -> None:
    """Says whether training on a version can go on from a model.

    Raises:
        StartUnsuitableError: the model is of another workspace, task or kind of answers, or its family cannot.
    """
    project, expected = start.project, version.project
    if project.workspace_id != expected.workspace_id:
        raise StartUnsuitableError("The model belongs to another workspace.", context="workspace")
    if (project.task, project.task_options) != (expected.task, expected.task_options):
        raise StartUnsuitableError("The model was trained for another task.", context="task")
    if not artefact_continues(start) or judged_of(start) is None:
        raise StartUnsuitableError("Training cannot go on from this model.", context="family")


def narrowed(families: tuple[FamilySpec, ...], start: Artefact) -> tuple[FamilySpec, ...]:
    """Of the families that a study may train, the model's alone, in the model's size.

    Raises:
        StartUnsuitableError: it is not among them.
    """
    train = start.facts.train
    if all(family.name != train.family for family in families):
        raise StartUnsuitableError(f"The study does not train {train.family}.", context="families")
    family = family_spec(train.family)
    return (family.model_copy(update={"sizes": (family.size(train.size),)}),)


def judged_of(artefact: Artefact) -> Artefact | None:
    """The model whose weights training continues: itself, or the best of those that it was refitted from.

    What is shipped has learned what others are judged by, and nothing could judge a model that knows it already. None where
    the judged model is gone.
    """
    members = artefact.facts.lineage.members
    return next(iter(artefacts_of_trials(members[:1])), None) if members else artefact


def start_place(start: Artefact, workdir: Path) -> None:
    """Puts the model, and what it learned from, into a working directory.

    Raises:
        StartUnsuitableError: its judged model is gone.
    """
    judged = judged_of(start)
    if judged is None:
        raise StartUnsuitableError("The model's weights are gone.", context="family")
    folder = workdir / START_DIR
    folder.mkdir(exist_ok=True)
    link = folder / start.id
    if not os.path.lexists(link):
        link.symlink_to(blobs().fetch_tree(judged.tree), target_is_directory=True)
    (folder / LEARNED_FILE).write_text("\n".join(sorted(set(_learned(judged)))), encoding="ascii")


def _learned(judged: Artefact) -> Iterator[str]:
    """Blobs of the items that the model learned from, and that those did that it went on from."""
    model: Artefact | None = judged
    while model is not None:
        splits = [split.value for split in model.facts.learned]
        for table in version_all_tables(model.version):
            mask = pc.is_in(table["split"], value_set=pa.array(splits))
            yield from table["blob"].filter(mask).to_pylist()
        earlier = model.trial.study.start if model.trial is not None else None
        model = None if earlier is None else judged_of(earlier)
