"""Rows of a query: of a real PostgreSQL and of a SQLite file, and that nothing else can be done with either."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from studio.accounts.models import AuditRow
from studio.datasets.handlers import job_ended, job_run
from studio.datasets.models import Item, LabelSource, Reject, Upload
from studio.datasets.uploads.sources.collect import SourceRefusedError, source_collect
from studio.datasets.uploads.sources.guard import networks_read
from studio.datasets.uploads.sources.sql.rows import rows_write
from studio.datasets.uploads.sources.sql.source import QueryRefusedError, SqlSource
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, setup, setup_make
from tests.support.services import postgres

__all__ = ["home", "setup"]

HERE = networks_read(["127.0.0.0/8", "::1/128"])
PASSWORD = "s3cret-of-the-reader"


@pytest.fixture(scope="module")
def server():
    """A table of orders, and somebody who may read it with a password."""
    with postgres() as address:
        parts = urlsplit(address)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS orders_of_rows")
            connection.execute(
                "CREATE TABLE orders_of_rows (id int, price numeric(8,2), day date, at timestamptz, who text, raw bytea)"
            )
            connection.execute(
                "INSERT INTO orders_of_rows SELECT n, n * 1.25, DATE '2024-01-01' + n, '2024-01-01T08:30+02', "
                "CASE WHEN n % 3 = 0 THEN NULL ELSE 'buyer, \"' || n || '\"' END, '\\x00ff' FROM generate_series(1, 5000) n"
            )
        yield parts
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS orders_of_rows")


def source_of(server, query: str, **more) -> SqlSource:
    fields = {
        "engine": "postgresql",
        "host": server.hostname,
        "port": server.port,
        "database": server.path.strip("/") or "postgres",
    }
    return SqlSource(**fields | {"user": server.username, "password": server.password or PASSWORD, "query": query} | more)


def fetch(source: SqlSource, folder: Path, **more) -> list[bytes]:
    options = {"roots": [folder], "networks": HERE, "report": lambda _: None} | more
    rows_write(source, folder / "rows.jsonl", **options)
    return (folder / "rows.jsonl").read_bytes().splitlines()


def test_rows_of_a_table_come_typed(server, tmp_path):
    query = "SELECT id, price, day, at AT TIME ZONE 'UTC' AS at, who, raw, id AS id FROM orders_of_rows ORDER BY id;"
    reported: list[int] = []
    rows = fetch(source_of(server, query), tmp_path, report=reported.append)
    assert len(rows) == 5000
    assert reported == [2000, 4000]
    assert rows[0].decode() == (
        '{"id":1,"price":"1.25","day":"2024-01-02","at":"2024-01-01T06:30:00","who":"buyer, \\"1\\"","raw":null,"id_2":1}'
    )
    assert b'"who":null' in rows[2]


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM orders_of_rows RETURNING id",
        "WITH gone AS (DELETE FROM orders_of_rows RETURNING id) SELECT * FROM gone",
        "SELECT 1; DROP TABLE orders_of_rows",
        "SELECT 1; COMMIT; DROP TABLE orders_of_rows",
        "SELECT nextval('nothing')",
        "COPY orders_of_rows TO PROGRAM 'true'",
        "SELECT no_such_column FROM orders_of_rows",
        "",
        "%s",
    ],
)
def test_nothing_but_one_reading_statement_is_run(server, tmp_path, query):
    source = source_of(server, "x").model_copy(update={"query": query})
    with pytest.raises(QueryRefusedError) as caught:
        fetch(source, tmp_path)
    assert caught.value.code == "query_failed"
    assert len(fetch(source_of(server, "SELECT id FROM orders_of_rows"), tmp_path)) == 5000


def test_a_query_that_takes_too_long_is_stopped(server, tmp_path):
    with pytest.raises(QueryRefusedError) as caught:
        fetch(source_of(server, "SELECT pg_sleep(20)"), tmp_path, max_query_s=0.3)
    assert caught.value.code == "query_too_slow"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"host": "10.255.255.1"}, "address_refused"),
        ({"host": "169.254.169.254"}, "address_refused"),
        ({"host": "/tmp"}, "database_unreachable"),
        ({"host": ""}, "database_unreachable"),
        ({"host": "nobody.invalid"}, "database_unreachable"),
        ({"port": 9}, "database_unreachable"),
        ({"database": "no_such_database"}, "database_refused"),
        ({"tls": "require"}, "database_refused"),
    ],
)
def test_what_cannot_be_reached_is_distinguished(server, tmp_path, changed, code):
    with pytest.raises(QueryRefusedError) as caught:
        fetch(source_of(server, "SELECT 1", **changed), tmp_path)
    assert caught.value.code == code
    assert PASSWORD not in str(caught.value)


def test_this_machine_is_closed_unless_the_operator_opens_it(server, tmp_path):
    with pytest.raises(QueryRefusedError) as caught:
        fetch(source_of(server, "SELECT 1"), tmp_path, networks=())
    assert caught.value.code == "address_refused"


@pytest.fixture
def shop(tmp_path) -> Path:
    folder = tmp_path / "open"
    folder.mkdir()
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE pets (kind TEXT, price REAL, photo BLOB)")
        connection.executemany("INSERT INTO pets VALUES (?, ?, ?)", [("cat", 1.5, b"x"), ("dog", 3.0, None), (None, 2.0, None)])
    with sqlite3.connect(tmp_path / "closed.sqlite") as connection:
        connection.execute("CREATE TABLE secrets (word TEXT)")
    (folder / "link.sqlite").symlink_to(tmp_path / "closed.sqlite")
    return folder


def sqlite_source(path: Path, query: str) -> SqlSource:
    return SqlSource(engine="sqlite", database=str(path), query=query)


def test_a_file_of_sqlite(shop, tmp_path):
    rows = fetch(sqlite_source(shop / "shop.sqlite", "SELECT * FROM pets WHERE price >= 1.5"), tmp_path, roots=[shop])
    assert rows[0] == b'{"kind":"cat","price":1.5,"photo":null}'
    assert len(rows) == 3


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM pets",
        "ATTACH DATABASE '{closed}' AS other",
        "PRAGMA database_list",
        "SELECT load_extension('x')",
        "VACUUM INTO '{closed}.copy'",
        "SELECT 1; SELECT 2",
        "CREATE TABLE x (a)",
        "nonsense",
    ],
)
def test_a_file_of_sqlite_is_read_alone(shop, tmp_path, query):
    with pytest.raises(QueryRefusedError) as caught:
        fetch(sqlite_source(shop / "shop.sqlite", query.format(closed=tmp_path / "closed.sqlite")), tmp_path, roots=[shop])
    assert caught.value.code == "query_failed"
    assert not (tmp_path / "closed.sqlite.copy").exists()


@pytest.mark.parametrize("name", ["link.sqlite", "../closed.sqlite", "missing.sqlite", ""])
def test_other_files_of_the_server_are_closed(shop, tmp_path, name):
    with pytest.raises(QueryRefusedError) as caught:
        fetch(sqlite_source(shop / name, "SELECT 1"), tmp_path, roots=[shop])
    assert caught.value.code == "folder_closed"


def test_an_endless_query_of_sqlite_is_stopped(shop, tmp_path):
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(QueryRefusedError) as caught:
        fetch(sqlite_source(shop / "shop.sqlite", endless), tmp_path, roots=[shop], max_query_s=0.3)
    assert caught.value.code == "query_too_slow"


@pytest.fixture
def rows(db, home, settings) -> ProjectSetup:
    settings.SOURCE_NETWORKS = ["127.0.0.0/8", "::1/128"]
    return setup_make(task="tabular_prediction")


def collected(setup: ProjectSetup, source: SqlSource) -> tuple[Upload, Job]:
    upload, job = source_collect(dataset=setup.dataset, actor=setup.actor, source=source, labels=LabelSource.NONE)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="succeeded")
    job_ended(Job.objects.get(id=job.id))
    return Upload.objects.get(id=upload.id), Job.objects.get(id=job.id)


def test_a_query_becomes_items_and_its_password_is_forgotten(server, rows):
    source = source_of(server, "SELECT id, price, who FROM orders_of_rows ORDER BY id LIMIT 30", password=PASSWORD)
    upload, job = source_collect(dataset=rows.dataset, actor=rows.actor, source=source, labels=LabelSource.NONE)
    assert PASSWORD not in str(Job.objects.get(id=job.id).payload)
    assert PASSWORD not in str(list(AuditRow.objects.values_list("detail", flat=True)))
    upload, job = collected(rows, source)
    assert (upload.state, upload.num_items) == ("done", 30)
    assert job.payload == {"upload": upload.id}
    item = Item.objects.order_by("id").first()
    assert item.text == '{"cells":{"id":"1","price":"1.25","who":"buyer, \\"1\\""}}'
    rows.dataset.refresh_from_db()
    assert [column["name"] for column in rows.dataset.columns["columns"]] == ["id", "price", "who"]


def test_what_the_database_says_of_a_query_is_listed(server, rows):
    upload, _ = collected(rows, source_of(server, "SELECT nothing_there FROM orders_of_rows"))
    (reject,) = Reject.objects.filter(upload=upload)
    assert reject.code == "query_failed"
    assert 'column "nothing_there" does not exist' in reject.name
    assert upload.num_items == 0


def test_a_file_that_is_closed_is_refused_before_a_job_is_made(rows, shop, settings):
    settings.SOURCE_FOLDERS = [str(shop)]
    with pytest.raises(SourceRefusedError):
        source_collect(
            dataset=rows.dataset,
            actor=rows.actor,
            source=sqlite_source(shop / "link.sqlite", "SELECT 1"),
            labels=LabelSource.NONE,
        )
    upload, _ = collected(rows, sqlite_source(shop / "shop.sqlite", "SELECT * FROM pets"))
    assert (upload.name, upload.num_items) == ("shop.sqlite", 3)


def test_pictures_are_not_asked_of_a_database(setup, shop):
    with pytest.raises(SourceRefusedError, match="rows"):
        source_collect(
            dataset=setup.dataset,
            actor=setup.actor,
            source=sqlite_source(shop / "shop.sqlite", "SELECT 1"),
            labels=LabelSource.NONE,
        )
