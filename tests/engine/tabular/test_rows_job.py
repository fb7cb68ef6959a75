"""Jobs that learn from rows, from the order to the artefact, as the platform runs them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from automl.contracts.annotation import ClassLabel
from automl.contracts.artefact import ArtefactManifest, GoldenSamples
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split
from automl.contracts.job import JobLimits, JobSpec
from automl.contracts.report import Report
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from automl.contracts.task import OutputKind, Severity
from engine.artefact.rows import RowSession
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.data.version import DatasetVersion
from engine.table.reader import table_of
from engine.tasks.tabular_prediction import check, example, metrics
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER, PREDICTS_OPTION
from engine.tasks.tabular_prediction.spec import TASK
from tests.engine.jobs import events, make_job, run_here

_FAMILY = "table_linear"


def _job(workdir, **example_of):
    return make_job(
        workdir,
        cache_dir=workdir.parent / "cache",
        task=TASK.name,
        family=_FAMILY,
        params={"learns_validation": False},
        **{"num_items": 300} | example_of,
    )


def _evaluation(workdir, artefact, *, split=Split.TEST, **example_of):
    workdir.mkdir(parents=True)
    example.write(workdir / "data", **{"num_items": 300} | example_of)
    JobSpec(
        id="job_evaluation",
        kind="evaluate",
        task=TASK.name,
        artefact=str(artefact),
        split=split,
        cache_dir=str(workdir / "cache"),
        assets_dir=str(workdir / "assets"),
    ).write(workdir / "job.json")
    return workdir


@pytest.fixture(scope="module", params=[CATEGORY, NUMBER])
def trained(request, tmp_path_factory):
    """What was predicted, and the job that learned it."""
    job = _job(tmp_path_factory.mktemp("rows") / "job", predicts=request.param)
    assert run_here(job) == 0, events(job)[-1]
    return request.param, job


def _report(job):
    return Report.read(job / "artefact" / "report.json")


def test_manifest_says_how_rows_are_read_and_what_is_answered(trained):
    predicts, job = trained
    manifest = ArtefactManifest.read(job / "artefact" / "artefact.json")
    assert manifest.output is (OutputKind.NUMBER if predicts == NUMBER else OutputKind.CLASS_SCORES)
    assert manifest.decode.target == ("cost" if predicts == NUMBER else "grade")
    names = [column.name for column in manifest.decode.columns]
    assert names == ["thickness_mm", "temperature", "supplier", "made_at", "remark"], "neither the target nor what is ignored"
    assert {each.name: each.axes[1] for each in manifest.inputs} == {"numbers": 2, "datetimes": 1, "categories": 1, "texts": 1}
    assert manifest.label_set.names == (() if predicts == NUMBER else example.LABELS)
    assert manifest.outputs[0].axes[1] == (1 if predicts == NUMBER else 4)
    assert set(manifest.metrics[Split.TEST]) == {each.name for each in TASK.metrics_of({PREDICTS_OPTION: predicts})}
    assert manifest.lineage.trial == "trl_test"
    by_name = {column.name: column for column in manifest.decode.columns}
    assert set(by_name["supplier"].choices) <= {"Graz", "苏州", "Linz", "Porto"}
    assert 180 <= float(by_name["temperature"].typical.replace(",", ".")) <= 200


def test_golden_rows_are_rows_and_the_graph_alone_answers_them(trained):
    _, job = trained
    folder = job / "artefact"
    manifest = ArtefactManifest.read(folder / "artefact.json")
    golden = GoldenSamples.read(folder / "samples" / "expected.json")
    assert len(golden.samples) == 8
    session = RowSession(folder / "model.onnx")
    for sample in golden.samples:
        row = Row.model_validate_json((folder / "samples" / sample.file).read_text())
        answer_K = session.run(table_of([row.cells], manifest.decode.columns))[0]
        np.testing.assert_allclose(answer_K, sample.scores, atol=manifest.tolerance / 10)
    best = {int(np.argmax(sample.scores)) for sample in golden.samples}
    assert len(best) > 1 or not manifest.label_set.labels, "the labels take turns"


def test_report_tells_what_a_page_shows(trained):
    predicts, job = trained
    report = _report(job)
    assert [each.split for each in report.splits] == [Split.VALIDATION, Split.TEST]
    for split in report.splits:
        assert split.num_items == len(split.items) == 60
        for name, value in split.metrics.items():
            low, high = split.intervals[name]
            assert low <= value + 1e-9
            assert value <= high + 1e-9
        if predicts == NUMBER:
            assert split.regression is not None
            assert split.regression.truth_std > split.metrics["rmse"], "better than the mean"
            assert not split.confusion
            listed = dict(zip(split.regression.items, split.regression.prediction, strict=True))
            assert all(listed[each.item] == pytest.approx(each.prediction[0].value) for each in split.items)
            assert all(each.loss == pytest.approx(abs(each.prediction[0].value - each.truth[0].value)) for each in split.items)
        else:
            assert split.regression is None
            assert sum(map(sum, split.confusion)) == 60
            assert len(split.roc) == len(split.calibration) == len(split.precision_recall) == 4
            assert np.mean([curve.area for curve in split.roc]) == pytest.approx(split.metrics["roc_auc"])
            assert all(each.average_precision is not None for each in split.per_class)
    assert report.curves
    assert report.latency_ms > 0


def test_report_tells_what_columns_do(trained):
    predicts, job = trained
    report = _report(job)
    table = report.table
    width = 1 if predicts == NUMBER else 4
    assert table.effects[0].column in {"thickness_mm", "supplier"}, "which made the target"
    assert {each.column for each in table.effects} == set(table.columns)
    assert len(table.base) == width
    (own,) = table.models
    objective = TASK.objective({PREDICTS_OPTION: predicts}).name
    assert own.value == pytest.approx(report.splits[0].metrics[objective])
    assert own.weight == 1.0
    assert {each.column for each in table.dependence} == set(table.columns) - {"remark"}
    assert all(len(mean) == width for each in table.dependence for mean in each.mean)
    assert 10 <= len(table.background) <= 30
    items = {each.item: each for each in report.splits[0].items}
    for row in table.shap_rows:
        total = np.sum(row.values, axis=0) + table.base
        for annotation in items[row.item].prediction:
            answer = total[0] if predicts == NUMBER else total[report.labels.index(annotation.label)]
            expected = annotation.value if predicts == NUMBER else annotation.score
            assert answer == pytest.approx(expected, abs=1e-4)


def test_an_evaluation_equals_that_of_training(trained, tmp_path):
    predicts, job = trained
    again = _evaluation(tmp_path / "job", job / "artefact", predicts=predicts)
    assert run_here(again) == 0, events(again)[-1]
    (split,) = Report.read(again / "artefact" / "report.json").splits
    assert split == _report(job).splits[1]
    assert events(again, "finished")[0].metrics == pytest.approx(split.metrics)


@pytest.mark.parametrize("family", ["table_ensemble", "random_forest", "table_knn"])
def test_validation_that_was_learned_is_reported_by_models_that_had_not_seen_it(family, tmp_path):
    """The graph says more of rows that it has seen, and an evaluation of them is marked as flattering."""
    params = {"budget_s": 2, "num_folds": 3} if family == "table_ensemble" else {}
    job = make_job(tmp_path / "job", cache_dir=tmp_path / "cache", task=TASK.name, family=family, params=params, num_items=300)
    assert run_here(job) == 0, events(job)[-1]
    own = _evaluation(tmp_path / "seen", job / "artefact", split=Split.VALIDATION)
    assert run_here(own) == 0, events(own)[-1]
    reported, seen = (_report(each).splits[0] for each in (job, own))
    assert reported.split is seen.split is Split.VALIDATION
    assert reported.metrics["log_loss"] > seen.metrics["log_loss"]
    assert [split.is_learned for split in _report(job).splits] == [True, False]
    assert [event.code for event in events(own, "warning")] == ["rows_seen"]


def test_an_evaluation_of_another_kind_of_target_is_refused(trained, tmp_path):
    predicts, job = trained
    other = _evaluation(tmp_path / "job", job / "artefact", predicts=CATEGORY if predicts == NUMBER else NUMBER)
    assert run_here(other) == 1
    failed = events(other, "failed")[0]
    assert failed.code == "data_invalid"
    assert "target" in failed.message


def test_columns_that_a_version_lacks_are_missing_to_the_model(trained, tmp_path):
    predicts, job = trained
    if predicts == NUMBER:
        return
    cells = [{"thickness_mm": "4.1", "grade": "good"}, {"thickness_mm": "5.4", "grade": "scrap", "new": "column"}]
    again = _evaluation(tmp_path / "job", job / "artefact")
    _write(again / "data", cells, splits=[Split.TEST, Split.TEST])
    assert run_here(again) == 0, events(again)[-1]
    (split,) = Report.read(again / "artefact" / "report.json").splits
    assert split.num_items == 2
    manifest = ArtefactManifest.read(job / "artefact" / "artefact.json")
    answers = RowSession(job / "artefact" / "model.onnx").run(table_of(cells, manifest.decode.columns))
    by_label = {each.label: each.score for each in split.items[0].prediction}
    assert by_label == pytest.approx(dict(zip(example.LABELS, answers[0].tolist(), strict=True)), abs=1e-6)


def _write(folder, rows, *, splits, labels=example.LABELS):
    """A version of some rows with a number and the grade as the target."""
    columns = TableSchema(
        columns=(
            Column(name="thickness_mm", kind=ColumnKind.NUMBER),
            Column(name="grade", kind=ColumnKind.CATEGORY, role=ColumnRole.TARGET),
        )
    )
    items = []
    for number, (cells, split) in enumerate(zip(rows, splits, strict=True)):
        content = Row(cells=cells, copy_number=number + 1).canonical().encode()
        facts = MediaFacts(format="row", size_bytes=len(content), num_cells=len(cells))
        items.append(GeneratedItem(f"line {number}", content, facts, split, (ClassLabel(label=cells["grade"]),), is_row=True))
    return write_version(folder, items, Subject(TASK, labels, {PREDICTS_OPTION: CATEGORY}, columns))


def test_a_class_without_rows_to_train_on_is_hardly_predicted_and_does_no_harm(tmp_path):
    job = _job(tmp_path / "job")
    random = np.random.default_rng(0)
    grades = ["good", "scrap"] * 60
    rows = [{"thickness_mm": f"{4 + (grade == 'scrap') + random.normal(0, 0.3):.2f}", "grade": grade} for grade in grades]
    splits = [(Split.TRAIN, Split.TRAIN, Split.TRAIN, Split.VALIDATION, Split.TEST)[place // 2 % 5] for place in range(120)]
    _write(job / "data", rows, splits=splits)
    assert run_here(job) == 0, events(job)[-1]
    report = _report(job)
    assert report.labels == example.LABELS
    assert report.splits[0].metrics["accuracy"] > 0.8
    assert [each.support for each in report.splits[0].per_class] == [12, 0, 0, 12]
    assert {curve.label for curve in report.splits[0].roc} == {"good", "scrap"}


def test_a_version_with_blocking_problems_is_refused_with_a_remedy(tmp_path):
    job = _job(tmp_path / "job", num_items=12)
    assert run_here(job) == 1
    failed = events(job, "failed")[0]
    assert failed.code == "data_invalid"
    assert "validation" in failed.message
    assert "validation share" in failed.hint
    assert not (job / "artefact").exists()


def test_a_family_of_pictures_is_refused(tmp_path):
    job = make_job(tmp_path / "job", cache_dir=tmp_path / "cache", task=TASK.name, family="resnet", params={})
    assert run_here(job) == 1
    assert events(job, "failed")[0].code == "job_invalid"
    job = make_job(tmp_path / "other", cache_dir=tmp_path / "cache", task=TASK.name, family=_FAMILY, params={"depth": 3})
    assert run_here(job) == 1
    assert "depth" in events(job, "failed")[0].message


@pytest.mark.parametrize("reason", ["cancelled", "pruned"])
def test_a_job_that_is_asked_to_stop_leaves_no_artefact(tmp_path, reason):
    job = _job(tmp_path / "job")
    (job / "control").mkdir()
    (job / "control" / "stop").write_text(reason)
    assert run_here(job) == 0
    assert events(job, "finished")[0].stopped == reason
    assert not (job / "artefact").exists()


def test_somebody_who_asks_to_finish_gets_what_there_is(tmp_path):
    job = _job(tmp_path / "job")
    (job / "control").mkdir()
    (job / "control" / "stop").write_text("finish")
    assert run_here(job) == 0
    assert events(job, "finished")[0].stopped is None
    assert [event.code for event in events(job, "warning")] == ["finished_early"]
    assert (job / "artefact" / "model.onnx").exists()


def test_a_job_ends_in_its_time_with_a_whole_artefact(tmp_path):
    job = make_job(
        tmp_path / "job",
        cache_dir=tmp_path / "cache",
        task=TASK.name,
        family=_FAMILY,
        params={},
        num_items=3000,
        limits=JobLimits(time_s=0.5),
    )
    assert run_here(job) == 0, events(job)[-1]
    at = [event.at for event in events(job)]
    assert (at[-1] - at[0]).total_seconds() < 8
    assert _report(job).table.effects


def test_a_large_split_lists_its_worst_rows_and_some_others():
    random = np.random.default_rng(0)
    losses_N = random.random(20_000)
    listed = metrics.listed_rows(losses_N)
    assert len(listed) == len(set(listed.tolist())) == metrics.MAX_ITEMS
    assert set(np.argsort(-losses_N)[: metrics.NUM_WORST].tolist()) <= set(listed.tolist())
    assert listed.tolist() == sorted(listed.tolist())
    assert metrics.listed_rows(losses_N[:100]).tolist() == list(range(100))
    records = [
        ItemRecord(
            item=f"itm_{number:026d}",
            name="",
            blob="0" * 64,
            media=MediaFacts(format="row", size_bytes=2, num_cells=1),
            split=Split.TEST,
            group="",
            annotations=(ClassLabel(label="ab"[number % 2]),),
            provenance="person:usr_a",
        )
        for number in range(6000)
    ]
    scores_NL = random.dirichlet([1, 1], 6000)
    targets_N = np.arange(6000) % 2
    report = metrics.split_report(Split.TEST, records, scores_NL, targets_N, labels=["a", "b"], thresholds={})
    assert report.num_items == 6000
    rare_N = (targets_N == 1) & (np.arange(6000) % 10 == 1)
    scores_N = np.clip(random.normal(np.where(rare_N, 0.4, 0.1), 0.1), 0.0, 1.0)
    of_rare_NL = np.stack([1 - scores_N, scores_N], axis=1)
    limits = metrics.recommended_thresholds(of_rare_NL, rare_N.astype(np.int64), ("a", "b"), objective="f1_macro")
    assert 0.15 < limits["b"] < 0.4, "a rare one of two labels is predicted from a lower score on"
    judged = (
        metrics.split_report(Split.TEST, records, of_rare_NL, rare_N.astype(np.int64), labels=["a", "b"], thresholds=given)
        for given in (limits, {})
    )
    with_limits, without = (dict(each.metrics)["f1_macro"] for each in judged)
    assert with_limits > without + 0.1
    assert len(report.items) == metrics.MAX_ITEMS
    assert sum(map(sum, report.confusion)) == 6000
    assert len(json.dumps(report.model_dump(mode="json"))) < 3_000_000


def test_very_many_classes_make_no_huge_report(tmp_path):
    example.write(tmp_path / "data", num_items=500)
    records = DatasetVersion.open(tmp_path / "data").records()
    names = [f"class {number}" for number in range(check.MAX_LABELS)]
    random = np.random.default_rng(0)
    scores_NL, targets_N = random.dirichlet(np.ones(len(names)), 500), random.integers(0, len(names), 500)
    report = metrics.split_report(Split.TEST, records, scores_NL, targets_N, labels=names, thresholds={})
    assert report.confusion == ()
    assert len(report.roc) == 20
    assert len(report.model_dump_json()) < 1_000_000


def _problems(records, label_set, options, columns):
    return {problem.code: problem for problem in check.problems(records, label_set, options, columns=columns)}


def test_the_checker_asks_for_a_target_and_something_to_learn_from(tmp_path):
    example.write(tmp_path / "data")
    version = DatasetVersion.open(tmp_path / "data")
    records, labels, options = version.records(), version.manifest.label_set, version.manifest.task_options
    assert {"target_not_chosen", "no_features"} <= _problems(records, labels, options, None).keys()
    ignored = [each.model_copy(update={"role": ColumnRole.IGNORED}) for each in example.columns_of(CATEGORY).columns]
    found = _problems(records, labels, options, TableSchema(columns=tuple(ignored)))
    assert {"target_not_chosen", "no_features"} <= found.keys()
    assert all(found[code].severity is Severity.BLOCKING for code in ("target_not_chosen", "no_features"))
    only_target = [each for each in example.columns_of(CATEGORY).columns if each.role is ColumnRole.TARGET]
    assert _problems(records, labels, options, TableSchema(columns=tuple(only_target))).keys() == {"no_features", "test_few"}


def test_the_checker_looks_at_numbers_too(tmp_path):
    example.write(tmp_path / "data", predicts=NUMBER)
    version = DatasetVersion.open(tmp_path / "data")
    records, options, columns = version.records(), version.manifest.task_options, version.manifest.columns
    assert _problems(records, LabelSet(), options, columns).keys() == {"test_few"}
    blank = [record.model_copy(update={"annotations": ()}) for record in records[:30]]
    problems = check.problems([*blank, *records[30:]], LabelSet(), options, columns=columns)
    missing = [problem for problem in problems if problem.code == "target_missing"]
    assert len(missing) == check.MAX_LISTED, "not each of many rows is told of"
    same = [record.model_copy(update={"annotations": records[0].annotations}) for record in records]
    assert _problems(same, LabelSet(), options, columns)["target_constant"].severity is Severity.BLOCKING
    few = [record for record in records if record.split is not Split.TRAIN]
    assert "too_few_rows" in _problems(few, LabelSet(), options, columns)
