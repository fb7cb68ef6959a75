from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.data.version import DatasetVersion
from tests.engine.data.version_factory import encoded, soft_picture, write_version


@pytest.fixture
def make_version(tmp_path: Path) -> Callable[..., DatasetVersion]:
    """Writes a version of the blobs given, or of a number of soft pictures."""

    def make(blobs: dict[str, bytes] | None = None, num_pictures: int = 12, folder: str = "data") -> DatasetVersion:
        made = blobs or {f"{n:03d}.png": encoded(soft_picture(20 + n, 30, seed=n), "PNG") for n in range(num_pictures)}
        (tmp_path / folder).mkdir()
        return write_version(tmp_path / folder, made)

    return make
