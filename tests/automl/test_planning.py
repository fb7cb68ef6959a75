"""First trials, and what they will cost."""

import dataclasses

import pytest

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FloatParam, IntParam, Modality, SizeSpec
from automl.contracts.job import TrainConfig
from automl.planning.facts import VersionFacts
from automl.planning.fit import Host, TrialEstimate, correction_of, estimate, sample_shape_of, study_seconds
from automl.planning.portfolio import portfolio
from automl.search.space import train_problems

WORD = Text(en="x", zh="x")
FACTS = VersionFacts(num_train=100, num_validation=20, num_test=20, num_labels=3, rarest_label_items=10)
COST = Cost(memory_bytes=10_000_000, flops=6 * 10**9)


def _family(name: str, *, is_frozen: bool = False, low_lr: float = 1e-5, num_sizes: int = 1) -> FamilySpec:
    return FamilySpec(
        name=name,
        title=WORD,
        summary=WORD,
        yields=FeatureKind.VECTOR,
        is_frozen=is_frozen,
        sizes=tuple(
            SizeSpec(name=f"s{each}", title=WORD, resolution_px=64, num_parameters=1_000_000, macs=10**9)
            for each in range(num_sizes)
        ),
        params=(
            FloatParam(name="lr", title=WORD, help=WORD, low=low_lr, high=0.1, is_log=True, default=0.01),
            IntParam(name="epochs", title=WORD, help=WORD, low=1, high=50, default=10),
            IntParam(name="batch_size", title=WORD, help=WORD, low=1, high=64, default=32),
        ),
    )


PROBE, LITE, RESNET = _family("linear_probe", is_frozen=True), _family("efficientnet_lite"), _family("resnet")


def test_the_probe_goes_first_then_gentle_fine_tuning_then_another_network():
    chosen = portfolio(families=(RESNET, LITE, PROBE), facts=FACTS)
    assert [train.family for train in chosen] == ["linear_probe", "efficientnet_lite", "resnet"]
    assert chosen[1].params["lr"] < chosen[0].params["lr"]


def test_much_data_is_fine_tuned_with_the_defaults():
    facts = dataclasses.replace(FACTS, num_train=50_000)
    assert portfolio(families=(LITE,), facts=facts)[0].params["lr"] == 0.01


def test_a_family_nobody_named_is_tried_too():
    assert [train.family for train in portfolio(families=(_family("newcomer"), PROBE), facts=FACTS)] == [
        "linear_probe",
        "newcomer",
    ]


def test_every_first_trial_lies_in_its_family_space():
    families = (_family("efficientnet_lite", low_lr=5e-3, num_sizes=2), _family("resnet", num_sizes=2), PROBE)
    for train in portfolio(families=families, facts=FACTS):
        family = next(each for each in families if each.name == train.family)
        assert train_problems(family, train) == {}


def _estimate(family: FamilySpec, host: Host, correction: float = 1.0, **params: int) -> TrialEstimate:
    train = TrainConfig(family=family.name, size="s0", params=params)
    return estimate(family=family, train=train, cost=COST, facts=FACTS, host=host, correction=correction)


def test_time_grows_with_epochs_but_not_for_a_frozen_backbone():
    host = Host()
    assert _estimate(LITE, host, epochs=20).estimated_s > _estimate(LITE, host, epochs=2).estimated_s * 2
    assert _estimate(PROBE, host, epochs=20).estimated_s == _estimate(PROBE, host, epochs=2).estimated_s


def test_a_larger_batch_may_not_fit():
    host = Host(memory_bytes=800 * 2**20)
    assert _estimate(LITE, host, batch_size=4).is_fitting
    assert not _estimate(LITE, host, batch_size=64).is_fitting


def test_what_trials_took_before_corrects_the_estimate():
    assert correction_of([]) == 1.0
    assert correction_of([(10.0, 20.0), (10.0, 30.0), (10.0, 1000.0), (0.0, 5.0)]) == 3.0
    assert _estimate(LITE, Host(), correction=3.0).estimated_s == pytest.approx(3 * _estimate(LITE, Host()).estimated_s)


def test_places_are_filled_as_they_come_free():
    train = TrainConfig(family="x", size="s", params={})
    estimates = [TrialEstimate(train, seconds, 0, True) for seconds in (4.0, 1.0, 1.0, 1.0)]
    assert study_seconds(estimates, concurrency=1) == 7.0
    assert study_seconds(estimates, concurrency=2) == 4.0


def test_a_trial_takes_pictures_by_their_side_and_texts_by_their_tokens():
    length = ChoiceParam(name="max_tokens", title=WORD, help=WORD, choices=(0, 32), default=0)
    size = SizeSpec(name="s0", title=WORD, max_tokens=128, num_parameters=1, macs=0)
    reader = LITE.model_copy(update={"reads": Modality.TEXT, "sizes": (size,), "params": (length,)})

    def shape(family, **params):
        return sample_shape_of(family=family, train=TrainConfig(family=family.name, size="s0", params=params))

    assert shape(LITE) == (64, 64, 3)
    assert shape(LITE, resolution_px=32) == (32, 32, 3)
    assert shape(reader) == shape(reader, max_tokens=0) == (128,)
    assert shape(reader, max_tokens=32) == (32,)
