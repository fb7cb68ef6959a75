"""A deployed model that reads rows, through the HTTP endpoints of deployments and the real prediction server."""

import json
import os
import subprocess
import sys

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE, Report, TableReport
from automl.contracts.table import Row
from automl.contracts.task import OutputKind
from labeling.handlers import job_run
from labeling.models import Suggestion
from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.config.node import node_folder
from studio.datasets.models import Item
from studio.datasets.versions.manifest import version_commit
from studio.deployments.logs import log_collect
from studio.deployments.models import Deployment
from studio.jobs.models import Job
from studio.registry.models import Artefact
from tests.exporters.row_artefact_factory import DECODE, LABELS, ROWS, row_artefact_write
from tests.studio.datasets.test_rows import target_set
from tests.studio.deployments.test_deployment_api import published, send, until
from tests.support.project_setup import InMemoryReporter, ingest, setup_make

BACKGROUND = (*ROWS, {"age": "20", "city": "Paris", "income": "1.000,5", "since": "01.01.2000", "note": "late"})
ROW = {"age": 34, "city": "上海", "income": 2400.5, "since": "02.01.2021", "note": "late twice"}
TARGETS = {OutputKind.CLASS_SCORES: LABELS, OutputKind.NUMBER: ("12.5", "99", "7")}


def setup_of(output: OutputKind):
    return setup_make(task="tabular_prediction", options={"predicts": "number" if output is OutputKind.NUMBER else "category"})


def version_make(setup, output: OutputKind):
    lines = ["age;city;income;since;note;churn"]
    lines += [
        f"{20 + n};{('Paris', 'Graz')[n % 2]};{n * 100},5;{n % 28 + 1:02d}.01.2021;note of row {n};{TARGETS[output][n % 3]}"
        for n in range(60)
    ]
    ingest(setup.dataset, "\n".join(lines).encode(), name="people.csv", kind="file", labels="auto")
    target_set(setup.client(), setup, "churn")
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


def artefact_make(setup, output: OutputKind, folder, *, background=BACKGROUND) -> Artefact:
    """A model of a version, as training leaves it."""
    version = version_make(setup, output)
    made = row_artefact_write(folder, output=output)
    table = TableReport(
        columns=tuple(column.name for column in DECODE.columns),
        base=(0.5,),
        models=(),
        effects=(),
        shap_rows=(),
        dependence=(),
        background=background,
    )
    labels = LABELS if output is OutputKind.CLASS_SCORES else ()
    report = Report(labels=labels, splits=(), curves=(), train_seconds=1, latency_ms=2, model_bytes=3, table=table)
    report.write(made / REPORT_FILE)
    tree = f"artefacts/{version.id}"
    blobs().put_tree(tree, made)
    return Artefact.objects.create(
        project=setup.project,
        number=1,
        version=version,
        tree=tree,
        manifest=ArtefactManifest.read(made / MANIFEST_FILE).model_dump(mode="json"),
        latency_ms=2,
        model_bytes=3,
        size_bytes=4,
    )


@pytest.fixture(params=[OutputKind.CLASS_SCORES, OutputKind.NUMBER], ids=str)
def output(request):
    return request.param


@pytest.fixture
def setup(db, home, output):
    return setup_of(output)


@pytest.fixture
def artefact(setup, output, tmp_path):
    return artefact_make(setup, output, tmp_path / "made")


@pytest.fixture
def client(setup):
    return setup.client()


@pytest.fixture
def shown(client, setup, artefact, server, django_capture_on_commit_callbacks):
    """A deployment that answers and keeps everything."""
    shown = published(client, setup, artefact, django_capture_on_commit_callbacks, keep_inputs="all", slug="people")
    server.wait(shown["id"], state="ready")
    return shown


def ask(client, shown, *rows, query=""):
    return send(client, "post", f"/deployments/{shown['id']}/try/rows{query}", {"rows": rows})


def explain(client, shown, row, **fields):
    return send(client, "post", f"/deployments/{shown['id']}/explain/rows", {"row": row, **fields})


def log_of(client, shown):
    until(log_collect, "the log line")
    return client.get(f"/api/deployments/{shown['id']}/log").json()["items"]


def numbers_of(prediction):
    return {one.get("label"): one.get("score", one.get("value")) for one in prediction["annotations"]}


def test_the_form_says_what_the_model_reads(client, shown, output):
    form = client.get(f"/api/deployments/{shown['id']}/form").json()
    assert (form["target"], form["output"]) == ("churn", output)
    assert form["labels"] == (list(LABELS) if output is OutputKind.CLASS_SCORES else [])
    fields = {field["name"]: field for field in form["fields"]}
    assert list(fields) == ["age", "city", "income", "since", "note"]
    assert (fields["age"]["minimum"], fields["age"]["maximum"], fields["age"]["typical"]) == (20.0, 61.5, "41")
    assert (fields["income"]["minimum"], fields["income"]["maximum"], fields["income"]["decimal"]) == (950.0, 2400.0, ",")
    assert (fields["city"]["choices"], fields["city"]["minimum"]) == (["Paris", "上海", "Graz"], None)
    assert (fields["since"]["kind"], fields["since"]["datetime_format"]) == ("datetime", "%d.%m.%Y")
    assert form["examples"] == [dict(row) for row in BACKGROUND]


def test_from_a_row_to_an_answer_its_line_and_the_kept_row(client, shown, artefact, output):
    reply = ask(client, shown, ROW | {"id": 7}, query="?top=1")
    assert reply.status_code == 200, reply.content
    answer = reply.json()
    assert answer["model"] == artefact.id
    assert answer["unknown_columns"] == ["id"]
    (best,) = answer["predictions"][0]["annotations"]
    (line,) = log_of(client, shown)
    assert (line["id"], line["status"], line["input_text"]) == (answer["id"], 200, None)
    if output is OutputKind.NUMBER:
        assert (line["top"], line["values"], line["uncertainty"]) == ([None], [best["value"]], None)
    else:
        assert (line["top"], line["values"]) == ([{"label": best["label"], "score": best["score"]}], [None])
    cells = {"age": "34", "city": "上海", "id": "7", "income": "2400.5", "note": "late twice", "since": "02.01.2021"}
    assert line["input_row"] == cells
    stored = client.get(line["input_url"])
    assert stored["content-type"] == "application/json"
    assert b"".join(stored.streaming_content).decode() == Row(cells=cells).canonical()


def test_rows_and_a_file_are_answered_in_their_order(client, shown):
    together = ask(client, shown, *ROWS).json()["predictions"]
    assert together == [ask(client, shown, row).json()["predictions"][0] for row in ROWS]
    names = [column.name for column in DECODE.columns]
    lines = [";".join(names), *(";".join(row.get(name, "") for name in names) for row in ROWS)]
    upload = SimpleUploadedFile("rows.csv", "\n".join(lines).encode(), "text/csv")
    assert client.post(f"/api/deployments/{shown['id']}/try", {"file": upload}).json()["predictions"] == together


def test_what_is_no_row_is_refused_by_name(client, shown):
    wrong = ask(client, shown, ROW, {"age": "old"})
    assert (wrong.status_code, wrong.json()["code"], wrong.json()["row"], wrong.json()["column"]) == (
        400,
        "cell_invalid",
        2,
        "age",
    )
    assert ask(client, shown, *[{"age": 1}] * 1001).json()["code"] == "rows_too_many"
    assert ask(client, shown, {"AGE": 3}).json()["code"] == "columns_missing"
    assert ask(client, shown).status_code == 422
    assert ask(client, shown, {"age": [3]}).status_code == 422
    nan = client.post(f"/api/deployments/{shown['id']}/try/rows", '{"rows": [{"age": NaN}]}', content_type="application/json")
    assert nan.status_code == 422


def test_parts_add_up_to_what_the_deployment_answers(client, shown, output):
    explained = explain(client, shown, ROW).json()
    predicted = ask(client, shown, ROW, query="?top=9").json()["predictions"][0]
    others = [numbers_of(each) for each in ask(client, shown, *BACKGROUND, query="?top=9").json()["predictions"]]
    label = explained["label"]
    assert label == (None if output is OutputKind.NUMBER else predicted["annotations"][0]["label"])
    assert explained["answer"] == pytest.approx(numbers_of(predicted)[label], rel=1e-4, abs=1e-6)
    assert explained["base"] == pytest.approx(sum(other[label] for other in others) / len(others), rel=1e-4, abs=1e-6)
    values = [part["value"] for part in explained["parts"]]
    assert sum(values) == pytest.approx(explained["answer"] - explained["base"], rel=1e-6, abs=1e-9)
    assert [abs(value) for value in values] == sorted(map(abs, values), reverse=True)
    cells = {part["column"]: part["cell"] for part in explained["parts"]}
    assert cells == {"age": "34", "city": "上海", "income": "2400.5", "since": "02.01.2021", "note": "late twice"}
    assert explained["num_background"] == len(BACKGROUND)
    assert explained["num_evaluations"] <= 2_500
    few = explain(client, shown, ROW, max_evaluations=20).json()
    assert few["num_evaluations"] <= 20


def test_a_label_of_ones_own_choice_is_explained(client, shown, output):
    each = [explain(client, shown, ROW, label=label).json() for label in LABELS]
    if output is OutputKind.NUMBER:
        assert [one["label"] for one in each] == [None] * 3
        return
    assert [one["label"] for one in each] == list(LABELS)
    assert sum(one["answer"] for one in each) == pytest.approx(1, abs=1e-5)
    assert explain(client, shown, ROW, label="owl").json()["code"] == "explain_label_unknown"


def test_what_is_explained_is_the_label_that_the_deployment_says(client, shown, output):
    if output is OutputKind.NUMBER:
        return
    scores = numbers_of(ask(client, shown, ROW, query="?top=9").json()["predictions"][0])
    least = min(LABELS, key=scores.__getitem__)
    thresholds = dict.fromkeys(LABELS, 0.99) | {least: scores[least] / 2}
    Deployment.objects.filter(id=shown["id"]).update(thresholds=thresholds)
    assert explain(client, shown, ROW).json()["label"] == least


def test_looking_into_a_model_is_in_no_log_and_keeps_no_row(client, shown, server):
    assert explain(client, shown, ROW).status_code == 200
    assert explain(client, shown, {"age": "old"}).json()["code"] == "cell_invalid"
    ask(client, shown, ROWS[1])
    (line,) = log_of(client, shown)
    assert line["input_row"] == ROWS[1]
    assert [path.name for path in (server.folder / "inputs").iterdir()] == [line["input_sha256"]]


def test_kept_rows_come_back_as_items_with_the_answer_as_suggestion(client, setup, shown, output):
    known = Item.objects.filter(dataset=setup.dataset).count()
    answer = ask(client, shown, ROW).json()["predictions"][0]["annotations"][0]
    until(log_collect, "the log line")
    feedback = send(client, "post", "/labeling/feedback", {"deployment": shown["id"], "min_uncertainty": 0.0}).json()
    assert feedback["items"] == 1
    job_run(Job.objects.get(id=feedback["job"]["id"]), InMemoryReporter())
    assert Item.objects.filter(dataset=setup.dataset).count() == known + 1
    item = Item.objects.get(dataset=setup.dataset, state="unlabelled")
    assert json.loads(item.text)["cells"]["note"] == "late twice"
    (suggestion,) = Suggestion.objects.get(item=item).annotations
    assert {name: suggestion[name] for name in answer} == answer


@pytest.mark.parametrize("language", ["curl", "python", "javascript"])
def test_the_snippets_work_as_they_stand(language, shown, setup, output, tmp_path, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        _, secret = key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    snippets = shown["snippets"]
    (tmp_path / "call.mjs").write_text(snippets["javascript"])
    command = {
        "curl": ["sh", "-c", snippets["curl"]],
        "python": [sys.executable, "-c", snippets["python"]],
        "javascript": [str(node_folder() / "node"), "call.mjs"],
    }[language]
    environment = {**os.environ, "MODELYARD_KEY": secret}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    typical = {"age": 41, "city": "Paris", "income": 1800.5, "since": "01.05.2020", "note": "asked for a discount"}
    response = httpx.post(shown["url"], json={"row": typical}, headers={"Authorization": f"Bearer {secret}"}).json()
    if language == "curl":
        assert json.loads(done.stdout)["predictions"] == response["predictions"]
        return
    expected = response["predictions"][0]["annotations"]
    lines = done.stdout.splitlines()
    if output is OutputKind.NUMBER:
        assert [float(line) for line in lines] == [expected[0]["value"]]
    else:
        assert [(line.split(" ")[0], float(line.split(" ")[1])) for line in lines] == [
            (one["label"], one["score"]) for one in expected
        ]


def test_a_model_without_a_report_has_a_form_and_no_explanation(db, home, tmp_path, server, django_capture_on_commit_callbacks):
    setup = setup_of(OutputKind.NUMBER)
    client = setup.client()
    artefact = artefact_make(setup, OutputKind.NUMBER, tmp_path / "made", background=())
    shown = published(client, setup, artefact, django_capture_on_commit_callbacks, slug="people")
    server.wait(shown["id"], state="ready")
    form = client.get(f"/api/deployments/{shown['id']}/form").json()
    assert form["examples"] == []
    assert form["fields"][0]["minimum"] is None
    assert explain(client, shown, ROW).json()["code"] == "explain_background_missing"
    texts = send(client, "post", f"/deployments/{shown['id']}/explain/texts", {"text": "a"})
    assert (texts.status_code, texts.json()["code"]) == (422, "explain_unfit")


def test_unsure_inputs_are_kept_only_where_answers_can_be_unsure(client, setup, artefact, output):
    body = {"project": setup.project.id, "artefact": artefact.id, "name": "People", "keep_inputs": "uncertain"}
    made = send(client, "post", "/deployments", body)
    if output is OutputKind.CLASS_SCORES:
        assert made.status_code == 201, made.content
        return
    assert (made.status_code, made.json()["code"]) == (422, "keep_inputs_unfit")
    assert list(made.json()["fields"]) == ["keep_inputs"]
    shown = send(client, "post", "/deployments", body | {"keep_inputs": "all"}).json()
    changed = send(client, "patch", f"/deployments/{shown['id']}", {"keep_inputs": "uncertain"})
    assert (changed.status_code, changed.json()["code"]) == (422, "keep_inputs_unfit")
    assert client.get(f"/api/deployments/{shown['id']}").json()["keep_inputs"] == "all"
