"""What more items bring: a planted case with a known answer, forecasts of a known curve, and the job."""

from __future__ import annotations

import numpy as np
import pytest

from automl.contracts.advice import ADVICE_FILE, AdviceReport, Verdict
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec
from engine.advice import can_be_advised
from engine.advice.answers import answers_kind
from engine.advice.forecast import MeasuredCurve, gain_curve
from engine.advice.learner import Material
from engine.advice.vectors import measured_by
from engine.advice.work import advice
from engine.tasks import task_spec
from tests.engine.jobs import brief_order, events, run_here, trained_once

LABELS = ("plain", "faint", "noise", "rare")
COUNTS = (150, 80, 50, 6)
NUM_FEATURES = 100


@pytest.fixture(scope="module")
def planted() -> AdviceReport:
    """``faint`` differs from ``plain`` by a little in every feature; ``noise`` does not differ from it."""
    random = np.random.default_rng(2)
    targets_N = np.repeat(np.arange(len(LABELS)), COUNTS)
    rows_ND = random.standard_normal((len(targets_N), NUM_FEATURES)).astype(np.float32)
    rows_ND[targets_N == LABELS.index("faint")] += 0.35
    material = Material(
        views={"linear": rows_ND},
        targets=targets_N,
        groups_N=np.arange(len(targets_N)),
        labels=LABELS,
        metrics=measured_by("image_classification", LABELS),
    )
    metric = next(each for each in task_spec("image_classification").metrics if each.name == "f1_macro")
    return advice(answers_kind("class_scores"), material, metric, seed=0, on_progress=lambda _done, _total: None)


def test_a_label_that_can_be_learned_gains_and_noise_does_not(planted):
    by_label = {each.label: each for each in planted.labels}
    faint, noise = by_label["faint"], by_label["noise"]
    assert faint.verdict is Verdict.GAIN
    assert noise.verdict is not Verdict.GAIN
    assert faint.own.forecasts[0].num_more == 40
    assert faint.own.forecasts[0].interval[0] > 0
    assert faint.objective.forecasts[0].gain > noise.objective.forecasts[0].gain
    assert planted.labels[0].label == "faint", "the best gain comes first"


def test_of_too_few_items_nothing_is_said(planted):
    last = planted.labels[-1]
    assert (last.label, last.num_items, last.verdict) == ("rare", 6, Verdict.TOO_FEW)
    assert last.own is None
    assert last.objective is None


@pytest.mark.parametrize("exponent", [0.3, 1.0])
def test_a_power_law_is_carried_on(exponent):
    sizes_K = np.array([20.0, 28.0, 40.0, 56.0, 80.0])
    noise_RBK = 0.003 * np.random.default_rng(1).standard_normal((6, 6, 5))
    values_RBK = 1.0 - (0.05 + 2.0 * sizes_K**-exponent / 20.0 ** (1 - exponent)) + noise_RBK
    curve = gain_curve(MeasuredCurve("f1", True, 1.0, sizes_K, values_RBK), num_items=100, more=[50, 100])

    def truth(size: float) -> float:
        return 2.0 * size**-exponent / 20.0 ** (1 - exponent)

    for forecast in curve.forecasts:
        gain = truth(100) - truth(100 + forecast.num_more)
        assert forecast.interval[0] < gain < forecast.interval[1]
        assert forecast.gain == pytest.approx(gain, abs=0.01)


def test_a_level_curve_promises_nothing():
    values_RBK = 0.8 + 0.002 * np.random.default_rng(2).standard_normal((6, 6, 5))
    sizes_K = np.array([20.0, 28.0, 40.0, 56.0, 80.0])
    curve = gain_curve(MeasuredCurve("f1", True, 1.0, sizes_K, values_RBK), num_items=100, more=[50])
    low, high = curve.forecasts[0].interval
    assert low <= 0
    assert high < 0.01


def test_the_job_writes_a_report(tmp_path):
    task = "tabular_prediction"
    workdir = trained_once(**brief_order(task, "table_linear"))
    spec = JobSpec.read(workdir / "job.json").model_copy(
        update={"kind": "advice", "train": None, "artefact": str(workdir / "artefact"), "split": Split.TEST}
    )
    job = tmp_path / "job"
    job.mkdir()
    (job / "data").symlink_to(workdir / "data")
    spec.write(job / "job.json")
    assert run_here(job) == 0, events(job)[-1]
    report = AdviceReport.read(job / "artefact" / ADVICE_FILE)
    assert report.objective == task_spec(task).objective({}).name
    assert report.overall.objective is not None
    assert report.num_items == report.num_used > 0
    assert sum(each.num_items for each in report.labels) == report.num_items


def test_what_has_no_quick_head_is_not_offered():
    assert can_be_advised("image", "class_scores")
    assert can_be_advised("row", "number")
    assert not can_be_advised("image", "boxes")
    assert not can_be_advised("image", "mask")
