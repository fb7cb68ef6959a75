"""The real platform, a key of a workspace in it, and the client package."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from modelyard import Client, Project
from modelyard.cli import main
from tests.journeys.walk import Walk, digits, zipped
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


@pytest.fixture(scope="session")
def new(site: Site) -> list[bytes]:
    """Four pictures that no model of the tests has learned from."""
    return list(digits(num_classes=4, per_class=1, skip=40).values())


@pytest.fixture(scope="session")
def trained(site: Site, new: list[bytes], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of 48 digits with a model, trained by the command from a file of settings, and two pictures without label."""
    project = site.project()
    assert site.walk.upload(project.dataset_id, zipped(digits(per_class=12)))["state"] == "succeeded"
    config = tmp_path_factory.mktemp("config") / "digits.yaml"
    config.write_text("# as in the guide\ngoal: fast\nmax_trials: 2\nseed: 3\n")
    assert main(["--url", site.url, "--key", site.key, "train", project.id, "--config", str(config), "--trials", "1"]) == 0
    flat = {f"new-{number}.png": data for number, data in enumerate(new[:2])}
    assert site.walk.upload(project.dataset_id, zipped(flat), name="new.zip", labels="none")["state"] == "succeeded"
    return site.client().project(project.id)


@pytest.fixture
def project(site: Site) -> Iterator[Project]:
    """A new one, which goes: the platform would look at its pictures for longer than the test takes."""
    made = site.project()
    yield made
    site.walk.call("DELETE", f"/projects/{made.id}")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("MODELYARD_URL", "MODELYARD_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path
