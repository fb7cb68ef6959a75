"""What the platform knows of semantic segmentation."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import (
    AnnotationSchema,
    MetricSpec,
    OutputKind,
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
    name="semantic_segmentation",
    title=words("title"),
    summary=words("summary"),
    rank=30,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(
        kinds=("mask", "polygon"),
        needs_label_set=True,
        min_labels=1,
        has_ignored_areas=True,
        overlap_rules=("over", "keep", "order"),
    ),
    consumes=FeatureKind.MASKS,
    outputs=(OutputKind.MASK,),
    metrics=(
        _fraction("miou", words("miou.title"), words("miou.help")),
        _fraction("dice", words("dice.title"), words("dice.help")),
        _fraction("boundary_f1", words("boundary_f1.title"), words("boundary_f1.help")),
        _fraction("pixel_accuracy", words("pixel_accuracy.title"), words("pixel_accuracy.help")),
    ),
    ui=TaskUI(
        labelling_tool="masks",
        report_charts=("summary", "per-class", "worst-items", "slices", "robustness", "learning-curves"),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
        UploadExample(title=words("upload.masks.title"), drawing=words("upload.masks.drawing")),
        UploadExample(title=words("upload.coco.title"), drawing=words("upload.coco.drawing")),
    ),
    has_examples=True,
    quickstarts=(
        QuickstartSpec(
            name="parcels",
            title=words("parcels.title"),
            summary=words("parcels.summary"),
        ),
        QuickstartSpec(
            name="portraits",
            title=words("portraits.title"),
            summary=words("portraits.summary"),
        ),
        QuickstartSpec(
            name="cutouts",
            title=words("cutouts.title"),
            summary=words("cutouts.summary"),
        ),
    ),
)
