"""The sequential test, on simulated losses: it finds what differs and leaves alone what does not, however often one looks."""

import random

import pytest

from studio.deployments.sequential import Evidence, evidence_add, verdict_of

ALPHA = 0.05


def verdict(seed, *, baseline, candidate, share, most, margin=0.0, drift=0.0):
    """Looks after every single loss; the verdict and the number of losses until it."""
    chance, evidence = random.Random(seed), Evidence()
    for number in range(most):
        is_candidate = chance.random() < share
        error_rate = (candidate if is_candidate else baseline) + drift * number / most
        evidence = evidence_add(evidence, [(is_candidate, float(chance.random() < error_rate))], margin=margin)
        if (found := verdict_of(evidence, alpha=ALPHA)) is not None:
            return found, number + 1
    return None, most


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_a_worse_candidate_is_found_in_nineteen_of_twenty_runs(share):
    runs = [verdict(seed, baseline=0.1, candidate=0.2, share=share, most=6000) for seed in range(20)]
    assert sum(found == "worse" for found, _ in runs) >= 19, runs
    assert not [found for found, _ in runs if found == "better"]


def test_a_better_candidate_is_found_in_nineteen_of_twenty_runs():
    runs = [verdict(seed, baseline=0.2, candidate=0.1, share=0.5, most=6000) for seed in range(20)]
    assert sum(found == "better" for found, _ in runs) >= 19, runs


@pytest.mark.parametrize(("share", "drift"), [(0.1, 0.0), (0.5, 0.0), (0.3, 0.3)])
def test_of_equal_models_at_most_one_in_twenty_is_judged(share, drift):
    runs = [verdict(seed, baseline=0.2, candidate=0.2, share=share, most=2000, drift=drift)[0] for seed in range(300)]
    assert sum(found is not None for found in runs) <= ALPHA * len(runs), runs


def test_rare_failures_are_found_soon_and_an_equal_candidate_passes_with_a_margin():
    found, calls = verdict(1, baseline=0.001, candidate=0.05, share=0.2, most=5000)
    assert (found, calls < 2500) == ("worse", True)
    passed = [verdict(seed, baseline=0.001, candidate=0.001, share=0.5, most=5000, margin=0.02)[0] for seed in range(20)]
    assert passed.count("better") >= 19
    failing = [verdict(seed, baseline=0.0, candidate=0.02, share=0.5, most=3000, margin=0.02)[0] for seed in range(200)]
    assert failing.count("better") <= ALPHA * len(failing)


def test_it_does_not_matter_how_the_losses_are_cut():
    chance = random.Random(3)
    losses = [(chance.random() < 0.3, chance.random()) for _ in range(500)]
    whole = evidence_add(Evidence(), losses, margin=0.01)
    parts = Evidence()
    for first in range(0, 500, 7):
        parts = evidence_add(parts, losses[first : first + 7], margin=0.01)
    assert parts == whole
