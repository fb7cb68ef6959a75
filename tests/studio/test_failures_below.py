"""What callers are told when the database or the disk fails, and that nothing is lost by it."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, OperationalError

from studio.common.failures import failure_known
from tests.support import services
from tests.support.migrated import postgres_databases
from tests.support.web_server import WebServer, web_server


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def of_sqlite(statement: str, **pragmas: int) -> Exception:
    """The error that SQLite really gives."""
    with sqlite3.connect(":memory:") as connection:
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")
        try:
            for one in statement.split(";"):
                connection.execute(one)
        except sqlite3.Error as error:
            return caused(OperationalError(str(error)), error)
    raise AssertionError("no error")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "disk_full"),
        (OSError(errno.ENOENT, os.strerror(errno.ENOENT)), None),
        (of_sqlite("CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(100000))", max_page_count=3), "disk_full"),
        (of_sqlite("SELECT * FROM nothing"), None),
        (caused(DatabaseError("no space"), psycopg.errors.DiskFull("no space")), "disk_full"),
        (caused(OperationalError("ended"), psycopg.errors.AdminShutdown("ended")), "database_unavailable"),
        (caused(OperationalError("deadlock"), psycopg.errors.DeadlockDetected("deadlock")), "database_busy"),
        (caused(OperationalError("closed"), psycopg.OperationalError("the connection is closed")), "database_unavailable"),
        (caused(IntegrityError("twice"), psycopg.errors.UniqueViolation("twice")), None),
    ],
)
def test_failures_are_distinguished(error: Exception, code: str | None):
    known = failure_known(error)
    assert (known.code if known else None) == code


class Saving:
    """Saves labels of one item, one after another, as a page does: what was not answered is sent again as it was."""

    def __init__(self, site: WebServer) -> None:
        self.http = site.person()
        workspace = self.http.get("/auth/me").json()["workspaces"][0]["id"]
        body = {"workspace": workspace, "name": "Fruit", "task": "image_classification"}
        project = self.http.post("/projects", json=body).json()
        labels = [{"name": name, "color": "#336699"} for name in ("apple", "pear")]
        assert self.http.put(f"/projects/{project['id']}/labels", json={"labels": labels}).status_code == 200
        picture = (Path(__file__).parents[2] / "docs" / "pictures" / "data-en-light.png").read_bytes()
        batch = self.http.post(f"/datasets/{project['dataset']}/uploads/batch", files=[("files", ("a.png", picture))])
        assert batch.status_code == 200, batch.text
        self.item = batch.json()["items"][0]["item"]
        self.answers: list[httpx.Response] = []
        self.revision = 0

    def save(self) -> httpx.Response:
        """The next label; returns the answer of the first try."""
        label = ("apple", "pear")[self.revision % 2]
        body = {
            "annotations": [{"kind": "class", "label": label}],
            "revision": self.revision,
            "operation": str(uuid.uuid4()),
        }
        for _ in range(20):
            answer = self.http.put(f"/labeling/items/{self.item}/annotations", json=body)
            self.answers.append(answer)
            if answer.status_code != 503:
                break
        assert answer.status_code == 200, answer.text
        self.revision = answer.json()["revision"]
        return answer


def test_a_database_that_ends_connections_is_asked_again(tmp_path: Path):
    with services.postgres() as server, postgres_databases(server, is_migrated=True) as (address,):
        name = address.rpartition("/")[2]
        with web_server(tmp_path, MODELYARD_DATABASE_URL=address) as site:
            saving = Saving(site)
            done = threading.Event()
            ending = threading.Thread(target=end_connections, args=(server, name, done))
            ending.start()
            for number in range(40):
                saving.save()
                assert saving.revision == number + 1  # none lost, none twice
                assert saving.http.get("/auth/me").status_code in {200, 503}
            done.set()
            ending.join()
    refused = [answer for answer in saving.answers if answer.status_code != 200]
    assert {answer.status_code for answer in refused} <= {503}
    assert all(answer.json()["code"] == "database_unavailable" and answer.headers["Retry-After"] for answer in refused)


def end_connections(server: str, name: str, done: threading.Event) -> None:
    with psycopg.connect(server, autocommit=True) as admin:
        while not done.wait(1.0):
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


def test_writers_that_wait_leave_threads_for_readers(tmp_path: Path):
    """More writers than the web server has threads, while another process holds the file."""
    with web_server(tmp_path) as site:
        http = site.person()
        with sqlite3.connect(tmp_path / "modelyard.sqlite3", isolation_level=None) as other, ThreadPoolExecutor(80) as pool:
            other.execute("BEGIN IMMEDIATE")
            sent = [pool.submit(http.post, "/workspaces", json={"name": f"W{number}"}) for number in range(80)]
            read = [http.get("/auth/me").status_code for _ in range(5)]
            refused = [each.result() for each in sent]
            other.execute("ROLLBACK")
        assert read == [200] * 5
        assert {(each.status_code, each.json()["code"]) for each in refused} == {(503, "database_busy")}
        assert http.post("/workspaces", json={"name": "After"}).status_code == 201


def test_a_database_file_that_another_process_holds_is_busy(tmp_path: Path):
    with web_server(tmp_path) as site:
        saving = Saving(site)
        saving.save()
        with sqlite3.connect(tmp_path / "modelyard.sqlite3", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            assert saving.http.get("/auth/me").status_code == 200  # reading goes on
            refused = saving.http.post("/auth/sign-in", json={"email": "a@example.org", "password": "b" * 9})
            assert (refused.status_code, refused.json()["code"]) == (503, "database_busy")
            assert refused.headers["Retry-After"]
            other.execute("ROLLBACK")
        saving.save()
