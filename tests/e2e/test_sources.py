"""Data that the server fetches itself, in a real browser: rows of a database, and tables and texts from the web."""

from __future__ import annotations

import sqlite3
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import open_address, sign_in
from tests.journeys.walk import Walk
from tests.support.services import postgres

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

SLOW_MS = 60_000
PASSWORD = "s3cret-of-the-reader"


@pytest.fixture(scope="module")
def opened(opened_folder: Path) -> Path:
    """The server's folder with a database, a table and a text in it."""
    folder = opened_folder
    with sqlite3.connect(folder / "shop.sqlite") as connection:
        connection.execute("CREATE TABLE orders (id INTEGER, city TEXT, price REAL)")
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(1, "Ulm", 2.5), (2, "上海", 4.0), (3, None, 1.0)])
    (folder / "more.csv").write_text("id,city,price\n7,Jena,8\n8,Bonn,9\n", encoding="utf-8")
    (folder / "praise.txt").write_text("很好，谢谢", encoding="utf-8")
    return folder


@pytest.fixture
def site(opened):
    """The same folder, served on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(opened)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def walk(platform):
    with Walk(platform) as walk:
        yield walk


def open_data(page: Page, walk: Walk, task: str, language: str = "en") -> None:
    """Makes an empty project and opens its data."""
    fields = {"workspace": walk.workspace, "name": "Orders", "task": task, "task_options": {}}
    walk.made = walk.call("POST", "/projects", json=fields)
    sign_in(page, walk, language)
    open_address(page, walk, f"/projects/{walk.made['id']}/data")


def items_of(walk: Walk) -> list[dict[str, Any]]:
    return walk.call("GET", f"/datasets/{walk.made['dataset']}/items", params={"limit": 200})["items"]


def test_a_file_of_sqlite_is_asked_and_its_refusal_is_reported(page: Page, walk: Walk, opened, complaints, shot):
    open_data(page, walk, "tabular_prediction")
    page.get_by_role("button", name="From a database").click()
    dialog = page.get_by_role("dialog", name="Rows from a database")
    dialog.get_by_text("SQLite file", exact=True).click()
    expect(dialog.get_by_role("combobox", name="Place on the server")).to_have_value(str(opened))
    send = dialog.get_by_role("button", name="Fetch the rows")
    expect(send).to_be_disabled()
    dialog.get_by_role("textbox", name="File below it").fill("missing.sqlite")
    query = dialog.get_by_role("textbox", name="Query")
    query.fill("SELECT colour FROM orders")
    send.click()
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing can be collected from there")
    dialog.get_by_role("textbox", name="File below it").fill("shop.sqlite")
    query.press("Control+Enter")
    expect(dialog).to_have_count(0)
    vain = page.get_by_role("alert").filter(has_text="Nothing was imported from shop.sqlite")
    expect(vain).to_contain_text("no such column: colour", timeout=SLOW_MS)
    shot("95-database-refused")
    page.get_by_role("button", name="From a database").click()
    expect(query).to_have_value("SELECT colour FROM orders")
    query.fill("SELECT * FROM orders")
    shot("96-database-file")
    send.click()
    expect(page.get_by_text("3 rows").first).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("gridcell", name="上海")).to_be_visible()
    expect(vain).to_have_count(0)
    assert not complaints


def test_a_postgresql_is_asked_and_its_password_is_kept_nowhere(page: Page, walk: Walk, complaints, shot):
    with postgres() as address:
        parts = urlsplit(address)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE IF EXISTS orders_of_pages")
            connection.execute("CREATE TABLE orders_of_pages AS SELECT n AS id, n * 1.5 AS price FROM generate_series(1, 40) n")
        open_data(page, walk, "tabular_prediction")
        page.get_by_role("button", name="From a database").click()
        dialog = page.get_by_role("dialog", name="Rows from a database")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        whole = f"postgresql://{parts.username}:{PASSWORD}@{parts.hostname}:{parts.port}{parts.path}"
        page.evaluate("text => navigator.clipboard.writeText(text)", whole)
        host = dialog.get_by_role("textbox", name="Address of the server")
        expect(host).to_be_focused()
        host.press("Control+v")
        expect(host).to_have_value(str(parts.hostname))
        expect(dialog.get_by_role("textbox", name="Port")).to_have_value(str(parts.port))
        expect(dialog.get_by_role("textbox", name="User")).to_have_value(str(parts.username))
        password = dialog.get_by_label("Password", exact=True)
        expect(password).to_have_value(PASSWORD)
        expect(password).to_have_attribute("type", "password")
        dialog.get_by_role("textbox", name="Query").fill("SELECT * FROM orders_of_pages")
        shot("97-database-server")
        dialog.get_by_role("button", name="Fetch the rows").click()
        expect(page.get_by_text("40 rows").first).to_be_visible(timeout=SLOW_MS)
        page.get_by_role("button", name="Upload", exact=True).click()
        page.get_by_role("button", name="From a database").click()
        expect(dialog.get_by_label("Password", exact=True)).to_have_value("")
        stored = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
        assert PASSWORD not in stored
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP TABLE orders_of_pages")
    assert not complaints


def test_tables_come_from_addresses_and_a_folder(page: Page, walk: Walk, site, complaints, shot):
    open_data(page, walk, "tabular_prediction")
    page.get_by_role("button", name="From the web or a bucket").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Addresses of tables, one a line").fill(f"{site}/more.csv")
    expect(dialog).to_contain_text("1 address")
    shot("98-tables-from-web")
    dialog.get_by_text("S3 bucket", exact=True).click()
    expect(dialog.get_by_role("switch")).to_have_count(0)  # folders label no rows
    dialog.get_by_text("Addresses", exact=True).click()
    dialog.get_by_role("button", name="Collect").click()
    expect(page.get_by_text("2 rows").first).to_be_visible(timeout=SLOW_MS)
    assert sorted(item["row"]["cells"]["city"] for item in items_of(walk)) == ["Bonn", "Jena"]
    assert not complaints


def test_texts_come_from_addresses_with_their_labels(page: Page, walk: Walk, site, complaints):
    open_data(page, walk, "text_classification", "zh")
    page.get_by_role("button", name="从网络或存储桶添加").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="文本地址，每行一个").fill(f"{site}/praise.txt,praise\n{site}/more.csv")
    expect(dialog).to_contain_text("2 个地址 · 1 个带标签")
    dialog.get_by_role("button", name="开始采集").click()
    expect(page.get_by_text("1 条文本").first).to_be_visible(timeout=SLOW_MS)
    (item,) = items_of(walk)
    assert (item["text"], [one["label"] for one in item["annotations"]]) == ("很好，谢谢", ["praise"])
    assert not complaints
