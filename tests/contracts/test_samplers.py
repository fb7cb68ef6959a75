"""The contract of a sampler, run over every file of ``automl/search/samplers``."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from statistics import geometric_mean

import pytest

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, FamilySpec, FeatureKind, FloatParam, IntParam, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.search.objectives import SideObjective
from automl.search.samplers import UnknownSamplerError, build_sampler, sampler_names
from automl.search.space import SearchSpace, train_problems
from automl.search.states import TrialState
from automl.search.study import TrialRecord, ask

ROOT = Path(__file__).parents[2]


def _text(word: str) -> Text:
    return Text(en=word, zh=word)


def _family(name: str, *params: FloatParam | IntParam | ChoiceParam, sizes: tuple[str, ...] = ("s", "m")) -> FamilySpec:
    return FamilySpec(
        name=name,
        title=_text(name),
        summary=_text(name),
        reads=Modality.IMAGE,
        yields=FeatureKind.VECTOR,
        sizes=tuple(SizeSpec(name=size, title=_text(size), resolution_px=32, num_parameters=10, macs=10) for size in sizes),
        params=params,
    )


LR = FloatParam(name="lr", title=_text("lr"), help=_text(""), low=1e-4, high=1.0, is_log=True, default=1e-2)
DEPTH = IntParam(name="depth", title=_text("depth"), help=_text(""), low=1, high=9, default=3)
LOSS = ChoiceParam(name="loss", title=_text("loss"), help=_text(""), choices=("plain", "focal", "smooth"), default="plain")
SPACE = SearchSpace((_family("tall", LR, DEPTH), _family("wide", LR, LOSS, sizes=("s",))))


def _quality(train: TrainConfig) -> float:
    """A made-up objective, 1 at best: family wide, lr 0.1, loss focal."""
    lr = float(train.params["lr"])
    return 0.5 * (train.family == "wide") + 0.3 * (1 - abs(lr - 0.1)) + 0.2 * (train.params.get("loss") == "focal")


def _history(sampler: str, seed: int, length: int) -> list[TrialRecord]:
    """A sequential study of the made-up objective."""
    history: list[TrialRecord] = []
    for number in range(length):
        train = ask(history=history, space=SPACE, sampler_name=sampler, seed=seed, is_higher_better=True)
        history.append(TrialRecord(number, TrialState.SUCCEEDED, train, _quality(train), {1: _quality(train)}))
    return history


def _mixed(sampler: str) -> list[TrialRecord]:
    """A history with every state in it, and a trial that the space cannot say any more."""
    history = _history(sampler, 3, 12)
    for state in TrialState:
        last = history[-1].train
        value = 0.4 if state is TrialState.SUCCEEDED else None
        history.append(TrialRecord(len(history), state, last, value, {1: 0.1, 2: 0.2}))
    foreign = TrainConfig(family="gone", size="s", params={})
    history.append(TrialRecord(len(history), TrialState.SUCCEEDED, foreign, 0.9))
    history.append(TrialRecord(len(history), TrialState.SUCCEEDED, history[0].train, float("nan")))
    return history


@pytest.fixture(params=sampler_names())
def sampler(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_samplers_are_found_by_listing():
    assert {"random_search", "tpe"} <= set(sampler_names())


def test_unknown_sampler_names_the_known_ones():
    with pytest.raises(UnknownSamplerError, match="tpe"):
        build_sampler("psychic", seed=0)


def test_answers_lie_in_the_space_and_reach_every_branch(sampler: str):
    seen = set()
    for seed in range(25):
        train = ask(history=[], space=SPACE, sampler_name=sampler, seed=seed, is_higher_better=True)
        family = SPACE.family(train.family)
        assert family is not None
        assert train_problems(family, train) == {}
        assert set(train.params) == {param.name for param in family.params}
        seen.add((train.family, train.size))
    assert seen == {("tall", "s"), ("tall", "m"), ("wide", "s")}


def test_answers_lie_in_the_space_after_many_trials(sampler: str):
    for record in _history(sampler, 1, 20):
        family = SPACE.family(record.train.family)
        assert family is not None
        assert train_problems(family, record.train) == {}


def test_every_state_and_foreign_trials_are_survived(sampler: str):
    train = ask(history=_mixed(sampler), space=SPACE, sampler_name=sampler, seed=3, is_higher_better=True)
    assert SPACE.family(train.family) is not None


def test_same_seed_gives_the_same_answer_and_another_seed_another(sampler: str):
    history = _mixed(sampler)
    first, again = (ask(history=history, space=SPACE, sampler_name=sampler, seed=7, is_higher_better=True) for _ in range(2))
    other = ask(history=history, space=SPACE, sampler_name=sampler, seed=8, is_higher_better=True)
    assert first == again
    assert first != other


def test_same_seed_gives_the_same_answer_in_another_process(sampler: str):
    history = _mixed(sampler)
    here = ask(history=history, space=SPACE, sampler_name=sampler, seed=7, is_higher_better=True)
    code = (
        "import json, sys; sys.path.insert(0, 'tests/contracts')\n"
        "from test_samplers import SPACE, _mixed, ask\n"
        f"train = ask(history=_mixed({sampler!r}), space=SPACE, sampler_name={sampler!r}, seed=7, is_higher_better=True)\n"
        "print(train.model_dump_json())"
    )
    env = {"PYTHONHASHSEED": "12345", "PYTHONPATH": str(ROOT), "PATH": ""}
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == here.model_dump(mode="json")


def test_a_running_trial_does_not_get_a_twin(sampler: str):
    history = _history(sampler, 5, 10)
    first = ask(history=history, space=SPACE, sampler_name=sampler, seed=5, is_higher_better=True)
    history.append(TrialRecord(len(history), TrialState.RUNNING, first))
    second = ask(history=history, space=SPACE, sampler_name=sampler, seed=5, is_higher_better=True)
    assert second != first


def test_the_direction_is_obeyed(sampler: str):
    """A sampler that learns must learn the right way; a random one is the same both ways."""

    def mean_of_last(is_higher_better: bool) -> float:
        values = []
        for seed in range(4):
            history: list[TrialRecord] = []
            for number in range(24):
                train = ask(history=history, space=SPACE, sampler_name=sampler, seed=seed, is_higher_better=is_higher_better)
                history.append(TrialRecord(number, TrialState.SUCCEEDED, train, _quality(train)))
            values += [record.value or 0.0 for record in history[12:]]
        return sum(values) / len(values)

    up, down = mean_of_last(True), mean_of_last(False)
    if sampler == "random_search":
        assert up == down
    else:
        assert up > down + 0.2


def _footprint(train: TrainConfig) -> dict[SideObjective, float]:
    """Family tall answers sooner, and each is the smaller the smaller ``lr``: against ``_quality``."""
    lr = float(train.params["lr"])
    return {SideObjective.LATENCY_MS: 1.0 + 9.0 * (train.family == "wide"), SideObjective.MODEL_BYTES: 1e6 * lr}


@pytest.mark.parametrize("also", [(SideObjective.LATENCY_MS,), tuple(SideObjective)])
def test_several_objectives_are_asked_for_as_one_is(sampler: str, also: tuple[SideObjective, ...]):
    measured = [
        replace(record, footprint=_footprint(record.train)) if record.train.family in {"tall", "wide"} else record
        for record in _mixed(sampler)
    ]
    unmeasured = replace(measured[0], number=len(measured), footprint={})
    question = {"space": SPACE, "sampler_name": sampler, "is_higher_better": True, "also_improves": also}
    first, again, other = (ask(history=[*measured, unmeasured], seed=seed, **question) for seed in (7, 7, 8))
    family = SPACE.family(first.family)
    assert family is not None
    assert train_problems(family, first) == {}
    assert first == again
    assert first != other


def test_what_a_model_takes_counts_only_when_it_is_asked_for(sampler: str):
    """Where the objective is the same everywhere, only a sampler that sees the size finds small models."""

    def typical_bytes(also: tuple[SideObjective, ...]) -> float:
        sizes = []
        for seed in range(3):
            history: list[TrialRecord] = []
            for number in range(24):
                train = ask(
                    history=history, space=SPACE, sampler_name=sampler, seed=seed, is_higher_better=True, also_improves=also
                )
                footprint = _footprint(train)
                history.append(TrialRecord(number, TrialState.SUCCEEDED, train, 0.5, footprint=footprint))
            sizes += [record.footprint[SideObjective.MODEL_BYTES] for record in history[12:]]
        return geometric_mean(sizes)

    without, with_size = typical_bytes(()), typical_bytes((SideObjective.MODEL_BYTES,))
    if sampler == "random_search":
        assert with_size == without
    else:
        assert with_size < without / 3
