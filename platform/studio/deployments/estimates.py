"""What builds of a model are expected to give, before one is started: the size of the file, and how long builds take."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from automl.contracts.family import ParamValue
from exporters.build import artefact_check, estimate, target_find, target_names
from exporters.bundle import USUAL_BACKEND
from exporters.errors import ExportError, PartsNotBuiltError
from studio.deployments.errors import export_problem
from studio.deployments.models import Export
from studio.deployments.schemas import ExportEstimateOut
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_folder

BUILDS_LOOKED_AT = 200
"""The latest of a workspace, of all targets."""


def estimates_of(artefact: Artefact) -> list[ExportEstimateOut]:
    """Estimates for every target that can ship the model, with its usual options."""
    durations = _durations_s(artefact)
    return [_estimate(artefact, name, {}, durations) for name in target_names() if _can_ship(name, artefact)]


def estimate_of(artefact: Artefact, target: str, options: Mapping[str, ParamValue]) -> ExportEstimateOut:
    """The same for one target with these options.

    Raises:
        StudioError: no such target, an option that is not allowed, or a model that the target cannot ship.
    """
    return _estimate(artefact, target, options, _durations_s(artefact))


def _estimate(
    artefact: Artefact, target: str, options: Mapping[str, ParamValue], durations: Mapping[str, float]
) -> ExportEstimateOut:
    try:
        size_bytes = estimate(target, artefact_folder(artefact), options)
    except PartsNotBuiltError:
        size_bytes = None
    except ExportError as error:
        raise export_problem(error) from error
    answer_ms = artefact.latency_ms if USUAL_BACKEND in target_find(target).spec.backends else None
    return ExportEstimateOut(target=target, size_bytes=size_bytes, build_s=durations.get(target), answer_ms=answer_ms)


def _can_ship(target: str, artefact: Artefact) -> bool:
    try:
        artefact_check(target_find(target).spec, artefact.facts)
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
