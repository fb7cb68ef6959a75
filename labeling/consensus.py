"""One answer out of several people's: majority, and Dawid-Skene, which learns how far each person can be trusted.

A. P. Dawid and A. M. Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm", 1979.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Votes = Mapping[str, Mapping[str, str]]
"""Item -> person -> label."""


@dataclass(frozen=True)
class Winner:
    """The answer for one item and how sure it is, 0..1."""

    label: str
    confidence: float


@dataclass(frozen=True)
class Consensus:
    """What several people's votes come to."""

    winners: Mapping[str, Winner | None]
    """By item; None where several answers are equally likely."""
    accuracy: Mapping[str, float]
    """By person: the estimated chance that an answer of theirs is right, 0..1."""


def majority(votes: Votes, *, known: Mapping[str, str] | None = None) -> Consensus:
    """Takes the label that most people gave; a tie has no winner.

    A person's accuracy is the share of their answers that are right: against the truth where it is known, else against the
    winner. In a tie each of the tied labels is as likely as the others.

    Args:
        votes: the label that each person gave each item.
        known: the truth of items, where a person has decided or gold tells it; winners do not depend on it.
    """
    truth = known or {}
    winners = {item: _most(Counter(by_person.values())) for item, by_person in votes.items()}
    right: dict[str, list[float]] = defaultdict(list)
    for item, by_person in votes.items():
        counts = Counter(by_person.values())
        likely = {truth[item]} if item in truth else {label for label, num in counts.items() if num == max(counts.values())}
        for person, label in by_person.items():
            right[person].append((label in likely) / len(likely))
    return Consensus(winners, {person: sum(shares) / len(shares) for person, shares in right.items()})


def _most(counts: Counter[str]) -> Winner | None:
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return Winner(ranked[0][0], ranked[0][1] / counts.total())


def dawid_skene(votes: Votes, *, gold: Mapping[str, str] | None = None, max_steps: int = 100) -> Consensus:
    """Estimates the true labels and each person's confusions together, by expectation maximisation from the majority on.

    Args:
        votes: the label that each person gave each item; people need not have seen the same items.
        gold: items whose truth is known; they teach who can be trusted and keep their label.
        max_steps: at most so many steps; it stops when the estimates move by less than 1e-6.
    """
    items, people = sorted(votes), sorted({person for by_person in votes.values() for person in by_person})
    known = dict(gold or {})
    labels = sorted({label for by_person in votes.values() for label in by_person.values()} | set(known.values()))
    if not items or not labels:
        return Consensus({}, {})
    given = _counts(votes, items, people, labels)
    fixed = _fixed(items, labels, known)
    belief = _normalised(given.sum(axis=1))
    belief = np.where(fixed.any(axis=1, keepdims=True), fixed, belief)
    for _ in range(max_steps):
        prior, confusion = _learn(given, belief)
        fresh = _believe(given, prior, confusion)
        fresh = np.where(fixed.any(axis=1, keepdims=True), fixed, fresh)
        moved = float(np.abs(fresh - belief).max())
        belief = fresh
        if moved < 1e-6:
            break
    prior, confusion = _learn(given, belief)
    accuracy = np.einsum("k,pkk->p", prior, confusion)
    return Consensus(
        {item: _winner(row, labels) for item, row in zip(items, belief, strict=True)},
        {person: float(share) for person, share in zip(people, accuracy, strict=True)},
    )


def _counts(votes: Votes, items: list[str], people: list[str], labels: list[str]) -> NDArray[np.float64]:
    """(items, people, labels): 1 where the person gave the item the label."""
    person_at = {person: index for index, person in enumerate(people)}
    label_at = {label: index for index, label in enumerate(labels)}
    given = np.zeros((len(items), len(people), len(labels)))
    for index, item in enumerate(items):
        for person, label in votes[item].items():
            given[index, person_at[person], label_at[label]] = 1.0
    return given


def _fixed(items: list[str], labels: list[str], known: Mapping[str, str]) -> NDArray[np.float64]:
    fixed = np.zeros((len(items), len(labels)))
    for index, item in enumerate(items):
        if item in known:
            fixed[index, labels.index(known[item])] = 1.0
    return fixed


def _learn(given: NDArray[np.float64], belief: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How frequent the labels are (K,), and who says what when which is true (people, true, said)."""
    weighted = np.einsum("ik,ipl->pkl", belief, given)
    return _normalised(belief.sum(axis=0)), _normalised(weighted + 0.01)  # a little of everything: nobody is ever certain


def _believe(given: NDArray[np.float64], prior: NDArray[np.float64], confusion: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely each label is for each item (items, K)."""
    evidence = np.einsum("ipl,pkl->ik", given, np.log(confusion)) + np.log(np.maximum(prior, 1e-12))
    return _normalised(np.exp(evidence - evidence.max(axis=1, keepdims=True)))


def _normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    total = values.sum(axis=-1, keepdims=True)
    even = np.full_like(values, 1.0 / values.shape[-1])
    return np.where(total > 0, values / np.where(total > 0, total, 1.0), even)


def _winner(belief: NDArray[np.float64], labels: Sequence[str]) -> Winner | None:
    best = int(belief.argmax())
    if int((belief > belief[best] - 1e-9).sum()) > 1:
        return None
    return Winner(labels[best], float(belief[best]))
