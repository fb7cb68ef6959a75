"""The real platform, a key of a workspace in it, and the client package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from modelyard import Client, Project
from tests.journeys.walk import Walk
from tests.support.platform_process import Platform


@dataclass
class Site:
    """A running platform, a person in it and a key."""

    platform: Platform
    walk: Walk
    key: str

    @property
    def url(self) -> str:
        return self.platform.url

    def client(self) -> Client:
        return Client(self.url, self.key)

    def project(self) -> Project:
        """A new project, seen through the client."""
        made = self.walk.project()
        return self.client().project(made["id"])


@pytest.fixture(scope="session")
def site(platform: Platform) -> Iterator[Site]:
    with Walk(platform) as walk:
        made = walk.call("POST", f"/workspaces/{walk.workspace}/keys", json={"name": "Client", "role": "engineer"})
        yield Site(platform, walk, made["secret"])


@pytest.fixture
def project(site: Site) -> Project:
    return site.project()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("MODELYARD_URL", "MODELYARD_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
