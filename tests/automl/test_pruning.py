"""When a running trial is stopped, and which parameters mattered."""

import pytest

from automl.contracts.base import Text
from automl.contracts.family import FamilySpec, FeatureKind, FloatParam, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.search.importance import importance
from automl.search.space import SearchSpace
from automl.search.states import TrialState
from automl.search.study import TrialRecord, should_prune

WORD = Text(en="x", zh="x")


def _family(name: str) -> FamilySpec:
    param = {"title": WORD, "help": WORD, "low": 0.0, "high": 1.0, "default": 0.5}
    return FamilySpec(
        name=name,
        title=WORD,
        summary=WORD,
        reads=Modality.IMAGE,
        yields=FeatureKind.VECTOR,
        sizes=(SizeSpec(name="s", title=WORD, resolution_px=32, num_parameters=1, macs=1),),
        params=(FloatParam(name="matters", **param), FloatParam(name="idle", **param)),
    )


SPACE = SearchSpace((_family("net"), _family("probe")))


def _record(number: int, state: TrialState, curve: dict[int, float], *, family: str = "net") -> TrialRecord:
    train = TrainConfig(family=family, size="s", params={})
    value = max(curve.values()) if state is TrialState.SUCCEEDED else None
    return TrialRecord(number, state, train, value, curve)


def _finished(*finals: float, family: str = "net") -> list[TrialRecord]:
    return [
        _record(number, TrialState.SUCCEEDED, {1: final / 2, 2: final, 3: final}, family=family)
        for number, final in enumerate(finals)
    ]


@pytest.mark.parametrize(("value", "is_pruned"), [(0.3, True), (0.85, False)])
def test_below_the_median_of_the_same_epoch_is_pruned(value: float, is_pruned: bool):
    trial = _record(9, TrialState.RUNNING, {1: 0.1, 2: value})
    history = [*_finished(0.7, 0.8, 0.9), trial]
    assert should_prune(history=history, trial=trial, space=SPACE, is_higher_better=True) is is_pruned


def test_direction_counts():
    trial = _record(9, TrialState.RUNNING, {2: 0.3})
    assert not should_prune(history=_finished(0.7, 0.8, 0.9), trial=trial, space=SPACE, is_higher_better=False)


def test_the_first_epoch_is_free():
    trial = _record(9, TrialState.RUNNING, {1: 0.0})
    assert not should_prune(history=_finished(0.7, 0.8, 0.9), trial=trial, space=SPACE, is_higher_better=True)


def test_too_few_relatives_prune_nobody():
    trial = _record(9, TrialState.RUNNING, {2: 0.0})
    assert not should_prune(history=_finished(0.7, 0.8), trial=trial, space=SPACE, is_higher_better=True)


def test_other_families_are_no_measure():
    trial = _record(9, TrialState.RUNNING, {2: 0.0})
    history = _finished(0.7, 0.8, 0.9, family="probe")
    assert not should_prune(history=history, trial=trial, space=SPACE, is_higher_better=True)


def test_the_parameter_that_matters_leads():
    history = []
    for number in range(20):
        matters = number / 19
        train = TrainConfig(family="net", size="s", params={"matters": matters, "idle": (number * 7 % 20) / 19})
        history.append(TrialRecord(number, TrialState.SUCCEEDED, train, matters))
    shares = importance(history=history, space=SPACE, is_higher_better=True)
    assert next(iter(shares)) == "net.matters"
    assert sum(shares.values()) == pytest.approx(1.0)


def test_few_trials_have_no_importance():
    assert importance(history=_finished(0.1, 0.9), space=SPACE, is_higher_better=True) == {}
