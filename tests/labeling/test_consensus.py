"""Merging several people's answers beats each of them, and Dawid-Skene finds out whom to trust."""

from __future__ import annotations

import random

import pytest

from labeling.consensus import dawid_skene, majority

LABELS = ("cat", "dog", "fox")
SKILL = {"anna": 0.8, "ben": 0.75, "carl": 0.75, "dora": 0.5, "emil": 0.4}


def crowd(seed: int, items: int = 300) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """The truth, and what five people of different skill say."""
    dice = random.Random(seed)
    truth = {f"i{n}": dice.choice(LABELS) for n in range(items)}
    votes = {
        item: {
            person: label if dice.random() < skill else dice.choice([one for one in LABELS if one != label])
            for person, skill in SKILL.items()
        }
        for item, label in truth.items()
    }
    return truth, votes


def right(truth, consensus) -> float:
    return sum(winner is not None and winner.label == truth[item] for item, winner in consensus.winners.items()) / len(truth)


def test_dawid_skene_beats_majority_and_the_best_person():
    learnt, counted, singles = 0.0, 0.0, dict.fromkeys(SKILL, 0.0)
    for seed in range(5):
        truth, votes = crowd(seed)
        consensus = dawid_skene(votes)
        learnt += right(truth, consensus)
        counted += right(truth, majority(votes))
        for person in SKILL:
            share = sum(votes[item][person] == label for item, label in truth.items()) / len(truth)
            assert consensus.accuracy[person] == pytest.approx(share, abs=0.08)
            singles[person] += share
    assert learnt > max(counted, *singles.values())


def test_gold_keeps_its_label_and_teaches_who_can_be_trusted():
    votes = {f"i{n}": {"liar": "dog", "honest": "cat"} for n in range(10)}
    gold = {f"i{n}": "cat" for n in range(5)}
    learned = dawid_skene(votes, gold=gold)
    assert {winner.label for winner in learned.winners.values()} == {"cat"}
    assert learned.accuracy["honest"] > 0.9
    assert learned.accuracy["liar"] < 0.1


def test_a_tie_has_no_winner():
    assert majority({"i": {"a": "cat", "b": "dog"}}).winners["i"] is None
    assert majority({"i": {"a": "cat", "b": "dog", "c": "dog"}}).winners["i"].label == "dog"
    assert dawid_skene({"i": {"a": "cat", "b": "dog"}}).winners["i"] is None
    assert dawid_skene({}).winners == {}


def test_who_answered_only_some_items_counts_too():
    votes = {"i1": {"a": "cat"}, "i2": {"a": "dog", "b": "dog"}, "i3": {"b": "cat"}}
    assert {item: winner.label for item, winner in dawid_skene(votes).winners.items()} == {
        "i1": "cat",
        "i2": "dog",
        "i3": "cat",
    }
