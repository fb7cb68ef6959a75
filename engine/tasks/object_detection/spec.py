"""What the platform knows of object detection."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import (
    AnnotationSchema,
    MetricSpec,
    OutputKind,
    QuickstartPartner,
    QuickstartSpec,
    SampleSchema,
    TaskSpec,
    TaskUI,
    UploadExample,
)
from automl.contracts.words import Words

words = Words(__file__)


def _fraction(name: str, title: Text, help_: Text) -> MetricSpec:
    return MetricSpec(name=name, title=title, help=help_, unit="fraction", is_higher_better=True)


TASK = TaskSpec(
    name="object_detection",
    title=words("title"),
    summary=words("summary"),
    rank=20,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("box",), needs_label_set=True, min_labels=1),
    consumes=FeatureKind.BOXES,
    outputs=(OutputKind.BOXES,),
    metrics=(
        _fraction(
            "ap50",
            words("ap50.title"),
            words("ap50.help"),
        ),
        _fraction(
            "ap",
            words("ap.title"),
            words("ap.help"),
        ),
        _fraction(
            "ap75",
            words("ap75.title"),
            words("ap75.help"),
        ),
        _fraction(
            "precision",
            words("precision.title"),
            words("precision.help"),
        ),
        _fraction(
            "recall",
            words("recall.title"),
            words("recall.help"),
        ),
        _fraction(
            "f1",
            words("f1.title"),
            words("f1.help"),
        ),
    ),
    ui=TaskUI(
        labelling_tool="boxes",
        report_charts=(
            "summary",
            "per-class",
            "per-size",
            "worst-items",
            "thresholds",
            "object-confusion",
            "precision-recall",
            "slices",
            "robustness",
            "learning-curves",
        ),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
        UploadExample(title=words("upload.coco.title"), drawing=words("upload.coco.drawing")),
        UploadExample(title=words("upload.yolo.title"), drawing=words("upload.yolo.drawing")),
    ),
    has_examples=True,
    quickstarts=(
        QuickstartSpec(
            name="shelf",
            title=words("shelf.title"),
            summary=words("shelf.summary"),
            families=("yolo",),
            pages=("shelves",),
            partner=QuickstartPartner(task="image_similarity", quickstart="packs"),
        ),
    ),
)
