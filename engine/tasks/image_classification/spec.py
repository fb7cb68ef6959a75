"""What the platform knows of image classification."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, OutputKind, SampleSchema, TaskSpec, TaskUI
from engine.tasks.classification.metric_specs import metric_specs
from engine.tasks.classification.options import labels_option

TASK = TaskSpec(
    name="image_classification",
    title=Text(en="Image classification", zh="图像分类"),
    summary=Text(en="Say what a whole picture shows.", zh="判断整张图片的类别。"),
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
    options=(
        labels_option(
            title=Text(en="Labels on a picture", zh="每张图片的标签数"),
            explanation=Text(
                en="One: exactly one label fits a picture. Several: any number of labels, also none.",
                zh="单标签：每张图片恰好一个标签。多标签：每张图片可有任意多个标签，也可以没有。",
            ),
        ),
    ),
    consumes=FeatureKind.VECTOR,
    outputs=(OutputKind.CLASS_SCORES, OutputKind.LABEL_SCORES),
    metrics=metric_specs(Text(en="pictures", zh="图片")),
    ui=TaskUI(
        labelling_tool="class-picker",
        report_charts=(
            "summary",
            "per-class",
            "confusion",
            "score-curves",
            "precision-recall",
            "worst-items",
            "learning-curves",
        ),
        tryout_form="image",
    ),
    has_examples=True,
)
