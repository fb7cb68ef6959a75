"""The search tree: names, bounds and the way back from a configuration."""

import pytest
from pydantic import ValidationError

from automl.contracts.base import Text
from automl.contracts.family import ChoiceParam, FamilySpec, FeatureKind, FloatParam, IntParam, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.search.limits import limited, reduced
from automl.search.ranges import ParamRange, range_problems, with_ranges, within_ranges
from automl.search.space import SearchSpace, distributions, flatten, train_problems

WORD = Text(en="x", zh="x")
FAMILY = FamilySpec(
    name="net",
    title=WORD,
    summary=WORD,
    reads=Modality.IMAGE,
    yields=FeatureKind.VECTOR,
    sizes=(SizeSpec(name="s", title=WORD, resolution_px=32, num_parameters=1, macs=1),),
    params=(
        FloatParam(name="lr", title=WORD, help=WORD, low=0.001, high=0.1, is_log=True, default=0.01),
        IntParam(name="epochs", title=WORD, help=WORD, low=1, high=20, default=5),
        ChoiceParam(name="mixup", title=WORD, help=WORD, choices=(True, False), default=False),
    ),
)
SPACE = SearchSpace((FAMILY,))


def test_names_carry_the_family():
    assert list(distributions(SPACE, FAMILY)) == ["family", "net.size", "net.lr", "net.epochs", "net.mixup"]


def test_flatten_fills_in_the_defaults():
    flat = flatten(SPACE, TrainConfig(family="net", size="s", params={"epochs": 7}))
    assert flat == {"family": "net", "net.size": "s", "net.lr": 0.01, "net.epochs": 7, "net.mixup": False}


def test_what_is_not_searched_stays_at_its_default_and_a_person_may_choose_otherwise():
    settled = ChoiceParam(name="keeps", title=WORD, help=WORD, choices=(False, True), default=True, is_searched=False)
    family = FAMILY.model_copy(update={"params": (*FAMILY.params, settled)})
    space = SearchSpace((family,))
    assert distributions(space, family)["net.keeps"].choices == (True,)
    chosen = TrainConfig(family="net", size="s", params={"keeps": False})
    assert train_problems(family, chosen) == {}
    assert flatten(space, chosen) is None, "the search does not learn from what it would not try"
    assert flatten(space, TrainConfig(family="net", size="s", params={}))["net.keeps"] is True


def test_what_the_space_cannot_say_is_none():
    for train in (
        TrainConfig(family="other", size="s", params={}),
        TrainConfig(family="net", size="xl", params={}),
        TrainConfig(family="net", size="s", params={"lr": 5.0}),
        TrainConfig(family="net", size="s", params={"unheard": 1}),
    ):
        assert flatten(SPACE, train) is None


def test_every_wrong_field_is_reported():
    train = TrainConfig(family="net", size="xl", params={"lr": 0.5, "epochs": 2.5, "mixup": 1, "unheard": 3})
    problems = train_problems(FAMILY, train)
    assert set(problems) == {"size", "lr", "epochs", "mixup", "unheard"}
    assert "0.001 to 0.1" in problems["lr"]


def test_a_right_configuration_has_no_problems():
    assert train_problems(FAMILY, TrainConfig(family="net", size="s", params={"lr": 0.1, "mixup": True})) == {}


def test_a_title_of_no_choice_is_refused():
    with pytest.raises(ValidationError, match="has a title for 64, which is none of its choices"):
        ChoiceParam(name="side", title=WORD, help=WORD, choices=(0, 32), choice_titles={"64": WORD}, default=0)


def test_a_limit_lowers_what_is_above_it_to_a_value_that_there_is():
    side = ChoiceParam(name="resolution_px", title=WORD, help=WORD, choices=(0, 16, 24), default=0)
    family = FAMILY.model_copy(update={"params": (*FAMILY.params, side)})
    plain = TrainConfig(family="net", size="s", params={"lr": 0.05})

    def params(**at_most):
        return limited(family, plain, at_most).params

    assert params(lr=0.02, colour=1.0) == {"lr": 0.02}
    assert params(lr=0.0001) == {"lr": 0.001}
    assert params(epochs=3.7)["epochs"] == 3
    assert params(resolution_px=32) == {"lr": 0.05}  # 0 stands for the 32 of the size
    assert params(resolution_px=31)["resolution_px"] == 24
    assert params(resolution_px=1)["resolution_px"] == 16
    assert reduced(family, plain, "resolution_px", factor=0.5) == 16
    assert reduced(family, limited(family, plain, {"resolution_px": 16}), "resolution_px", factor=0.5) is None
    assert reduced(family, plain, "mixup", factor=0.5) is None


def test_ranges_narrow_what_is_tried_and_move_what_was_planned():
    ranges = {"lr": ParamRange(low=0.02), "epochs": ParamRange(low=7, high=7), "mixup": ParamRange(choices=(True,))}
    assert list(range_problems(FAMILY, ranges)) == []
    family = with_ranges(FAMILY, ranges)
    found = distributions(SearchSpace((family,)), family)
    assert (found["net.lr"].low, found["net.lr"].high) == (0.02, 0.1)
    assert (found["net.epochs"].low, found["net.epochs"].high, found["net.mixup"].choices) == (7, 7, (True,))
    planned = within_ranges(family, TrainConfig(family="net", size="s", params={"lr": 0.001, "epochs": 20}))
    assert planned.params == {"lr": 0.02, "epochs": 7, "mixup": True}
    assert flatten(SearchSpace((family,)), planned) is not None


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("lr", {"low": 0.0001}),
        ("lr", {"choices": (0.01,)}),
        ("epochs", {"low": 1.5}),
        ("mixup", {"choices": (1,)}),
        ("mixup", {"low": 0}),
        ("size", {"choices": ("xl",)}),
        ("unheard", {"low": 1}),
    ],
)
def test_a_range_that_the_family_cannot_follow_is_named(name, given):
    assert [each for each, _ in range_problems(FAMILY, {name: ParamRange(**given)})] == [name]


@pytest.mark.parametrize("given", [{}, {"low": 2, "high": 1}, {"low": 1, "choices": (1,)}, {"choices": ()}])
def test_a_range_is_a_stretch_or_a_choice(given):
    with pytest.raises(ValidationError):
        ParamRange(**given)
