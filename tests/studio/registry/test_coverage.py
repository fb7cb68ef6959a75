"""Guarantees of a report: what a person chooses of them is what deployments and exports answer with."""

import json

import pytest
from django.conf import settings

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE, Report
from runtime.predictor import Predictor
from studio.accounts.models import AuditRow
from studio.common.blobs import blobs
from studio.deployments.services import deployment_create
from studio.registry.reports import report_of
from studio.registry.selectors import artefact_answering, artefact_folder
from tests.studio.registry import report_material as material
from tests.support.project_setup import home, picture

__all__ = ["home"]


@pytest.fixture
def pictures(db, home, tmp_path):
    return material.TASKS["pictures"](tmp_path / "made")


@pytest.fixture
def numbers(db, home, tmp_path):
    return material.TASKS["numbers"](tmp_path / "made")


def choose(setup, artefact, **coverage):
    reply = setup.client().patch(f"/api/artefacts/{artefact.id}", {"coverage": coverage}, content_type="application/json")
    artefact.refresh_from_db()
    return reply


def shown(setup, artefact):
    return setup.client().get(f"/api/artefacts/{artefact.id}/report").json()["coverage"]


def served(deployment):
    return json.loads((settings.SERVING_DIR / "deployments" / f"{deployment.id}.json").read_text())


def test_deployments_answer_by_what_was_chosen_until_it_is_taken_back(pictures, django_capture_on_commit_callbacks):
    setup, artefact = pictures
    with django_capture_on_commit_callbacks(execute=True):
        deployment = deployment_create(artefact=artefact, name="plain", slug=None, actor=setup.actor)
    assert "coverage" not in served(deployment)
    with django_capture_on_commit_callbacks(execute=True):
        reply = choose(setup, artefact, error_rate=0.2)
    (line,) = [each for each in shown(setup, artefact)["labels"] if (each["error_rate"], each["scope"]) == (0.2, "all")]
    expected = {"error_rate": 0.2, "scope": "all", "limits": line["limits"], "reach": None}
    assert reply.json()["coverage"] == served(deployment)["coverage"] == expected
    assert AuditRow.objects.get(action="artefact.changed").detail == {"coverage": {"error_rate": 0.2, "scope": "all"}}
    with django_capture_on_commit_callbacks(execute=True):
        assert choose(setup, artefact, error_rate=None).json()["coverage"] is None
    assert "coverage" not in served(deployment)


def test_exports_ship_it_and_the_shipped_model_asks(pictures, tmp_path):
    setup, artefact = pictures
    assert artefact_answering(artefact, tmp_path / "unused") == artefact_folder(artefact)
    before = (artefact_folder(artefact) / MANIFEST_FILE).read_bytes()
    choose(setup, artefact, error_rate=0.2)
    place = artefact_answering(artefact, tmp_path / "model")
    assert ArtefactManifest.read(place / MANIFEST_FILE).coverage == artefact.covered_by
    assert (artefact_folder(artefact) / MANIFEST_FILE).read_bytes() == before
    predictor = Predictor()
    predictor.setup(place)
    for number in range(8):
        answer = predictor.predict(predictor.decode(picture(number)))
        scores = dict(zip(predictor.labels, answer.tolist(), strict=True))
        possible = {label for label, score in scores.items() if score >= artefact.covered_by.limits[label]}
        found = predictor.beside(answer)
        assert set(found["possible_labels"]) == possible
        assert found["ask_a_person"] is (possible != {max(scores, key=scores.get)})


def test_numbers_are_chosen_by_their_reach(numbers, tmp_path):
    setup, artefact = numbers
    choose(setup, artefact, error_rate=0.2)
    (line,) = [each for each in shown(setup, artefact)["numbers"] if each["error_rate"] == 0.2]
    assert artefact.covered_by.reach == line["reach"] > 0
    predictor = Predictor()
    predictor.setup(artefact_answering(artefact, tmp_path / "model"))
    answer = predictor.predict(predictor.items.typical())
    interval = predictor.beside(answer)["interval"]
    assert interval["high"] - interval["low"] == pytest.approx(2 * line["reach"], rel=1e-5)
    assert (interval["low"] + interval["high"]) / 2 == pytest.approx(float(answer[0]), rel=1e-5)
    assert interval["error_rate"] == 0.2


@pytest.mark.parametrize(
    ("coverage", "context"),
    [
        ({"error_rate": 0.01}, "items"),
        ({"error_rate": 0.03}, "rate"),
    ],
)
def test_what_the_report_does_not_guarantee_is_refused(pictures, coverage, context):
    setup, artefact = pictures
    reply = choose(setup, artefact, **coverage)
    assert (reply.status_code, reply.json()["code"], reply.json()["params"]["context"]) == (422, "coverage_unfit", context)
    assert artefact.covered_by is None


def test_numbers_have_no_guarantee_by_label(numbers):
    setup, artefact = numbers
    assert choose(setup, artefact, error_rate=0.2, scope="label").json()["params"]["context"] == "rate"


def test_an_older_report_is_read_and_has_none(pictures):
    setup, artefact = pictures
    older = json.loads((artefact_folder(artefact) / REPORT_FILE).read_text())
    del older["coverage"]
    path = blobs().fetch_tree(artefact.tree) / REPORT_FILE
    path.chmod(0o644)
    path.write_text(json.dumps(older))
    report_of.cache_clear()
    assert Report.read(path).coverage is None
    assert shown(setup, artefact) is None
    assert choose(setup, artefact, error_rate=0.2).json()["params"]["context"] == "none"
    assert setup.client().get(f"/api/artefacts/{artefact.id}/report.html").status_code == 200


@pytest.mark.parametrize("scope", ["all", "label"])
def test_the_items_behind_each_count_are_listed(pictures, scope):
    setup, artefact = pictures
    measured = [each for each in shown(setup, artefact)["labels"] if each["measure"] and each["scope"] == scope]
    assert measured
    for line in measured:
        for unsure, count in (("asked", "num_asked"), ("wrong", "num_wrong")):
            query = {"split": "test", "error_rate": line["error_rate"], "scope": scope, "unsure": unsure, "limit": 200}
            page = setup.client().get(f"/api/artefacts/{artefact.id}/report/items", query).json()
            assert page["num_items"] == line["measure"][count]
            for item in page["items"] if unsure == "wrong" else ():
                assert item["truth"][0]["label"] != item["prediction"][0]["label"]
    query = {"error_rate": 0.01, "scope": scope, "unsure": "asked"}
    assert setup.client().get(f"/api/artefacts/{artefact.id}/report/items", query).status_code == 422
