"""What the platform knows of anomaly detection: quality control that learns from good parts alone."""

from __future__ import annotations

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, MetricSpec, OutputKind, SampleSchema, TaskSpec, TaskUI, UploadExample
from automl.contracts.words import Words
from engine.tasks.anomaly_detection.options import DEFECTS_OPTION, SOME, task_options

words = Words(__file__)


def _share(name: str, *, needs_defects: bool = False) -> MetricSpec:
    return MetricSpec(
        name=name,
        title=words(f"{name}.title"),
        help=words(f"{name}.help"),
        unit="fraction",
        is_higher_better=True,
        only_for={DEFECTS_OPTION: SOME} if needs_defects else {},
    )


TASK = TaskSpec(
    name="anomaly_detection",
    title=words("title"),
    summary=words("summary"),
    rank=40,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
    options=task_options(),
    consumes=FeatureKind.ANOMALIES,
    can_refit=False,
    outputs=(OutputKind.HEAT_MAP,),
    metrics=(_share("auroc", needs_defects=True), _share("defects_found", needs_defects=True), _share("normal_passed")),
    ui=TaskUI(
        labelling_tool="class-picker",
        report_charts=(
            "summary",
            "score-distribution",
            "confusion",
            "worst-items",
            "score-curves",
            "thresholds",
            "slices",
            "robustness",
        ),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.folders.title"), drawing=words("upload.folders.drawing")),
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
    ),
    has_examples=True,
)
