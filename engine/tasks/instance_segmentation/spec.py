"""What the platform knows of instance segmentation."""

from __future__ import annotations

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, MetricSpec, OutputKind, SampleSchema, TaskSpec, TaskUI, UploadExample
from automl.contracts.words import Words

words = Words(__file__)


def _fraction(name: str) -> MetricSpec:
    title, help_ = words(f"{name}.title"), words(f"{name}.help")
    return MetricSpec(name=name, title=title, help=help_, unit="fraction", is_higher_better=True)


def _upload(name: str) -> UploadExample:
    return UploadExample(title=words(f"upload.{name}.title"), drawing=words(f"upload.{name}.drawing"))


TASK = TaskSpec(
    name="instance_segmentation",
    title=words("title"),
    summary=words("summary"),
    rank=35,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(
        kinds=("mask", "polygon"), needs_label_set=True, min_labels=1, overlap_rules=("both", "over", "keep")
    ),
    consumes=FeatureKind.INSTANCES,
    outputs=(OutputKind.INSTANCES,),
    metrics=tuple(_fraction(name) for name in ("ap50", "ap", "ap75", "precision", "recall", "f1")),
    ui=TaskUI(
        labelling_tool="objects",
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
    upload_help=(_upload("unlabelled"), _upload("coco"), _upload("labelme")),
    has_examples=True,
)
