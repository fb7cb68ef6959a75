"""What did well in earlier studies: near which settings a new one begins, and how many."""

import math

import pytest

from automl.contracts.job import TrainConfig
from automl.planning.facts import VersionFacts
from automl.planning.likeness import likeness
from automl.search.states import TrialState
from automl.search.study import TrialRecord
from automl.search.warm_start import EarlierStudy, earlier_settings, num_warm
from tests.automl.test_space import SPACE

RATES = [0.001 * 100 ** (step / 10) for step in range(11)]


def _study(best_lr, *, is_higher_better=True, likeness=1.0, rates=RATES, family="net"):
    """Trials whose value falls with their distance from the best rate, as a metric of either direction."""
    losses = [abs(math.log(rate / best_lr)) for rate in rates]
    records = [
        TrialRecord(
            number=number,
            state=TrialState.SUCCEEDED,
            train=TrainConfig(family=family, size="s", params={"lr": rate}),
            value=-loss if is_higher_better else loss,
        )
        for number, (rate, loss) in enumerate(zip(rates, losses, strict=True))
    ]
    return EarlierStudy(records, is_higher_better, likeness)


def _rates(settings):
    return [one.train.params["lr"] for one in settings]


@pytest.mark.parametrize("is_higher_better", [True, False])
def test_the_first_is_near_the_best_of_the_earlier_study(is_higher_better):
    (first,) = earlier_settings([_study(RATES[3], is_higher_better=is_higher_better)], space=SPACE, num=1)
    assert RATES[2] <= first.train.params["lr"] <= RATES[4]


def test_what_disagrees_is_covered_in_the_order_of_likeness():
    low, high = _study(RATES[1], likeness=0.9), _study(RATES[9], likeness=0.4)
    first, second = earlier_settings([high, low], space=SPACE, num=2)
    assert first.train.params["lr"] <= RATES[3]
    assert second.train.params["lr"] >= RATES[7]


def test_too_few_trials_another_family_and_none_at_all_say_nothing():
    few = _study(RATES[3], rates=RATES[2:4])
    strange = _study(RATES[3], family="unheard_of")
    assert earlier_settings([few, strange], space=SPACE, num=3) == ()
    assert earlier_settings([], space=SPACE, num=3) == ()


def test_no_setting_comes_twice():
    settings = earlier_settings([_study(RATES[3]), _study(RATES[3])], space=SPACE, num=3)
    assert len(set(_rates(settings))) == 3


def test_one_trial_in_eight_and_at_most_three():
    assert [num_warm(max_trials) for max_trials in (1, 7, 8, 24, 100)] == [0, 0, 1, 3, 3]


def test_likeness_falls_with_the_ratio_of_numbers():
    facts = [VersionFacts(num, 50, 50, 4, 90, 100) for num in (1000, 1000, 2000, 100_000)]
    alike, twofold, far = (likeness(facts[0], other) for other in facts[1:])
    assert alike == 1.0
    assert alike > twofold > far > 0.0
