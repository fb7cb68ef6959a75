"""Kinds of items and of answers as rooms of the platform know them: found by listing, whole for every kind there is."""

from __future__ import annotations

import ast
import re
from functools import partial

import pytest

import runtime.answers
import runtime.items
from automl.contracts.annotation import ClassLabel
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.report import JudgedItem
from automl.contracts.task import OutputKind
from exporters.answers import answer_kind
from exporters.bundle import manifest_read
from studio.deployments import items
from studio.deployments.models import PredictionLog
from studio.deployments.schemas import PredictionLogOut
from studio.deployments.snippets import snippets_of
from studio.registry import answers
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

MAKERS = {
    "image": artefact_write,
    "image of boxes": partial(artefact_write, output=OutputKind.BOXES),
    "text": text_artefact_write,
    "row": row_artefact_write,
    "row of numbers": partial(row_artefact_write, output=OutputKind.NUMBER),
}


@pytest.fixture(scope="module", params=MAKERS)
def manifest(request, tmp_path_factory) -> ArtefactManifest:
    return manifest_read(MAKERS[request.param](tmp_path_factory.mktemp("kinds") / "artefact"))


def unknown(manifest: ArtefactManifest) -> ArtefactManifest:
    decode = manifest.decode.model_copy(update={"kind": "smell"})
    return manifest.model_copy(update={"decode": decode})


def test_every_kind_that_the_runtime_knows_can_be_deployed_and_filtered():
    assert set(items.NAMES) == set(runtime.items.NAMES)
    assert set(answers.NAMES) == set(runtime.answers.NAMES)


def test_programs_are_whole(manifest):
    programs = snippets_of("https://example.org/v1/deployments/d/predict", manifest)
    for program in (programs.curl, programs.python, programs.javascript):
        assert "https://example.org" in program
        assert "MODELYARD_KEY" in program
        assert not re.search(r"\{\{ *[a-z_]+ *\}\}", program)
    ast.parse(programs.python)
    assert all(field in programs.python and field in programs.javascript for field in answer_kind(manifest).fields)


def test_what_a_kind_adds_to_a_call_of_the_log_is_in_the_api(manifest):
    call = PredictionLog(top=[None], input_sha256=None)
    assert set(items.deployed_items(manifest).log_fields(call)) <= set(PredictionLogOut.model_fields)


def test_an_unknown_kind_names_itself(manifest):
    with pytest.raises(ValueError, match="smell"):
        items.deployed_items(unknown(manifest))


def judged(truth: list[str], prediction: list[tuple[str, float]]) -> JudgedItem:
    return JudgedItem(
        item="i",
        truth=tuple(ClassLabel(label=label) for label in truth),
        prediction=tuple(ClassLabel(label=label, score=score) for label, score in prediction),
        loss=0.0,
    )


@pytest.mark.parametrize(
    ("kind", "predicted", "is_error"), [("class_scores", ["b"], True), ("label_scores", ["a"], False), ("number", [], True)]
)
def test_kinds_of_answers_say_what_was_predicted_by_their_own_rule(kind, predicted, is_error):
    """The best label is below its threshold: where one label must hold it is the answer, else it is none."""
    known = answers.kind_of(answers.__name__, answers.NAMES, kind, of="answers")
    item = judged(["a"], [("b", 0.6), ("a", 0.4)])
    found = known.predicted(item.prediction, {"b": 0.7, "a": 0.3})
    assert (found, known.is_error(item, ["a"], found)) == (predicted, is_error)
