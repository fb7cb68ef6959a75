"""What the platform knows of predicting a column of a table: classification and regression of rows."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, MetricSpec, OutputKind, SampleSchema, TaskSpec, TaskUI
from engine.tasks.classification.metric_specs import metric_specs
from engine.tasks.regression.metric_specs import metric_specs as number_specs
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER, PREDICTS, PREDICTS_OPTION

_ROWS = Text(en="rows", zh="行")
_AUC = MetricSpec(
    name="roc_auc",
    title=Text(en="ROC AUC", zh="ROC AUC"),
    help=Text(
        en="Of a row with a label and one without it, how often the first gets the higher score; averaged over labels.",
        zh="随机取一行属于某类别、一行不属于该类别，前者得分更高的概率；按类别平均。",
    ),
    unit="fraction",
    is_higher_better=True,
)
_ORDER = ("roc_auc", "average_precision_macro", "log_loss", "accuracy", "f1_macro", "precision_macro", "recall_macro")


def _metrics() -> tuple[MetricSpec, ...]:
    by_name = {metric.name: metric for metric in (_AUC, *metric_specs(_ROWS))}
    of_categories = (by_name[name].model_copy(update={"only_for": {PREDICTS_OPTION: CATEGORY}}) for name in _ORDER)
    of_numbers = (metric.model_copy(update={"only_for": {PREDICTS_OPTION: NUMBER}}) for metric in number_specs(_ROWS))
    return (*of_categories, *of_numbers)


TASK = TaskSpec(
    name="tabular_prediction",
    title=Text(en="Tables", zh="表格预测"),
    summary=Text(
        en="Predict one column of a table from the others: a category or a number.",
        zh="根据其他列预测表格中的一列：类别或数值。",
    ),
    modality=Modality.TABULAR,
    sample=SampleSchema(file_suffixes=(".json",)),
    # Labels are needed where a category is predicted; a number has none.
    annotation=AnnotationSchema(kinds=("class", "value"), needs_label_set=True, min_labels=2),
    options=(PREDICTS,),
    consumes=FeatureKind.ROWS,
    outputs=(OutputKind.CLASS_SCORES, OutputKind.NUMBER),
    metrics=_metrics(),
    ui=TaskUI(
        # The target as the option says: a label is picked, a number is written.
        labelling_tool="value",
        report_charts=(
            "summary",
            "regression",
            "per-class",
            "confusion",
            "score-curves",
            "precision-recall",
            "leaderboard",
            "importance",
            "dependence",
            "worst-items",
            "learning-curves",
        ),
        tryout_form="row",
    ),
    has_examples=True,
)
