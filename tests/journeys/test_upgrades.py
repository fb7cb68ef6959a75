"""Homes that older releases made are migrated by today's code, and everything in them is there and works.

``old_homes`` holds what they left on the disk (its README says how each was made). Their database is SQLite; its rows are put
into PostgreSQL under the tables of their time, and migrated there too.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from studio.config.processes import answers, prediction_service
from tests.support import services
from tests.support.once import share_host_cache
from tests.support.platform_process import ROOT, Platform, free_ports
from tests.support.web_server import WebServer, web_server

HOMES = Path(__file__).with_name("old_homes")
NAMES = sorted(path.name.removesuffix(".tar.xz") for path in HOMES.glob("*.tar.xz"))
OLDEST = "first"
NEWEST = "before_kinds"
PASSWORD = "a long pass phrase"


@contextmanager
def database() -> Iterator[str]:
    """Address of a new PostgreSQL database."""
    with services.postgres() as server, psycopg.connect(server, autocommit=True) as admin:
        name = f"old_home_{os.getpid()}"
        admin.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def upgraded(home: Path, *, is_asked: bool = False, **variables: str) -> Iterator[WebServer]:
    """Of ``manage.py up`` what shows and answers: the home is migrated by today's code and what it serves laid out.

    Args:
        home: what an older release left.
        is_asked: whether its models are asked too.
        variables: of the environment; with ``MODELYARD_DATABASE_URL`` the home's rows go there first.
    """
    (port,) = free_ports(1)
    given = {"MODELYARD_PREDICTION_URL": f"http://127.0.0.1:{port}", **variables}
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "studio.config.settings",
        "PYTHONPATH": f"{ROOT / 'platform'}{os.pathsep}{ROOT}",
        "MODELYARD_HOME": str(home),
        **given,
    }
    file = home / "modelyard.sqlite3"
    from_file = [str(file)] if "MODELYARD_DATABASE_URL" in variables else []
    command = [sys.executable, "-m", "tests.journeys.old_database", *from_file]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if from_file:
        file.unlink()
    with ExitStack() as stack:
        if is_asked:
            service = prediction_service(home / "serving", "127.0.0.1", port)
            server = services.process(
                service.command,
                is_ready=answers(f"{given['MODELYARD_PREDICTION_URL']}/health"),
                log=home / "serving.log",
                env=environment,
            )
            stack.enter_context(server)
        yield stack.enter_context(web_server(home, is_migrated=True, **given))


class Visit:
    """The person who made the home comes back."""

    def __init__(self, platform: Platform | WebServer, home: Path) -> None:
        self.notes: dict[str, Any] = json.loads((home / "notes.json").read_text())
        self.home = home
        self.picture = (home / "picture.png").read_bytes()
        self.platform = platform
        self.http = httpx.Client(base_url=f"{platform.url}/api", timeout=120)
        self.call("POST", "/auth/sign-in", json={"email": "ada@example.org", "password": PASSWORD})

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        reply = self.http.request(method, path, **arguments)
        self.http.headers["X-CSRFToken"] = self.http.cookies.get("csrftoken", "")
        assert reply.is_success, f"{method} {path} -> {reply.status_code} {reply.text}\n{self.platform.log()}"
        return reply.json() if "json" in reply.headers.get("content-type", "") else reply.content

    def look(self) -> None:
        """Reads what there was: items, labels, the version, the training, the model."""
        notes = self.notes
        items = self.call("GET", f"/datasets/{notes['dataset']}/items", params={"limit": 50})["items"]
        assert len(items) == 24
        for item in items:
            assert hashlib.sha256(self.call("GET", f"/items/{item['id']}/picture")).hexdigest() == item["blob"]
            assert [annotation["kind"] for annotation in item["annotations"]] == ["class"]
        corrected = self.call("GET", f"/items/{notes['corrected']['item']}")
        assert corrected["annotations"][0]["label"] == notes["corrected"]["label"]
        history = self.call("GET", "/labeling/history", params={"item": corrected["id"]})
        assert len(history) == 2
        study = self.call("GET", f"/studies/{notes['study']}")
        assert study["state"] == "succeeded"
        trials = self.call("GET", f"/studies/{notes['study']}/trials")
        assert [trial["artefact"] for trial in trials if trial["id"] == study["best_trial"]] == [notes["artefact"]]
        assert all(len(trial["footprint"]) == 2 for trial in trials if trial["artefact"])
        assert self.call("GET", f"/artefacts/{notes['artefact']}/report")["splits"]
        assert self.call("GET", f"/artefacts/{notes['artefact']}/lineage")
        assert self.call("GET", f"/workspaces/{notes['workspace']}/audit/verify")["is_whole"]

    def look_at_the_others(self) -> None:
        """Likewise of the projects that are not of pictures' labels, where there are some."""
        if rows := self.notes.get("rows"):
            assert len(self.call("GET", f"/datasets/{rows['dataset']}/items", params={"limit": 100})["items"]) == 60
        for other in self.notes.get("others", {}).values():
            found = self.call("GET", f"/datasets/{other['dataset']}/items", params={"limit": 100})["items"]
            assert len(found) == other["num_items"]
            assert self.call("GET", f"/artefacts/{other['artefact']}/report")["splits"]

    def download(self) -> None:
        """The version's own pictures and labels, as they were cut."""
        data = self.call("GET", f"/versions/{self.notes['version']}/download", params={"format": "image_folder"})
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            pictures = [name for name in archive.namelist() if name.endswith(".png")]
        assert len(pictures) == 24

    def predict(self, deployment: str, answer: dict[str, Any], **sent: Any) -> None:
        """The old key asks the old model, and its answer is the old one."""
        found = self.deployed(deployment)
        reply = httpx.post(found["url"], headers={"Authorization": f"Bearer {self.notes['key']}"}, timeout=60, **sent)
        assert reply.status_code == 200, reply.text
        assert scores(reply.json()) == pytest.approx(scores(answer), abs=1e-4)

    def ask(self) -> None:
        """Every model that was deployed."""
        self.look_at_the_others()
        self.predict(self.notes["deployment"], self.notes["answer"], content=self.picture)
        if rows := self.notes.get("rows"):
            self.predict(rows["deployment"], rows["answer"], json={"row": {"size": "50", "rooms": "2"}})
        for other in self.notes.get("others", {}).values():
            sent = (
                {"content": (self.home / other["asked_file"]).read_bytes()}
                if "asked_file" in other
                else {"json": other["asked"]}
            )
            self.predict(other["deployment"], other["answer"], params=other.get("query"), **sent)

    def judge(self, study: str, version: str) -> None:
        """Today's engine finds of the old model, on the old version, what was found then."""
        judged = self.call("GET", f"/studies/{study}")["judged_trial"]
        trials = self.call("GET", f"/studies/{study}/trials")
        artefact = next(trial["artefact"] for trial in trials if trial["id"] == judged)
        known = self.call("GET", f"/artefacts/{artefact}")["manifest"]["metrics"]["test"]
        job = self.call("POST", f"/artefacts/{artefact}/evaluate", json={"version": version, "split": "test"})
        deadline = time.monotonic() + 120
        while not (found := [one for one in self.call("GET", f"/artefacts/{artefact}/evaluations") if one["job"] == job["id"]]):
            assert time.monotonic() < deadline, self.call("GET", f"/jobs/{job['id']}")
            time.sleep(0.2)
        assert found[0]["metrics"] == pytest.approx(known, abs=1e-4)

    def deployed(self, deployment: str) -> dict[str, Any]:
        deadline = time.monotonic() + 90
        while (found := self.call("GET", f"/deployments/{deployment}"))["state"] != "running":
            assert time.monotonic() < deadline, f"{found['state']}\n{self.platform.log()}"
            time.sleep(0.2)
        return found

    def go_on(self) -> None:
        """What is said and cut today stands beside what was."""
        notes = self.notes
        key = {"Authorization": f"Bearer {notes['key']}"}
        reply = httpx.get(f"{self.platform.url}/api/projects/{notes['project']}", headers=key, timeout=60)
        assert reply.status_code == 200, reply.text
        item = self.call("GET", f"/items/{notes['corrected']['item']}")
        other = {"disc": "square", "square": "disc"}[notes["corrected"]["label"]]
        body = {"operation": "0" * 32, "annotations": [{"kind": "class", "label": other}], "revision": item["revision"]}
        self.call("PUT", f"/labeling/items/{item['id']}/annotations", json=body)
        before = self.call("GET", f"/versions/{notes['version']}")
        version = self.call("POST", "/labeling/snapshots", json={"project": notes["project"], "note": "after the upgrade"})
        assert version["num_items_by_split"] == before["num_items_by_split"]  # no item moved


def scores(answer: dict[str, Any]) -> dict[str, float]:
    """The numbers of a prediction by place and name: of its labels, in their order, its boxes or the number itself."""
    (prediction,) = answer["predictions"]
    return {
        f"{place} {one.get('label', '')} {name}": number
        for place, one in enumerate(prediction["annotations"])
        for name, number in one.items()
        if isinstance(number, int | float)
    }


@pytest.fixture
def home(tmp_path: Path, name: str) -> Path:
    """What an older release left."""
    with tarfile.open(HOMES / f"{name}.tar.xz") as archive:
        archive.extractall(tmp_path / "home", filter="data")
    return tmp_path / "home"


@pytest.mark.journey
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", [OLDEST, NEWEST])
def test_an_old_home_is_upgraded_whole(home: Path):
    share_host_cache(home)
    platform = Platform(home).start(240)
    try:
        visit = Visit(platform, home)
        visit.look()
        visit.download()
        visit.ask()
        for other in visit.notes.get("others", {}).values():
            visit.judge(other["study"], other["version"])
        visit.go_on()
    finally:
        assert not platform.stop()


@pytest.mark.journey
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in {OLDEST, NEWEST}])
def test_a_home_in_between_is_there_and_answers(home: Path):
    """Workers take nothing from an old home but rows, of which these have no others than the newest."""
    with upgraded(home, is_asked=True) as site:
        visit = Visit(site, home)
        visit.look()
        visit.download()
        visit.ask()
        visit.go_on()


@pytest.mark.journey
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_in_the_database_of_an_old_home_is_there_on_postgresql(home: Path, name: str):
    """Who answers and who judges does not ask which database it was: only the oldest home's model is asked here."""
    is_asked = name == OLDEST
    with database() as address, upgraded(home, is_asked=is_asked, MODELYARD_DATABASE_URL=address) as site:
        visit = Visit(site, home)
        visit.look()
        visit.look_at_the_others()
        visit.download()
        if is_asked:
            visit.ask()
        visit.go_on()
