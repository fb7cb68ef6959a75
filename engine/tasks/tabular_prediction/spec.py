"""What the platform knows of predicting a column of a table: classification and regression of rows."""

from __future__ import annotations

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, MetricSpec, OutputKind, SampleSchema, TaskSpec, TaskUI, UploadExample
from automl.contracts.words import Words
from engine.tasks.shared.classification.metric_specs import metric_specs
from engine.tasks.shared.regression.metric_specs import metric_specs as number_specs
from engine.tasks.tabular_prediction.options import CATEGORY, NUMBER, PREDICTS, PREDICTS_OPTION

words = Words(__file__)

_ROWS = words("noun.many")
_AUC = MetricSpec(
    name="roc_auc",
    title=words("roc_auc.title"),
    help=words("roc_auc.help"),
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
    title=words("title"),
    summary=words("summary"),
    rank=60,
    modality=Modality.TABULAR,
    sample=SampleSchema(file_suffixes=(".json",)),
    # Labels are needed where a category is predicted; a number has none.
    annotation=AnnotationSchema(kinds=("class", "value"), needs_label_set=True, min_labels=2),
    options=(PREDICTS,),
    consumes=FeatureKind.ROWS,
    can_refit=False,
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
            "worst-items",
            "score-curves",
            "thresholds",
            "coverage",
            "precision-recall",
            "leaderboard",
            "importance",
            "dependence",
            "slices",
            "robustness",
            "advice",
            "learning-curves",
        ),
        tryout_form="row",
    ),
    upload_help=(
        UploadExample(title=words("upload.table.title"), drawing=words("upload.table.drawing")),
        UploadExample(title=words("upload.several.title"), drawing=words("upload.several.drawing")),
    ),
    has_examples=True,
)
