"""What the platform knows of reading text in pictures."""

from __future__ import annotations

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


def _share(name: str) -> MetricSpec:
    return MetricSpec(
        name=name, title=words(f"{name}.title"), help=words(f"{name}.help"), unit="fraction", is_higher_better=True
    )


TASK = TaskSpec(
    name="ocr",
    title=words("title"),
    summary=words("summary"),
    rank=45,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("polygon",), needs_label_set=True, min_labels=1, first_labels=("text",)),
    consumes=FeatureKind.TEXT_LINES,
    can_refit=False,
    outputs=(OutputKind.QUADS,),
    metrics=(_share("end_to_end_f1"), _share("character_accuracy"), _share("detection_f1")),
    ui=TaskUI(
        labelling_tool="text-lines",
        report_charts=("summary", "text-lines", "worst-items", "learning-curves"),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
        UploadExample(title=words("upload.paddleocr.title"), drawing=words("upload.paddleocr.drawing")),
    ),
    has_examples=True,
    quickstarts=(
        QuickstartSpec(
            name="invoices",
            title=words("invoices.title"),
            summary=words("invoices.summary"),
            families=("pp_ocr",),
            pages=("templates",),
        ),
    ),
)
