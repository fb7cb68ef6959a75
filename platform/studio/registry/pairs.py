"""Two models' reports side by side: the same items, answered twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from automl.contracts.dataset import Split
from automl.contracts.report import JudgedItem
from automl.search.paired import PairedTest, amounts_test, shares_test
from studio.registry.answers import judged_answers
from studio.registry.errors import PairUnfitError
from studio.registry.labelled import labelled
from studio.registry.models import Artefact
from studio.registry.reports import items_page, report_of, split_of

Outcome = Literal["fixed", "broken"]


@dataclass(frozen=True)
class JudgedPair:
    """An item with the predictions of both models."""

    before: JudgedItem
    after: JudgedItem


@dataclass(frozen=True)
class PairReport:
    """How two models compare on the items that both were judged by."""

    num_items: int
    num_fixed: int
    """Items that only the second got right; where answers are amounts, those it came closer to."""
    num_broken: int
    test: PairedTest | None
    """None where the reports do not list all items of the split, so that those they share are no fair sample."""
    is_amount: bool
    """The test is of how far off answers are, not of right and wrong ones."""


@dataclass(frozen=True)
class PairPage:
    """Some pairs, how many there are in all, and where the next ones start."""

    items: list[JudgedPair]
    num_items: int
    next_cursor: str | None


def pair_report(first: Artefact, second: Artefact, split: Split) -> PairReport:
    """Compares two models of one dataset version.

    Raises:
        PairUnfitError: they are of different versions, or have no item in common.
        ReportMissingError: a report does not cover the split.
    """
    pairs = _pairs(first, second, split)
    num_fixed = len(_of_outcome(first, second, pairs, "fixed"))
    num_broken = len(_of_outcome(first, second, pairs, "broken"))
    is_amount = judged_answers(second.facts).is_amount
    test = None
    if all(len(pairs) == split_of(report_of(each.tree), split).num_items for each in (first, second)):
        test = (
            amounts_test([each.before.loss for each in pairs], [each.after.loss for each in pairs])
            if is_amount
            else shares_test(num_items=len(pairs), num_first_only=num_broken, num_second_only=num_fixed)
        )
    return PairReport(len(pairs), num_fixed, num_broken, test, is_amount)


def pair_items(
    first: Artefact, second: Artefact, split: Split, outcome: Outcome, *, cursor: str | None, limit: int
) -> PairPage:
    """The items that the second model mended, or those that it broke; what changed most comes first.

    Raises:
        PairUnfitError, ReportMissingError: as ``pair_report``.
        InvalidInputError: the cursor was not made here.
    """
    found = _of_outcome(first, second, _pairs(first, second, split), outcome)
    found.sort(key=lambda pair: (-abs(pair.after.loss - pair.before.loss), pair.after.item))
    items, next_cursor = items_page(found, cursor=cursor, limit=limit)
    return PairPage(items, len(found), next_cursor)


def _pairs(first: Artefact, second: Artefact, split: Split) -> list[JudgedPair]:
    if first.version_id != second.version_id:
        raise PairUnfitError
    known = {item.item: item for item in split_of(report_of(first.tree), split).items}
    after = split_of(report_of(second.tree), split).items
    pairs = [JudgedPair(known[item.item], item) for item in after if item.item in known]
    if not pairs:
        raise PairUnfitError
    return pairs


def _of_outcome(first: Artefact, second: Artefact, pairs: list[JudgedPair], outcome: Outcome) -> list[JudgedPair]:
    answers = judged_answers(second.facts)
    if answers.is_amount:
        sign = 1 if outcome == "fixed" else -1
        return [pair for pair in pairs if sign * (pair.before.loss - pair.after.loss) > 0]
    was_wrong = outcome == "fixed"
    return [
        pair for pair in pairs if _is_error(first, pair.before) is was_wrong and _is_error(second, pair.after) is not was_wrong
    ]


def _is_error(artefact: Artefact, item: JudgedItem) -> bool:
    answers = judged_answers(artefact.facts)
    truth = [each.label for each in labelled(item.truth)]
    return answers.is_error(item, truth, answers.predicted(item.prediction, artefact.facts.thresholds))
