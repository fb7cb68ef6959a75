"""Tables and texts that the server fetches itself: from addresses and a folder; and what is neither."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from studio.datasets.handlers import job_run
from studio.datasets.models import Item, LabelSource, Reject, Upload
from studio.datasets.uploads.sources.collect import source_collect
from studio.datasets.uploads.sources.kinds import AnySource, FolderSource, UrlsSource
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, picture, setup, setup_make, zip_of

__all__ = ["home", "setup"]


@pytest.fixture
def rows(db, home) -> ProjectSetup:
    return setup_make(task="tabular_prediction")


@pytest.fixture
def place(tmp_path) -> Path:
    """A folder with tables of several kinds, one below another folder, and things that are no tables."""
    place = tmp_path / "opened"
    (place / "north").mkdir(parents=True)
    (place / "orders.csv").write_bytes(b"id,price\n1,2.5\n2,3.5\n")
    (place / "north" / "orders.jsonl").write_bytes(b'{"id": 3, "price": 4.5, "who": "Ada"}\n')
    (place / "packed.zip").write_bytes(zip_of({"more.tsv": b"id\tprice\n4\t5.5\n"}))
    (place / "seen.png").write_bytes(picture(1))
    (place / "empty.csv").write_bytes(b"")
    return place


@pytest.fixture
def site(place, settings):
    """The folder, served on this machine."""
    settings.SOURCE_NETWORKS = ["127.0.0.0/8"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def collected(setup: ProjectSetup, source: AnySource, labels: LabelSource = LabelSource.NONE) -> tuple[Upload, dict[str, str]]:
    upload, job = source_collect(dataset=setup.dataset, actor=setup.actor, source=source, labels=labels)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    refused = dict(Reject.objects.filter(upload=upload).values_list("name", "code"))
    return Upload.objects.get(id=upload.id), refused


def cells(setup: ProjectSetup) -> set[str]:
    return set(Item.objects.filter(dataset=setup.dataset).values_list("text", flat=True))


def test_tables_of_a_folder_become_rows(rows, place, settings):
    settings.SOURCE_FOLDERS = (str(place),)
    upload, refused = collected(rows, FolderSource(path=str(place)), LabelSource.FOLDER)
    assert (upload.state, upload.num_items, upload.num_labelled) == ("done", 4, 0)
    assert cells(rows) == {
        '{"cells":{"id":"1","price":"2.5"}}',
        '{"cells":{"id":"2","price":"3.5"}}',
        '{"cells":{"id":"3","price":"4.5","who":"Ada"}}',
        '{"cells":{"id":"4","price":"5.5"}}',
    }
    assert refused["seen.png"] == "table_kind_unknown"
    assert refused["empty.csv"] == "table_without_rows"
    rows.dataset.refresh_from_db()
    assert {column["name"] for column in rows.dataset.columns["columns"]} == {"id", "price", "who"}


def test_tables_of_addresses_become_rows_and_come_once(rows, site):
    source = UrlsSource(text=f"{site}/orders.csv\n{site}/north/orders.jsonl\n{site}/gone.csv\n{site}/seen.png\n")
    upload, refused = collected(rows, source)
    assert (upload.state, upload.num_items) == ("done", 3)
    assert sorted(refused.values()) == ["table_kind_unknown", "url_not_there"]
    again, _ = collected(rows, source)
    assert (again.num_items, again.num_duplicates) == (0, 3)
    assert len(cells(rows)) == 3


def test_texts_of_addresses_come_with_their_labels(db, home, place, site):
    texts = setup_make(task="text_classification")
    (place / "good.txt").write_text("很好，谢谢", encoding="utf-8")
    (place / "plain.txt").write_bytes(b"It came late.")
    source = UrlsSource(text=f"{site}/good.txt,praise\n{site}/plain.txt\n{site}/orders.csv\n{site}/seen.png\n")
    upload, refused = collected(texts, source)
    assert (upload.state, upload.num_items, upload.num_labelled) == ("done", 2, 1)
    assert cells(texts) == {"很好，谢谢", "It came late."}
    assert sorted(refused.values()) == ["picture_among_texts", "table_among_texts"]
