"""Several models of one deployment, from the request to the prediction server's answers and the comparison."""

import json
from collections import Counter
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from studio.accounts.keys import key_create
from studio.accounts.models import AuditRow
from studio.accounts.roles import Role
from studio.deployments.logs import log_collect, log_prune
from studio.deployments.models import PredictionLog, ShadowCall, Variant
from tests.exporters.prediction_server import wait_for
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import picture, setup_make

MINE = "prd_" + "0" * 25


@pytest.fixture
def other(setup, version):
    """A second model of the project."""
    return artefact_make(setup, version)


@pytest.fixture
def put(setup, deployment, django_capture_on_commit_callbacks):
    """Shares the calls out anew."""

    def ask(shares, shadow=None, client=None):
        body = {"models": [{"artefact": each, "share": share} for each, share in shares], "shadow": shadow}
        with django_capture_on_commit_callbacks(execute=True):
            path = f"/api/deployments/{deployment.id}/traffic"
            return (client or setup.client()).put(path, body, content_type="application/json")

    return ask


def deployment_file(home, deployment):
    return json.loads((home / "serving" / "deployments" / f"{deployment.id}.json").read_bytes())


def test_a_deployment_of_one_model_is_written_as_ever(home, deployment, artefact, setup):
    assert {"variants", "shadow"}.isdisjoint(deployment_file(home, deployment))
    shown = setup.client().get(f"/api/deployments/{deployment.id}").json()
    assert shown["models"] == [{"artefact": artefact.id, "share": 100, "message": ""}]
    assert shown["shadow"] is None


def test_shares_and_a_shadow_are_written_beside_what_older_servers_read(home, setup, version, artefact, other, deployment, put):
    third = artefact_make(setup, version)
    shown = put([(artefact.id, 70), (other.id, 30)], third.id)
    assert shown.status_code == 200, shown.content
    assert [(each["artefact"], each["share"]) for each in shown.json()["models"]] == [(artefact.id, 70), (other.id, 30)]
    assert shown.json()["shadow"]["artefact"] == third.id
    written = deployment_file(home, deployment)
    assert (written["artefact"], written["artefact_dir"]) == (artefact.id, f"artefacts/{artefact.id}")
    assert [(each["artefact"], each["share"]) for each in written["variants"]] == [(other.id, 30)]
    assert written["shadow"]["artefact"] == third.id
    assert all((home / "serving" / "artefacts" / each / "model.onnx").is_file() for each in (other.id, third.id))
    row = AuditRow.objects.get(action="deployment.traffic_changed")
    assert row.detail == {"shares": {artefact.id: 70, other.id: 30}, "shadow": third.id}


def test_the_first_model_stays_until_it_has_no_share(artefact, other, deployment, put):
    put([(other.id, 90), (artefact.id, 10)])
    deployment.refresh_from_db()
    assert deployment.artefact_id == artefact.id
    put([(other.id, 100)])
    deployment.refresh_from_db()
    assert (deployment.artefact_id, Variant.objects.count()) == (other.id, 0)


def test_another_first_model_takes_its_own_share_along(setup, artefact, other, deployment, put):
    put([(artefact.id, 60), (other.id, 40)])
    path = f"/api/deployments/{deployment.id}"
    shown = setup.client().patch(path, {"artefact": other.id}, content_type="application/json").json()
    assert [(each["artefact"], each["share"]) for each in shown["models"]] == [(other.id, 100)]


@pytest.mark.parametrize(
    ("shares", "shadow"), [([60, 30], None), ([60, 60], None), ([100], 0), ([50, 50], 1)], ids=["less", "more", "both", "too"]
)
def test_what_cannot_be_shared_is_refused(artefact, other, deployment, put, shares, shadow):
    ids = [artefact.id, other.id]
    reply = put(list(zip(ids, shares, strict=False)), None if shadow is None else ids[shadow])
    assert (reply.status_code, reply.json()["code"]) == (422, "traffic_invalid")
    assert not Variant.objects.exists()


def test_models_of_others_are_refused(setup, artefact, deployment, put):
    stranger = setup_make(email="eve@example.org")
    foreign = artefact_make(stranger, version_make(stranger))
    assert put([(artefact.id, 50), (foreign.id, 50)]).status_code == 404
    assert put([(artefact.id, 50), (artefact.id, 50)]).json()["code"] == "traffic_invalid"
    assert put([(artefact.id, 100)], client=stranger.client()).status_code == 404


def test_callers_are_shared_and_compared(setup, artefact, other, deployment, put, server, django_capture_on_commit_callbacks):
    server.wait(deployment.id, state="ready")
    put([(artefact.id, 50), (other.id, 50)])
    with django_capture_on_commit_callbacks(execute=True):
        _, secret = key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    wait_for(lambda: len(server.wait(deployment.id)["models"]) == 2, "the second model")
    answers = [server.predict(deployment.id, secret=secret, content=picture(n)).json()["model"] for n in range(60)]
    assert set(answers) == {artefact.id, other.id}
    client = setup.client()
    tried = client.post(f"/api/deployments/{deployment.id}/try", {"file": SimpleUploadedFile("a.png", picture(1), "image/png")})
    assert tried.json()["model"] == artefact.id
    wait_for(lambda: (log_collect(), PredictionLog.objects.count())[1] == 61, "the log")
    compared = client.get(f"/api/deployments/{deployment.id}/comparison").json()
    calls = {each["artefact"]: each["calls"] for each in compared["models"]}
    assert calls == Counter(answers)  # and not the try-out
    assert all(each["errors"] == 0 and each["p50_ms"] > 0 for each in compared["models"])
    assert all(sum(label["fraction"] for label in each["labels"]) == pytest.approx(1) for each in compared["models"])
    assert PredictionLog.objects.filter(is_pinned=True).count() == 1


@pytest.fixture
def journal(home, deployment):
    """Writes lines of the prediction server's log."""
    path = home / "serving" / "log" / deployment.id / f"{timezone.now():%Y%m%d%H}.7.jsonl"
    path.parent.mkdir(parents=True)

    def write(*lines):
        with path.open("a") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)

    return write


def call_line(number, artefact, **fields):
    at = timezone.now().isoformat()
    line = {"id": f"{MINE}{number}", "at": at, "artefact": artefact, "status": 200, "latency_ms": 2.0, "num_pictures": 1}
    return line | {"top": [{"label": "cat", "score": 0.9}], "uncertainty": 0.2} | fields


def shadow_line(number, artefact, **fields):
    at = timezone.now().isoformat()
    line = {"shadow_of": f"{MINE}{number}", "at": at, "artefact": artefact, "latency_ms": 1.0}
    return line | {"top": [{"label": "dog", "score": 0.8}], "uncertainty": 0.3, "disagreement": 1.0, "place": 0} | fields


def test_predictions_of_a_shadow_become_rows_and_are_compared(home, setup, artefact, other, deployment, put, journal):
    put([(artefact.id, 100)], other.id)
    sha256 = "ab" * 32
    (home / "serving" / "inputs").mkdir(exist_ok=True)
    (home / "serving" / "inputs" / sha256).write_bytes(b"kept")
    journal(
        *(call_line(n, artefact.id) for n in range(3)),
        shadow_line(0, other.id, input=sha256, held=[{"kind": "class", "label": "cat", "score": 0.9}]),
        shadow_line(1, other.id, disagreement=0.0, top=[{"label": "cat", "score": 0.9}]),
        shadow_line(2, other.id, disagreement=None, top=[], code="answer_invalid"),
        shadow_line(9, other.id),  # of a call that is in no log
    )
    assert log_collect() == 3
    assert sorted(ShadowCall.objects.values_list("id", "answered_by")) == [(f"{MINE}{n}", artefact.id) for n in range(3)]
    compared = setup.client().get(f"/api/deployments/{deployment.id}/comparison").json()
    shadow = compared["shadow"]
    assert (shadow["calls"], shadow["errors"], shadow["compared"], shadow["agreed"]) == (3, 1, 2, 1)
    assert {each["label"]: each["fraction"] for each in shadow["labels"]} == {"cat": 0.5, "dog": 0.5}
    assert compared["disagreements"] == 1
    shown = setup.client().get(f"/api/deployments/{deployment.id}/inputs/{sha256}")
    assert b"".join(shown.streaming_content) == b"kept"
    assert log_prune(clock=lambda: timezone.now() + timedelta(days=31)) == 3
    assert not ShadowCall.objects.exists()
    assert not (home / "serving" / "inputs" / sha256).exists()


def test_a_model_that_failed_is_charged_though_another_one_answered(setup, artefact, other, deployment, put, journal):
    put([(artefact.id, 50), (other.id, 50)])
    journal(
        call_line(0, artefact.id, fallback_from=other.id, fallback_code="answer_invalid"),
        call_line(1, other.id),
        call_line(2, other.id, status=400, code="picture_unreadable", top=[], uncertainty=None),
    )
    log_collect()
    compared = setup.client().get(f"/api/deployments/{deployment.id}/comparison").json()["models"]
    assert [(each["calls"], each["errors"]) for each in compared] == [(1, 0), (3, 1)]
    row = setup.client().get(f"/api/deployments/{deployment.id}/log").json()["items"][-1]
    assert (row["artefact"], row["fallback_from"], row["fallback_code"]) == (artefact.id, other.id, "answer_invalid")
