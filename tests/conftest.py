"""Shared by all tests: the services behind ``MODELYARD_TEST_SERVICES=production``."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests import services

# How long an example takes is a matter of the machine, never of the code under test.
hypothesis_settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Finds or starts PostgreSQL when the run wants it."""
    database = connections["default"].settings_dict
    if "postgresql" not in database["ENGINE"]:
        yield
        return
    with services.postgres() as address:
        parts = urlsplit(address)
        database.update(USER=parts.username, HOST=parts.hostname, PORT=str(parts.port))
        yield


@pytest.fixture(scope="session")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A real S3 server for the session."""
    with services.seaweed(tmp_path_factory.mktemp("seaweed")) as (endpoint, access_key, secret_key):
        yield SimpleNamespace(endpoint=endpoint, access_key=access_key, secret_key=secret_key)


@pytest.fixture(scope="session", autouse=True)
def blob_store(request: pytest.FixtureRequest) -> None:
    """Puts blobs on S3 when the run is that of production's services."""
    if settings.TEST_SERVICES == "production":
        s3 = request.getfixturevalue("seaweed")
        settings.BLOBS_S3 = SimpleNamespace(bucket="modelyard", **vars(s3))
