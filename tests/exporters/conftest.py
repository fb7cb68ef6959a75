from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from automl.contracts.task import OutputKind
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.prediction_server import Server, Serving, key_row, running


@pytest.fixture(scope="session")
def artefact_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return artefact_write(tmp_path_factory.mktemp("artefacts") / "tiny")


@pytest.fixture(scope="session")
def several_labels_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return artefact_write(tmp_path_factory.mktemp("artefacts") / "several", output=OutputKind.LABEL_SCORES)


@pytest.fixture(scope="session")
def boxes_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return artefact_write(tmp_path_factory.mktemp("artefacts") / "boxes", output=OutputKind.BOXES)


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def serving(tmp_path: Path) -> Serving:
    serving = Serving(tmp_path / "serving")
    serving.keys(key_row())
    return serving


@pytest.fixture(scope="module")
def shared(
    tmp_path_factory: pytest.TempPathFactory, artefact_dir: Path, several_labels_dir: Path, boxes_dir: Path
) -> Iterator[tuple[Serving, Server]]:
    """One server for the tests that only ask."""
    serving = Serving(tmp_path_factory.mktemp("shared"))
    serving.keys(
        key_row(),
        key_row("my_expired", expires_at="2020-01-01T00:00:00+00:00"),
        key_row("my_viewer", can_predict=False),
        key_row("my_foreign", workspace="wsp_foreign"),
        key_row("my_lasting", expires_at="2999-01-01T00:00:00Z"),
    )
    serving.deploy("dep_one", artefact_dir, slug="tiny")
    serving.deploy("dep_several", several_labels_dir, artefact="art_several")
    serving.deploy("dep_boxes", boxes_dir, artefact="art_boxes")
    serving.deploy("dep_stopped", artefact_dir, state="stopped")
    serving.deploy("dep_broken", artefact_dir / "missing")
    serving.deploy("dep_quota", artefact_dir, quota_per_minute=3)
    serving.deploy("dep_small", artefact_dir, max_body_bytes=3000)
    with running(serving, "--cors-origin", "https://shop.example") as server:
        yield serving, server


@pytest.fixture
def server(shared: tuple[Serving, Server]) -> Server:
    return shared[1]
