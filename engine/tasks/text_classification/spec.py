"""What the platform knows of text classification. Sentiment is this task with two or three labels of feelings."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, OutputKind, SampleSchema, TaskSpec, TaskUI
from engine.tasks.classification.metric_specs import metric_specs
from engine.tasks.classification.options import labels_option

TASK = TaskSpec(
    name="text_classification",
    title=Text(en="Text classification", zh="文本分类"),
    summary=Text(
        en="Say what a text is about, or how its writer feels; Chinese and English.",
        zh="判断文本的主题或情感倾向，支持中文和英文。",
    ),
    modality=Modality.TEXT,
    sample=SampleSchema(file_suffixes=(".txt",)),
    annotation=AnnotationSchema(kinds=("class",), needs_label_set=True, min_labels=2),
    options=(
        labels_option(
            title=Text(en="Labels on a text", zh="每条文本的标签数"),
            explanation=Text(
                en="One: exactly one label fits a text. Several: any number of labels, also none.",
                zh="单标签：每条文本恰好一个标签。多标签：每条文本可有任意多个标签，也可以没有。",
            ),
        ),
    ),
    consumes=FeatureKind.VECTOR,
    outputs=(OutputKind.CLASS_SCORES, OutputKind.LABEL_SCORES),
    metrics=metric_specs(Text(en="texts", zh="文本")),
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
        tryout_form="text",
    ),
    has_examples=True,
)
