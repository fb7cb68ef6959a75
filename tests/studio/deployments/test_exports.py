"""Exports: built in a job by the real targets, checked, kept, handed out."""

import io
import tarfile

import pytest

from automl.contracts.artefact import CARD_FILES, GoldenSamples
from exporters.build import target_find, target_names
from exporters.items import known_items
from studio.accounts.models import AuditRow
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.common.errors import StudioError
from studio.deployments.models import Export
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix
from studio.registry.document.card import model_card
from tests.support.project_setup import InMemoryReporter, setup_make


@pytest.fixture
def client(setup):
    return setup.client()


def ask(client, artefact, target="onprem_server", **options):
    body = {"artefact": artefact.id, "target": target, "options": options}
    return client.post("/api/exports", body, content_type="application/json")


def test_targets_come_with_their_options_and_with_what_the_server_lacks(client, monkeypatch):
    monkeypatch.setenv("MODELYARD_LITERT_PYTHON", "/opt/litert/bin/python")
    missing = {target["name"]: target["missing"] for target in client.get("/api/targets").json()}
    assert "litert_torch" not in (missing["litert_model"] or {"names": ()})["names"]  # it lies in an environment of its own
    assert missing["onprem_server"] is None
    monkeypatch.delenv("MODELYARD_LITERT_PYTHON")
    monkeypatch.setenv("PATH", "")
    targets = client.get("/api/targets").json()
    assert [target["name"] for target in targets] == list(target_names())
    assert all(target["title"]["zh"] and target["accepts"] for target in targets)
    kinds = {target["name"]: target["reads"] for target in targets}
    assert kinds == {name: sorted(target_find(name).spec.items & known_items()) for name in target_names()}
    assert kinds["onprem_server"] == ["image", "row", "text"]
    with_fields = {target["name"] for target in targets if target["reads_forms"]}
    assert with_fields == {"onprem_server", "device_bundle", "python_sdk", "model_update"}
    missing = {target["name"]: target["missing"] for target in targets}
    assert missing["cpp_sdk"]["names"] == targets[[*missing].index("cpp_sdk")]["tools"]
    assert "litert_torch" in missing["litert_model"]["names"]
    assert missing["litert_model"]["variable"] == "MODELYARD_LITERT_PYTHON"


def test_a_build_is_checked_kept_and_handed_out(client, artefact):
    reply = ask(client, artefact, name="pets")
    assert reply.status_code == 202
    export = reply.json()
    assert (export["state"], export["download_url"], export["options"]["name"]) == ("queued", None, "pets")
    assert client.get(f"/api/exports/{export['id']}/download").json()["code"] == "export_not_ready"
    job = Job.objects.get(id=export["job"]["id"])
    reporter = InMemoryReporter()
    job_run(job, reporter)
    assert reporter.fractions == sorted(reporter.fractions)
    export = client.get(f"/api/exports/{export['id']}").json()
    assert export["report"]["check"]["is_passed"]
    assert export["commands"] == ["tar xzf pets-server.tar.gz", "cd pets-server", "./start"]
    reply = client.get(export["download_url"])
    assert "pets-server.tar.gz" in reply["content-disposition"]
    with tarfile.open(fileobj=io.BytesIO(reply.getvalue())) as archive:
        assert any(name.endswith("model.onnx") for name in archive.getnames())
        cards = [archive.extractfile(f"pets-server/{name}").read().decode() for name in CARD_FILES.values()]
    assert cards == [model_card(artefact, language) for language in CARD_FILES]
    row = AuditRow.objects.get(action="export.downloaded")
    assert (row.subject, row.detail) == (export["id"], {"file": "pets-server.tar.gz"})
    assert [each["id"] for each in client.get("/api/exports", {"artefact": artefact.id}).json()["items"]] == [export["id"]]


def test_size_and_times_are_told_before_the_build(setup, client, artefact):
    def told(**body):
        reply = client.post("/api/exports/estimates", {"artefact": artefact.id, **body}, content_type="application/json")
        return reply.json()

    every = {each["target"]: each for each in told()}
    able = {name for name in target_names() if artefact.facts.output in target_find(name).spec.accepts}
    assert every.keys() == able
    assert all(each["size_bytes"] > 1000 and each["build_s"] is None for each in every.values())
    assert (every["python_sdk"]["answer_ms"], every["mnn_model"]["answer_ms"]) == (artefact.latency_ms, None)
    (page, bare) = (told(target="web_sdk", options={"page": has_page})[0] for has_page in (True, False))
    assert page == every["web_sdk"]
    assert bare["size_bytes"] < page["size_bytes"] / 2
    reports = [{"duration_s": duration_s} for duration_s in (4.0, 9.0, 5.0)]
    for report in reports:
        Export.objects.create(
            project=artefact.project, artefact=artefact, target="python_sdk", report=report, created_by=setup.actor.id
        )
    assert told(target="python_sdk")[0]["build_s"] == 5.0
    assert told(target="teleporter")["code"] == "target_unknown"
    assert told(target="python_sdk", options={"colour": "red"})["code"] == "option_invalid"


def test_a_second_attempt_keeps_what_the_first_has_built(client, artefact):
    job = Job.objects.get(id=ask(client, artefact).json()["job"]["id"])
    job_run(job, InMemoryReporter())
    blob = Export.objects.get().blob
    job_run(job, InMemoryReporter())
    assert Export.objects.get().blob == blob


def test_a_tampered_artefact_fails_the_build_with_the_targets_own_code(client, artefact):
    job = Job.objects.get(id=ask(client, artefact).json()["job"]["id"])
    expected = blobs().fetch_tree(result_prefix(artefact.facts.lineage.job)) / "samples" / "expected.json"
    samples = GoldenSamples.read(expected)
    lies = tuple(sample.model_copy(update={"scores": sample.scores[::-1]}) for sample in samples.samples)
    samples.model_copy(update={"samples": lies}).write(expected)
    with pytest.raises(StudioError) as caught:
        job_run(job, InMemoryReporter())
    assert caught.value.code == "export_check_failed"
    assert caught.value.hint
    assert Export.objects.get().blob == ""


def test_wrong_requests_are_refused_before_a_job_is_made(client, artefact):
    assert ask(client, artefact, "teleporter").json()["code"] == "target_unknown"
    assert ask(client, artefact, port=1).json()["code"] == "option_invalid"
    assert ask(client, artefact, colour="red").json()["code"] == "option_invalid"
    assert not Job.objects.filter(kind="export").exists()


def test_what_a_target_cannot_ship_is_refused_before_a_job_is_made(client, artefact):
    pictures = artefact.manifest
    texts = {"kind": "text", "max_tokens": 8, "pad_id": 0}
    for part, code in (
        ({"decode": texts}, "items_not_read"),
        ({"licences": [{"part": "weights", "spdx": "CC-BY-NC-4.0", "source": "there"}]}, "licence_refused"),
    ):
        artefact.manifest = pictures | part
        artefact.save(update_fields=["manifest"])
        assert ask(client, artefact, "mnn_model").json()["code"] == code
    assert not Job.objects.filter(kind="export").exists()


def test_rights(setup, client, artefact):
    export = ask(client, artefact).json()["id"]
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert viewer.get(f"/api/exports/{export}").status_code == 200
    assert ask(viewer, artefact).status_code == 403
    stranger = setup_make(email="eve@example.org").client()
    assert stranger.get(f"/api/exports/{export}").status_code == 404
    assert stranger.get(f"/api/exports/{export}/download").status_code == 404
    assert stranger.get("/api/exports", {"artefact": artefact.id}).status_code == 404
    assert ask(stranger, artefact).status_code == 404
