"""Proven first trials: what an experienced person would run before searching.

The order is by what a trial teaches for its time. A head on frozen features takes seconds and already answers most small
data sets; a second one with balanced labels follows where a label is rare. Fine-tuning the same backbone gently comes next;
then a network of another kind. Of detectors the quick ones go first. Of tables boosted trees go first, a linear model shows in
a second what they add, and an ensemble of all kinds comes third; where a label is rare, boosted trees with balanced labels take
the linear model's place among these. All of tables learn validation too in the end, unless a person says otherwise
(``learns_validation``). What is not installed or does not fit is simply not there, so the list works for every task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from automl.contracts.family import FamilySpec, FloatParam, IntParam, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.planning.facts import VersionFacts

SMALL_TRAIN_ITEMS = 1_000
"""Below this a pretrained backbone is disturbed as little as possible."""
RARE_SHARE = 0.1
"""Of the commonest label, below which a label is rare and balancing is tried."""


@dataclass(frozen=True)
class _Entry:
    """A trial that has proven itself: a family, which of its sizes, and values that differ from the defaults."""

    family: str
    size_index: int = 0
    params: Mapping[str, ParamValue] = field(default_factory=dict)
    params_if_small: Mapping[str, ParamValue] = field(default_factory=dict)
    """Laid over ``params`` when the version is small."""
    is_for_rare: bool | None = None
    """Only where a label is rare, or only where none is; None: always."""


_ENTRIES = (
    _Entry("linear_probe"),
    _Entry("linear_probe", params={"is_balanced": True}, is_for_rare=True),
    _Entry("efficientnet_lite", params_if_small={"lr": 3e-4}),
    _Entry("resnet"),
    _Entry("linear_probe", size_index=1),
    _Entry("efficientnet_lite", size_index=1, params_if_small={"lr": 3e-4}),
    _Entry("resnet", size_index=1),
    _Entry("yolo"),
    _Entry("ssd"),
    _Entry("fcos"),
    _Entry("faster_rcnn"),
    _Entry("tfidf_linear"),
    _Entry("text_probe"),
    _Entry("text_probe", params={"is_balanced": True}, is_for_rare=True),
    _Entry("tfidf_linear", size_index=2),
    _Entry("text_encoder"),
    _Entry("text_bag", size_index=1),
    _Entry("text_cnn"),
    _Entry("gradient_boosting"),
    _Entry("table_linear", is_for_rare=False),
    _Entry("table_ensemble"),
    _Entry("gradient_boosting", params={"is_balanced": True}, is_for_rare=True),
    _Entry("table_linear", is_for_rare=True),
    _Entry("random_forest"),
    _Entry("table_network"),
    _Entry("table_knn"),
)


def portfolio(*, families: Sequence[FamilySpec], facts: VersionFacts) -> tuple[TrainConfig, ...]:
    """The first trials of a study, best bet first.

    Every family given appears: one that no entry names is tried with its defaults, after the named ones.

    Args:
        families: what the study may use, each with the sizes that fit.
        facts: of the version to train on.
    """
    known = {family.name: family for family in families}
    chosen = [_config(known[entry.family], entry, facts) for entry in _ENTRIES if _is_possible(entry, known, facts)]
    named = {entry.family for entry in _ENTRIES}
    chosen += [_config(family, _Entry(family.name), facts) for family in families if family.name not in named]
    return tuple(chosen)


def _is_possible(entry: _Entry, known: Mapping[str, FamilySpec], facts: VersionFacts) -> bool:
    has_rare = facts.rarest_label_items < RARE_SHARE * facts.commonest_label_items
    if entry.is_for_rare not in {None, has_rare}:
        return False
    return entry.family in known and entry.size_index < len(known[entry.family].sizes)


def _config(family: FamilySpec, entry: _Entry, facts: VersionFacts) -> TrainConfig:
    wanted = dict(entry.params)
    if facts.num_train < SMALL_TRAIN_ITEMS:
        wanted.update(entry.params_if_small)
    params: dict[str, ParamValue] = {param.name: param.default for param in family.params}
    for param in family.params:
        if param.name in wanted:
            value = wanted[param.name]
            if isinstance(param, FloatParam | IntParam) and isinstance(value, int | float):
                value = min(max(value, param.low), param.high)
            params[param.name] = value
    return TrainConfig(family=family.name, size=_size(family, entry, facts).name, params=params)


def _size(family: FamilySpec, entry: _Entry, facts: VersionFacts) -> SizeSpec:
    """The one that the entry names; of tables the smallest that learns from all rows, or the largest."""
    if family.reads is not Modality.TABULAR:
        return family.sizes[entry.size_index]
    return next((size for size in family.sizes if size.max_rows >= facts.num_train), family.sizes[-1])
