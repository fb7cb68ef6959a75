"""Models of rows as training leaves them: every family through every target, and explained like in its report.

A family's two models, of categories and of numbers, share the targets between them; which of them a target gets changes from
family to family, so that each target also ships both.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from automl.contracts.artefact import RowDecode
from automl.contracts.family import ParamValue
from automl.contracts.job import JobLimits
from automl.contracts.report import Report
from engine.models import families_for
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER
from engine.tasks.tabular_prediction.spec import TASK
from exporters.build import build, target_names
from exporters.bundle import manifest_read
from exporters.items.row import row_example
from runtime.items.row.explain import ExplainRequest, row_explain
from runtime.predictor import Predictor
from tests.engine.jobs import events, host_cache, make_job, run_here

FAMILIES = [family.name for family in families_for(TASK)]
BRIEF: dict[str, dict[str, ParamValue]] = {"table_ensemble": {"budget_s": 2, "num_folds": 3}}
"""Values that spare time where a family takes as much as it is given."""


@pytest.fixture(scope="module", params=[(name, predicts) for name in FAMILIES for predicts in (CATEGORY, NUMBER)], ids=str)
def trained(request, tmp_path_factory) -> tuple[Path, list[str]]:
    """An artefact, and the targets that ship it."""
    family, predicts = request.param
    job = make_job(
        tmp_path_factory.mktemp("trained") / "job",
        cache_dir=host_cache(),
        task=TASK.name,
        family=family,
        params=BRIEF.get(family, {}),
        limits=JobLimits(time_s=20),
        num_items=240,
        predicts=predicts,
    )
    assert run_here(job) == 0, events(job)[-1]
    turn = FAMILIES.index(family) + (predicts == NUMBER)
    return job / "artefact", [target for place, target in enumerate(target_names(reads="row")) if place % 2 == turn % 2]


def test_every_target_ships_what_training_left_and_it_is_explained_as_in_the_report(trained, tmp_path):
    artefact, targets = trained
    for target in targets:
        assert build(target, artefact, tmp_path / target, {}).check.is_passed
    predictor = Predictor()
    predictor.setup(artefact)
    decode = manifest_read(artefact).decode
    assert isinstance(decode, RowDecode)
    typical = row_example(decode, len(decode.columns))
    assert json.dumps(typical)
    table = Report.read(artefact / "report.json").table
    request = ExplainRequest(typical, table.background, None, 20_000, is_lenient=False)
    explanation = row_explain(predictor.run, predictor.items.reader, predictor.labels, request)
    assert explanation.columns == table.columns
    assert explanation.num_background == len(table.background)
    found = explanation.shapley
    spread = np.abs(found.answer_K).max() + 1
    assert np.allclose(found.values_CK.sum(axis=0), found.answer_K - found.base_K, atol=1e-9 * spread)
    assert np.allclose(found.answer_K, predictor.predict_many(predictor.items.reader.read([typical]))[0], atol=1e-4 * spread)
    (shown, *_) = table.shap_rows
    row = dict(zip(table.columns, shown.cells, strict=True))
    lenient = ExplainRequest(row, table.background, None, 20_000, is_lenient=True)
    again = row_explain(predictor.run, predictor.items.reader, predictor.labels, lenient).shapley
    answer_K = np.sum(shown.values, axis=0) + np.array(table.base)
    assert np.allclose(again.answer_K, answer_K, atol=1e-3 * spread)
    scale = np.abs(shown.values).max()
    # Both draw permutations: of a row whose answer is next to the usual one hardly anything but their noise is left.
    assert np.abs(again.values_CK - np.array(shown.values)).max() < 0.35 * scale + 0.005 * spread
