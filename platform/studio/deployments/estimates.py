"""What builds of a model are expected to give, before one is started: the size of the file, and how long builds take."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.family import ParamValue
from exporters.build import artefact_check, estimate, target_find, target_names
from exporters.bundle import USUAL_BACKEND, manifest_read
from exporters.errors import ExportError, PartsNotBuiltError
from exporters.gallery import gallery_sized
from studio.deployments.errors import export_problem
from studio.deployments.hooks import exported_gallery
from studio.deployments.models import Export
from studio.deployments.schemas import ExportEstimateOut
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_folder

BUILDS_LOOKED_AT = 200
"""The latest of a workspace, of all targets."""


def estimates_of(artefact: Artefact, *, gallery: str | None = None) -> list[ExportEstimateOut]:
    """Estimates for every target that can ship the model, with its usual options.

    Args:
        artefact: the model.
        gallery: with whose names the products answer; None: with what the model answers.

    Raises:
        StudioError: no such gallery, or one that a product of this model cannot take along.
    """
    durations = _durations_s(artefact)
    with _shipped(artefact, gallery) as folder:
        facts = artefact.facts if gallery is None else manifest_read(folder)
        able = [name for name in target_names() if _can_ship(name, facts)]
        return [_estimate(artefact, folder, name, {}, durations) for name in able]


def estimate_of(
    artefact: Artefact, target: str, options: Mapping[str, ParamValue], *, gallery: str | None = None
) -> ExportEstimateOut:
    """The same for one target with these options.

    Raises:
        StudioError: no such target or gallery, an option that is not allowed, or a model that the target cannot ship.
    """
    with _shipped(artefact, gallery) as folder:
        return _estimate(artefact, folder, target, options, _durations_s(artefact))


@contextmanager
def _shipped(artefact: Artefact, gallery: str | None) -> Iterator[Path]:
    """A folder with what a product holds of the model, as large as it will be."""
    folder = artefact_folder(artefact)
    if gallery is None:
        yield folder
        return
    _, named = exported_gallery(artefact, gallery)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            sized = gallery_sized(folder, named, Path(scratch) / "sized")
        except ExportError as error:
            raise export_problem(error) from error
        yield sized


def _estimate(
    artefact: Artefact, folder: Path, target: str, options: Mapping[str, ParamValue], durations: Mapping[str, float]
) -> ExportEstimateOut:
    try:
        size_bytes = estimate(target, folder, options)
    except PartsNotBuiltError:
        size_bytes = None
    except ExportError as error:
        raise export_problem(error) from error
    answer_ms = artefact.latency_ms if USUAL_BACKEND in target_find(target).spec.backends else None
    return ExportEstimateOut(target=target, size_bytes=size_bytes, build_s=durations.get(target), answer_ms=answer_ms)


def _can_ship(target: str, facts: ArtefactManifest) -> bool:
    try:
        artefact_check(target_find(target).spec, facts)
    except ExportError:
        return False
    return True


def _durations_s(artefact: Artefact) -> dict[str, float]:
    """By target, what the workspace's latest builds took: the median."""
    builds = Export.objects.filter(project__workspace=artefact.project.workspace_id, report__isnull=False).order_by("-id")
    durations: dict[str, list[float]] = {}
    for target, report in builds.values_list("target", "report")[:BUILDS_LOOKED_AT]:
        if report is not None and "duration_s" in report:
            durations.setdefault(target, []).append(float(report["duration_s"]))
    return {target: median(found) for target, found in durations.items()}
