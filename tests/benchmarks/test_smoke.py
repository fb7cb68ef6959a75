"""Every script of ``benchmarks/`` runs at its smallest, found by listing; those on a platform run in ``tests/journeys``."""

from __future__ import annotations

import pytest

from benchmarks._smoke import Smoke, on_platform, row_names
from tests.benchmarks.rows import material, row_runs


@pytest.fixture(scope="module")
def smoke():
    """Forks the scripts."""
    with Smoke() as running:
        yield running


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """Where the scripts find their material, and keep what they make of it."""
    return material(tmp_path_factory.mktemp("bench"))


@pytest.mark.parametrize("name", [name for name in row_names() if not on_platform(name)])
def test_script_runs_at_its_smallest(smoke, environment, name):
    row_runs(smoke, name, environment)


def test_what_a_script_says_and_how_it_ends_comes_back(smoke):
    ran = smoke.run("no_such_row")
    assert ran.status == 1
    assert "no_such_row" in ran.stderr
    assert ran.output == ""
