"""What a trial is to train, checked: task, family, size and the family's parameters with their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from automl.contracts.family import ChoiceParam, FamilySpec, IntParam, Param, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import TaskSpec
from engine.data.augment import Policy
from engine.data.mixing import Mixing
from engine.errors import EngineError, JobInvalidError
from engine.job import Job
from engine.models import families_for, family_spec
from engine.tasks import task_spec
from engine.training.averaging import Averaging


class StartUnsuitableError(EngineError):
    """Training cannot go on from this model."""

    code = "start_unsuitable"
    hint = "Choose a model of the same family and size, or start with a new one."


@dataclass(frozen=True)
class TrainingRequest:
    """What to train."""

    task: TaskSpec
    family: FamilySpec
    size: SizeSpec
    train: TrainConfig
    params: Mapping[str, ParamValue]
    """Of the family, all of them."""


@dataclass(frozen=True)
class GradientConfig:
    """Parameters of a family that is trained step by step; the fields are the parameters' names."""

    epochs: int
    batch_size: int
    lr: float
    weight_decay: float
    augment: Policy = "none"
    mirror: str = "yes"
    """``no`` where a mirrored picture would have another label."""
    label_smoothing: float = 0.0
    is_balanced: bool = False
    is_drawn_evenly: bool = False
    mixing: Mixing = "none"
    averaging: Averaging = "none"
    max_gradient_norm: int = 0
    """0 leaves gradients as they are."""
    first_layer_lr_percent: int = 100
    frozen_epochs: int = 0
    patience: int = 0
    """Epochs without a better one until training ends; 0 goes on to the last."""

    @classmethod
    def of(cls, params: Mapping[str, ParamValue]) -> GradientConfig:
        """Takes what it needs from checked parameters; a family may do without those that have a default here."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in params.items() if name in known})  # type: ignore[arg-type] # checked by kind


def training_request(job: Job, train: TrainConfig | None = None) -> TrainingRequest:
    """What a job asks to train.

    Args:
        job: the order.
        train: what to train; None takes what the job says.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there, or that do not go together.
        StartUnsuitableError: it asks a family to go on from an earlier model that cannot.
    """
    train = train or job.spec.train
    if train is None:
        raise JobInvalidError("The job says train but not what.")
    try:
        task, family = task_spec(job.spec.task), family_spec(train.family)
        size = family.size(train.size)
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    if family not in families_for(task):
        raise JobInvalidError(
            f"{family.name} reads {family.reads} and yields {family.yields}; "
            f"{task.name} is of {task.modality} and consumes {task.consumes}."
        )
    if train.start_from is not None and not family.can_continue:
        raise StartUnsuitableError(f"{family.name} cannot go on from an earlier model.")
    return TrainingRequest(task, family, size, train, checked_params(family, train))


def checked_params(family: FamilySpec, train: TrainConfig) -> dict[str, ParamValue]:
    """The family's parameters by name, with defaults for what the trial leaves out.

    Raises:
        JobInvalidError: a name is unknown or a value is out of range.
    """
    known = {param.name: param for param in family.params}
    unknown = sorted(train.params.keys() - known.keys())
    if unknown:
        raise JobInvalidError(f"{family.name} has no parameter {unknown[0]!r}; known: {', '.join(known)}.")
    values = {name: train.params.get(name, param.default) for name, param in known.items()}
    for name, value in values.items():
        if not _is_allowed(known[name], value):
            raise JobInvalidError(f"{value!r} is no value for {name} of {family.name}.")
    return values


def _is_allowed(param: Param, value: ParamValue) -> bool:
    if isinstance(param, ChoiceParam):
        return any(value == choice and type(value) is type(choice) for choice in param.choices)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return param.low <= value <= param.high and (not isinstance(param, IntParam) or isinstance(value, int))
