"""What the platform knows of image classification."""

from __future__ import annotations

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, OutputKind, QuickstartSpec, SampleSchema, TaskSpec, TaskUI, UploadExample
from automl.contracts.words import Words
from engine.tasks.shared.classification.metric_specs import metric_specs
from engine.tasks.shared.classification.options import labels_option

words = Words(__file__)

TASK = TaskSpec(
    name="image_classification",
    title=words("title"),
    summary=words("summary"),
    rank=10,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
    options=(
        labels_option(
            title=words("labels.title"),
            explanation=words("labels.help"),
        ),
    ),
    consumes=FeatureKind.VECTOR,
    outputs=(OutputKind.CLASS_SCORES, OutputKind.LABEL_SCORES),
    metrics=metric_specs(words("noun.many")),
    ui=TaskUI(
        labelling_tool="class-picker",
        report_charts=(
            "summary",
            "per-class",
            "confusion",
            "worst-items",
            "score-curves",
            "thresholds",
            "coverage",
            "precision-recall",
            "slices",
            "robustness",
            "advice",
            "learning-curves",
        ),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.folders.title"), drawing=words("upload.folders.drawing")),
        UploadExample(title=words("upload.table.title"), drawing=words("upload.table.drawing")),
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
    ),
    has_examples=True,
    quickstarts=(
        QuickstartSpec(
            name="parts",
            title=words("parts.title"),
            summary=words("parts.summary"),
        ),
    ),
)
