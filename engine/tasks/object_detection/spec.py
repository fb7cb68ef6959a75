"""What the platform knows of object detection."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from automl.contracts.task import AnnotationSchema, MetricSpec, OutputKind, SampleSchema, TaskSpec, TaskUI


def _fraction(name: str, title: Text, help_: Text) -> MetricSpec:
    return MetricSpec(name=name, title=title, help=help_, unit="fraction", is_higher_better=True)


TASK = TaskSpec(
    name="object_detection",
    title=Text(en="Object detection", zh="物体检测"),
    summary=Text(en="Find each object in a picture and say what it is.", zh="找出图片中的每个物体，并判断其类别。"),
    modality=Modality.IMAGE,
    sample=SampleSchema(file_suffixes=(".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")),
    annotation=AnnotationSchema(kinds=("box",), needs_label_set=True, min_labels=1),
    consumes=FeatureKind.BOXES,
    outputs=(OutputKind.BOXES,),
    metrics=(
        _fraction(
            "ap50",
            Text(en="AP50", zh="AP50"),
            Text(
                en="Average precision where a box counts as found when it overlaps the true one by half; averaged over labels.",
                zh="预测框与真实框重叠（IoU）达到 0.5 即算正确时的平均精度，按标签平均。",
            ),
        ),
        _fraction(
            "ap",
            Text(en="AP", zh="AP"),
            Text(
                en="Average precision over ten overlaps from 0.50 to 0.95, as COCO counts it: boxes have to fit well.",
                zh="IoU 从 0.50 到 0.95 十个阈值下的平均精度（COCO 标准），要求框的位置准确。",
            ),
        ),
        _fraction(
            "ap75",
            Text(en="AP75", zh="AP75"),
            Text(en="Average precision at an overlap of 0.75.", zh="IoU 阈值为 0.75 时的平均精度。"),
        ),
        _fraction(
            "precision",
            Text(en="Precision", zh="精确率"),
            Text(
                en="At the recommended thresholds: how many of the boxes it draws are right.",
                zh="采用推荐阈值时，给出的框中正确的比例。",
            ),
        ),
        _fraction(
            "recall",
            Text(en="Recall", zh="召回率"),
            Text(
                en="At the recommended thresholds: how many of the true objects it finds.",
                zh="采用推荐阈值时，真实物体被找出的比例。",
            ),
        ),
        _fraction(
            "f1",
            Text(en="F1", zh="F1 值"),
            Text(en="Balance of precision and recall.", zh="精确率与召回率的调和平均。"),
        ),
    ),
    ui=TaskUI(
        labelling_tool="boxes",
        report_charts=("summary", "per-class", "per-size", "precision-recall", "worst-items", "learning-curves"),
        tryout_form="image",
    ),
    has_examples=True,
)
