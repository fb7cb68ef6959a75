"""How a project's items come into their splits, as a person chooses it, and the splits that time, groups and names give: pure.

By time what is older trains and the newest tests, as it will be when a model is used. By the values of a field all items of one
value stay together, so that a model is tested on people, places or machines that it has not seen. By name the values say the
split themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import Field, model_validator

from automl.contracts.base import Contract
from automl.contracts.dataset import Split, SplitShares, split_of_group, split_position

SPLIT_NAMES: Mapping[str, Split] = {
    **dict.fromkeys(("train", "training", "训练", "训练集"), Split.TRAIN),
    **dict.fromkeys(("val", "valid", "validation", "validate", "dev", "验证", "验证集"), Split.VALIDATION),
    **dict.fromkeys(("test", "testing", "holdout", "测试", "测试集"), Split.TEST),
}
"""What values call the splits, in small letters."""


class SplitBy(StrEnum):
    """What decides."""

    LABELS = "labels"
    """Chance, so that each label has its share of every split."""
    TIME = "time"
    """The oldest train, the newest test."""
    VALUE = "value"
    """Chance, but all items of one value of a field are in one split."""
    NAMED = "named"
    """The values of a field name the split."""


class SplitRule(Contract):
    """What decides, and by which field."""

    by: SplitBy = SplitBy.LABELS
    field: str = Field(default="", max_length=256)
    """A column of a table, or a name of metadata. Empty by labels; by time: when the items were uploaded."""

    @model_validator(mode="after")
    def _check_field(self) -> SplitRule:
        if self.by in {SplitBy.VALUE, SplitBy.NAMED} and not self.field:
            raise ValueError("say the field whose values decide")
        if self.by is SplitBy.LABELS and self.field:
            raise ValueError("labels decide without a field")
        return self


class TimedGroup(NamedTuple):
    """Items that are never separated, and the newest moment of them."""

    name: str
    moment: float | None
    """Seconds since 1970; None trains."""
    num_items: int
    fixed: Split | None = None
    """Where it stands and stays: a version holds it, or files or people assigned it."""


def split_by_time(groups: Iterable[TimedGroup], shares: SplitShares) -> dict[str, Split]:
    """Splits by name of the groups that are not fixed: the newest test, the next newest validate, the rest trains.

    No moment is in two splits. Test and validation get what the fixed ones have left of their shares, to the nearest moment,
    and at least one moment where there is one to spare.

    Args:
        groups: all.
        shares: of all items.
    """
    known = list(groups)
    num_items = sum(group.num_items for group in known)
    free = sorted((group for group in known if group.fixed is None), key=lambda group: -_moment(group))
    chosen = {group.name: Split.TRAIN for group in free}
    moments = _by_moment(free)
    place = 0
    for split, fraction in ((Split.TEST, shares.test_fraction), (Split.VALIDATION, shares.validation_fraction)):
        num_fixed = sum(group.num_items for group in known if group.fixed is split)
        owed, is_bare = num_items * fraction - num_fixed, num_fixed == 0 and fraction > 0.0
        while place < len(moments) - 1 and owed > 0.0:  # one moment is left to train
            size = sum(group.num_items for group in moments[place])
            if owed < size / 2 and not is_bare:
                break
            chosen |= {group.name: split for group in moments[place]}
            owed, is_bare, place = owed - size, False, place + 1
    return chosen


def split_by_name(values: Mapping[str, str], shares: SplitShares, *, has_validation: bool) -> dict[str, Split]:
    """Splits by name of the group, from what its value says; where it says no split, by the hash of the group.

    Where no value names validation and nothing else validates, a part of what is to train is set aside for it by that hash.

    Args:
        values: by name of the group; an empty one says nothing.
        shares: of the dataset.
        has_validation: whether other items validate.
    """
    named = {name: SPLIT_NAMES.get(value.strip().casefold()) for name, value in values.items()}
    chosen = {name: split or split_of_group(name, shares) for name, split in named.items()}
    if has_validation or Split.VALIDATION in chosen.values() or not shares.validation_fraction:
        return chosen
    positions = {name: split_position(name) for name, split in named.items() if split is Split.TRAIN}
    aside = [name for name, position in positions.items() if position < shares.validation_fraction]
    if not aside and len(positions) > 1:
        aside = [min(positions, key=positions.__getitem__)]
    return chosen | dict.fromkeys(aside, Split.VALIDATION)


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each first name of pairs one name for all that hang together over the second ones."""
    parents: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := parents.setdefault(name, name)) != name:
            parents[name] = name = parents[above]
        return name

    firsts = []
    for first, second in pairs:
        firsts.append(first)
        parents[root(f"1{first}")] = root(f"2{second}")
    return {first: root(f"1{first}") for first in firsts}


def _moment(group: TimedGroup) -> float:
    return float("-inf") if group.moment is None else group.moment


def _by_moment(ordered: Sequence[TimedGroup]) -> list[list[TimedGroup]]:
    """Groups of one moment together, in their order; those without one stay out."""
    found: list[list[TimedGroup]] = []
    for group in ordered:
        if group.moment is None:
            continue
        if not found or found[-1][0].moment != group.moment:
            found.append([])
        found[-1].append(group)
    return found
