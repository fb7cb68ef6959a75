"""Templates: marked on a picture, read in another one, by the API and by the prediction server."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import TestCase
from django.utils import timezone

from automl.contracts.task import OutputKind
from exporters.bundle import artefact_copy
from runtime.app import Application
from runtime.pool import Pool
from runtime.predictor import Predictor
from runtime.serving import ServingFolder
from runtime.templates import TEMPLATES_DIR
from studio.deployments.gateway import deployment_publish, internal_secret
from studio.deployments.models import Deployment
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.jobs.workdir import workdir_keep
from studio.registry.models import Artefact
from studio.templates.examples import example_files_added
from studio.templates.models import Template
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.form_picture import PRINTED, form_picture
from tests.studio.predictions.material import artefact_place, sent
from tests.studio.studies.material import version_make
from tests.support.project_setup import InMemoryReporter, setup_make, zip_of

pytestmark = pytest.mark.django_db
OTHER = {"文文文A": (20, 20), "A文文A": (190, 20), "文文A文": (20, 200)}
BOX = {"x": 130, "y": 90, "width": 120, "height": 50}
FIELDS = [
    {"name": "state", "kind": "choice", "is_required": True, "box": BOX, "options": {"choices": ["A文", "文"]}},
    {"name": "note", "kind": "text", "is_required": True, "box": {**BOX, "y": 150, "height": 30}},
]


@pytest.fixture
def setup(db, home):
    return setup_make()


@pytest.fixture
def artefact(setup, tmp_path):
    folder = artefact_write(tmp_path / "quads", output=OutputKind.QUADS)
    return artefact_place(setup, version_make(setup, num_items=8), folder)


@pytest.fixture
def client(setup):
    return setup.client()


@pytest.fixture
def template(client, setup, artefact):
    answer = _sent(client, f"/api/projects/{setup.project.id}/templates", form_picture(), name="Delivery note")
    assert answer.status_code == 201, answer.content
    return answer.json()


def _sent(client, address, data, **fields):
    return client.post(address, {**fields, "file": SimpleUploadedFile("a.png", data, "image/png")})


def _marked(template, **changes):
    lines = [line for line in template["lines"] if line["text"] != "A文"]
    references = [{"text": line["text"], "points": line["points"]} for line in lines]
    return {"name": "Note", "version": template["version"], "references": references, "fields": FIELDS, **changes}


def _save(client, template, **changes):
    address = f"/api/templates/{template['id']}"
    with TestCase.captureOnCommitCallbacks(execute=True):
        return client.put(address, _marked(template, **changes), content_type="application/json")


def test_a_template_is_called_as_its_maker_says(client, setup, artefact):
    path = f"/api/projects/{setup.project.id}/templates"
    assert _sent(client, path, form_picture(), name="送货单", slug="delivery").json()["slug"] == "delivery"
    taken = _sent(client, path, form_picture(), name="另一张", slug="delivery")
    assert (taken.status_code, taken.json()["code"]) == (409, "template_slug_taken")
    assert taken.json()["fields"] == {"slug": ["is taken"]}
    assert _sent(client, path, form_picture(), name="另一张", slug="No Slug").status_code == 422
    assert [_sent(client, path, form_picture(), name="另一张").json()["slug"] for _ in range(2)] == ["template", "template-2"]


def test_a_marked_form_gives_its_fields(client, setup, template, artefact):
    assert len(template["lines"]) == 4
    assert "A文" in {line["text"] for line in template["lines"]}
    assert (template["slug"], template["is_complete"], template["width"]) == ("delivery-note", False, 320)
    assert client.get(template["picture_url"]).headers["Content-Type"] == "image/jpeg"
    address = f"/api/templates/{template['id']}/fields"
    assert _sent(client, address, form_picture()).json()["code"] == "template_incomplete"
    saved = _save(client, template).json()
    assert (saved["name"], saved["slug"], saved["is_complete"], saved["num_fields"]) == ("Note", "delivery-note", True, 2)
    form = _sent(client, address, form_picture("文", degrees=-8)).json()
    state, note = form["fields"]
    assert (state["value"], state["problems"]) == ("文", [])
    assert 0.5 < state["confidence"] < 0.91
    assert (note["value"], [each["code"] for each in note["problems"]]) == (None, ["missing"])
    assert (form["references"]["found"], form["version"], form["artefact"]) == (3, saved["version"], artefact.id)
    refused = _sent(client, address, form_picture(printed={})).json()
    assert (refused["code"], refused["params"]["needed"]) == ("references_not_found", 2)
    assert _sent(client, address, b"no picture").json()["code"] == "template_picture_unusable"
    assert _sent(client, f"{address}?artefact=art_unknown", form_picture()).status_code == 404
    assert [each["name"] for each in client.get(f"/api/projects/{setup.project.id}/templates").json()["items"]] == ["Note"]
    assert client.delete(f"/api/templates/{template['id']}").status_code == 204
    assert not Template.objects.exists()


def test_what_is_saved_is_by_the_contract_and_no_older_state(client, template):
    no_values = [{**FIELDS[0], "options": {}}]
    assert _save(client, template, fields=no_values).json()["code"] == "template_invalid"
    assert _save(client, template, fields=[FIELDS[0], FIELDS[0]]).json()["code"] == "template_invalid"
    saved = _save(client, template).json()
    assert saved["version"] != template["version"]
    assert _save(client, template, fields=[]).json()["code"] == "template_changed"
    assert _save(client, {**template, "version": saved["version"]}).json()["version"] == saved["version"]


def test_a_model_that_reads_lines_is_needed(client, setup, tmp_path):
    address = f"/api/projects/{setup.project.id}/templates"
    assert _sent(client, address, form_picture(), name="T").json()["code"] == "template_model_missing"
    artefact_place(setup, version_make(setup, num_items=8), artefact_write(tmp_path / "scores"))
    assert _sent(client, address, form_picture(), name="T").json()["code"] == "template_model_missing"


def test_deployments_and_products_answer_by_it(client, setup, template, settings, tmp_path, artefact):
    deployment = Deployment.objects.create(
        workspace=setup.workspace, project=setup.project, artefact=artefact, name="D", slug="d", created_by="x"
    )
    deployment_publish(deployment.id)
    _save(client, template)
    status, answer = _asked(settings, setup, "?template=delivery-note", form_picture(degrees=6))
    assert status == 200
    assert [each["value"] for each in answer["forms"][0]["fields"]] == ["A文", None]
    other = _sent(client, f"/api/projects/{setup.project.id}/templates", form_picture(printed=OTHER), name="Other").json()
    _save(client, other, name="Other")
    for printed, slug in ((OTHER, "other"), (PRINTED, "delivery-note")):
        status, answer = _asked(settings, setup, "", form_picture(printed=printed))
        assert (status, answer["forms"][0]["template"]) == (200, slug), "the one that fits"
    status, answer = _asked(settings, setup, "?template=third", form_picture())
    assert (status, answer["code"]) == (404, "template_unknown")
    status, answer = _asked(settings, setup, "", form_picture(printed={}))
    assert (status, answer["code"], answer["needed"]) == (422, "references_not_found", 2)
    product = _product(tmp_path, settings, deployment)
    assert list(product.templates) == ["delivery-note", "other"]


def _product(tmp_path, settings, deployment):
    """The model as products have it, with the templates beside the deployment."""
    served = json.loads((settings.SERVING_DIR / "deployments" / f"{deployment.id}.json").read_text())
    folder = artefact_write(tmp_path / "with", output=OutputKind.QUADS)
    (folder / TEMPLATES_DIR).mkdir()
    for slug, content in served["templates"].items():
        (folder / TEMPLATES_DIR / f"{slug}.json").write_text(json.dumps(content))
    artefact_copy(folder, tmp_path / "product" / "artefact")
    predictor = Predictor()
    predictor.setup(tmp_path / "product" / "artefact")
    return predictor


def _asked(settings, setup, query, data):
    source = ServingFolder(settings.SERVING_DIR)
    source.refresh()
    pool = Pool(1)

    async def ask():
        transport = httpx.ASGITransport(Application(source, pool=pool))
        async with httpx.AsyncClient(transport=transport, base_url="http://server") as server:
            secret = internal_secret(setup.workspace.id)
            headers = {"Authorization": f"Bearer {secret}", "Content-Type": "image/png"}
            return await server.post(f"/v1/deployments/d/fields{query}", content=data, headers=headers)

    try:
        answer = asyncio.run(ask())
    finally:
        pool.close()
    return answer.status_code, answer.json()


def test_the_model_in_production_reads(client, setup, template, artefact):
    copy = Artefact.objects.create(
        project=setup.project,
        number=2,
        version=artefact.version,
        tree=artefact.tree,
        manifest=artefact.manifest,
        latency_ms=1,
        model_bytes=1,
        size_bytes=1,
    )
    _save(client, template)
    address = f"/api/templates/{template['id']}/fields"
    assert _sent(client, address, form_picture()).json()["artefact"] == copy.id, "the newest"
    Artefact.objects.filter(id=artefact.id).update(stage="production")
    assert _sent(client, address, form_picture()).json()["artefact"] == artefact.id


def test_templates_that_come_with_a_quick_start_are_there_once(client, setup, tmp_path):
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "note.png").write_bytes(form_picture())
    points = [[20, 20], [116, 20], [116, 41], [20, 41]]
    lines = [{"text": "A文A文A", "points": points, "score": 1.0}]
    content = {"references": [{"text": "A文A文A", "points": points}], "fields": FIELDS}
    (folder / "note.json").write_text(json.dumps({"name": "Note", "content": content, "lines": lines}))
    for _ in range(2):  # a job that was restarted
        example_files_added(setup.project, tmp_path)
    (made,) = client.get(f"/api/projects/{setup.project.id}/templates").json()["items"]
    assert (made["name"], made["slug"], made["is_complete"], made["width"]) == ("Note", "note", True, 320)


def test_a_table_is_kept_with_its_columns_and_answered_as_rows(client, template):
    columns = [{"name": "goods", "kind": "text", "options": {}}, {"name": "n", "kind": "number", "options": {}}]
    table = {"name": "lines", "kind": "table", "is_required": True, "box": BOX, "options": {"columns": columns}}
    saved = _save(client, template, fields=[table]).json()
    kept = saved["fields"][0]["options"]["columns"]
    assert [(each["name"], each["kind"]) for each in kept] == [("goods", "text"), ("n", "number")]
    (field,) = _sent(client, f"/api/templates/{template['id']}/fields", form_picture()).json()["fields"]
    assert (field["value"], field["cells"], field["problems"][0]["code"]) == (None, [], "table_not_found")
    nested = {**table, "options": {"columns": [{"name": "goods", "kind": "table"}]}}
    assert _save(client, saved, fields=[nested]).json()["code"] == "template_invalid"


def test_a_batch_prediction_gives_the_fields_of_each_form_and_says_what_is_none(client, setup, template, artefact):
    files = {
        "a.png": form_picture(),
        "b.png": form_picture("文", degrees=5),
        "broken.png": form_picture()[:90],
        "other.png": form_picture(printed={}),
    }
    body = {"artefact": artefact.id, "source": "files", "uploads": [sent(setup, "forms.zip", zip_of(files)).id]}
    address = f"/api/projects/{setup.project.id}/predictions"
    run = client.post(address, body, content_type="application/json").json()

    job_run(Job.objects.get(id=run["job"]["id"]), InMemoryReporter())
    fields = f"/api/predictions/{run['id']}/fields"
    assert client.post(fields).json()["code"] == "template_incomplete"
    _save(client, template)
    assert client.get(fields).json()["code"] == "fields_missing"
    job = client.post(fields).json()["job"]
    assert client.post(fields).json()["job"]["id"] == job["id"]
    job_run(Job.objects.get(id=job["id"]), InMemoryReporter())
    workdir_keep(job["id"], has_result=True)
    Job.objects.filter(id=job["id"]).update(state="succeeded", ended_at=timezone.now())
    reply = client.get(fields)
    rows = [json.loads(line) for line in b"".join(reply.streaming_content).splitlines()]
    assert [row["name"] for row in rows] == list(files)
    assert [row["fields"][0]["value"] for row in rows[:2]] == ["A文", "文"]
    assert [row["error"] for row in rows[2:]] == ["damaged_picture", "references_not_found"]
