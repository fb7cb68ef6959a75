"""Several workers at once over one database, and a deployment whose rows are really committed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from studio.datasets.models import DatasetVersion
from studio.deployments.models import Deployment
from studio.registry.models import Artefact
from tests.support.project_setup import ProjectSetup

NUM_WORKERS = 4


def at_once(work: Callable[[], None]) -> None:
    """Does the same in several threads, which begin together."""
    barrier = Barrier(NUM_WORKERS)

    def run(_: int) -> None:
        barrier.wait()
        try:
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(NUM_WORKERS) as pool:
        list(pool.map(run, range(NUM_WORKERS)))


def bare_artefact(setup: ProjectSetup, version: DatasetVersion) -> Artefact:
    """A model without files."""
    sizes = {"latency_ms": 1.0, "model_bytes": 1, "size_bytes": 1}
    return Artefact.objects.create(project=setup.project, number=1, version=version, tree="none", manifest={}, **sizes)


def bare_deployment(setup: ProjectSetup, artefact: Artefact) -> Deployment:
    """A deployment that no prediction server knows."""
    return Deployment.objects.create(
        workspace=setup.workspace,
        project=setup.project,
        artefact=artefact,
        name="Cats and dogs",
        slug="cats",
        created_by=setup.owner.id,
    )
