"""The search space of a study: families, their sizes and their parameters, as Optuna sees them.

The space is a tree: ``family`` first, then ``<family>.size`` and ``<family>.<param>``. Names carry the family because two
families may use one name for different ranges, and Optuna wants one range a name.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from automl.contracts.family import ChoiceParam, FamilySpec, FloatParam, IntParam, Param, ParamValue
from automl.contracts.job import TrainConfig

FAMILY = "family"
SIZE = "size"


@dataclass(frozen=True)
class SearchSpace:
    """The families that a study may choose from; each lists only the sizes that are allowed."""

    families: tuple[FamilySpec, ...]

    def __post_init__(self) -> None:
        if not self.families:
            raise ValueError("a search space needs at least one family")

    def family(self, name: str) -> FamilySpec | None:
        """Finds a family by name; None when the space does not hold it."""
        return next((family for family in self.families if family.name == name), None)


def distributions(space: SearchSpace, family: FamilySpec) -> dict[str, BaseDistribution]:
    """Optuna's distributions along one branch of the tree, in the order of asking."""
    found: dict[str, BaseDistribution] = {
        FAMILY: CategoricalDistribution([each.name for each in space.families]),
        f"{family.name}.{SIZE}": CategoricalDistribution([size.name for size in family.sizes]),
    }
    for param in family.params:
        found[f"{family.name}.{param.name}"] = _distribution(param) if _is_searched(param) else _default_alone(param)
    return found


def draw(space: SearchSpace, trial: optuna.Trial) -> TrainConfig:
    """Asks an Optuna trial for one path through the tree."""
    family = space.family(trial.suggest_categorical(FAMILY, [each.name for each in space.families]))
    assert family is not None  # the name was drawn from this space
    values = {name: _suggest(trial, name, each) for name, each in distributions(space, family).items() if name != FAMILY}
    prefix = f"{family.name}."
    size = str(values.pop(prefix + SIZE))
    return TrainConfig(
        family=family.name,
        size=size,
        params={name.removeprefix(prefix): value for name, value in values.items()},
    )


def flatten(space: SearchSpace, train: TrainConfig) -> dict[str, ParamValue] | None:
    """The inverse of ``draw``, with absent parameters at their defaults.

    Returns:
        Values by their names in the tree; None when the space cannot say this configuration, e.g. because a range became
        narrower since it was trained.
    """
    family = space.family(train.family)
    if family is None:
        return None
    given: Mapping[str, ParamValue] = {**{param.name: param.default for param in family.params}, **train.params}
    prefix = f"{family.name}."
    flat: dict[str, ParamValue] = {FAMILY: family.name, prefix + SIZE: train.size}
    flat.update({prefix + param.name: given[param.name] for param in family.params})
    allowed = distributions(space, family)
    is_known = set(given) <= {param.name for param in family.params}
    return flat if is_known and all(_contains(allowed[name], value) for name, value in flat.items()) else None


def train_problems(family: FamilySpec, train: TrainConfig) -> dict[str, str]:
    """Says what is wrong with a configuration that a person wrote.

    Returns:
        A sentence for each field (``size`` or a parameter's name); empty when all is well.
    """
    problems: dict[str, str] = {}
    if train.size not in {size.name for size in family.sizes}:
        problems[SIZE] = f"known sizes: {', '.join(size.name for size in family.sizes)}"
    params = {param.name: param for param in family.params}
    for name, value in train.params.items():
        param = params.get(name)
        if param is None:
            problems[name] = f"known parameters: {', '.join(params) or 'none'}"
        elif not _contains(_distribution(param), value):
            problems[name] = _allowed(param)
    return problems


def _suggest(trial: optuna.Trial, name: str, distribution: BaseDistribution) -> ParamValue:
    if isinstance(distribution, FloatDistribution):
        return trial.suggest_float(name, distribution.low, distribution.high, log=distribution.log)
    if isinstance(distribution, IntDistribution):
        return trial.suggest_int(name, distribution.low, distribution.high, log=distribution.log)
    assert isinstance(distribution, CategoricalDistribution)
    value = trial.suggest_categorical(name, distribution.choices)
    assert value is not None  # no parameter has None among its choices
    return value


def _is_searched(param: Param) -> bool:
    return not isinstance(param, ChoiceParam) or param.is_searched


def _default_alone(param: Param) -> BaseDistribution:
    return CategoricalDistribution([param.default])


def _distribution(param: Param) -> BaseDistribution:
    if isinstance(param, FloatParam):
        return FloatDistribution(param.low, param.high, log=param.is_log)
    if isinstance(param, IntParam):
        return IntDistribution(param.low, param.high, log=param.is_log)
    return CategoricalDistribution(param.choices)


def _contains(distribution: BaseDistribution, value: ParamValue) -> bool:
    if isinstance(distribution, CategoricalDistribution):
        # 1 == True in Python, but not as a choice of a form.
        return any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in distribution.choices)
    if isinstance(value, bool | str) or not math.isfinite(value):
        return False
    if isinstance(distribution, IntDistribution):
        return float(value).is_integer() and distribution.low <= value <= distribution.high
    assert isinstance(distribution, FloatDistribution)
    return bool(distribution.low <= value <= distribution.high)


def _allowed(param: Param) -> str:
    if isinstance(param, FloatParam | IntParam):
        kind = "a whole number" if isinstance(param, IntParam) else "a number"
        return f"must be {kind} from {param.low} to {param.high}"
    return f"must be one of {', '.join(str(choice) for choice in param.choices)}"
