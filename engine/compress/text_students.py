"""Which families of texts can be distilled into, and from which models. Without torch."""

from __future__ import annotations

from collections.abc import Sequence

from automl.contracts.family import FamilySpec, IntParam
from automl.contracts.job import TrainConfig
from automl.contracts.task import TaskSpec
from engine.models import families_for

_BEST_FIRST = ("text_bag", "tfidf_linear", "text_cnn")
"""Students that one click offers: the fastest, the nearest to its teacher, and one that reads words (``benchmarks.distill``).
``text_gru`` can be taught too; it takes several times as long to learn and answers later, for no better answers."""
_LEAST_EPOCHS = 6
"""Of 800 labelled texts and 4,000 without labels three epochs taught a text CNN to 0.761 and six to 0.779, and with each of
three seeds more; a bag of n-grams to 0.790 and 0.787, and ten to 0.787 (``benchmarks/results.md``)."""


def students(task: TaskSpec) -> tuple[FamilySpec, ...]:
    """The families that can learn from a teacher, the most promising first, each with its smallest size; none of other tasks.

    A student learns from items alone: one that begins with pretrained weights is as large as its teacher.
    """
    known = {family.name: family for family in families_for(task)}
    chosen = (known[name] for name in _BEST_FIRST if name in known)
    small = ((family, next((size for size in family.sizes if size.asset is None), None)) for family in chosen)
    return tuple(family.model_copy(update={"sizes": (size,)}) for family, size in small if size is not None)


def is_teacher(task: TaskSpec, train: TrainConfig, families: Sequence[FamilySpec]) -> bool:
    """Whether a model can be distilled: it begins with pretrained weights, and its task has students.

    Args:
        task: of the model.
        train: its family, size and parameters.
        families: of the task.
    """
    if not students(task):
        return False
    sizes = (size for family in families if family.name == train.family for size in family.sizes)
    return any(size.name == train.size and size.asset is not None for size in sizes)


def student_config(student: FamilySpec, *, num_labelled: int, num_unlabelled: int) -> TrainConfig:
    """How a student is trained: with its defaults, and the fewer epochs, the more items its teacher adds to the labelled ones.

    Args:
        student: with one size.
        num_labelled: items to train on.
        num_unlabelled: items that only the teacher has scored.
    """
    params = {param.name: param.default for param in student.params}
    for param in student.params:
        if param.name == "epochs" and isinstance(param, IntParam):
            share = num_labelled / max(1, num_labelled + num_unlabelled)
            params["epochs"] = max(min(_LEAST_EPOCHS, param.default), round(param.default * share))
    return TrainConfig(family=student.name, size=student.sizes[0].name, params=params)
