"""The client package and its command against the real platform, killed and restarted."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import zipfile

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import parquet

from modelyard import ApiError, Progress
from modelyard.cli import main
from modelyard.credentials import credentials_path
from modelyard.download import version_download
from modelyard.errors import NotFoundHereError
from modelyard.files import BATCH_BYTES, files_find
from modelyard.terminal import Bar, size_text, time_text
from tests.client.conftest import Site
from tests.client.killing import command_start, environment, folder_make, killed_upload
from tests.support.project_setup import picture, zip_of

pytestmark = pytest.mark.journey


def summary(site: Site, project) -> dict:
    return site.walk.call("GET", f"/datasets/{project.dataset_id}/summary")


def test_a_folder_becomes_labelled_pictures_and_a_second_run_sends_nothing(project, tmp_path):
    for label, number in (("rose", 1), ("rose", 2), ("tulip", 3)):
        (tmp_path / label).mkdir(exist_ok=True)
        (tmp_path / label / f"{number}.png").write_bytes(picture(number))
    (tmp_path / "rose" / "copy.png").write_bytes(picture(1))
    (tmp_path / "rose" / "broken.png").write_bytes(b"no picture")
    (tmp_path / ".DS_Store").write_bytes(b"litter")
    seen: list[Progress] = []
    result = project.dataset.upload(tmp_path, progress=seen.append)
    assert (result.num_files, result.num_new, result.num_duplicates, result.num_known) == (5, 3, 1, 0)
    assert [(one.name, one.code) for one in result.refused] == [("rose/broken.png", "not_a_picture")]
    assert seen[-1].num_files_done == 5
    # Of two copies the first in the order of names is the item.
    found = {item.name: item.labels for item in project.dataset.items()}
    assert found == {"rose/1.png": ["rose"], "rose/2.png": ["rose"], "tulip/3.png": ["tulip"]}
    again = project.dataset.upload(tmp_path)
    assert (again.num_new, again.num_known, len(again.refused)) == (0, 4, 1)
    assert len(list(project.dataset.items())) == 3


def test_archives_and_large_files_go_in_parts(project, tmp_path):
    (tmp_path / "large.bmp").write_bytes(picture(1, size=(2000, 1600), form="BMP"))
    assert (tmp_path / "large.bmp").stat().st_size > BATCH_BYTES
    (tmp_path / "more.zip").write_bytes(zip_of({"rose/a.png": picture(2), "rose/b.png": b""}))
    result = project.dataset.upload(tmp_path / "large.bmp", tmp_path / "more.zip")
    assert (result.num_new, len(result.jobs)) == (2, 2)
    assert [(one.name, one.code) for one in result.refused] == [("rose/b.png", "empty_file")]
    assert project.dataset.upload(tmp_path / "large.bmp").num_known == 1


def test_an_archive_is_read_as_the_format_that_is_named(project, tmp_path):
    labels = b'{"labels": [{"name": "rose"}]}'
    (tmp_path / "labelled.zip").write_bytes(zip_of({"a.png": picture(1), "a.json": labels}))
    result = project.dataset.upload(tmp_path / "labelled.zip", labels="easydl")
    assert (result.num_new, result.refused) == (1, [])
    assert [item.labels for item in project.dataset.items()] == [["rose"]]
    (tmp_path / "other.zip").write_bytes(zip_of({"b.png": picture(2)}))
    with pytest.raises(ApiError, match="not acceptable: labels"):
        project.dataset.upload(tmp_path / "other.zip", labels="polaroid")


def test_texts_come_as_files_and_in_tables(site, tmp_path):
    body = {"workspace": site.walk.workspace, "name": "Remarks", "task": "text_classification"}
    with site.client() as client:
        project = client.project(site.walk.call("POST", "/projects", json=body)["id"])
        (tmp_path / "good").mkdir()
        (tmp_path / "good" / "1.txt").write_text("很好，下次再来", encoding="gb18030")
        (tmp_path / "bad.jpg").write_bytes(picture(1))
        rows = {f"{text} {n}": label for n in range(20) for text, label in (("never again", "bad"), ("lovely", "good"))}
        table = "".join(f"{text},{label}\n" for text, label in {"text": "label", **rows}.items())
        (tmp_path / "more.csv").write_text(table, encoding="utf-8")
        (tmp_path / "rest.jsonl").write_text('{"text": "so so", "label": "bad"}\n', encoding="utf-8")
        (tmp_path / "sums.csv").write_text("1,2\n3,4\n", encoding="utf-8")
        result = project.dataset.upload(tmp_path)
        assert result.num_new == 42
        refused = {one.name: one.code for one in result.refused}
        assert refused.keys() == {"bad.jpg", "sums.csv"}
        assert refused["bad.jpg"] == "picture_among_texts"
        found = {item.text: item.labels for item in project.dataset.items()}
        assert found == {text: [label] for text, label in rows.items()} | {"很好，下次再来": ["good"], "so so": ["bad"]}
        again = project.dataset.upload(tmp_path)
        assert (again.num_new, again.num_duplicates + again.num_known) == (0, 42)
        (item,) = project.dataset.items(q="下次")
        assert project.dataset.download_item(item, tmp_path / "saved.txt").read_text(encoding="utf-8") == item.text
        version = project.create_version()
        archive = version_download(client, version, tmp_path / "out.zip")
    with zipfile.ZipFile(archive) as files:
        labels = [name.split("/")[-2] for name in files.namelist() if name.endswith(".txt")]
    assert (labels.count("bad"), labels.count("good"), len(labels)) == (21, 21, 42)


def test_labels_versions_and_downloads(project, tmp_path):
    for number in range(12):
        (tmp_path / f"{number}.png").write_bytes(picture(number))
    project.dataset.upload(tmp_path)
    walk_labels = [{"name": "odd"}, {"name": "even"}]
    project.client.transport.json("PUT", f"/projects/{project.id}/labels", body={"labels": walk_labels})
    for item in project.dataset.items():
        saved = project.dataset.label(item, "odd" if int(item.name[0]) % 2 else "even")
        assert saved.revision == item.revision + 1
        with pytest.raises(ApiError) as stale:
            project.dataset.label(item, "odd")
        assert stale.value.status == 409
    version = project.create_version(note="first")
    assert (version.number, version.num_items) == (1, 12)
    assert [one.id for one in project.versions()] == [version.id]
    target = tmp_path / "out.zip"
    sign_in = ["--url", project.client.transport.url, "--key", key_of(project)]
    assert main([*sign_in, "download", project.id, "--output", str(target)]) == 0
    with zipfile.ZipFile(target) as archive:
        assert sum(name.endswith(".png") for name in archive.namelist()) == 12


def key_of(project) -> str:
    return project.client.transport.http.headers["Authorization"].removeprefix("Bearer ")


def test_hundreds_of_files_survive_three_kills(site, project, tmp_path):
    """Killed by force three times: in the end each file is one item, nothing is missing, and the drawer shows one upload."""
    folder = folder_make(tmp_path / "many", 800, per_folder=80)

    def start() -> subprocess.Popen[bytes]:
        return command_start(site.url, site.key, "upload", project.id, str(folder), log=tmp_path / "log.txt")

    found = killed_upload(start, lambda: summary(site, project)["items"], kill_at=(100, 300, 550))
    assert found[0] < found[1] < found[2] < 800
    counts = summary(site, project)
    assert (counts["items"], counts["annotated"], counts["rejected"]) == (800, 800, 0)
    names = {item.name for item in project.dataset.items()}
    assert names == {one.name for one in files_find([folder])}
    uploads = site.walk.call("GET", f"/datasets/{project.dataset_id}/uploads")["items"]
    assert [(one["kind"], one["state"], one["name"], one["num_items"]) for one in uploads] == [("batch", "done", "many", 800)]
    log = (tmp_path / "log.txt").read_text()
    assert "files/s" in log
    assert "800 files:" in log


def test_a_large_file_goes_on_where_it_was_killed(site, project, tmp_path):
    archive = tmp_path / "large.zip"
    with zipfile.ZipFile(archive, "w") as out:
        for number in range(12):
            out.writestr(f"{number}.bmp", picture(number, size=(2400, 1800), form="BMP"))
    uploads = f"/datasets/{project.dataset_id}/uploads"

    def start() -> subprocess.Popen[bytes]:
        return command_start(site.url, site.key, "upload", project.id, str(archive), log=tmp_path / "log.txt")

    def received() -> int:
        listed = site.walk.call("GET", uploads)["items"]
        return listed[0]["received_bytes"] if listed else 0

    found = killed_upload(start, received, kill_at=(1, 60 * 2**20))
    assert 0 < found[0] <= found[1] < archive.stat().st_size
    assert summary(site, project)["items"] == 12
    assert [one["state"] for one in site.walk.call("GET", uploads)["items"]] == ["done"]


def test_a_server_that_restarts_is_waited_for(site, project, tmp_path):
    folder = folder_make(tmp_path / "many", 300, per_folder=300)
    ended: list[object] = []
    thread = threading.Thread(target=lambda: ended.append(project.dataset.upload(folder)))
    thread.start()
    while summary(site, project)["items"] < 60:
        time.sleep(0.02)
    for process in site.platform.find("granian"):
        process.kill()
    thread.join(90)
    assert ended
    assert summary(site, project)["items"] == 300


def test_sign_in_keeps_the_key_to_its_owner(site, home, capsys, monkeypatch):
    assert main(["--key", site.key, "login", site.url]) == 0
    assert credentials_path().stat().st_mode & 0o777 == 0o600
    assert main(["projects"]) == 0
    assert "ITEMS" in capsys.readouterr().out
    # The key is for that server alone.
    assert main(["--url", "http://127.0.0.1:9", "projects"]) == 1
    assert "not signed in" in capsys.readouterr().err


def test_refusals_are_printed_in_words(site, home, capsys, tmp_path):
    assert main(["projects"]) == 1
    assert "modelyard login" in capsys.readouterr().err
    assert main(["--url", site.url, "--key", "my_wrong", "projects"]) == 1
    assert "revoked" in capsys.readouterr().err
    assert main(["--url", site.url, "--key", site.key, "upload", "No such project", str(tmp_path)]) == 1
    assert "There is no project" in capsys.readouterr().err


def test_a_cut_off_archive_is_named(project, tmp_path):
    (tmp_path / "cut.zip").write_bytes(zip_of({"a.png": picture(1)})[:-40])
    result = project.dataset.upload(tmp_path / "cut.zip")
    assert [(one.name, one.code) for one in result.refused] == [("cut.zip", "archive_cut_off")]


def test_what_was_left_out_of_labels_is_printed(site, project, capsys, tmp_path):
    """The pictures are taken; their boxes are nothing that a classification can learn."""
    found = {
        "images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}],
        "categories": [{"id": 1, "name": "cat"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4]}],
    }
    (tmp_path / "cats.zip").write_bytes(zip_of({"a.png": picture(1), "labels.json": json.dumps(found).encode()}))
    result = project.dataset.upload(tmp_path / "cats.zip", labels="auto")
    assert (result.num_new, result.num_labelled, result.refused) == (1, 0, [])
    assert [(one.name, one.code) for one in result.notes] == [("a.png (box × 1)", "kind_not_allowed")]
    capsys.readouterr()
    found["annotations"][0]["bbox"] = [1, 2, -3, 4]
    (tmp_path / "bad.zip").write_bytes(zip_of({"a.png": picture(2), "labels.json": json.dumps(found).encode()}))
    command = ["upload", project.id, str(tmp_path / "cats.zip"), str(tmp_path / "bad.zip"), "--labels", "auto", "--quiet"]
    assert main(["--url", site.url, "--key", site.key, *command]) == 0
    output = capsys.readouterr().out
    assert "1 refused" in output
    assert "labels.json: annotations[0]" in output
    assert "1 notes on what was taken:" in output
    assert "a.png (box × 1)" in output


def test_what_is_not_there_is_refused_before_anything_is_sent(tmp_path):
    with pytest.raises(NotFoundHereError, match="does not exist"):
        files_find([tmp_path / "nowhere"])
    with pytest.raises(NotFoundHereError, match="no file"):
        files_find([tmp_path])


def test_the_command_needs_nothing_but_httpx(tmp_path):
    code = (
        "import sys, modelyard.cli; "
        "bad = {'django', 'torch', 'numpy', 'pydantic', 'studio'} & set(sys.modules); assert not bad, bad"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=environment("", ""), cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_the_bar_fits_and_says_the_rate():
    progress = Progress(
        num_files=100_000,
        num_files_done=25_000,
        size_bytes=10**9,
        done_bytes=25 * 10**7,
        num_known=0,
        rate_bytes_s=5e6,
        rate_files_s=500,
    )
    for width in (40, 80, 200):
        assert len(Bar.line(progress, width)) <= width
    assert "25,000/100,000 files, 250.0 MB, 500 files/s, 5.0 MB/s, 2:30 left" in Bar.line(progress, 120)
    assert (size_text(0), size_text(1500), time_text(3725)) == ("0 B", "1.5 kB", "1:02:05")


def test_tables_of_every_kind_hold_rows(site, tmp_path):
    body = {"workspace": site.walk.workspace, "name": "Cities", "task": "tabular_prediction"}
    workbook = Workbook()
    for row in (("city", "size"), ("Ulm", 126), ("Jena", 111)):
        workbook.active.append(row)
    workbook.save(tmp_path / "a.xlsx")
    parquet.write_table(pa.table({"city": ["Bonn", "Köln"], "size": [331, 1087]}), tmp_path / "b.parquet")
    (tmp_path / "c.jsonl").write_text('{"city": "上海", "size": 24870}\n', encoding="utf-8")
    (tmp_path / "d.json").write_text('[{"city": "Paris", "size": 2103}]', encoding="utf-8")
    (tmp_path / "e.csv").write_text("city,size\nOslo,709\n", encoding="utf-8")
    (tmp_path / "f.tsv").write_text("city\tsize\nRiga\t605\n", encoding="utf-8")
    with site.client() as client:
        project = client.project(site.walk.call("POST", "/projects", json=body)["id"])
        result = project.dataset.upload(tmp_path)
        assert (result.num_new, result.refused) == (8, [])
        again = project.dataset.upload(tmp_path)
        assert (again.num_new, again.num_duplicates + again.num_known) == (0, 8)
