"""The values that a trial trains with: the family's parameters, checked and made whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from automl.contracts.family import ChoiceParam, FamilySpec, IntParam, Param, ParamValue
from automl.contracts.job import TrainConfig
from engine.data.augment import Policy
from engine.errors import JobInvalidError


@dataclass(frozen=True)
class GradientConfig:
    """Parameters of a family that is trained step by step; the fields are the parameters' names."""

    epochs: int
    batch_size: int
    lr: float
    weight_decay: float
    augment: Policy = "none"
    mirror: str = "yes"
    """``no`` where pictures lose their meaning by it."""
    label_smoothing: float = 0.0
    is_balanced: bool = False

    @classmethod
    def of(cls, params: Mapping[str, ParamValue]) -> GradientConfig:
        """Takes what it needs from checked parameters; a family may do without those that have a default here."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in params.items() if name in known})  # type: ignore[arg-type] # checked by kind


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
