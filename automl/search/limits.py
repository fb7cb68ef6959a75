"""Limits on the parameters of all trials of a study: a value above is lowered to the largest one that is allowed.

A search knows nothing of them. What it asked for is lowered before it is trained, and stands in the history as it was trained.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from automl.contracts.family import ChoiceParam, FamilySpec, Param, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig


def limited(family: FamilySpec, train: TrainConfig, at_most: Mapping[str, float]) -> TrainConfig:
    """The configuration with no parameter above its limit.

    Args:
        family: of the configuration.
        train: as it was planned, searched or written.
        at_most: limits by the parameters' names; those that the family does not have are passed over. Where no value lies
            within the limit, the least one is taken.
    """
    size = _size_of(family, train)
    params = dict(train.params)
    for param in family.params:
        most = at_most.get(param.name)
        amount = amount_of(family, train, param.name)
        if most is None or amount is None or amount <= most:
            continue
        params[param.name] = _value_within(param, size, most)
    return train.model_copy(update={"params": params})


def amount_of(family: FamilySpec, train: TrainConfig, name: str) -> float | None:
    """How much a trial takes of a parameter; None of one that the family does not have, or that is no number."""
    param = next((each for each in family.params if each.name == name), None)
    return None if param is None else _amount(_size_of(family, train), name, train.params.get(name, param.default))


def limitable(families: Iterable[FamilySpec]) -> frozenset[str]:
    """Names of the parameters of which a limit means something to one of the families at least."""
    bare = [(family, TrainConfig(family=family.name, size=family.sizes[0].name, params={})) for family in families]
    return frozenset(param.name for family, train in bare for param in family.params if amount_of(family, train, param.name))


def reduced(family: FamilySpec, train: TrainConfig, name: str, *, factor: float) -> float | None:
    """A limit below what a trial took of a parameter.

    Args:
        family: of the configuration.
        train: the trial's.
        name: of the parameter.
        factor: how much of it the limit leaves, 0..1; more where no value is as small.

    Returns:
        An amount that some value of the parameter has; None where the trial took the least already.
    """
    param = next((each for each in family.params if each.name == name), None)
    amount = amount_of(family, train, name)
    if param is None or amount is None:
        return None
    size = _size_of(family, train)
    limit = _amount(size, name, _value_within(param, size, amount * factor))
    return limit if limit is not None and limit < amount else None


def _size_of(family: FamilySpec, train: TrainConfig) -> SizeSpec:
    return next((size for size in family.sizes if size.name == train.size), family.sizes[0])


def _amount(size: SizeSpec, name: str, value: ParamValue) -> float | None:
    """The number that a value stands for: 0 may stand for the size's own."""
    if isinstance(value, bool | str):
        return None
    return float(value or getattr(size, name, 0))


def _value_within(param: Param, size: SizeSpec, most: float) -> ParamValue:
    """The largest value that is no more; the least of all where there is none."""
    if not isinstance(param, ChoiceParam):
        value = max(param.low, min(param.high, most))
        return int(value) if isinstance(param.low, int) else value
    amounts = sorted((_amount(size, param.name, choice) or 0.0, place) for place, choice in enumerate(param.choices))
    within = [place for amount, place in amounts if amount <= most]
    return param.choices[within[-1] if within else amounts[0][1]]
