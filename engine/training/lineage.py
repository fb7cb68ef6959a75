"""Where an artefact comes from."""

from __future__ import annotations

from importlib import metadata

from automl.contracts.artefact import Lineage
from engine.job import Job


def lineage_of(job: Job, dataset_version: str, members: tuple[str, ...] = ()) -> Lineage:
    """The job's own ids and those that it was told to copy."""
    told = job.spec.lineage
    return Lineage(
        project=told.get("project"),
        study=told.get("study"),
        trial=told.get("trial"),
        teacher=told.get("teacher"),
        members=members,
        job=job.spec.id,
        dataset_version=dataset_version,
        code=_code_version(),
        seed=job.spec.seed,
    )


def _code_version() -> str:
    try:
        return metadata.version("modelyard")
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return "source"
