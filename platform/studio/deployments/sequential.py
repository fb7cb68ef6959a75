"""Whether a candidate loses less or more than the model before it, by evidence that may be looked at after every call.

A betting test of means of bounded variables (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
betting", JRSS B 86(1), 2024, with their approximate GRAPA bets): while a hypothesis holds, the wealth of whoever bets against
it is a nonnegative supermartingale, so it ever reaches ``1 / alpha`` with a probability of at most ``alpha`` (Ville), however
often somebody looks. Two hypotheses are bet against, each at half of ``alpha``: that the candidate is not worse, and that it
is worse by ``margin`` or more.

Losses come as they happen, 0..1, from both models at the same time. What came of both since the last comparison is the next
one: the difference of the two means. So a drift that hits both alike counts as no difference, and no call is wasted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

BOLDNESS = 0.75
"""Part of the largest bet that can never ruin."""
Verdict = Literal["better", "worse"]


@dataclass(frozen=True)
class Evidence:
    """What the losses so far say. Of sums and logarithms only, so that it is kept as JSON."""

    candidate_sum: float = 0.0
    """Of the losses since the last comparison, as the next three."""
    candidate_num: int = 0
    baseline_sum: float = 0.0
    baseline_num: int = 0
    num: int = 0
    """Comparisons."""
    mean: float = 0.5
    """Of the comparisons, moved to 0..1, with one at 0.5 before them: above it the candidate loses more."""
    squares: float = 0.25
    """Sum of their squared distances from it."""
    log_worse: float = 0.0
    """Logarithm of the wealth that was won by betting on a worse candidate."""
    log_better: float = 0.0
    """The same on a candidate that is better, or worse by less than the margin."""


def evidence_add(evidence: Evidence, losses: Iterable[tuple[bool, float]], *, margin: float) -> Evidence:
    """Takes losses into account.

    Args:
        evidence: what is known.
        losses: whether it is the candidate's, and the loss, 0..1, in the order in which they became known.
        margin: by how much the candidate may be worse and still count as better, 0..1.
    """
    for is_candidate, loss in losses:
        if is_candidate:
            evidence = replace(evidence, candidate_sum=evidence.candidate_sum + loss, candidate_num=evidence.candidate_num + 1)
        else:
            evidence = replace(evidence, baseline_sum=evidence.baseline_sum + loss, baseline_num=evidence.baseline_num + 1)
        if evidence.candidate_num and evidence.baseline_num:
            evidence = _compared(evidence, margin)
    return evidence


def strength(log_wealth: float, *, alpha: float) -> float:
    """How near a wealth comes to what suffices, 0..1."""
    return min(1.0, max(0.0, log_wealth / math.log(2 / alpha)))


def verdict_of(evidence: Evidence, *, alpha: float) -> Verdict | None:
    """What the evidence suffices for.

    Args:
        evidence: what is known.
        alpha: of candidates that are not worse, and of those that are by the margin, at most this fraction is ever misjudged.
    """
    enough = math.log(2 / alpha)
    if evidence.log_worse >= enough:
        return "worse"
    return "better" if evidence.log_better >= enough else None


def _compared(evidence: Evidence, margin: float) -> Evidence:
    """One comparison: bets are made by what was known before it."""
    apart = evidence.candidate_sum / evidence.candidate_num - evidence.baseline_sum / evidence.baseline_num
    value, border = (1 + apart) / 2, (1 + margin) / 2
    num, mean = evidence.num + 1, evidence.mean
    variance = evidence.squares / num
    new_mean = mean + (value - mean) / (num + 1)
    return Evidence(
        num=num,
        mean=new_mean,
        squares=evidence.squares + (value - mean) * (value - new_mean),
        log_worse=evidence.log_worse + math.log1p(_bet(mean - 0.5, variance, 0.5) * (value - 0.5)),
        log_better=evidence.log_better + math.log1p(_bet(border - mean, variance, 1 - border) * (border - value)),
    )


def _bet(lead: float, variance: float, most_lost: float) -> float:
    """How much to bet on a lead that was seen; never so much that ``most_lost`` ruins."""
    return min(BOLDNESS / most_lost, max(0.0, lead / (variance + lead * lead)))
