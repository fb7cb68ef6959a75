"""What the platform knows of image similarity: which pictures show the same thing, also things that were never learned."""

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
    name="image_similarity",
    title=words("title"),
    summary=words("summary"),
    rank=50,
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
    consumes=FeatureKind.EMBEDDING,
    can_refit=False,
    outputs=(OutputKind.VECTOR,),
    metrics=(_share("mean_average_precision"), _share("rank_1"), _share("accepted_pairs")),
    ui=TaskUI(
        labelling_tool="class-picker",
        report_charts=("summary", "similarity", "slices", "robustness", "worst-items", "learning-curves"),
        tryout_form="image",
    ),
    upload_help=(
        UploadExample(title=words("upload.folders.title"), drawing=words("upload.folders.drawing")),
        UploadExample(title=words("upload.unlabelled.title"), drawing=words("upload.unlabelled.drawing")),
    ),
    has_examples=True,
    quickstarts=(
        QuickstartSpec(
            name="packs",
            title=words("packs.title"),
            summary=words("packs.summary"),
            families=("metric_learning",),
            at_least={"metric_learning": {"epochs": 3}},
        ),
    ),
)
