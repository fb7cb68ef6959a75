"""Backup while people go on working, and restore into an empty installation: database and files agree."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tests.support import services
from tests.support.migrated import migrated_home, postgres_databases
from tests.support.platform_process import ROOT
from tests.support.web_server import PASSWORD, WebServer, web_server

PICTURE = (ROOT / "docs" / "pictures" / "data-en-light.png").read_bytes()


@contextmanager
def places(kind: str, seaweed: SimpleNamespace) -> Iterator[list[dict[str, str]]]:
    """Variables of two installations: one to back up, one to restore into."""
    if kind == "sqlite":
        yield [{}, {}]
        return
    s3 = {
        "MODELYARD_S3_ENDPOINT": seaweed.endpoint,
        "MODELYARD_S3_ACCESS_KEY": seaweed.access_key,
        "MODELYARD_S3_SECRET_KEY": seaweed.secret_key,
    }
    with (
        services.postgres() as server,
        postgres_databases(server, is_migrated=True) as (full,),
        postgres_databases(server) as (empty,),
    ):
        yield [
            {**s3, "MODELYARD_DATABASE_URL": address, "MODELYARD_BLOBS": f"s3://backup-{os.getpid()}-{number}"}
            for number, address in enumerate((full, empty))
        ]


def manage(home: Path, variables: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    blank = dict.fromkeys((name for name in os.environ if name.startswith("MODELYARD_")), "")
    own = {"DJANGO_SETTINGS_MODULE": "studio.config.settings", "MODELYARD_HOME": str(home), "MODELYARD_BROKER_URL": "memory://"}
    environment = {**os.environ, **blank, **own, **variables}
    return subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


class Working:
    """A person who adds pictures until told to stop."""

    def __init__(self, site: WebServer) -> None:
        self.http = site.person()
        workspace = self.http.get("/auth/me").json()["workspaces"][0]["id"]
        body = {"workspace": workspace, "name": "Fruit", "task": "image_classification"}
        self.project = self.http.post("/projects", json=body).json()
        self.num_added = 0
        self.done = threading.Event()

    def add(self) -> None:
        # What follows the end of a PNG is no matter to readers, and makes other bytes of it.
        files = [("files", (f"{self.num_added}.png", PICTURE + str(self.num_added).encode()))]
        answer = self.http.post(f"/datasets/{self.project['dataset']}/uploads/batch", files=files)
        assert answer.status_code == 200, answer.text
        self.num_added += 1

    def run(self) -> None:
        while not self.done.is_set():
            self.add()


@pytest.mark.both_databases(
    "platform/studio/config/backup.py",
    "platform/studio/common/sql/pg_dump.py",
    "platform/studio/common/sql/tables.py",
    by_itself=True,
)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql and s3"])
def test_a_backup_under_load_is_whole(tmp_path: Path, seaweed: SimpleNamespace, kind: str):
    with places(kind, seaweed) as (first, second):
        with web_server(tmp_path / "first", **first) as site:
            working = Working(site)
            working.add()
            thread = threading.Thread(target=working.run)
            thread.start()
            try:
                made = manage(tmp_path / "first", first, "backup", str(tmp_path / "backup"))
            finally:
                working.done.set()
                thread.join()
            assert made.returncode == 0, made.stderr
        again = manage(tmp_path / "first", first, "restore", str(tmp_path / "backup"))
        assert again.returncode != 0
        assert "not empty" in again.stderr
        restored = manage(tmp_path / "second", second, "restore", str(tmp_path / "backup"))
        assert restored.returncode == 0, restored.stderr
        assert "missing" not in restored.stderr
        with web_server(tmp_path / "second", **second) as site, httpx.Client(base_url=f"{site.url}/api", timeout=30) as http:
            assert http.post("/auth/sign-in", json={"email": "olga@example.org", "password": PASSWORD}).status_code == 200
            items = http.get(f"/datasets/{working.project['dataset']}/items", params={"limit": 200}).json()["items"]
            assert 1 <= len(items) <= working.num_added
            for item in items:
                assert http.get(f"/items/{item['id']}/picture").content.startswith(PICTURE)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of an installation without people."""
    home = tmp_path_factory.mktemp("small")
    shutil.copytree(migrated_home(), home / "home")
    blob = home / "home" / "blobs" / "objects" / "a.bin"
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"bytes")
    made = manage(home / "home", {}, "backup", str(home / "backup"))
    assert made.returncode == 0, made.stderr
    return home / "backup"


def test_a_backup_has_the_secret_key_and_is_closed(small: Path):
    assert (small / "secret_key").read_text() == (small.parent / "home" / "secret_key").read_text()
    assert [path for path in (small, *small.rglob("*")) if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize(
    ("harm", "part"),
    [
        (lambda folder: (folder / "files/store/objects/a.bin").write_bytes(b"other"), "a.bin"),
        (lambda folder: (folder / "files/store/objects/a.bin").unlink(), "a.bin"),
        (lambda folder: (folder / "database").open("ab").write(b"x"), "database"),
        (lambda folder: (folder / "backup.json").unlink(), "broke off"),
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_written(small: Path, tmp_path: Path, harm, part: str):
    folder = tmp_path / "backup"
    subprocess.run(["cp", "-r", str(small), str(folder)], check=True)
    harm(folder)
    refused = manage(tmp_path / "home", {}, "restore", str(folder))
    assert refused.returncode != 0
    assert part in refused.stderr
    assert not (tmp_path / "home" / "blobs").exists()
    with sqlite3.connect(tmp_path / "home" / "modelyard.sqlite3") as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_a_backup_of_another_database_is_refused(small: Path, tmp_path: Path):
    folder = tmp_path / "backup"
    subprocess.run(["cp", "-r", str(small), str(folder)], check=True)
    manifest = json.loads((folder / "backup.json").read_text())
    (folder / "backup.json").write_text(json.dumps({**manifest, "database": "postgresql"}))
    refused = manage(tmp_path / "home", {}, "restore", str(folder))
    assert refused.returncode != 0
    assert "same kind" in refused.stderr
