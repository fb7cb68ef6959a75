"""Answers to items that are made worse: what is done to pictures, how a loss is weighed, and the job."""

from __future__ import annotations

import math
from base64 import b64decode
from collections import Counter
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from automl.contracts.artefact import ArtefactManifest, RowColumn
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec
from automl.contracts.report import Report
from automl.contracts.robustness import ROBUSTNESS_FILE, RobustnessReport
from automl.contracts.table import ColumnKind
from engine.artefact.session import Session
from engine.data.cache import PackedPictures
from engine.data.version import DatasetVersion
from engine.robustness.items import can_be_altered
from engine.robustness.items.image.alterations import alterations as picture_alterations
from engine.robustness.items.row.alterations import alterations as row_alterations
from engine.robustness.items.text.alterations import alterations as text_alterations
from engine.table.reader import table_of
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from tests.engine.jobs import TASK, TILED, brief_order, events, host_cache, make_evaluation, run_here, trained_once

PICTURES = picture_alterations(224)
TEXT = "The room was clean, the staff helped us at once, and breakfast began at 7."


def _picture() -> np.ndarray:
    """Soft colours with sharp edges, so that every alteration has something to spoil."""
    rows, columns = np.mgrid[:224, :224]
    picture = np.stack([rows, columns, 255 - rows], axis=2).astype(np.uint8)
    picture[60:120, 80:110] = (250, 20, 30)
    return picture


@pytest.mark.parametrize("alteration", PICTURES, ids=lambda each: each.name)
def test_a_stronger_alteration_changes_more_and_nothing_else(alteration):
    picture, before = _picture(), _picture()
    distances = []
    for step in alteration.steps:
        altered = step.alter(picture, np.random.default_rng(7))
        assert (altered.shape, altered.dtype) == (picture.shape, picture.dtype)
        assert np.array_equal(altered, step.alter(picture, np.random.default_rng(7))), "the same seed spoils in the same way"
        distances.append(np.abs(altered.astype(float) - before).mean())
    assert np.array_equal(picture, before), "the item itself stays as it is"
    assert 0 < distances[0] < distances[1] < distances[2]


def test_strengths_are_reported_in_both_languages():
    shown = {each.name: each.steps[0].strength for each in PICTURES}
    assert (shown["darkness"].en, shown["darkness"].zh) == ("40% darker", "暗 40%")
    assert (shown["compression"].en, shown["compression"].zh) == ("quality 40", "质量 40")


@pytest.mark.parametrize("alteration", text_alterations(), ids=lambda each: each.name)
def test_a_stronger_alteration_changes_more_of_a_text(alteration):
    text, distances = 40 * f"{TEXT} ", []
    for step in alteration.steps:
        altered = step.alter(text, np.random.default_rng(7))
        assert altered == step.alter(text, np.random.default_rng(7))
        distances.append(sum((Counter(pairwise(text)) - Counter(pairwise(altered))).values()))
    assert 0 < distances[0] < distances[1] < distances[2]


def test_what_concerns_letters_and_words_leaves_chinese_as_it_is():
    text = "房间很干净，早餐七点开始。"
    changed = {each.name for each in text_alterations() if each.steps[-1].alter(text, np.random.default_rng(3)) != text}
    assert changed <= {"dropped", "swapped"}
    assert all(step.alter("a", np.random.default_rng(0)) for each in text_alterations() for step in each.steps), "never empty"


def test_rows_lose_cells_gain_noise_and_meet_unknown_categories():
    columns = [
        RowColumn(name="size", kind=ColumnKind.NUMBER),
        RowColumn(name="colour", kind=ColumnKind.CATEGORY, known=("red", "blue")),
    ]
    table = table_of([{"size": str(place), "colour": "red"} for place in range(400)], columns)
    spread = float(np.std(np.arange(400)))
    by_name = {each.name: each for each in row_alterations(table)}
    strongest = {name: each.steps[-1].alter(table, np.random.default_rng(1)) for name, each in by_name.items()}
    assert np.isnan(strongest["missing"].numbers_NA).mean() == pytest.approx(0.3, abs=0.08)
    assert (strongest["missing"].categories_NC == "").mean() == pytest.approx(0.3, abs=0.08)
    off = strongest["noise"].numbers_NA - table.numbers_NA
    assert float(off.std()) == pytest.approx(0.5 * spread, rel=0.15)
    assert ((strongest["unseen"].categories_NC != "red").mean()) == pytest.approx(0.6, abs=0.08)
    assert np.array_equal(strongest["unseen"].numbers_NA, table.numbers_NA)
    assert {each.name for each in row_alterations(table_of([{"size": "1"}], columns[:1]))} == {"missing", "noise"}


def test_kinds_with_a_package_can_be_altered():
    assert all(map(can_be_altered, ("image", "text", "row")))
    assert not can_be_altered("sound")


def test_a_loss_is_weighed_item_by_item():
    right = right_or_wrong(np.array([True] * 30 + [False] * 10))
    worse = right_or_wrong(np.array([True] * 14 + [False] * 26))  # 16 broken, none mended
    lost = right.lost(worse)
    assert lost.difference == pytest.approx(0.4)
    reach = 1.959964 * math.sqrt(16 + 1 - 16**2 / 42) / 42  # Agresti and Min, 40 items
    assert lost.interval == pytest.approx((16 / 42 - reach, 16 / 42 + reach))
    assert lost.interval[0] > 0
    assert worse.lost(right).difference == pytest.approx(-0.4)


def test_items_that_all_stay_as_they_were_prove_little():
    right = right_or_wrong(np.array([True] * 8))
    lost = right.lost(right)
    assert lost.difference == 0
    assert lost.interval[0] < -0.1
    assert lost.interval[1] > 0.1


def test_an_error_that_grows_is_a_loss():
    near, far = Outcomes("absolute_error", np.full(40, 1.0), is_higher_better=False), np.full(40, 3.0)
    lost = near.lost(Outcomes("absolute_error", far, is_higher_better=False))
    assert (lost.difference, *lost.interval) == pytest.approx((2.0, 2.0, 2.0))


def _tried(folder, artefact, **example) -> RobustnessReport:
    workdir = make_evaluation(folder, artefact=artefact, cache_dir=host_cache(), **example)
    spec = JobSpec.read(workdir / "job.json")
    spec.model_copy(update={"kind": "robustness", "task": ArtefactManifest.read(artefact / "artefact.json").task}).write(
        workdir / "job.json"
    )
    assert run_here(workdir) == 0, events(workdir)[-1]
    return RobustnessReport.read(workdir / "artefact" / ROBUSTNESS_FILE)


def test_the_job_asks_about_altered_pictures(trained, tmp_path):
    report = _tried(tmp_path / "tried", trained / "artefact", num_items=60)
    version = DatasetVersion.open(tmp_path / "tried" / "data")
    records = version.records(Split.TEST)
    plain = make_evaluation(tmp_path / "plain", artefact=trained / "artefact", cache_dir=host_cache(), num_items=60)
    assert run_here(plain) == 0
    judged = Report.read(plain / "artefact" / "report.json").splits[0]
    assert (report.measure, report.num_items, report.num_in_split) == ("accuracy", len(records), len(records))
    assert report.value == pytest.approx(judged.metrics["accuracy"])
    assert {each.name for each in report.alterations} == {each.name for each in PICTURES}
    strongest = [each.steps[-1].worse_by for each in report.alterations]
    assert strongest == sorted(strongest, reverse=True)

    darkness = next(each for each in report.alterations if each.name == "darkness")
    manifest = ArtefactManifest.read(trained / "artefact" / "artefact.json")
    packed = PackedPictures.open_or_build(version, host_cache(), manifest.decode.min_side_px)
    pictures = packed.graph_input(packed.indices(records)).astype(np.float64)
    dark = np.clip(np.rint(pictures * 0.15), 0, 255).astype(np.uint8)
    scores = Session(trained / "artefact" / "model.onnx").run(dark)
    truth = [manifest.label_set.names.index(record.annotations[0].label) for record in records]
    assert darkness.steps[-1].measured == pytest.approx((scores.argmax(axis=1) == truth).mean())
    shown = darkness.steps[-1].example
    assert shown is not None
    with Image.open(BytesIO(b64decode(shown.partition(",")[2]))) as example:
        assert example.size == (96, 96)
        assert np.asarray(example).mean() < 60


@pytest.mark.parametrize(
    ("task", "family", "names"),
    [
        ("text_classification", "tfidf_linear", {"dropped", "swapped"}),
        ("tabular_prediction", "table_linear", {"missing", "noise", "unseen"}),
    ],
)
def test_the_job_asks_about_altered_texts_and_rows(tmp_path, task, family, names):
    """The unaltered value is that of the report; what is altered is shown; the same job says the same."""
    workdir = trained_once(**brief_order(task, family))
    spec = JobSpec.read(workdir / "job.json").model_copy(
        update={"kind": "robustness", "train": None, "artefact": str(workdir / "artefact"), "split": Split.TEST}
    )
    reports = []
    for place in ("first", "second"):
        tried = tmp_path / place
        tried.mkdir()
        (tried / "data").symlink_to(workdir / "data")
        spec.write(tried / "job.json")
        assert run_here(tried) == 0, events(tried)[-1]
        reports.append(RobustnessReport.read(tried / "artefact" / ROBUSTNESS_FILE))
    report = reports[0]
    assert report == reports[1]
    judged = next(each for each in Report.read(workdir / "artefact" / "report.json").splits if each.split is Split.TEST)
    assert report.num_items == report.num_in_split == judged.num_items
    assert report.value == pytest.approx(judged.metrics[report.measure])
    assert names <= {each.name for each in report.alterations}
    for alteration in report.alterations:
        assert alteration.steps[-1].example_text != report.example_text
        assert alteration.steps[-1].interval[0] <= alteration.steps[-1].measured <= alteration.steps[-1].interval[1]


@pytest.mark.parametrize("order", [brief_order("object_detection", "fcos"), TILED], ids=["boxes", "tiles"])
def test_what_was_drawn_is_not_turned(tmp_path, order):
    workdir = trained_once(**order)
    artefact = workdir / "artefact"
    spec = JobSpec.read(workdir / "job.json")
    tried = tmp_path / "tried"
    tried.mkdir()
    (tried / "data").symlink_to(workdir / "data")
    spec.model_copy(update={"kind": "robustness", "train": None, "artefact": str(artefact), "split": Split.TEST}).write(
        tried / "job.json"
    )
    assert run_here(tried) == 0, events(tried)[-1]
    report = RobustnessReport.read(tried / "artefact" / ROBUSTNESS_FILE)
    assert report.measure == "f1"
    judged = next(each for each in Report.read(artefact / "report.json").splits if each.split is Split.TEST)
    assert report.num_items == judged.num_items
    assert {each.name for each in report.alterations} == {each.name for each in PICTURES} - {"turn"}


def test_an_artefact_that_is_not_there_is_reported(tmp_path):
    workdir = make_evaluation(tmp_path / "tried", artefact=tmp_path / "nothing", cache_dir=host_cache(), num_items=20)
    spec = JobSpec.read(workdir / "job.json")
    spec.model_copy(update={"kind": "robustness"}).write(workdir / "job.json")
    assert run_here(workdir) == 1
    assert events(workdir)[-1].code == "job_invalid"
    assert spec.task == TASK
