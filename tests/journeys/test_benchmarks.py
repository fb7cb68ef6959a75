"""Scripts of ``benchmarks/`` that measure a whole platform run at their smallest, on the one that is there anyway."""

from __future__ import annotations

import pytest

from benchmarks._platform import shared_environment
from benchmarks._smoke import Smoke, on_platform, row_names
from tests.benchmarks.rows import material, row_runs


@pytest.fixture(scope="module")
def smoke():
    """Forks the scripts."""
    with Smoke() as running:
        yield running


@pytest.fixture(scope="module")
def environment(platform, tmp_path_factory):
    """Where the scripts find the platform and their material."""
    return material(tmp_path_factory.mktemp("bench")) | shared_environment(platform)


@pytest.mark.parametrize("name", [name for name in row_names() if on_platform(name)])
def test_script_runs_at_its_smallest(smoke, environment, name):
    row_runs(smoke, name, environment)
