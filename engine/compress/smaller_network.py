"""Distillation of networks for pictures: a smaller network learns from the model's answers beside the labels.

The model's answers to the items of training are softened, so that its uncertainty shows (``soft_targets``). The student is the
largest network that multiplies a fifth of what the model does or less, of those that a search tries by itself: a family that
begins with pretrained weights if possible, on smaller pictures where it must be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from automl.contracts.family import ChoiceParam, FamilySpec, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import TaskSpec
from engine.assets.fetch import AssetMissingError
from engine.compress.smaller_graph import NoCandidateError, SmallerGraph
from engine.compress.source import SourceGraph
from engine.models import families_for
from engine.models.shared.params import resolution_of
from engine.training.publish import licences_of

MACS_SHARE = 0.2
"""Of the model's multiplications."""


@dataclass(frozen=True)
class Student:
    """A network that could be the student."""

    train: TrainConfig
    macs: float
    is_pretrained: bool


def student(graph: SourceGraph) -> SmallerGraph:
    """A smaller network, taught by the model.

    Raises:
        NoCandidateError: the model has no weights, no network is small enough beside it, or the weights that it begins with
            cannot be had.
        StoppedError: the job was asked to stop.
        EngineError: it cannot be trained.
    """
    trainable = graph.source.trainable
    prepared = trainable.prepared
    whole = macs_of(prepared.size, resolution_of(prepared.size, prepared.params))
    chosen = student_for(prepared.task, whole)
    if chosen is None:
        raise NoCandidateError("small_already")
    try:
        student = trainable.student(chosen.train)
    except AssetMissingError as error:
        raise NoCandidateError("asset_missing") from error
    network = student.fine_tuned(student.network, span=graph.source.span)
    return SmallerGraph(
        student.graph(network), num_changed=0, num_kept=0, train=chosen.train, licences=licences_of(student.prepared)
    )


def student_for(task: TaskSpec, macs: float) -> Student | None:
    """The largest network that a model of so many multiplications can teach; None where none is small enough."""
    small = (each for each in _students(task) if each.macs <= MACS_SHARE * macs)
    return max(small, key=lambda each: (each.is_pretrained, each.macs), default=None)


def _students(task: TaskSpec) -> Iterator[Student]:
    """Every network that is trained as a whole, at every side of pictures that its family knows."""
    for family in families_for(task):
        if not family.is_frozen:
            for size in family.sizes:
                for side_px in _sides_px(family) if size.is_searched else ():
                    train = TrainConfig(family=family.name, size=size.name, params={"resolution_px": side_px})
                    yield Student(train, macs_of(size, resolution_of(size, train.params)), size.asset is not None)


def macs_of(size: SizeSpec, side_px: int) -> float:
    """Multiplications for a picture of this side."""
    return float(size.macs * (side_px / size.resolution_px) ** 2)


def _sides_px(family: FamilySpec) -> Iterator[int]:
    for param in family.params:
        if param.name == "resolution_px" and isinstance(param, ChoiceParam):
            yield from (int(choice) for choice in param.choices)
