"""The contract of a pruner, run over every file of ``automl/search/pruners``."""

import optuna
import pytest
from optuna.trial import FrozenTrial

from automl.search.pruners import NO_PRUNER, build_pruner, pruner_names
from automl.search.pruners.hyperband import bracket_of


@pytest.fixture(params=pruner_names())
def pruner(request):
    return build_pruner(request.param)


def _study(pruner) -> optuna.Study:
    """Nine trials of nine epochs that ended, their errors by number."""
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0), pruner=pruner)
    for number in range(9):
        trial = study.ask()
        for epoch in range(1, 10):
            trial.report(0.1 * number + 0.5 / epoch, epoch)
        study.tell(trial, 0.1 * number)
    return study


def _stopped_at(study: optuna.Study, error: float) -> int | None:
    trial = study.ask()
    for epoch in range(1, 10):
        trial.report(error + 0.5 / epoch, epoch)
        if trial.should_prune():
            return epoch
    return None


def test_pruners_are_found_by_listing():
    assert set(pruner_names()) == {"asha", "hyperband", "median"}
    assert NO_PRUNER not in pruner_names()


def test_the_best_runs_on_and_the_worst_is_stopped(pruner):
    study = _study(pruner)
    assert _stopped_at(study, -1.0) is None
    assert _stopped_at(study, 5.0) is not None


def test_the_first_trial_is_never_stopped(pruner):
    study = optuna.create_study(pruner=pruner)
    assert _stopped_at(study, 5.0) is None


def test_deciding_again_decides_alike_and_changes_nothing(pruner):
    study = _study(pruner)
    trial = study.ask()
    for epoch in range(1, 4):
        trial.report(5.0, epoch)
    frozen: FrozenTrial = study.trials[-1]
    first = pruner.prune(study, frozen)
    assert pruner.prune(study, frozen) == first
    assert study.trials[-1].system_attrs == frozen.system_attrs


def test_brackets_share_the_trials_and_most_are_judged_soonest():
    brackets = [bracket_of(number, 3) for number in range(300)]
    assert set(brackets) == {0, 1, 2}
    assert brackets.count(0) > brackets.count(1) > brackets.count(2)
