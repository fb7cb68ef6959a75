"""Rows of a query of a real MariaDB, which is asked as MySQL is, and that nothing else can be done with it."""

from __future__ import annotations

import socket
import threading

import pymysql
import pytest

from studio.datasets.uploads.sources.sql import source
from studio.datasets.uploads.sources.sql.source import QueryRefusedError, SqlSource
from tests.studio.datasets.test_sql_source import fetch
from tests.support.services import HOST, mariadb

NUM_ROWS = 5000


@pytest.fixture(scope="module")
def server():
    """A table of orders, as text in the characters of the world, and somebody who may do everything with it."""
    with mariadb() as (port, user, password):
        connection = pymysql.connect(host=HOST, port=port, user=user, password=password, autocommit=True, charset="utf8mb4")
        with connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE shop CHARACTER SET utf8mb4")
            cursor.execute("SET SESSION sql_mode = ''")
            cursor.execute(
                "CREATE TABLE shop.orders "
                "(id int, price decimal(8,2), day date, at datetime, took time, who text, raw blob, gone date)"
            )
            cursor.executemany(
                "INSERT INTO shop.orders "
                "VALUES (%s, %s, '2024-01-02', '2024-01-01 08:30:00', '00:20:00', %s, x'00ff', '0000-00-00')",
                [(n, n * 1.25, None if n % 3 == 0 else f'买家, "{n}" 🌹') for n in range(1, NUM_ROWS + 1)],
            )
        yield port, user, password


def source_of(server, query: str, **more) -> SqlSource:
    port, user, password = server
    fields = {"engine": "mysql", "host": HOST, "port": port, "database": "shop", "user": user, "password": password}
    return SqlSource(**fields | {"query": query} | more)


def refusal(server, tmp_path, query="SELECT 1", *, max_query_s=60.0, **more) -> QueryRefusedError:
    source = source_of(server, "x", **more).model_copy(update={"query": query})
    with pytest.raises(QueryRefusedError) as caught:
        fetch(source, tmp_path, max_query_s=max_query_s)
    return caught.value


def test_rows_of_a_table_come_typed(server, tmp_path):
    reported: list[int] = []
    query = "SELECT id, price, day, at, took, who, raw, gone, id FROM orders ORDER BY id;"
    rows = fetch(source_of(server, query), tmp_path, report=reported.append)
    assert (len(rows), reported) == (NUM_ROWS, [2000, 4000])
    assert rows[0].decode() == (
        '{"id":1,"price":"1.25","day":"2024-01-02","at":"2024-01-01T08:30:00","took":"0:20:00",'
        '"who":"买家, \\"1\\" 🌹","raw":null,"gone":"0000-00-00","id_2":1}'
    )
    assert b'"who":null' in rows[2]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) AS n FROM orders -- INTO OUTFILE is only greeting here",
        "/* of all */ SELECT count(*) AS n FROM orders # into",
        "(SELECT count(*) AS n FROM orders)",
        "WITH o AS (SELECT * FROM orders WHERE who <> 'into; /*!') SELECT 5000 AS n FROM o LIMIT 1",
        "SELECT count(*) AS n FROM orders WHERE '100%' LIKE '%s' OR id",
        "/*My orders*/ SELECT count(*) AS n FROM orders -- it's all; 'into",
        'SELECT count(*) AS n FROM orders WHERE `id` -- "\n',
    ],
)
def test_what_only_reads_is_run(server, tmp_path, query):
    assert fetch(source_of(server, query), tmp_path) == [b'{"n":5000}']


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM orders",
        "WITH o AS (SELECT 1) DELETE FROM orders",
        "SELECT 1; DROP TABLE orders",
        "SELECT * FROM orders INTO OUTFILE '/tmp/modelyard-orders'",
        "SELECT * /*!50000 INTO OUTFILE '/tmp/modelyard-orders' */ FROM orders",
        "SELECT * /*M! INTO OUTFILE '/tmp/modelyard-orders' */ FROM orders",
        "SELECT id INTO @x FROM orders LIMIT 1",
        "SELECT 1 -- it's\nINTO OUTFILE '/tmp/modelyard-orders'",
        "SELECT " + "'\\\\" * 40_000,
        "SELECT nextval(nothing)",
        "SET GLOBAL max_connections = 3",
        "CREATE TABLE shop.x (a int)",
        "EXPLAIN ANALYZE SELECT 1",
        "ANALYZE FORMAT=JSON DELETE FROM orders",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders",
        "SELECT no_such_column FROM orders",
        "SELECT 'an open text",
        "",
        "%s",
    ],
)
def test_nothing_but_one_reading_statement_is_run(server, tmp_path, query):
    assert refusal(server, tmp_path, query).code == "query_failed"
    assert len(fetch(source_of(server, "SELECT id FROM orders"), tmp_path)) == NUM_ROWS


def test_the_server_is_quoted(server, tmp_path):
    assert "Unknown column 'colour'" in refusal(server, tmp_path, "SELECT colour FROM orders").detail


def test_a_query_that_takes_too_long_is_stopped(server, tmp_path):
    endless = "SELECT count(*) FROM orders a, orders b, orders c WHERE a.who <> concat(b.who, c.who)"
    assert refusal(server, tmp_path, endless, max_query_s=0.5).code == "query_too_slow"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"host": "10.255.255.1"}, "address_refused"),
        ({"host": ""}, "database_unreachable"),
        ({"host": "nobody.invalid"}, "database_unreachable"),
        ({"port": 9}, "database_unreachable"),
        ({"database": "no_such_database"}, "database_refused"),
        ({"password": "another"}, "database_refused"),
        ({"user": "用户", "password": "密码 🌹"}, "database_refused"),
        ({"tls": "verify"}, "database_refused"),
    ],
)
def test_what_cannot_be_reached_is_distinguished(server, tmp_path, changed, code):
    refused = refusal(server, tmp_path, **changed)
    assert (refused.code, "keeper" in str(refused), "keeper" in refused.detail) == (code, False, False)


def test_encryption_can_be_asked_for(server, tmp_path):
    statement = "SHOW SESSION STATUS LIKE 'Ssl_cipher'"
    for tls in ("prefer", "require"):
        (row,) = fetch(source_of(server, statement, tls=tls), tmp_path)
        assert not row.endswith(b'"Value":""}'), row


def test_rows_that_no_column_needs_are_not_fetched(server, tmp_path):
    class EnoughError(Exception):
        pass

    def enough(number: int) -> None:
        raise EnoughError

    many = "SELECT a.id FROM orders a, orders b, orders c"
    with pytest.raises(EnoughError):
        fetch(source_of(server, many), tmp_path, report=enough)


@pytest.mark.parametrize(
    "greeting",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\0" * 200,
        b"\x05\0\0\0\x0a8.0\0",
        b"\x05\0\0\0\x098.0\0",
        b"\xff\xff\xff\0" + b"\n" * 50,
    ],
)
def test_what_answers_but_is_no_mysql_is_reported(tmp_path, greeting):
    with socket.create_server((HOST, 0)) as listener:

        def answer() -> None:
            met, _ = listener.accept()
            met.sendall(greeting)
            met.close()

        threading.Thread(target=answer, daemon=True).start()
        assert refusal((listener.getsockname()[1], "ada", "x"), tmp_path).code == "database_refused"


@pytest.mark.timeout(120)
def test_a_server_that_waits_to_be_spoken_to_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "CONNECT_S", 0.3)
    with socket.create_server((HOST, 0)) as listener:
        assert refusal((listener.getsockname()[1], "ada", "x"), tmp_path, max_query_s=600.0).code == "database_refused"
