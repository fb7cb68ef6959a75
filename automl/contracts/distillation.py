"""How student and teacher compare: ``distillation.json`` in the student's artefact."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.base import Contract
from automl.contracts.dataset import Split
from automl.contracts.job import TrainConfig

DISTILLATION_FILE = "distillation.json"


class Side(Contract):
    """Teacher or student."""

    job: str
    """That trained it."""
    train: TrainConfig
    metrics: Mapping[Split, Mapping[str, float]]
    """On the same items for both."""
    model_bytes: int
    answer_ms: float
    """Median processor time from a text to its scores, ONNX Runtime with one thread, both sides in the same run."""
    graph_ms: float
    """The same without the tokenizer."""


class DistillationReport(Contract):
    """``distillation.json``."""

    schema_version: int = 1
    teacher: Side
    student: Side
    temperature: float
    hard_fraction: float
    num_labelled: int
    """Items to train on that carry labels."""
    num_unlabelled: int
    """Items that only the teacher knows."""
    split: Split
    """Where the two are compared: test, or validation where there is no test."""
    metric: str
    """The task's objective."""

    @property
    def teacher_metric(self) -> float:
        """The objective of the teacher."""
        return self.teacher.metrics[self.split][self.metric]

    @property
    def student_metric(self) -> float:
        """The objective of the student."""
        return self.student.metrics[self.split][self.metric]

    @property
    def gap(self) -> float:
        """How much better the teacher is, by the objective."""
        return self.teacher_metric - self.student_metric

    @property
    def speedup(self) -> float:
        """Answers of the student in the time of one of the teacher's, text to scores."""
        return self.teacher.answer_ms / self.student.answer_ms
