"""Artefacts that many tests look at: trained once, never changed by a test."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.engine.jobs import fill_store, host_cache, trained_once


@pytest.fixture(scope="session", autouse=True)
def _one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def cache_dir() -> Path:
    return host_cache()


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    return fill_store(tmp_path_factory.mktemp("assets"))


@pytest.fixture(scope="session")
def trained() -> Path:
    return trained_once()


@pytest.fixture(scope="session")
def probed() -> Path:
    """A linear probe that may say several labels."""
    params = {"resolution_px": 128, "is_balanced": True}
    return trained_once(store_of="linear_probe", family="linear_probe", params=params, labels="several")
