"""What the platform knows of image classification."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.task import (
    AnnotationSchema,
    MetricSpec,
    Modality,
    OutputKind,
    SampleSchema,
    TaskSpec,
    TaskUI,
)
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
    metrics=(
        MetricSpec(
            name="accuracy",
            title=Text(en="Accuracy", zh="准确率"),
            help=Text(
                en="Share of pictures answered exactly right; with several labels all of them must be right.",
                zh="完全回答正确的图片比例；多标签时所有标签都必须正确。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="f1_macro",
            title=Text(en="F1", zh="F1 值"),
            help=Text(en="Balance of precision and recall, averaged over labels.", zh="精确率与召回率的调和平均，按标签平均。"),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="precision_macro",
            title=Text(en="Precision", zh="精确率"),
            help=Text(
                en="When it says a label, how often that is right; averaged over labels.",
                zh="给出某标签时正确的比例，按标签平均。",
            ),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="recall_macro",
            title=Text(en="Recall", zh="召回率"),
            help=Text(en="How much of a label it finds; averaged over labels.", zh="某标签的图片被找出的比例，按标签平均。"),
            unit="fraction",
            is_higher_better=True,
        ),
        MetricSpec(
            name="log_loss",
            title=Text(en="Log loss", zh="对数损失"),
            help=Text(en="How surprised the scores are by the truth; lower is better.", zh="得分与真实标签的差距，越低越好。"),
            unit="loss",
            is_higher_better=False,
        ),
    ),
    ui=TaskUI(
        labelling_tool="class-picker",
        report_charts=("summary", "per-class", "confusion", "learning-curves", "worst-items"),
        tryout_form="image",
    ),
    has_examples=True,
)
