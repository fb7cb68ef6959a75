"""Rows through a running server: answers, errors, EasyDL's form, the log; and a package that answers without one."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from automl.contracts.table import Row
from automl.contracts.task import OutputKind
from exporters.build import build
from exporters.check import RUNTIME_PACKAGES, isolated_command
from exporters.onprem_server.target import assemble
from tests.exporters.prediction_server import SECRET, Serving, key_row, running
from tests.exporters.row_artefact_factory import LABELS, ROWS, row_artefact_write

JSON_ROW = {"age": 34, "city": "上海", "income": 2400.0, "since": "02.01.2021", "note": "late twice"}
"""The first of ``ROWS`` as a program would have it."""


@pytest.fixture(scope="module")
def classes_dir(tmp_path_factory) -> Path:
    return row_artefact_write(tmp_path_factory.mktemp("rows") / "classes")


@pytest.fixture(scope="module")
def number_dir(tmp_path_factory) -> Path:
    return row_artefact_write(tmp_path_factory.mktemp("rows") / "number", output=OutputKind.NUMBER)


@pytest.fixture(scope="module")
def server(tmp_path_factory, classes_dir, number_dir):
    serving = Serving(tmp_path_factory.mktemp("serving"))
    serving.keys(key_row())
    serving.deploy("dep_classes", classes_dir)
    serving.deploy("dep_number", number_dir)
    with running(serving) as started:
        yield started


def expected(artefact_dir: Path) -> list[tuple[float, ...]]:
    return [sample.scores for sample in GoldenSamples.read(artefact_dir / SAMPLES_DIR / EXPECTED_FILE).samples]


def test_easydl_asks_about_a_table_with_data(server, classes_dir):
    rows = [JSON_ROW, *({**row} for row in ROWS)]
    address = "/rpc/2.0/ai_custom/v1/tabular/dep_classes"
    ours = server.predict("dep_classes", json={"rows": rows, "top": 1}).json()["predictions"]
    answer = server.http.post(address, params={"access_token": SECRET}, json={"data": rows, "include_req": False}).json()
    target = json.loads((classes_dir / "artefact.json").read_bytes())["decode"]["target"]
    best = [one["annotations"][0] for one in ours]
    assert answer["batch_result"] == [{target: each["label"], "score": each["score"]} for each in best]
    sent = server.http.post(address, params={"access_token": SECRET}, json={"data": rows, "include_req": True}).json()
    assert [one["city"] for one in sent["batch_result"]] == [row.get("city") for row in rows]
    number = server.http.post(
        "/rpc/2.0/ai_custom/v1/tabular/dep_number", params={"access_token": SECRET}, json={"data": [JSON_ROW]}
    ).json()
    assert len(number["batch_result"]) == 1
    refused = server.http.post(address, params={"access_token": SECRET}, json={"data": []}).json()
    assert refused["error_code"] == 336001


def test_answers_say_whether_to_ask_a_person_where_that_was_chosen(tmp_path, classes_dir, number_dir):
    serving = Serving(tmp_path)
    serving.keys(key_row())
    limits = dict.fromkeys(LABELS, 0.3)
    serving.deploy("dep_plain", classes_dir)
    serving.deploy("dep_classes", classes_dir, coverage={"error_rate": 0.1, "scope": "all", "limits": limits, "reach": None})
    serving.deploy("dep_number", number_dir, coverage={"error_rate": 0.1, "scope": "all", "limits": {}, "reach": 2.5})
    rows = {"rows": [JSON_ROW, *ROWS]}
    with running(serving) as started:
        plain = started.predict("dep_plain", json=rows).json()["predictions"]
        asked = started.predict("dep_classes", json=rows).json()["predictions"]
        numbers = started.predict("dep_number", json=rows).json()["predictions"]
    assert [set(one) for one in plain] == [{"annotations"}] * len(plain)
    for one, before in zip(asked, plain, strict=True):
        possible = [each["label"] for each in before["annotations"] if each["score"] >= 0.3]
        assert one["annotations"] == before["annotations"]
        assert one["possible_labels"] == possible
        assert one["ask_a_person"] is (possible != [before["annotations"][0]["label"]])
    for one in numbers:
        value = one["annotations"][0]["value"]
        assert one["interval"] == pytest.approx({"low": value - 2.5, "high": value + 2.5, "error_rate": 0.1})


def test_rows_are_answered_in_their_order(server, classes_dir, number_dir):
    rows = [JSON_ROW, *ROWS]
    scores, numbers = expected(classes_dir), expected(number_dir)
    answer = server.predict("dep_classes", json={"rows": rows}).json()
    given = [{each["label"]: each["score"] for each in one["annotations"]} for one in answer["predictions"]]
    for one, true in zip(given, [scores[0], *scores], strict=True):
        assert one == pytest.approx(dict(zip(LABELS, true, strict=True)), abs=1e-6)
    answer = server.predict("dep_number", json={"rows": rows}).json()
    given = [one["annotations"] for one in answer["predictions"]]
    assert given == [[{"kind": "value", "value": pytest.approx(true, rel=1e-6)}] for (true,) in [numbers[0], *numbers]]
    assert "unknown_columns" not in answer
    assert "missing_columns" not in answer


def test_one_row_a_csv_and_a_form_say_the_same(server):
    plain = server.predict("dep_number", json={"row": ROWS[0]}).json()["predictions"]
    names = list(ROWS[0])
    table = ",".join(names) + "\n" + ",".join(f'"{ROWS[0][name]}"' for name in names) + "\n"
    csv = server.predict("dep_number", content=table.encode(), headers={"Content-Type": "text/csv"}).json()["predictions"]
    form = server.predict("dep_number", files={"file": ("rows.csv", table.encode())}).json()["predictions"]
    assert plain == csv == form


def test_answer_names_columns_that_do_not_fit(server):
    answer = server.predict("dep_classes", json={"row": {"age": 3, "City": "Graz", "note": ""}, "top": 1}).json()
    assert answer["unknown_columns"] == ["City"]
    assert answer["missing_columns"] == ["city", "income", "since"]
    assert answer["mostly_missing_rows"] == [1]
    assert "unseen_categories" not in answer, "this model does not say which it has seen"
    assert len(answer["predictions"][0]["annotations"]) == 1


def test_errors_name_the_place(server):
    response = server.predict("dep_number", json={"rows": [ROWS[0], {"age": "old"}]})
    assert response.status_code == 400
    answer = response.json()
    assert (answer["code"], answer["row"], answer["column"], answer["cell"]) == ("cell_invalid", 2, "age", "old")
    assert server.predict("dep_number", json={"row": {"age": "old"}, "invalid_cells": "missing"}).status_code == 200
    assert server.predict("dep_number", json={"row": {"AGE": 3}}).json()["code"] == "columns_missing"
    assert server.predict("dep_number", json={"rows": [ROWS[0]] * 1001}).status_code == 413
    extreme = {"age": 3.4e38, "income": 3.4e38}
    refused = server.predict("dep_number", json={"row": extreme})
    assert (refused.status_code, refused.json()["code"]) == (422, "answer_invalid")
    headers = {"Authorization": f"Bearer {SECRET}"}
    query = {"row": extreme, "background": [JSON_ROW]}
    refused = server.http.post("/v1/deployments/dep_number/explain", json=query, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (422, "answer_invalid")


def test_easydl_clients_get_their_form(server):
    scores = server.predict("dep_classes", params={"format": "easydl"}, json={"row": JSON_ROW, "top_num": 2}).json()
    assert len(scores["results"]) == 2
    assert set(scores["results"][0]) == {"name", "score"}
    number = server.predict("dep_number", params={"format": "easydl"}, json={"row": JSON_ROW}).json()
    assert list(number["results"][0]) == ["value"]
    several = server.predict("dep_number", params={"format": "easydl"}, json={"rows": [JSON_ROW] * 2}).json()
    assert several["error_code"] == 336001


def test_thousand_rows_are_answered_as_one_by_one(server):
    rows = [{**ROWS[n % 3], "age": str(n)} for n in range(1000)]
    many = server.predict("dep_number", json={"rows": rows}).json()["predictions"]
    for n in (0, 1, 499, 999):
        assert server.predict("dep_number", json={"row": rows[n]}).json()["predictions"][0] == many[n]


def test_log_keeps_rows_as_a_dataset_keeps_them(serving: Serving, number_dir, classes_dir):
    serving.deploy("dep_number", number_dir, keep_inputs="all")
    serving.deploy("dep_unsure", classes_dir, keep_inputs="uncertain", min_uncertainty=0.3)
    many = [{"age": n, "city": "Paris"} for n in range(200)]
    with running(serving) as server:
        assert server.predict("dep_number", json={"row": JSON_ROW | {"zip": " 1010 "}}).status_code == 200
        assert server.predict("dep_number", json={"rows": many}).status_code == 200
        unsure = server.predict("dep_unsure", json={"rows": ROWS, "top": 3}).json()["predictions"]
        assert server.stop() == 0
    single, several = serving.log("dep_number")
    cells = {"age": "34", "city": "上海", "income": "2400", "since": "02.01.2021", "note": "late twice", "zip": "1010"}
    stored = Row(cells=cells).canonical().encode()
    assert single["input"] == hashlib.sha256(stored).hexdigest()
    assert (serving.folder / "inputs" / single["input"]).read_bytes() == stored
    assert single["uncertainty"] is None
    (best,) = single["top"]
    assert single["held"] == [{"kind": "value", "value": best["value"]}]
    assert several["num_pictures"] == 200
    assert len(several["top"]) == len(several["inputs"]) == 64
    ages = {json.loads((serving.folder / "inputs" / name).read_bytes())["cells"]["age"] for name in several["inputs"]}
    assert len(ages) == 64
    assert max(map(int, ages)) > 190
    (line,) = serving.log("dep_unsure")
    margins = [one["annotations"][0]["score"] - one["annotations"][1]["score"] for one in unsure]
    assert [name is not None for name in line["inputs"]] == [1 - margin >= 0.3 for margin in margins]
    assert line["uncertainty"] == pytest.approx(1 - min(margins), abs=1e-4)


def test_package_takes_what_programs_have(tmp_path, number_dir):
    report = build("python_sdk", number_dir, tmp_path, {"package": "prices"})
    with zipfile.ZipFile(tmp_path / report.file) as wheel:
        wheel.extractall(tmp_path / "site")
        metadata = wheel.read("prices-1.0.0.dist-info/METADATA").decode()
    assert "model.predict({'age': 41, 'city': 'Paris', 'income': 1800.5" in metadata
    (tmp_path / "rows.csv").write_text("age;city\n34;Graz\n;Paris\n", encoding="utf-8")
    (tmp_path / "site" / "probe.py").write_text(
        "import datetime, json, numpy as np\n"
        "from prices import Model\n"
        "model = Model()\n"
        "moment = datetime.datetime(2021, 1, 2)\n"
        "rows = [{'age': np.int64(34), 'income': np.float32(950), 'since': when} for when in\n"
        "        ('02.01.2021', moment, moment.date(), np.datetime64(moment, 'ns'))]\n"
        "rows += [{'age': 34, 'income': float('nan'), 'since': np.datetime64('NaT')}, {'age': 34}]\n"
        "one = [model.predict(row)[0]['value'] for row in rows]\n"
        "many = [answer[0]['value'] for answer in model.predict_many(rows * 500)]\n"
        "print(json.dumps([one, many == one * 500, model.columns, model.target, model.labels]))\n"
    )
    done = subprocess.run(
        isolated_command(tmp_path / "site", "probe", [], list(RUNTIME_PACKAGES)), capture_output=True, text=True, check=True
    )
    values, is_same, columns, target, labels = json.loads(done.stdout)
    assert len(set(values[:4])) == 1
    assert values[4] == values[5]
    assert is_same
    assert columns == ["age", "city", "income", "since", "note"]
    assert (target, labels) == ("churn", [])
    command = isolated_command(tmp_path / "site", "prices", [str(tmp_path / "rows.csv")], list(RUNTIME_PACKAGES))
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [json.loads(line)["row"] for line in lines] == [1, 2]
    broken = subprocess.run([*command[:-1], __file__], capture_output=True, text=True, check=False)
    assert broken.returncode == 1
    assert Path(__file__).name in broken.stderr


def test_package_says_how_far_off_a_number_may_be_where_that_was_chosen(tmp_path):
    model = tmp_path / "model"
    row_artefact_write(model, output=OutputKind.NUMBER)
    manifest = json.loads((model / "artefact.json").read_text(encoding="utf-8"))
    manifest["coverage"] = {"error_rate": 0.1, "reach": 2.5}
    (model / "artefact.json").write_text(json.dumps(manifest), encoding="utf-8")
    report = build("python_sdk", model, tmp_path, {"package": "prices"})
    with zipfile.ZipFile(tmp_path / report.file) as wheel:
        wheel.extractall(tmp_path / "site")
    (tmp_path / "rows.csv").write_text("age;city\n34;Graz\n;Paris\n", encoding="utf-8")
    command = isolated_command(tmp_path / "site", "prices", [str(tmp_path / "rows.csv")], list(RUNTIME_PACKAGES))
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == 2
    for line in map(json.loads, lines):
        (annotation,) = line["annotations"]
        low, high = annotation["value"] - 2.5, annotation["value"] + 2.5
        assert line["interval"] == pytest.approx({"low": low, "high": high, "error_rate": 0.1})


def test_server_s_page_and_readme_name_the_columns(tmp_path, number_dir):
    sly = tmp_path / "sly"
    row_artefact_write(sly, output=OutputKind.NUMBER)
    manifest = json.loads((sly / "artefact.json").read_text(encoding="utf-8"))
    manifest["decode"]["columns"][1]["choices"] = ["</script><b>", "it's"]
    manifest["decode"]["columns"][1]["typical"] = "it's"
    (sly / "artefact.json").write_text(json.dumps(manifest), encoding="utf-8")
    assemble(sly, tmp_path / "made", {"name": "prices", "port": 8099, "easydl_path": True})
    page = (tmp_path / "made/server/page.html").read_text(encoding="utf-8")
    assert page.count("<script>") == page.count("</script>") == 2
    (line,) = [line.strip() for line in page.splitlines() if line.strip().startswith("const table = ")]
    table = json.loads(line.removeprefix("const table = ").removesuffix(";"))
    assert [column["name"] for column in table["columns"]] == ["age", "city", "income", "since", "note"]
    assert table["columns"][1]["choices"] == ["</script><b>", "it's"]
    readme = (tmp_path / "made/README.md").read_text(encoding="utf-8")
    assert "- `since`: datetime (`%d.%m.%Y`)" in readme
    assert "/prices/TabularPrediction" in readme
    (call,) = [line for line in readme.splitlines() if line.startswith("curl --json")]
    body = subprocess.run(["sh", "-c", call.replace("curl", "printf '%s\\n'")], capture_output=True, text=True, check=True)
    example = json.loads(body.stdout.splitlines()[1])
    assert example["rows"][0]["city"] == "it's"
