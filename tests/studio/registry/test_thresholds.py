"""What people change of a model: its note, and the scores from which on it answers."""

import json

import pytest
from django.conf import settings

from automl.contracts.artefact import HASHES_FILE, MANIFEST_FILE, ArtefactManifest
from runtime.hashes import hashes_check, hashes_write
from studio.accounts.models import AuditRow
from studio.deployments.services import DeploymentChanges, deployment_create, deployment_update
from studio.registry.selectors import artefact_answering, artefact_folder
from tests.studio.studies.material import LABELS, artefact_make

CHOSEN = {LABELS[0]: 0.3, LABELS[1]: 0.7}


@pytest.fixture
def artefact(setup, version):
    return artefact_make(setup, version, accuracy=0.8)


def change(setup, artefact, **body):
    return setup.client().patch(f"/api/artefacts/{artefact.id}", body, content_type="application/json")


def served(deployment):
    return json.loads((settings.SERVING_DIR / "deployments" / f"{deployment.id}.json").read_text())["thresholds"]


def test_a_note_is_kept_and_shown(setup, artefact):
    assert change(setup, artefact, note=" The one for the shop ").json()["note"] == "The one for the shop"
    assert setup.client().get(f"/api/artefacts/{artefact.id}").json()["note"] == "The one for the shop"
    assert change(setup, artefact, note="n" * 501).status_code == 422


def test_chosen_thresholds_are_what_the_model_answers_from(setup, artefact):
    shown = change(setup, artefact, thresholds=CHOSEN).json()
    assert (shown["thresholds"], shown["is_threshold_chosen"]) == (CHOSEN, True)
    assert AuditRow.objects.filter(action="artefact.changed", subject=artefact.id).count() == 1
    back = change(setup, artefact, thresholds={}).json()
    assert (back["thresholds"], back["is_threshold_chosen"]) == (back["manifest"]["thresholds"], False)


@pytest.mark.parametrize(
    "thresholds", [{LABELS[0]: 0.3}, {LABELS[0]: 0.3, LABELS[1]: 0.3}, {"bird": 0.5}, {LABELS[0]: 1.0, LABELS[1]: 0.0}]
)
def test_thresholds_that_leave_items_without_an_answer_are_refused(setup, artefact, thresholds):
    reply = change(setup, artefact, thresholds=thresholds)
    assert (reply.status_code, reply.json()["code"]) == (422, "thresholds_unfit")


def test_deployments_follow_unless_they_have_thresholds_of_their_own(setup, artefact, django_capture_on_commit_callbacks):
    make = {"artefact": artefact, "slug": None, "actor": setup.actor}
    with django_capture_on_commit_callbacks(execute=True):
        plain, own = (deployment_create(name=name, **make) for name in ("plain", "own"))
        deployment_update(
            deployment=own, changes=DeploymentChanges(thresholds={LABELS[0]: 0.9, LABELS[1]: 0.1}), actor=setup.actor
        )
    with django_capture_on_commit_callbacks(execute=True):
        assert change(setup, artefact, thresholds=CHOSEN).status_code == 200
    assert served(plain) == CHOSEN
    assert served(own) == {LABELS[0]: 0.9, LABELS[1]: 0.1}


def test_exports_ship_the_chosen_thresholds_with_hashes_that_hold(setup, artefact, tmp_path):
    assert artefact_answering(artefact, tmp_path / "unused") == artefact_folder(artefact)
    artefact.thresholds = CHOSEN
    folder = artefact_folder(artefact)
    hashes_write(folder, [MANIFEST_FILE, "model.onnx"])
    place = artefact_answering(artefact, tmp_path / "model")
    assert dict(ArtefactManifest.read(place / MANIFEST_FILE).thresholds) == CHOSEN
    hashes_check(place, [MANIFEST_FILE, "model.onnx"])
    assert dict(ArtefactManifest.read(folder / MANIFEST_FILE).thresholds) != CHOSEN
    assert (place / HASHES_FILE).read_text() != (folder / HASHES_FILE).read_text()


def test_items_of_a_cell_that_a_threshold_makes(setup, artefact):
    client = setup.client()
    items = client.get(f"/api/artefacts/{artefact.id}/report/items", {"split": "test", "limit": 200}).json()["items"]
    label, score = LABELS[0], 0.5
    expected = {"found": set(), "missed": set(), "false_alarm": set(), "rest": set()}
    for item in items:
        is_true = item["truth"][0]["label"] == label
        is_predicted = any(each["label"] == label and each["score"] >= score for each in item["prediction"])
        cell = ("found" if is_predicted else "missed") if is_true else "false_alarm" if is_predicted else "rest"
        expected[cell].add(item["item"])
    for outcome, ids in expected.items():
        query = {"split": "test", "label": label, "threshold": score, "outcome": outcome, "limit": 200}
        page = client.get(f"/api/artefacts/{artefact.id}/report/items", query).json()
        assert {item["item"] for item in page["items"]} == ids
        assert page["num_items"] == len(ids)
    one = client.get(f"/api/artefacts/{artefact.id}/report/items", {"split": "test", "item": items[0]["item"]}).json()
    assert [item["item"] for item in one["items"]] == [items[0]["item"]]
