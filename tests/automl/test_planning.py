"""First trials, and what they will cost."""

import dataclasses

import pytest

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FloatParam, IntParam, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.planning.facts import VersionFacts
from automl.planning.fit import (
    EXPORT_S,
    Host,
    TrialEstimate,
    correction_of,
    estimate,
    sample_shape_of,
    study_seconds,
    worthwhile,
)
from automl.planning.items import planned_items
from automl.planning.items.kind import Needs
from automl.planning.portfolio import portfolio
from automl.planning.tiles import PictureFacts
from automl.search.space import train_problems
from engine.models import family_names, family_spec

WORD = Text(en="x", zh="x")
FACTS = VersionFacts(num_train=100, num_validation=20, num_test=20, num_labels=3, rarest_label_items=10)
COST = Cost(memory_bytes=10_000_000, flops=6 * 10**9)


def _family(name: str, *, is_frozen: bool = False, low_lr: float = 1e-5, num_sizes: int = 1) -> FamilySpec:
    return FamilySpec(
        name=name,
        title=WORD,
        summary=WORD,
        reads=Modality.IMAGE,
        yields=FeatureKind.VECTOR,
        is_frozen=is_frozen,
        first_trials=family_spec(name).first_trials if name in family_names() else (),
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


def test_balancing_is_among_the_first_three_of_tables_where_a_label_is_rare():
    trees = _family("gradient_boosting")
    balanced = ChoiceParam(name="is_balanced", title=WORD, help=WORD, choices=(False, True), default=False)
    families = (trees.model_copy(update={"params": (balanced,)}), _family("table_linear"), _family("table_ensemble"))

    def first(**facts):
        chosen = portfolio(families=families, facts=dataclasses.replace(FACTS, **facts))
        return [(train.family, train.params.get("is_balanced")) for train in chosen]

    usual = [("gradient_boosting", False), ("table_linear", None), ("table_ensemble", None)]
    assert first(rarest_label_items=10, commonest_label_items=100) == usual
    assert first(rarest_label_items=0, commonest_label_items=0) == usual, "a number is predicted"
    rare = [("gradient_boosting", False), ("table_ensemble", None), ("gradient_boosting", True), ("table_linear", None)]
    assert first(rarest_label_items=9, commonest_label_items=100) == rare
    short = portfolio(families=families, facts=FACTS, time_limit_s=60)
    assert [train.family for train in short][:2] == ["table_ensemble", "gradient_boosting"], "it tries the others itself"
    assert portfolio(families=families, facts=FACTS, time_limit_s=3600)[0].family == "gradient_boosting"


def test_much_data_is_fine_tuned_with_the_defaults():
    facts = dataclasses.replace(FACTS, num_train=50_000)
    assert portfolio(families=(LITE,), facts=facts)[0].params["lr"] == 0.01


def test_a_family_without_first_trials_is_tried_too():
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
    pretrained = PROBE.model_copy(update={"sizes": tuple(size.model_copy(update={"asset": "x"}) for size in PROBE.sizes)})
    assert _estimate(pretrained, host).estimated_s == _estimate(PROBE, host).estimated_s + EXPORT_S, "exported to look, too"


def test_a_network_that_reads_tiles_takes_a_step_for_each():
    """32 windows of 250 pixels cover 2,000 x 1,000, of which an epoch draws 16; prediction, where they overlap, reads 55."""
    view = ChoiceParam(name="view", title=WORD, help=WORD, choices=("auto", "whole", "tiles", "tiles_half"), default="auto")
    family = LITE.model_copy(update={"params": (*LITE.params, view)})
    facts = dataclasses.replace(FACTS, pictures=(PictureFacts(2000, 1000, shapes=(25.0,)),))

    def needs(view: str, facts=facts) -> Needs:
        params = {"view": view, "resolution_px": 250, "epochs": 3}
        return planned_items(family.reads).needs(family, family.size("s0"), params, cost=COST, facts=facts)

    def flops(view: str, facts=facts) -> float:
        return needs(view, facts).flops / COST.flops

    whole, steps = 3 * 100 + (3 * 20 + 20) / 3, 3 * 100 * 16
    assert flops("whole") == flops("auto", FACTS) == whole
    assert flops("tiles") == flops("auto") == pytest.approx(steps + (3 * 20 * 32 + (20 + 20) * 55) / 3)
    assert flops("tiles_half") == pytest.approx(3 * 100 * 8 + (3 * 20 * 8 + (20 + 20) * 15) / 3)
    assert [needs(view).num_windows for view in ("whole", "auto", "tiles_half")] == [1, 55, 15]


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

    def shape(family, facts=FACTS, **params):
        return sample_shape_of(family=family, train=TrainConfig(family=family.name, size="s0", params=params), facts=facts)

    assert shape(LITE) == (64, 64, 3)
    assert shape(LITE, resolution_px=32) == (32, 32, 3)
    assert shape(reader) == shape(reader, max_tokens=0) == (128,)
    assert shape(reader, max_tokens=32) == (32,)
    assert shape(reader, facts=dataclasses.replace(FACTS, text_bytes=(30, 60))) == (22,), "60 bytes are 20 tokens and two ends"


def _of_rows(name: str, *max_rows: int, params=()) -> FamilySpec:
    sizes = (SizeSpec(name=f"{rows}", title=WORD, max_rows=rows, num_parameters=0, macs=0) for rows in max_rows)
    update = {"reads": Modality.TABULAR, "yields": FeatureKind.ROWS, "params": params, "sizes": tuple(sizes)}
    return _family(name).model_copy(update=update)


TABLE = dataclasses.replace(FACTS, num_train=20_000, num_columns=7)
TREES = _of_rows("gradient_boosting", 1_000, 50_000, 1_000_000)


def _rows_estimate(family: FamilySpec, size: str, facts: VersionFacts = TABLE, host: Host | None = None, **params):
    train, cost = TrainConfig(family=family.name, size=size, params=params), Cost(memory_bytes=1_000, flops=6 * 10**7)
    return estimate(family=family, train=train, cost=cost, facts=facts, host=host or Host())


def test_a_trial_takes_rows_by_their_columns():
    train = TrainConfig(family="gradient_boosting", size="1000", params={})
    assert sample_shape_of(family=TREES, train=train, facts=TABLE) == (7, 3)
    assert sample_shape_of(family=TREES, train=train, facts=FACTS)[0] == 1, "a price needs a column"


def test_rows_cost_once_and_only_those_that_are_learned_from():
    small, large = _rows_estimate(TREES, "1000"), _rows_estimate(TREES, "50000")
    assert large.estimated_s - small.estimated_s == pytest.approx(19_000 * 6e7 / 6e10)
    assert large.memory_bytes - small.memory_bytes == 19_000 * 1_000
    assert _rows_estimate(TREES, "1000000").estimated_s == large.estimated_s
    wide = dataclasses.replace(TABLE, num_columns=700)
    assert _rows_estimate(TREES, "1000", wide).memory_bytes > small.memory_bytes
    assert not _rows_estimate(TREES, "50000", host=Host(memory_bytes=610 * 2**20)).is_fitting


def test_a_family_with_a_budget_of_seconds_stops_there():
    budget = IntParam(name="budget_s", title=WORD, help=WORD, low=2, high=3600, default=12)
    ensemble = _of_rows("table_ensemble", 50_000, params=(budget,))
    assert _rows_estimate(ensemble, "50000").estimated_s == pytest.approx(12 + 6)
    assert _rows_estimate(ensemble, "50000", budget_s=5).estimated_s == pytest.approx(5 + 6)
    assert _rows_estimate(ensemble, "50000", budget_s=3600).estimated_s == pytest.approx(20 + 6)


def test_of_detectors_the_quick_ones_go_first():
    families = tuple(_family(name) for name in ("faster_rcnn", "fcos", "ssd", "yolo"))
    chosen = portfolio(families=families, facts=FACTS)
    assert [train.family for train in chosen] == ["yolo", "ssd", "fcos", "faster_rcnn"]


def test_trees_go_first_on_tables_then_a_line_then_all_together():
    names = ("table_knn", "table_ensemble", "random_forest", "table_linear", "table_network")
    families = (*(_of_rows(name, 1_000, 50_000) for name in names), TREES)
    chosen = portfolio(families=families, facts=TABLE)
    assert [train.family for train in chosen] == [
        "gradient_boosting",
        "table_linear",
        "table_ensemble",
        "random_forest",
        "table_network",
        "table_knn",
    ]
    assert {train.size for train in chosen} == {"50000"}, "the smallest that learns from all rows"
    many = dataclasses.replace(TABLE, num_train=2_000_000)
    assert {train.size for train in portfolio(families=families, facts=many)} == {"50000", "1000000"}


def test_sizes_that_would_learn_the_same_are_not_searched():
    assert [size.name for size in worthwhile(TREES, TABLE).sizes] == ["1000", "50000"]
    assert [size.name for size in worthwhile(TREES, FACTS).sizes] == ["1000"]
    assert worthwhile(TREES, dataclasses.replace(TABLE, num_train=9_000_000)) == TREES
    assert worthwhile(RESNET, TABLE) == RESNET
