"""Artefacts that many tests look at: trained once a session, never changed by a test."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.engine.jobs import events, fill_store, make_job, run_here


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    return fill_store(tmp_path_factory.mktemp("assets"))


@pytest.fixture(scope="session")
def trained(tmp_path_factory, cache_dir) -> Path:
    workdir = make_job(tmp_path_factory.mktemp("trained") / "job", cache_dir=cache_dir)
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir


@pytest.fixture(scope="session")
def probed(tmp_path_factory, cache_dir, store) -> Path:
    """A linear probe that may say several labels."""
    workdir = make_job(
        tmp_path_factory.mktemp("probed") / "job",
        cache_dir=cache_dir,
        assets_dir=store,
        family="linear_probe",
        params={"resolution_px": 128, "is_balanced": True},
        labels="several",
    )
    assert run_here(workdir) == 0, events(workdir)[-1]
    return workdir
