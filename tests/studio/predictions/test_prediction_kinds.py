"""The contract of every kind of items in batch predictions: one result for each, in order, faults with their reason."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from automl.contracts.task import OutputKind
from runtime.predictor import Predictor
from runtime.run_lengths import runs_unpack
from studio.common.blobs import blobs
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, Item, Upload
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.predictions import run as run_module
from studio.predictions.items import NAMES
from studio.predictions.items.kind import SentFile
from studio.predictions.items.text import KIND as TEXTS
from studio.predictions.models import PredictionPart, PredictionRun
from studio.registry.selectors import artefact_folder
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.studio.deployments.test_row_deployment import artefact_make as row_artefact_make
from tests.studio.deployments.test_row_deployment import version_make as row_version_make
from tests.studio.predictions.material import MATERIAL, artefact_place, drawn_setup, sent, setup_of
from tests.studio.studies.material import LABELS
from tests.support.project_setup import InMemoryReporter, ingest, setup_make, zip_of

JSON = "application/json"


@pytest.fixture(params=NAMES)
def kind(request):
    return request.param


@pytest.fixture
def material(kind):
    return MATERIAL[kind]


@pytest.fixture
def setup(db, home, kind):
    return setup_of(kind)


@pytest.fixture
def version(setup, material):
    return material.version(setup)


@pytest.fixture
def artefact(setup, version, material, tmp_path):
    return artefact_place(setup, version, material.model(tmp_path / "model"))


@pytest.fixture
def client(setup):
    return setup.client()


def start(client, setup, artefact, **body):
    reply = client.post(f"/api/projects/{setup.project.id}/predictions", {"artefact": artefact.id, **body}, content_type=JSON)
    assert reply.status_code == 202, reply.json()
    return reply.json()


def start_files(client, setup, artefact, material):
    uploads = [sent(setup, name, data).id for name, data in material.files.items()]
    return start(client, setup, artefact, source="files", uploads=uploads)


def work(started):
    reporter = InMemoryReporter()
    job_run(Job.objects.get(id=started["job"]["id"]), reporter)
    assert reporter.fractions == sorted(reporter.fractions)
    return PredictionRun.objects.get(id=started["id"])


def results(client, started, **query):
    found, cursor = [], ""
    while cursor is not None:
        page = client.get(f"/api/predictions/{started['id']}/results", {"limit": 7, "cursor": cursor, **query}).json()
        found += page["items"]
        cursor = page["next_cursor"]
    return found


def download(client, started, form):
    reply = client.get(f"/api/predictions/{started['id']}/download", {"format": form})
    assert reply.status_code == 200
    return b"".join(reply.streaming_content)


def test_all_kinds_are_tried():
    assert set(MATERIAL) == set(NAMES)


def test_files_give_one_result_each_with_faults_named(client, setup, artefact, material):
    started = start_files(client, setup, artefact, material)
    assert not Upload.objects.filter(kind="predict").exists()
    run = work(started)
    found = results(client, started)
    assert [one["name"] for one in found] == material.names
    assert [one["place"] for one in found] == list(range(len(found)))
    assert {one["name"]: one["code"] for one in found if one["code"]} == material.faults
    assert all(one["reason"]["zh"] for one in found if one["code"])
    assert all(bool(one["annotations"]) is (one["code"] is None) for one in found)
    assert (run.num_results, run.num_failed, run.num_expected) == (len(found), len(material.faults), len(found))
    assert {one["name"] for one in results(client, started, only="failed")} == set(material.faults)
    assert not Item.objects.filter(name__in=material.names).exists()


def test_items_of_the_project_are_answered_as_the_model_answers_alone(client, setup, artefact, material):
    started = start(client, setup, artefact, source="items")
    work(started)
    assert started["artefact"]["keeps_scores"] is True
    found = results(client, started)
    items = list(Item.objects.filter(dataset=setup.dataset).order_by("id"))
    assert [one["item"] for one in found] == [item.id for item in items]
    predictor = Predictor()
    predictor.setup(artefact_folder(artefact))
    for one, item in zip(found, items, strict=True):
        data = b"".join(kind_of(setup.project).response(item)) if item.text is None else item.text.encode()
        decoded = predictor.decode(data)
        answer = predictor.predict(decoded)
        assert one["annotations"][0]["label"] == predictor.passing(answer, decoded)[0]["label"]
        assert one["scores"] == pytest.approx(answer.tolist(), abs=1e-5)


def test_a_version_and_the_items_it_was_cut_from_give_the_same(client, setup, artefact, version):
    of_version = start(client, setup, artefact, source="version", version=version.id)
    of_items = start(client, setup, artefact, source="items", filter={"state": "annotated"})
    work(of_version)
    work(of_items)
    kept = [[(one["item"], one["scores"]) for one in results(client, each)] for each in (of_version, of_items)]
    assert kept[0] == kept[1]


def test_a_run_that_breaks_off_goes_on_behind_its_last_part(client, setup, artefact, material, monkeypatch):
    monkeypatch.setattr(run_module, "PART_S", 0.0)
    items = run_module.predicted_items(artefact.facts)
    monkeypatch.setattr(type(items), "at_once", min(items.at_once, 4))
    written = run_module.part_write
    calls = []

    def broken(**given):
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        written(**given)

    for source in ("files", "items"):
        calls.clear()
        monkeypatch.setattr(run_module, "part_write", broken)
        is_files = source == "files"
        started = start_files(client, setup, artefact, material) if is_files else start(client, setup, artefact, source=source)
        with pytest.raises(KeyboardInterrupt):
            work(started)
        partial = [one["name"] for one in results(client, started)]
        monkeypatch.setattr(run_module, "part_write", written)
        run = work(started)
        names = (
            material.names if is_files else [each.name for each in Item.objects.filter(dataset=setup.dataset).order_by("id")]
        )
        assert 0 < len(partial) < len(names)
        assert [one["name"] for one in results(client, started)] == names
        parts = list(PredictionPart.objects.filter(run=run).order_by("number"))
        assert [part.first for part in parts] == [sum(each.num_results for each in parts[:n]) for n in range(len(parts))]
        work(started)
        assert PredictionPart.objects.filter(run=run).count() == len(parts)


def test_downloads_say_the_same_in_every_form(client, setup, artefact, material, monkeypatch):
    monkeypatch.setattr(run_module, "PART_S", 0.0)
    monkeypatch.setattr(type(run_module.predicted_items(artefact.facts)), "at_once", 1)  # parts with failures alone among them
    started = start_files(client, setup, artefact, material)
    work(started)
    found = results(client, started)
    text = download(client, started, "csv").decode("utf-8-sig")
    sheet = list(csv.DictReader(io.StringIO(text)))
    lines = [json.loads(line) for line in download(client, started, "jsonl").splitlines()]
    table = pq.read_table(io.BytesIO(download(client, started, "parquet")))
    assert list(sheet[0]) == list(lines[0]) == table.column_names
    (label,) = [name for name in table.column_names if name.endswith("predicted")]
    expected = [one["annotations"][0]["label"] if one["annotations"] else None for one in found]
    assert [row[label] or None for row in sheet] == [row[label] for row in lines] == table.column(label).to_pylist() == expected
    assert [row["error"] for row in sheet] == [one["code"] or "" for one in found]
    scored = [name for name in table.column_names if "score_" in name]
    assert len(scored) == len(artefact.facts.label_set.names)
    assert not [line for line in text.splitlines() if line.split(",")[1:2] and line.split(",")[1].startswith("=")]


def test_results_say_whether_to_ask_a_person_where_that_was_chosen(client, setup, artefact, material):
    plain = start_files(client, setup, artefact, material)
    work(plain)
    before = results(client, plain)
    assert all(one["ask_a_person"] is one["possible_labels"] is None for one in before)
    scores = [one["scores"] for one in before if one["scores"]]
    labels = artefact.facts.label_set.names
    limits = {label: sorted(each[place] for each in scores)[len(scores) // 2] for place, label in enumerate(labels)}
    artefact.coverage = {"error_rate": 0.2, "scope": "all", "limits": limits}
    artefact.save()
    started = start_files(client, setup, artefact, material)
    artefact.coverage = {}
    artefact.save()  # a run that is under way keeps to what held when it was started
    run = work(started)
    found = results(client, started)
    for one in found:
        if one["scores"] is None:
            assert one["ask_a_person"] is one["possible_labels"] is None
            continue
        ranked = sorted(zip(one["scores"], labels, strict=True), reverse=True)
        possible = [label for score, label in ranked if score >= limits[label]]
        assert one["possible_labels"] == possible
        assert one["ask_a_person"] is (possible != [one["annotations"][0]["label"]])
    asked = [one for one in found if one["ask_a_person"]]
    assert asked
    assert results(client, started, only="asked") == asked
    shown = client.get(f"/api/predictions/{started['id']}").json()
    assert (run.num_asked, shown["num_asked"], shown["error_rate"]) == (len(asked), len(asked), 0.2)
    table = pq.read_table(io.BytesIO(download(client, started, "parquet")))
    (asks,) = [name for name in table.column_names if name.endswith("ask_a_person")]
    assert table.column(asks).to_pylist() == [one["ask_a_person"] for one in found]
    sheet = list(csv.DictReader(io.StringIO(download(client, started, "csv").decode("utf-8-sig"))))
    (possible,) = [name for name in sheet[0] if name.endswith("possible_labels")]
    assert [row[possible] for row in sheet] == ["; ".join(one["possible_labels"] or ()) for one in found]
    columns = pq.read_table(io.BytesIO(download(client, plain, "parquet"))).column_names
    assert not [name for name in columns if "possible" in name]


def test_numbers_come_with_their_interval_where_one_was_chosen(db, home, tmp_path):
    setup = setup_make(task="tabular_prediction", options={"predicts": "number"})
    version = row_version_make(setup, OutputKind.NUMBER)
    artefact = artefact_place(setup, version, row_artefact_write(tmp_path / "model", output=OutputKind.NUMBER))
    artefact.coverage = {"error_rate": 0.1, "reach": 2.5}
    artefact.save()
    client = setup.client()
    started = start(client, setup, artefact, source="version", version=version.id)
    assert work(started).num_asked == 0
    found = results(client, started)
    lines = [json.loads(line) for line in download(client, started, "jsonl").splitlines()]
    assert len(lines) == len(found) > 0
    for one, line in zip(found, lines, strict=True):
        number = one["annotations"][0]["value"]
        assert one["interval"] == pytest.approx({"low": number - 2.5, "high": number + 2.5, "error_rate": 0.1})
        assert line["churn_interval_low"] == one["interval"]["low"]
        assert line["churn_interval_high"] == one["interval"]["high"]


def test_results_from_before_models_asked_are_read(client, setup, artefact, material):
    started = start_files(client, setup, artefact, material)
    run = work(started)
    found = results(client, started)
    for part in run.parts.all():
        old = pq.read_table(blobs().local_path(part.blob)).drop_columns(["beside", "asks"])
        out = io.BytesIO()
        pq.write_table(old, out)
        part.blob = blobs().put_bytes(out.getvalue()).sha256
        part.save()
    assert results(client, started) == found
    assert results(client, started, only="asked") == []
    assert len(download(client, started, "jsonl").splitlines()) == len(found)


def test_a_table_of_texts_says_how_far_it_was_read(db, home, tmp_path):
    data = (
        b'{"text": "' + b'", "label": "cat"}\n{"text": "'.join([b"one cat " * 50, b"two dogs " * 50]) + b'", "label": "dog"}\n'
    )
    (path := tmp_path / "said.jsonl").write_bytes(data)
    upload = Upload(dataset=setup_of("text").dataset, name=path.name, size_bytes=len(data), kind="file", labels="none")
    assert [done for _, done in TEXTS.of_file(SentFile(path, upload), 0)] == pytest.approx([0.45, 0.95], abs=0.05)


def test_rows_keep_their_columns(db, home, tmp_path):
    setup = setup_of("row")
    artefact = artefact_place(setup, MATERIAL["row"].version(setup), MATERIAL["row"].model(tmp_path / "model"))
    client, data = setup.client(), "since,age,extra\n01.02.2021,34,=1+1\n,not a number,-5\n"
    started = start(client, setup, artefact, source="files", uploads=[sent(setup, "people.csv", data.encode()).id])
    work(started)
    head, first, second = list(csv.reader(io.StringIO(download(client, started, "csv").decode("utf-8-sig"))))
    assert head[:5] == ["since", "age", "extra", "churn_predicted", "churn_score"]
    assert (first[:3], second[:3]) == (["01.02.2021", "34", "'=1+1"], ["", "not a number", "-5"])
    assert first[3]
    assert second[3]


def test_a_table_of_something_else_is_refused_as_a_whole(db, home, tmp_path):
    setup = setup_of("row")
    artefact = artefact_place(setup, MATERIAL["row"].version(setup), MATERIAL["row"].model(tmp_path / "model"))
    upload = sent(setup, "other.csv", b"a,b\n1,2\n3,4\n")
    started = start(setup.client(), setup, artefact, source="files", uploads=[upload.id])
    with pytest.raises(run_module.PredictionColumnsError) as caught:
        work(started)
    assert "age" in caught.value.hint
    assert PredictionRun.objects.get().num_results == 0


def test_boxes_are_in_pixels_of_the_whole_picture(db, home, tmp_path):
    setup, artefact = drawn_setup(tmp_path / "model", "object_detection", OutputKind.BOXES)
    client = setup.client()
    started = start(client, setup, artefact, source="items")
    work(started)
    found = results(client, started)
    boxes = [box for one in found for box in one["annotations"]]
    assert boxes
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 40.01 for box in boxes)
    assert all(one["thumbnail_url"].startswith("/api/items/") and one["width"] == 40 for one in found)
    lines = [json.loads(line) for line in download(client, started, "jsonl").splitlines()]
    assert [line["num_boxes"] for line in lines] == [len(one["annotations"]) for one in found]
    assert b'""label""' in download(client, started, "csv")


def test_masks_are_of_the_whole_pictures_pixels(db, home, tmp_path):
    setup, artefact = drawn_setup(tmp_path / "model", "semantic_segmentation", OutputKind.MASK)
    client = setup.client()
    started = start(client, setup, artefact, source="items")
    work(started)
    found = results(client, started)
    masks = [mask for one in found for mask in one["annotations"]]
    assert masks
    assert all(sum(runs_unpack(mask["counts"])) == mask["width"] * mask["height"] == 40 * 30 for mask in masks)
    lines = [json.loads(line) for line in download(client, started, "jsonl").splitlines()]
    assert [line["num_labels"] for line in lines] == [len(one["annotations"]) for one in found]
    assert all(0 < sum(one["fraction"] for one in line["masks"]) <= 1 for line in lines if line["masks"])
    assert lines[0]["predicted"] == found[0]["annotations"][0]["label"]
    assert b'""counts""' in download(client, started, "csv")
    assert pq.read_table(io.BytesIO(download(client, started, "parquet"))).num_rows == 4


def test_a_picture_that_was_sent_has_a_thumbnail(db, home, tmp_path):
    setup = setup_of("image")
    material = MATERIAL["image"]
    artefact = artefact_place(setup, material.version(setup), material.model(tmp_path / "model"))
    client = setup.client()
    started = start_files(client, setup, artefact, material)
    work(started)
    shown = [one for one in results(client, started) if one["code"] is None]
    assert all(client.get(one["thumbnail_url"]).content.startswith(b"\xff\xd8") for one in shown)
    for nowhere in (999, 10**30):
        assert client.get(f"/api/predictions/{started['id']}/results/{nowhere}/thumbnail").status_code == 404


EXPLAINED = {"image": lambda found: len(found["grid"]["falls"]), "text": lambda found: len(found["segments"])}
"""Of the kinds whose items are explained one by one: how many parts there are."""


def test_an_answer_to_an_item_is_explained_by_its_parts_or_refused(client, setup, version, artefact, kind):
    item = Item.objects.filter(dataset=setup.dataset).first()
    path = f"/api/artefacts/{artefact.id}/explain"
    reply = client.get(path, {"item": item.id})
    if kind not in EXPLAINED:
        assert (reply.status_code, reply.json()["code"]) == (422, "explain_item_unfit")
        return
    found = reply.json()
    assert found["label"] in LABELS
    assert EXPLAINED[kind](found) >= 1
    other = next(label for label in LABELS if label != found["label"])
    assert client.get(path, {"item": item.id, "label": other}).json()["label"] == other
    unknown = client.get(path, {"item": item.id, "label": "owl"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "explain_label_unknown")


@pytest.mark.parametrize("output", [OutputKind.CLASS_SCORES, OutputKind.NUMBER])
def test_a_row_is_explained_by_what_each_column_adds(output, db, home, tmp_path):
    predicts = "number" if output is OutputKind.NUMBER else "category"
    setup = setup_make(task="tabular_prediction", options={"predicts": predicts})
    artefact, client = row_artefact_make(setup, output, tmp_path / "model"), setup.client()
    path, item = f"/api/artefacts/{artefact.id}/explain/row", Item.objects.filter(dataset=setup.dataset).order_by("id")[3]
    found = client.get(path, {"item": item.id}).json()
    cells = json.loads(item.text)["cells"]
    assert found["base"] + sum(part["value"] for part in found["parts"]) == pytest.approx(found["answer"], abs=1e-4)
    assert {part["column"]: part["cell"] for part in found["parts"]} == {name: cells[name] for name in cells if name != "churn"}
    predictor = Predictor()
    predictor.setup(artefact_folder(artefact))
    answer = predictor.predict(predictor.decode(item.text.encode()))
    best, _ = predictor.judge(answer)
    assert found["label"] == best.get("label")
    assert found["answer"] == pytest.approx(best.get("score", best.get("value")), rel=1e-4)
    if output is OutputKind.CLASS_SCORES:
        other = next(label for label in predictor.labels if label != found["label"])
        assert client.get(path, {"item": item.id, "label": other}).json()["label"] == other
        unknown = client.get(path, {"item": item.id, "label": "owl"})
        assert (unknown.status_code, unknown.json()["code"]) == (422, "explain_label_unknown")


def test_pictures_have_no_columns_to_explain(db, home, tmp_path):
    setup, artefact = drawn_setup(tmp_path / "boxes", "object_detection", OutputKind.BOXES)
    item = Item.objects.filter(dataset=setup.dataset).first()
    reply = setup.client().get(f"/api/artefacts/{artefact.id}/explain/row", {"item": item.id})
    assert (reply.status_code, reply.json()["code"]) == (422, "explain_item_unfit")


def test_an_item_of_another_kind_than_the_model_reads_is_refused(db, home, tmp_path):
    setup = setup_make(task="tabular_prediction", options={"predicts": "category"})
    artefact, client = row_artefact_make(setup, OutputKind.CLASS_SCORES, tmp_path / "model"), setup.client()
    body = {"workspace": setup.workspace.id, "name": "Mail", "task": "text_classification", "task_options": {}}
    dataset = Dataset.objects.get(id=client.post("/api/projects", body, content_type=JSON).json()["dataset"])
    ingest(dataset, zip_of({"a.txt": b"a cat"}), labels="none")
    text = Item.objects.get(dataset=dataset)
    for way in ("explain", "explain/row"):
        reply = client.get(f"/api/artefacts/{artefact.id}/{way}", {"item": text.id})
        assert (reply.status_code, reply.json()["code"]) == (422, "explain_item_unfit")
        assert "another kind" in reply.json()["detail"]


def test_an_object_is_explained_by_its_box(db, home, tmp_path):
    setup, artefact = drawn_setup(tmp_path / "boxes", "object_detection", OutputKind.BOXES)
    item = Item.objects.filter(dataset=setup.dataset).first()
    path, client = f"/api/artefacts/{artefact.id}/explain", setup.client()
    found = client.get(path, {"item": item.id}).json()
    assert found["grid"]["area"]["width"] >= found["box"]["width"]
    other = next(label for label in LABELS if label != found["label"])
    chosen = client.get(path, {"item": item.id, "label": other, "box": "1,2,10,12"}).json()
    assert (chosen["label"], chosen["box"]) == (other, {"x": 1, "y": 2, "width": 10, "height": 12})
    wrong = client.get(path, {"item": item.id, "box": "1,2,10"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "explain_item_unfit")
    assert "x,y,width,height" in json.dumps(wrong.json())


def test_masks_are_not_explained_so(db, home, tmp_path):
    setup, artefact = drawn_setup(tmp_path / "mask", "semantic_segmentation", OutputKind.MASK)
    item = Item.objects.filter(dataset=setup.dataset).first()
    refused = setup.client().get(f"/api/artefacts/{artefact.id}/explain", {"item": item.id})
    assert (refused.status_code, refused.json()["code"]) == (422, "explain_item_unfit")
