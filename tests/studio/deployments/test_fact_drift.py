"""Drift of inputs by the counts of bins: what was planted is found and named, and weeks in which nothing changes are quiet."""

import numpy as np
import pytest
from scipy.stats import fisher_exact

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.reference import InputReference
from engine.artefact.reference import reference_of, reference_splits
from runtime.facts import Fact, FactBins, Reference
from runtime.predictor import Predictor
from studio.deployments import fact_drift
from studio.deployments.fact_drift import Direction, bin_drift, facts_judge
from studio.deployments.items import deployed_items
from tests.studio.deployments.input_items import ARTEFACTS, DRIFTED, USUAL, refer

NUM_CALLS = 110


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """By kind: its reference, and a function from items to bins, by the runtime that serves the model."""

    def made(kind):
        folder = ARTEFACTS[kind](tmp_path_factory.mktemp("facts") / kind)
        reference = refer(folder, kind)
        predictor = Predictor()
        predictor.setup(folder)
        assert predictor.reference is not None
        items, bins = predictor.items, predictor.reference
        return reference, predictor, lambda contents: [bins.bins(items.facts(items.decode(each))) for each in contents]

    return {kind: made(kind) for kind in USUAL}


@pytest.mark.parametrize("name", DRIFTED)
def test_planted_drift_is_found_and_reported(judged, name):
    kind, make, fact, sentence = DRIFTED[name]
    reference, _, bins_of = judged[kind]
    found = facts_judge(reference, bins_of(make(seed) for seed in range(NUM_CALLS)))
    by_name = {each.reference.name: each for each in found}
    assert by_name[fact].is_changed, {name: (each.drift.psi, each.drift.p) for name, each in by_name.items()}
    words = deployed_items_of(judged, kind).fact_changed(fact, by_name[fact].direction)
    assert sentence in words.en
    assert words.zh != words.en
    assert [each.is_changed for each in found] == sorted((each.is_changed for each in found), reverse=True)


@pytest.mark.parametrize("kind", USUAL)
def test_twenty_samples_like_the_judged_items_are_silent(judged, kind):
    reference, _, bins_of = judged[kind]
    for week in range(20):
        found = facts_judge(reference, bins_of(USUAL[kind](1000 * week + seed) for seed in range(NUM_CALLS)))
        assert not any(each.is_changed for each in found), (week, found[0])


@pytest.mark.parametrize("kind", USUAL)
def test_every_fact_has_words_for_each_way_to_change(judged, kind):
    words = deployed_items_of(judged, kind)
    for fact in judged[kind][0].facts:
        assert words.fact_title(fact.name).zh
        for direction in Direction:
            if fact.kind == "numeric" or direction in (Direction.OTHER, Direction.MISSING):
                assert words.fact_changed(fact.name, direction).zh


def deployed_items_of(judged, kind):
    return deployed_items(ArtefactManifest.model_validate(judged[kind][1].manifest))


def random_items(chance, number):
    """Numbers of several distributions, and a category most of whose values are rare; here and there one is missing."""
    columns = {
        "normal": chance.normal(size=number).tolist(),
        "skewed": chance.lognormal(0, 1.5, size=number).tolist(),
        "few": chance.integers(0, 5, size=number).astype(float).tolist(),
        "rare": [f"c{value}" for value in chance.zipf(1.7, size=number)],
    }
    missing = chance.random((number, len(columns))) < 0.02
    return [
        [
            Fact(name, "category" if name == "rare" else "numeric", None if missing[row, place] else column[row])
            for place, (name, column) in enumerate(columns.items())
        ]
        for row in range(number)
    ]


@pytest.mark.parametrize("num_judged", [60, 240])
def test_quiet_weeks_are_silent_whatever_the_distribution(num_judged):
    """Somebody looks as calls come; bins that the counted items had chosen themselves would fail here."""
    for week in range(15):
        chance = np.random.default_rng(week)
        reference = reference_of(random_items(chance, num_judged), (Split.TEST,))
        bins = [Reference(reference.model_dump(mode="json")).bins(each) for each in random_items(chance, 700)]
        for number in (100, 200, 400, 700):
            assert not any(each.is_changed for each in facts_judge(reference, bins[:number])), (week, number)


@pytest.mark.parametrize("counts", [(3, 9, 50, 60), (0, 30, 200, 100), (40, 2, 41, 90), (5, 5, 10, 10)])
def test_the_exact_test_is_fishers(counts):
    before, after, num_before, num_after = counts
    table = [[before, num_before - before], [after, num_after - after]]
    one_sided = min(fisher_exact(table, alternative=side).pvalue for side in ("less", "greater"))
    assert fact_drift._exact(before, after, num_before, num_after) == pytest.approx(min(1.0, 2 * one_sided), rel=1e-6)


def test_a_significant_trifle_is_no_drift():
    drift = bin_drift([20_000, 20_000, 0], [21_000, 19_000, 0], is_ordered=True)
    assert (drift.psi < 0.1, drift.p) == (True, None)


@pytest.mark.parametrize("values", [range(3, 43), (0, 1, 2), (0,), (-1, 5)])
def test_bins_of_what_is_never_negative_begin_at_zero(values):
    items = [[Fact("length", "numeric", float(value))] for value in values for _ in range(9)]
    (fact,) = reference_of(items, (Split.TEST,)).facts
    assert (fact.edges[0] < 0) == (min(values) < 0)
    bins = FactBins("numeric", edges=fact.edges)
    assert min(values) < 0 or bins.bin_of(-999.0) < bins.bin_of(float(min(values))), "what turns negative later is told apart"


def test_a_constant_that_changes_is_found():
    side = [[Fact("side", "numeric", 64.0)] for _ in range(90)]
    reference = reference_of(side, (Split.TEST,))
    bins = Reference(reference.model_dump(mode="json")).bins([Fact("side", "numeric", 128.0)])
    (fact,) = facts_judge(reference, [bins] * 100)
    assert (fact.is_changed, fact.direction) == (True, Direction.MORE)


@pytest.mark.parametrize(
    ("numbers", "splits"),
    [
        ((500, 60, 45), (Split.TEST,)),
        ((200, 40, 20), (Split.TEST, Split.VALIDATION)),
        ((82, 18, 18), (Split.TEST, Split.VALIDATION, Split.TRAIN)),
        ((300, 50, 0), (Split.VALIDATION,)),
    ],
)
def test_small_tests_are_joined_by_the_other_items(numbers, splits):
    assert reference_splits(dict(zip((Split.TRAIN, Split.VALIDATION, Split.TEST), numbers, strict=True))) == splits


def test_references_of_one_split_are_still_read():
    first = {"split": "test", "num_items": 0, "facts": []}
    assert InputReference.model_validate(first).splits == (Split.TEST,)
