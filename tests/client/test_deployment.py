"""Deployed models asked through the client package, against the real prediction server."""

from __future__ import annotations

import pytest

from automl.contracts.task import OutputKind
from modelyard import ApiError, Client, Deployment, ModelyardError
from modelyard.deployment import MAX_BYTES_PER_REQUEST, MAX_ITEMS_PER_REQUEST, batched
from runtime.predictor import Predictor
from runtime.templates.lines import lines_of
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.exporters.form_picture import form_picture
from tests.exporters.prediction_server import SECRET, Serving, key_row, running
from tests.exporters.text_artefact_factory import LABELS, text_artefact_write


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("asked")


FORM = form_picture()


def _note(artefact):
    """A template of what the model reads in the form: all but its value are references."""
    predictor = Predictor()
    predictor.setup(artefact)
    item = predictor.decode(FORM)
    lines = lines_of(predictor.encode(predictor.predict(item), item))
    references = [{"text": line.text, "points": line.corners.tolist()} for line in lines if line.text != "A文"]
    box = {"x": 130, "y": 90, "width": 120, "height": 50}
    fields = [{"name": "state", "kind": "text", "is_required": True, "box": box, "options": {}}]
    return {"schema_version": 1, "width": 320, "height": 260, "references": references, "fields": fields}


@pytest.fixture(scope="module")
def deployments(folder):
    """One deployment that reads texts, one that sees pictures, and one that rests."""
    serving = Serving(folder / "serving")
    serving.keys(key_row())
    serving.deploy("text", text_artefact_write(folder / "text"), artefact="art_text")
    form_artefact = artefact_write(folder / "form", output=OutputKind.QUADS)
    serving.deploy("picture", artefact_write(folder / "picture"), artefact="art_picture")
    serving.deploy("form", form_artefact, artefact="art_form", templates={"note": _note(form_artefact)})
    with running(serving) as server, Client("http://127.0.0.1:9", SECRET) as client:
        serving.deploy("stopped", folder / "text", state="stopped")
        serving.wait_for_status("stopped", state="stopped")
        for name in ("text", "picture", "form"):
            serving.wait_for_status(name, state="ready")
        yield {
            name: Deployment(client, name, name, name, f"{server.address}/v1/deployments/{name}/predict", "running")
            for name in ("text", "picture", "form", "stopped")
        }


def test_a_text_is_answered_as_the_runtime_does(deployments, folder):
    predicted = deployments["text"].predict("很快 好好好!", top=3)
    predictor = Predictor()
    predictor.setup(folder / "text")
    item = predictor.decode("很快 好好好!".encode())
    assert predicted.annotations == list(predictor.encode(predictor.predict(item), item, top=3))
    assert (predicted.label, predicted.score) == (predicted.annotations[0]["label"], predicted.annotations[0]["score"])
    assert predicted.model == "art_text"
    assert {one["label"] for one in predicted.annotations} <= set(LABELS)


def test_more_texts_than_go_into_one_request_keep_their_order(deployments):
    texts = [f"{'good' if n % 3 else '差'} {chr(97 + n % 26)} {n}" for n in range(MAX_ITEMS_PER_REQUEST * 2 + 5)]
    together = list(deployments["text"].predict_many(iter(texts)))
    assert len(together) == len(texts)
    for place in (0, MAX_ITEMS_PER_REQUEST - 1, MAX_ITEMS_PER_REQUEST, len(texts) - 1):
        assert together[place] == deployments["text"].predict(texts[place])


def test_large_items_go_in_requests_that_the_server_takes(deployments):
    with pytest.raises(ApiError) as refused:
        deployments["text"].predict("a" * (1 << 20))  # the server of this test takes a mebibyte
    assert refused.value.code == "body_too_large"
    halves = ["b" * (MAX_BYTES_PER_REQUEST // 2), "c", "d" * (MAX_BYTES_PER_REQUEST // 2), "e"]
    assert [[len(item) for item in some] for some in batched(halves)] == [
        [MAX_BYTES_PER_REQUEST // 2, 1],
        [MAX_BYTES_PER_REQUEST // 2, 1],
    ]


def test_files_are_asked_about_by_path_or_bytes(deployments, tmp_path):
    picture = picture_bytes(3)
    (tmp_path / "a.png").write_bytes(picture)
    by_path, by_bytes = deployments["picture"].predict_many([tmp_path / "a.png", picture], top=1)
    assert by_path == by_bytes
    assert by_path.score > 0
    (tmp_path / "a.txt").write_text("差 慢", encoding="utf-8")
    assert deployments["text"].predict(tmp_path / "a.txt") == deployments["text"].predict("差 慢")


def test_forms_are_read_by_a_template_that_there_is(deployments):
    form = deployments["form"].fields(FORM)
    assert (form.template, form.model, form.references["found"]) == ("note", "art_form", 3)
    assert form.values == {"state": "A文"}
    with pytest.raises(ApiError) as refused:
        deployments["picture"].fields(FORM, "note")
    assert refused.value.code == "template_unknown"


def test_a_threshold_leaves_out_what_is_less_sure(deployments):
    predicted = deployments["text"].predict("good", top=3)
    limit = predicted.annotations[1]["score"]
    above = deployments["text"].predict("good", top=3, threshold=limit + 1e-6)
    assert above.annotations == [one for one in predicted.annotations if one["score"] > limit]
    nothing = deployments["text"].predict("good", threshold=1.0)
    assert (nothing.annotations, nothing.label, nothing.score) == ([], None, None)


def test_refusals_carry_the_servers_code(deployments):
    with pytest.raises(ApiError) as blank:
        deployments["text"].predict("  \n")
    assert (blank.value.status, blank.value.code) == (400, "text_missing")
    assert blank.value.hint
    with pytest.raises(ApiError) as wrong:
        deployments["picture"].predict("a text for a model that sees pictures")
    assert wrong.value.code == "picture_missing"
    with pytest.raises(ApiError) as resting:
        deployments["stopped"].predict("a text")
    assert (resting.value.status, resting.value.code) == (503, "deployment_stopped")
    with pytest.raises(ModelyardError, match="together"):
        list(deployments["text"].predict_many(["a", b"b"]))
