"""Fixtures of the platform's suites. The services behind them are chosen in ``tests/settings.py``."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from studio.accounts import services
from studio.accounts.access import principal_of_user
from studio.accounts.models import Membership, User, Workspace
from studio.common.blobs import blobs
from studio.jobs import forkserver
from studio.projects.models import Project

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def home(settings, tmp_path: Path):
    """A home of its own for each test."""
    settings.HOME = tmp_path
    settings.JOBS_DIR = tmp_path / "jobs"
    settings.CACHE_DIR = tmp_path / "cache"
    settings.RUN_DIR = tmp_path / "run"
    settings.SERVING_DIR = tmp_path / "serving"
    settings.BLOBS_DIR = tmp_path / "blobs"
    blobs.cache_clear()
    yield tmp_path
    blobs.cache_clear()


@pytest.fixture
def owner(db) -> User:
    return services.user_sign_up(email="olga@example.org", password=PASSWORD, name="Olga")


@pytest.fixture
def workspace(owner: User) -> Workspace:
    return Membership.objects.select_related("workspace").get(user=owner).workspace


@pytest.fixture
def actor(owner: User, workspace: Workspace):
    return principal_of_user(owner)


@pytest.fixture
def project(workspace: Workspace) -> Project:
    return Project.objects.create(workspace=workspace, name="Fruit", task="image_classification", label_set={"labels": []})


@pytest.fixture
def client(owner: User) -> Client:
    """A browser in which the owner is signed in; CSRF is checked as in life."""
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post("/api/auth/sign-in", {"email": owner.email, "password": PASSWORD}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    browser.defaults["HTTP_X_CSRFTOKEN"] = browser.cookies["csrftoken"].value
    return browser


@pytest.fixture
def probe(settings):
    """The job kinds of the tests (``probe_app``), run by the small engine."""
    settings.REPOSITORY_DIR = Path(__file__).parent / "fake_engine"
    settings.JOB_HEARTBEAT_S = 0.2
    forkserver._has_failed.set()  # the small engine has no fork server
    yield
    forkserver._has_failed.clear()
