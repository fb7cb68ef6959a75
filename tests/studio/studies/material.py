"""What the tests of studies, registry and deployments share: a version of pictures, and jobs that end as a worker ends them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from automl.contracts.annotation import ClassLabel
from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest, Lineage
from automl.contracts.dataset import Split
from automl.contracts.job import JobState, Metric, Started, StopReason, TrainConfig
from automl.contracts.modality import Modality
from automl.contracts.report import REPORT_FILE, ClassMetrics, JudgedItem, Report, SplitReport
from automl.contracts.task import OutputKind
from engine.tasks import task_spec
from studio.accounts.access import SYSTEM, Principal
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_all_items, version_commit
from studio.datasets.versions.selectors import version_manifest
from studio.jobs.endings import end_handle, job_finish
from studio.jobs.handlers import job_reported
from studio.jobs.models import Job
from studio.jobs.outcome import error_json
from studio.jobs.states import job_move
from studio.jobs.workdir import result_prefix
from studio.registry.models import Artefact
from studio.studies.models import Study, Trial
from studio.studies.services import study_start
from studio.studies.strategy import StudyRequest
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.project_setup import ProjectSetup, ingest, picture, zip_of

LABELS = ("cat", "dog")


def version_make(setup: ProjectSetup, *, num_items: int = 40, first: int = 0, sender: Principal = SYSTEM) -> DatasetVersion:
    """Uploads pictures in label folders and cuts a version."""
    setup.refresh()
    setup.labels(*LABELS)
    files = {f"{LABELS[i % 2]}/{i}.png": picture(i) for i in range(first, first + num_items)}
    ingest(setup.dataset, zip_of(files), labels="folder", actor=sender)
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


def text_version_make(setup: ProjectSetup, *, num_items: int = 40, first: int = 0, times: int = 1) -> DatasetVersion:
    """Uploads texts in label folders and cuts a version; the project's task reads texts, each a sentence several times over."""
    setup.refresh()
    setup.labels(*LABELS)
    files = {
        f"{LABELS[i % 2]}/{i}.txt": times * f"好, the {LABELS[i % 2]} of number {i}".encode()
        for i in range(first, first + num_items)
    }
    ingest(setup.dataset, zip_of(files), name="texts.zip", labels="folder")
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


def request_make(**options: object) -> StudyRequest:
    defaults: dict[str, object] = {"strategy": "portfolio", "max_trials": 3, "concurrency": 1}
    return StudyRequest(**{**defaults, **options})  # type: ignore[arg-type]  # a test's shorthand


def study_make(setup: ProjectSetup, version: DatasetVersion, *, pruner: str = "none", **options: object) -> Study:
    return study_start(version=version, request=request_make(**options), pruner=pruner, actor=setup.actor, seed=5)


def trials_of(study: Study) -> list[Trial]:
    return list(Trial.objects.filter(study=study).select_related("job").order_by("number"))


def job_begin(job: Job) -> Job:
    """A worker takes the job and the engine says that it is up."""
    job.refresh_from_db()
    job_move(job, JobState.LEASED, changes={"lease_owner": "test"})
    job_move(job, JobState.RUNNING)
    job_reported(job, Started(at=datetime.now(UTC), pid=1))
    return job


def job_measure(job: Job, *, epoch: int, accuracy: float) -> StopReason | None:
    """The engine reports a point of the validation curve."""
    values = {"accuracy": accuracy}
    return job_reported(job, Metric(at=datetime.now(UTC), step=epoch * 10, epoch=epoch, split=Split.VALIDATION, values=values))


def job_succeed(job: Job, *, accuracy: float = 0.9, version: DatasetVersion | None = None, report: Report | None = None) -> Job:
    """The engine leaves an artefact and the worker writes that the job succeeded; then the handler is told."""
    if job.state == JobState.QUEUED.value:
        job_begin(job)
    result_keep(job, accuracy=accuracy, version=version, report=report)
    return job_end(job, JobState.SUCCEEDED, metrics={"accuracy": accuracy})


def job_end(
    job: Job,
    state: JobState,
    *,
    metrics: Mapping[str, float] | None = None,
    code: str = "out_of_memory",
    items: Sequence[str] = (),
    message: str = "It ended badly.",
) -> Job:
    """The worker writes how the job ended; then the handler is told."""
    job.refresh_from_db()
    if job.state == JobState.QUEUED.value and state is JobState.FAILED:
        job_begin(job)
    error = error_json(code, message, "Choose a smaller model.", items) if state is JobState.FAILED else None
    job_finish(job, state, changes={"metrics": dict(metrics or {}), "error": error})
    assert end_handle(job.id)
    job.refresh_from_db()
    return job


def result_keep(job: Job, *, accuracy: float, version: DatasetVersion | None = None, report: Report | None = None) -> None:
    """What the runner keeps of an engine job that succeeded."""
    trial = Trial.objects.select_related("study__version").filter(id=job.subject).first()
    version = version or (trial.study.version if trial else DatasetVersion.objects.get(id=job.payload["version"]))
    train = trial.train if trial else TrainConfig(family="linear_probe", size="0", params={})
    with tempfile.TemporaryDirectory() as name:
        is_text = task_spec(version.project.task).modality is Modality.TEXT
        folder = (text_artefact_write if is_text else artefact_write)(Path(name) / "artefact", labels=LABELS)
        (folder / "weights.safetensors").write_bytes(b"weights")
        report = report or report_make(version, accuracy=accuracy)
        report.write(folder / REPORT_FILE)
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
        lineage = Lineage(job=job.id, dataset_version=version.id, code="test", seed=0)
        manifest = manifest.model_copy(
            update={
                "train": train,
                "lineage": lineage,
                "output": OutputKind.CLASS_SCORES,
                "label_set": version_manifest(version).label_set,
                "metrics": {split.split: split.metrics for split in report.splits},
            }
        )
        manifest.write(folder / MANIFEST_FILE)
        blobs().put_tree(result_prefix(job.id), folder)


def report_make(version: DatasetVersion, *, accuracy: float) -> Report:
    """A report over the version's own items; every fourth item is answered wrong."""
    splits = []
    for split in (Split.VALIDATION, Split.TEST):
        records = [record for record in version_all_items(version) if record.split is split]
        items = []
        for position, record in enumerate(records):
            truth = record.annotations[0].label
            other = next(label for label in LABELS if label != truth)
            best, second = (other, truth) if position % 4 == 3 else (truth, other)
            prediction = (ClassLabel(label=best, score=0.8), ClassLabel(label=second, score=0.2))
            items.append(JudgedItem(item=record.item, truth=record.annotations, prediction=prediction, loss=float(position)))
        splits.append(
            SplitReport(
                split=split,
                num_items=len(records),
                metrics={"accuracy": accuracy},
                intervals={"accuracy": (accuracy - 0.1, accuracy)},
                per_class=tuple(ClassMetrics(label=label, precision=1, recall=1, f1=1, support=1) for label in LABELS),
                confusion=((1, 0), (0, 1)),
                items=tuple(items),
            )
        )
    return Report(labels=LABELS, splits=tuple(splits), curves=(), train_seconds=1, latency_ms=2, model_bytes=3)


def artefact_make(
    setup: ProjectSetup, version: DatasetVersion, *, accuracy: float = 0.9, report: Report | None = None
) -> Artefact:
    """The artefact of a study with one trial."""
    is_text = task_spec(setup.project.task).modality is Modality.TEXT
    study = study_make(setup, version, families=["tfidf_linear" if is_text else "linear_probe"], max_trials=1)
    (trial,) = trials_of(study)
    assert trial.job is not None
    job_succeed(trial.job, accuracy=accuracy, report=report)
    return Artefact.objects.select_related("project", "version", "trial__study").get(trial=trial)
