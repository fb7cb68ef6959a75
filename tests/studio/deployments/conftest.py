"""Fixtures of the deployment tests."""

from types import SimpleNamespace

import pytest

from studio.deployments.services import deployment_create
from tests.exporters.prediction_server import Serving, running
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import home, setup

__all__ = ["home", "setup", "version"]


@pytest.fixture
def version(setup):
    """A version of forty pictures with two labels."""
    return version_make(setup)


@pytest.fixture
def artefact(setup, version):
    """A model of the version."""
    return artefact_make(setup, version)


@pytest.fixture
def deployment(setup, artefact, django_capture_on_commit_callbacks):
    """The model under an address, with its files written."""
    with django_capture_on_commit_callbacks(execute=True):
        return deployment_create(artefact=artefact, name="Cats and dogs", actor=setup.actor)


@pytest.fixture
def server(home, settings):
    """The real prediction server over the platform's folder."""
    folder = home / "serving"
    folder.mkdir(exist_ok=True)
    with running(Serving(folder)) as server:
        settings.PREDICTION_URL = server.address
        yield SimpleNamespace(folder=folder, predict=server.predict, stop=server.stop, wait=Serving(folder).wait_for_status)
