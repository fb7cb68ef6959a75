"""Ranges that a person sets: what a study may try of a family's parameters and sizes, within what the family allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import Field, model_validator

from automl.contracts.base import Contract
from automl.contracts.family import ChoiceParam, FamilySpec, FloatParam, IntParam, Param, ParamValue
from automl.contracts.job import TrainConfig
from automl.search.space import SIZE


class ParamRange(Contract):
    """What may be tried of a parameter: numbers from ``low`` to ``high``, both included, or some of its choices."""

    low: float | None = Field(default=None, allow_inf_nan=False)
    """None: as low as the family allows; ``high`` likewise."""
    high: float | None = Field(default=None, allow_inf_nan=False)
    choices: tuple[ParamValue, ...] | None = Field(default=None, min_length=1, max_length=100)

    @model_validator(mode="after")
    def _is_one_of_both(self) -> ParamRange:
        if (self.choices is None) == (self.low is None and self.high is None):
            raise ValueError("give low and high, or choices")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low is above high")
        return self


FamilyRanges = Mapping[str, ParamRange]
"""By the name of a parameter, or ``size`` for the family's sizes."""


def range_problems(family: FamilySpec, ranges: FamilyRanges) -> Iterator[tuple[str, str]]:
    """Name and sentence for each range that the family cannot follow."""
    params = {param.name: param for param in family.params}
    for name, one in ranges.items():
        if name == SIZE:
            known: tuple[ParamValue, ...] = tuple(size.name for size in family.sizes)
            problem = _choice_problem(known, one)
        elif name not in params:
            problem = f"known parameters: {', '.join((SIZE, *params))}"
        else:
            problem = _problem(params[name], one)
        if problem:
            yield name, problem


def with_ranges(family: FamilySpec, ranges: FamilyRanges) -> FamilySpec:
    """The family with no more than the ranges leave of it; defaults that lie outside move to the nearest value.

    Args:
        family: whose ranges these are.
        ranges: without ``range_problems``.
    """
    sizes = family.sizes
    if SIZE in ranges:
        sizes = tuple(size for size in family.sizes if size.name in (ranges[SIZE].choices or ())) or family.sizes
    params = tuple(_narrowed(param, ranges[param.name]) if param.name in ranges else param for param in family.params)
    return family.model_copy(update={"sizes": sizes, "params": params})


def within_ranges(family: FamilySpec, train: TrainConfig) -> TrainConfig:
    """A configuration planned for a family as what the narrowed family allows: each value at the nearest that is left."""
    names = [size.name for size in family.sizes]
    given = {param.name: _nearest(param, train.params[param.name]) for param in family.params if param.name in train.params}
    given |= {param.name: param.default for param in family.params if param.name not in train.params}
    return train.model_copy(
        update={"size": train.size if train.size in names else names[0], "params": {**train.params, **given}}
    )


def _problem(param: Param, one: ParamRange) -> str:
    if isinstance(param, ChoiceParam):
        return _choice_problem(param.choices, one)
    if one.choices is not None:
        return "is a number: give low and high"
    low, high = _ends(param, one)
    if not param.low <= low <= high <= param.high:
        return f"must lie within {param.low} to {param.high}"
    if isinstance(param, IntParam) and not (float(low).is_integer() and float(high).is_integer()):
        return "must be whole numbers"
    return ""


def _choice_problem(known: tuple[ParamValue, ...], one: ParamRange) -> str:
    if one.choices is None:
        return f"give choices, some of {', '.join(map(str, known))}"
    strange = [choice for choice in one.choices if not any(_is_same(choice, each) for each in known)]
    return f"known: {', '.join(map(str, known))}" if strange else ""


def _narrowed(param: Param, one: ParamRange) -> Param:
    if isinstance(param, ChoiceParam):
        left = tuple(each for each in param.choices if any(_is_same(each, choice) for choice in one.choices or ()))
        default = param.default if any(_is_same(each, param.default) for each in left) else left[0]
        return param.model_copy(update={"choices": left, "default": default, "is_searched": True})
    low, high = _ends(param, one)
    if isinstance(param, IntParam):
        low, high = int(low), int(high)
    return param.model_copy(update={"low": low, "high": high, "default": max(low, min(high, param.default))})


def _ends(param: FloatParam | IntParam, one: ParamRange) -> tuple[float, float]:
    return param.low if one.low is None else one.low, param.high if one.high is None else one.high


def _nearest(param: Param, value: ParamValue) -> ParamValue:
    if isinstance(param, ChoiceParam):
        return value if any(_is_same(value, choice) for choice in param.choices) else param.default
    return max(param.low, min(param.high, value)) if isinstance(value, int | float) else param.default


def _is_same(one: ParamValue, other: ParamValue) -> bool:
    """1 equals True in Python, but not as a choice."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)
