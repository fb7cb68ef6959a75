"""Kinds of items and of answers as the platform's apps know them: found by listing, whole for every kind there is."""

from __future__ import annotations

import ast
import re
from functools import partial

import numpy as np
import pytest

import runtime.answers
import runtime.items
from automl.contracts.annotation import Box, ClassLabel, HeatMap, Mask, Polygon
from automl.contracts.artefact import ArtefactManifest
from automl.contracts.report import JudgedItem
from automl.contracts.task import OutputKind
from exporters.answers import answer_kind
from exporters.bundle import manifest_read
from runtime.run_lengths import counts_of
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
    "image of masks": partial(artefact_write, output=OutputKind.MASK),
    "image of instances": partial(artefact_write, output=OutputKind.INSTANCES),
    "image of lines of text": partial(artefact_write, output=OutputKind.QUADS),
    "image of vectors": partial(artefact_write, output=OutputKind.VECTOR),
    "image of heat maps": partial(artefact_write, output=OutputKind.HEAT_MAP),
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
    ("kind", "predicted", "is_error"),
    [("class_scores", ["b"], True), ("label_scores", ["a"], False), ("number", [], True), ("mask", ["b", "a"], False)],
)
def test_kinds_of_answers_say_what_was_predicted_by_their_own_rule(kind, predicted, is_error):
    """The best label is below its threshold: where one label must hold it is the answer, else it is none."""
    known = answers.kind_of(answers.__name__, answers.NAMES, kind, of="answers")
    item = judged(["a"], [("b", 0.6), ("a", 0.4)])
    found = known.predicted(item.prediction, {"b": 0.7, "a": 0.3})
    assert (found, known.is_error(item, ["a"], found)) == (predicted, is_error)


PIXELS = np.array([[0, 1, 1], [0, 1, 0]])
SHAPES = {
    "boxes": (Box(label="a", x=1, y=0, width=2, height=1), 'x="1.0"'),
    "instances": (Mask(label="a", width=3, height=2, counts=counts_of(PIXELS)), "M1 0h2v1h-2zM1 1h1v1h-1z"),
    "quads": (Polygon(label="a", points=((0, 0), (9, 0), (9, 4), (0, 4))), 'points="0.0,0.0 9.0,0.0'),
    "mask": (Mask(label="a", width=3, height=2, counts=counts_of(PIXELS)), "M1 0h2v1h-2zM1 1h1v1h-1z"),
}


def test_a_heat_map_is_drawn_over_the_whole_picture_where_it_is_hot():
    kind = answers.kind_of(answers.__name__, answers.NAMES, "heat_map", of="answer")
    hot = ClassLabel(label="a", heat_map=HeatMap(score=1.0, width=2, height=1, values="AP8="))
    drawn = kind.svg([hot], "answer")
    assert 'viewBox="0 0 2 1"' in drawn
    assert drawn.count("<rect") == 1
    assert '<rect x="1" y="0"' in drawn
    assert not kind.svg([hot], "truth")
    assert not kind.svg([hot.model_copy(update={"heat_map": hot.heat_map.model_copy(update={"values": "AP"})})], "answer")


@pytest.mark.parametrize("name", answers.NAMES)
@pytest.mark.parametrize("side", ["truth", "answer"])
def test_kinds_of_answers_draw_what_lies_on_a_picture(name, side):
    kind = answers.kind_of(answers.__name__, answers.NAMES, name, of="answer")
    annotation, place = SHAPES.get(name, (ClassLabel(label="a"), ""))
    drawn = kind.svg([annotation, annotation], side)
    assert drawn.count(f'{side}"') == (2 if name in SHAPES else 0)
    assert place in drawn
    assert not kind.svg([], side)


def test_an_outline_of_a_person_is_an_area_with_its_holes():
    outline = Polygon(label="a", points=((0, 0), (9, 0), (9, 9)), holes=(((5, 1), (6, 1), (6, 2)),))
    kind = answers.kind_of(answers.__name__, answers.NAMES, "mask", of="answer")
    assert 'd="M0 0L9 0L9 9zM5 1L6 1L6 2z"' in kind.svg([outline], "truth")
