"""Reads of the registry. Look-ups by id find only what the caller may see."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from django.db.models import Count, QuerySet

from automl.contracts.artefact import HASHES_FILE, MANIFEST_FILE
from engine.compress.methods import methods_for
from engine.compress.text_students import is_teacher
from engine.data.blob import damaged_file
from engine.models import families_for, family_names, family_spec
from engine.tasks import task_spec
from runtime.hashes import file_sha256
from studio.accounts.sight import Sight
from studio.common.blob_store import BlobDamagedError
from studio.common.blobs import blobs
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.projects.models import Project
from studio.registry.errors import ArtefactFileMissingError
from studio.registry.models import Artefact, Evaluation, StageChange


def artefact_get(sight: Sight, artefact: str) -> Artefact:
    """Finds an artefact with its project, version, trial and study.

    Raises:
        NotFoundError: there is none within sight.
    """
    rows = _artefacts().filter(sight.of("project"), project__deleted_at=None)
    found = rows.filter(id=artefact).first()
    if found is None:
        raise NotFoundError("There is no such model.")
    return found


def artefacts_of_trials(trials: Sequence[str]) -> list[Artefact]:
    """The models that trials left, in the trials' order; those that are gone are left out."""
    found = {each.trial_id: each for each in Artefact.objects.filter(trial__in=trials).select_related("trial", "version")}
    return [found[trial] for trial in trials if trial in found]


def artefact_teaches(artefact: Artefact) -> bool:
    """Whether a model is worth being made smaller, and smaller ones can learn from it."""
    task = task_spec(artefact.project.task)
    return artefact.parent_id is None and is_teacher(task, artefact.facts.train, families_for(task))


def artefact_continues(artefact: Artefact) -> bool:
    """Whether training can go on from a model's weights; a compressed one has none that could be trained."""
    if artefact.parent_id is not None:
        return False
    train = artefact.facts.train
    family = family_spec(train.family) if train.family in family_names() else None
    return family is not None and family.can_continue and any(size.name == train.size for size in family.sizes)


def artefact_compresses(artefact: Artefact) -> bool:
    """Whether ways are known to make a model smaller."""
    return artefact.parent_id is None and bool(methods_for(task_spec(artefact.project.task)))


def artefact_compresses_by_training(artefact: Artefact) -> bool:
    """Whether some of these ways train."""
    return artefact_compresses(artefact) and any(each.is_trained for each in methods_for(task_spec(artefact.project.task)))


def artefact_page(project: Project, *, stage: str | None, cursor: str | None, limit: int) -> Page[Artefact]:
    """Cuts a page out of a project's artefacts, newest first."""
    rows = _artefacts().filter(project=project)
    return page_of(rows if stage is None else rows.filter(stage=stage), cursor=cursor, limit=limit)


def artefact_folder(artefact: Artefact) -> Path:
    """A folder on this host with the artefact's files; never write to it."""
    return blobs().fetch_tree(artefact.tree)


def artefact_answering(artefact: Artefact, place: Path) -> Path:
    """A folder with the artefact's files and the chosen thresholds and coverage.

    Args:
        artefact: whose files.
        place: a folder for them, not there yet; unused where nobody chose any.
    """
    folder = artefact_folder(artefact)
    if not artefact.thresholds and not artefact.coverage:
        return folder
    shutil.copytree(folder, place, copy_function=os.symlink)
    chosen = artefact.facts.model_copy(update={"thresholds": artefact.answers_from, "coverage": artefact.covered_by})
    (place / MANIFEST_FILE).unlink()
    chosen.write(place / MANIFEST_FILE)
    hashes = place / HASHES_FILE
    if hashes.exists():
        known = json.loads(hashes.read_text(encoding="utf-8"))
        hashes.unlink()
        hashes.write_text(json.dumps({**known, MANIFEST_FILE: file_sha256(place / MANIFEST_FILE)}, indent=1), encoding="utf-8")
    return place


def artefact_files(artefact: Artefact) -> dict[str, Path]:
    """The files of an artefact by their path below its folder, in order."""
    folder = artefact_folder(artefact)
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def artefact_file(artefact: Artefact, name: str) -> Path:
    """One file of an artefact.

    Args:
        artefact: whose file.
        name: path below the artefact's folder, e.g. ``model.onnx`` or ``samples/0.png``.

    Raises:
        ArtefactFileMissingError: it has no such file; the hint lists those it has.
        BlobDamagedError: its bytes are not those that were written.
    """
    known = artefact_files(artefact)
    if name not in known:
        raise ArtefactFileMissingError(name=name, known=list(known))
    if damaged_file(artefact_folder(artefact), [name]) is not None:
        raise BlobDamagedError(f"{artefact.id}/{name}")
    return known[name]


def evaluation_list(artefact: Artefact) -> list[Evaluation]:
    """An artefact's evaluations, oldest first."""
    return list(Evaluation.objects.filter(artefact=artefact).select_related("version").order_by("id"))


def num_judged_models(version: str) -> dict[str, int]:
    """By split of a version, how many models have been judged on it."""
    counted = Evaluation.objects.filter(version=version).values("split").annotate(num=Count("artefact")).order_by()
    return {row["split"]: row["num"] for row in counted}


def stage_changes(artefact: Artefact) -> list[StageChange]:
    """How an artefact got to its stage, newest first."""
    return list(StageChange.objects.filter(artefact=artefact).order_by("-id"))


def _artefacts() -> QuerySet[Artefact]:
    return Artefact.objects.select_related("project", "version", "trial__study", "parent__trial__study")
