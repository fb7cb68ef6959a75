"""What the platform knows of text classification. Sentiment is this task with two or three labels of feelings."""

from __future__ import annotations

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, OutputKind, SampleSchema, TaskSpec, TaskUI, UploadExample
from automl.contracts.words import Words
from engine.tasks.shared.classification.metric_specs import metric_specs
from engine.tasks.shared.classification.options import labels_option

words = Words(__file__)

TASK = TaskSpec(
    name="text_classification",
    title=words("title"),
    summary=words("summary"),
    rank=50,
    modality=Modality.TEXT,
    sample=SampleSchema(file_suffixes=(".txt",)),
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
        tryout_form="text",
    ),
    upload_help=(
        UploadExample(title=words("upload.table.title"), drawing=words("upload.table.drawing")),
        UploadExample(title=words("upload.folders.title"), drawing=words("upload.folders.drawing")),
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
    ),
    has_examples=True,
)
