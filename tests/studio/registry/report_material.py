"""Models of every task with the reports that the engine's own metrics write about a version's items."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from automl.contracts.annotation import Value
from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.coverage import CoverageReport
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.report import (
    REPORT_FILE,
    ColumnEffect,
    CurvePoint,
    ModelScore,
    PartialDependence,
    Report,
    SplitReport,
    TableReport,
)
from automl.contracts.task import OutputKind
from engine.coverage import AnsweredItems, coverage_of
from engine.tasks.object_detection import data as box_data
from engine.tasks.object_detection import metrics as box_metrics
from engine.tasks.shared.classification import metrics as class_metrics
from engine.tasks.tabular_prediction import metrics as row_metrics
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_all_items, version_commit
from studio.registry.models import Artefact
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.studio.deployments.test_row_deployment import setup_of
from tests.studio.deployments.test_row_deployment import version_make as row_version_make
from tests.studio.studies.material import text_version_make, version_make
from tests.support.project_setup import ProjectSetup, ingest, picture, setup_make, zip_of

LABELS = ("cat", "dog")
SPLITS = (Split.VALIDATION, Split.TEST)


def pictures(folder: Path) -> tuple[ProjectSetup, Artefact]:
    setup = setup_make()
    version = version_make(setup)
    return setup, artefact_stored(setup, version, artefact_write(folder, labels=LABELS), class_report(version, LABELS))


def texts(folder: Path) -> tuple[ProjectSetup, Artefact]:
    setup = setup_make(task="text_classification")
    version = text_version_make(setup)
    return setup, artefact_stored(setup, version, text_artefact_write(folder, labels=LABELS), class_report(version, LABELS))


def boxes(folder: Path) -> tuple[ProjectSetup, Artefact]:
    setup = setup_make(task="object_detection")
    setup.labels(*LABELS)
    corners = {"cat": [2, 3, 20, 15], "dog": [20, 3, 10, 15]}
    coco = {
        "images": [{"id": number, "file_name": f"{number}.png", "width": 40, "height": 30} for number in range(40)],
        "categories": [{"id": number, "name": name} for number, name in enumerate(LABELS)],
        "annotations": [
            {"id": 2 * number + label, "image_id": number, "category_id": label, "bbox": corners[name]}
            for number in range(40)
            for label, name in enumerate(LABELS)
        ],
    }
    files = {f"{number}.png": picture(number) for number in range(40)} | {"annotations.json": json.dumps(coco).encode()}
    ingest(setup.dataset, zip_of(files), labels="coco")
    version = version_commit(dataset=setup.dataset, actor=setup.actor)[0]
    made = artefact_write(folder, labels=LABELS, output=OutputKind.BOXES)
    return setup, artefact_stored(setup, version, made, box_report(version))


def rows(folder: Path, output: OutputKind) -> tuple[ProjectSetup, Artefact]:
    setup = setup_of(output)
    version = row_version_make(setup, output)
    made = row_artefact_write(folder, output=output)
    labels = ArtefactManifest.read(made / MANIFEST_FILE).label_set.names
    if labels:
        of_labels = class_report(version, labels)
        splits, coverage = of_labels.splits, of_labels.coverage
    else:
        splits, coverage = number_splits(version)
    columns = ("age", "city")
    table = TableReport(
        columns=columns,
        base=(0.5,),
        models=(ModelScore(name="boosted trees", family="gbdt", value=0.71, fit_seconds=3.5, weight=0.75),),
        effects=tuple(
            ColumnEffect(column=name, importance=0.125, importance_std=0.01, mean_abs_shap=0.375) for name in columns
        ),
        shap_rows=(),
        dependence=tuple(
            PartialDependence(column=name, kind=kind, cells=cells, mean=((0.25,) * max(1, len(labels)),) * 2, share=(0.5, 0.5))
            for name, kind, cells in (("age", "number", ("20", "30")), ("city", "category", ("Paris", "Graz")))
        ),
        background=(),
    )
    report = Report(
        labels=labels,
        splits=splits,
        curves=(),
        train_seconds=61,
        latency_ms=2,
        model_bytes=3,
        table=table,
        coverage=coverage,
    )
    return setup, artefact_stored(setup, version, made, report)


def artefact_stored(setup: ProjectSetup, version: DatasetVersion, folder: Path, report: Report) -> Artefact:
    """The model as its training job left it."""
    report.write(folder / REPORT_FILE)
    tree = f"artefacts/{version.id}"
    blobs().put_tree(tree, folder)
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    manifest = manifest.model_copy(
        update={
            "metrics": {each.split: each.metrics for each in report.splits},
            "intervals": {each.split: each.intervals for each in report.splits},
            "num_judged": {each.split: each.num_items for each in report.splits},
        }
    )
    return Artefact.objects.create(
        project=setup.project,
        number=1,
        version=version,
        tree=tree,
        manifest=manifest.model_dump(mode="json"),
        latency_ms=2,
        model_bytes=3,
        size_bytes=4,
    )


def records_of(version: DatasetVersion, split: Split) -> list[ItemRecord]:
    return [record for record in version_all_items(version) if record.split is split]


def class_report(version: DatasetVersion, labels: tuple[str, ...]) -> Report:
    random = np.random.default_rng(4)
    splits, answered = [], []
    for split in SPLITS:
        records = records_of(version, split)
        scores = random.dirichlet(np.ones(len(labels)), len(records))
        targets = np.array([labels.index(record.annotations[0].label) for record in records])
        report = row_metrics.split_report if "row" in records[0].media.format else class_metrics.split_report
        splits.append(report(split, records, scores, targets, labels=labels, thresholds={}))
        answered.append(AnsweredItems(split, scores, targets))
    coverage = coverage_of(
        OutputKind.CLASS_SCORES, _turns(version, labels, answered[0]), answered[1], labels=labels, thresholds={}
    )
    points = [CurvePoint(step=n, epoch=n, split=Split.VALIDATION, values={"accuracy": 0.5 + n / 10}) for n in range(4)]
    return Report(
        labels=labels,
        splits=tuple(splits),
        curves=tuple(points),
        train_seconds=61,
        latency_ms=2.5,
        model_bytes=12345,
        coverage=coverage,
    )


def _turns(version: DatasetVersion, labels: tuple[str, ...], validation: AnsweredItems) -> AnsweredItems:
    """Validation, and items of training as they are answered where parts took turns at being held back."""
    random, records = np.random.default_rng(5), records_of(version, Split.TRAIN)
    targets = np.array([labels.index(record.annotations[0].label) for record in records])
    scores = random.dirichlet(np.ones(len(labels)), len(records))
    return AnsweredItems(
        Split.VALIDATION,
        np.concatenate([validation.answers_NL, scores]),
        np.concatenate([validation.targets_N, targets]),
    )


def box_report(version: DatasetVersion) -> Report:
    splits = []
    for split in SPLITS:
        records = records_of(version, split)
        found = np.zeros((len(records), 100, 6), dtype=np.float32)
        found[..., 5] = -1
        found[:, 0] = (0.05, 0.1, 0.5, 0.5, 0.9, 0)
        found[::2, 1] = (0.5, 0.1, 0.25, 0.5, 0.8, 1)
        found[1::4, 1] = (0.5, 0.1, 0.25, 0.5, 0.7, 0)
        found[::3, 2] = (0, 0.8, 0.1, 0.1, 0.6, 1)
        targets, thresholds = box_data.targets(records, LABELS, {}), dict.fromkeys(LABELS, 0.5)
        splits.append(box_metrics.split_report(split, records, found, targets, labels=LABELS, thresholds=thresholds))
    return Report(labels=LABELS, splits=tuple(splits), curves=(), train_seconds=61, latency_ms=2.5, model_bytes=12345)


def number_splits(version: DatasetVersion) -> tuple[tuple[SplitReport, ...], CoverageReport]:
    random = np.random.default_rng(4)
    splits, answered = [], []
    for split in SPLITS:
        records = records_of(version, split)
        truth = np.array([next(each.value for each in record.annotations if isinstance(each, Value)) for record in records])
        answers = (truth + random.normal(0, 3, len(truth)))[:, None]
        splits.append(row_metrics.split_report(split, records, answers, truth, labels=(), thresholds={}))
        answered.append(AnsweredItems(split, answers, truth))
    coverage = coverage_of(OutputKind.NUMBER, *answered, labels=(), thresholds={})
    assert coverage is not None
    return tuple(splits), coverage


TASKS = {
    "pictures": pictures,
    "texts": texts,
    "boxes": boxes,
    "categories": lambda folder: rows(folder, OutputKind.CLASS_SCORES),
    "numbers": lambda folder: rows(folder, OutputKind.NUMBER),
}
"""By what they are about."""
