"""Each label has its share of every split: the rule, and what versions hold by it."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.dataset import Split, SplitShares, split_of_group
from labeling.snapshots import snapshot_create
from studio.datasets.models import Item
from studio.datasets.versions.manifest import dataset_problems, version_all_items
from studio.datasets.versions.split_preview import split_preview
from studio.datasets.versions.splits import shares_set
from studio.datasets.versions.stratified_splits import stratified_moves
from studio.datasets.versions.stratify import LEAST_TESTED, SplitGroup, stratified
from tests.support.project_setup import ingest, picture, zip_of

SHARES = SplitShares()


def groups_of(sizes: dict[str, int], *, start: int = 0) -> list[SplitGroup]:
    return [
        SplitGroup(name=f"{label}-{n}", label=label, num_items=1) for label, size in sizes.items() for n in range(start, size)
    ]


def by_label(groups, chosen) -> dict[str, Counter]:
    counted: dict[str, Counter] = defaultdict(Counter)
    for group in groups:
        counted[group.label][group.fixed or chosen[group.name]] += group.num_items
    return counted


@given(
    sizes=st.dictionaries(st.text("abcdefgh", min_size=1, max_size=3), st.integers(1, 60), min_size=1, max_size=12),
    validation=st.floats(0, 0.45),
    test=st.floats(0, 0.45),
)
def test_each_label_and_the_whole_have_their_shares(sizes, validation, test):
    shares = SplitShares(validation_fraction=validation, test_fraction=test)
    groups = groups_of(sizes)
    chosen = stratified(groups, shares)
    assert chosen.keys() == {group.name for group in groups}
    counted = by_label(groups, chosen)
    for label, num in sizes.items():
        assert counted[label][Split.TRAIN] >= 1
        least = LEAST_TESTED if test else 0
        assert num * test - 1.01 <= counted[label][Split.TEST] <= max(num * test + 1.01, least)
        assert counted[label][Split.VALIDATION] <= num * validation + 1.01
    num_rare = sum(20 <= num <= max(sizes.values()) / 5 for num in sizes.values())
    assert sum(counts[Split.TEST] for counts in counted.values()) <= sum(sizes.values()) * test + 1.01 + LEAST_TESTED * num_rare


@pytest.mark.parametrize(
    ("rare", "tested"),
    [(19, 3), (20, 5), (25, 5), (40, 6), (100, 15)],
)
def test_a_rare_label_with_enough_items_is_tested_by_five(rare, tested):
    groups = groups_of({"a": 400, "b": 380, "rare": rare})
    counted = by_label(groups, stratified(groups, SHARES))
    assert counted["rare"][Split.TEST] == pytest.approx(tested, abs=0 if tested == 5 else 1)
    assert counted["a"][Split.TEST] == pytest.approx(60, abs=1)
    assert counted["rare"][Split.VALIDATION] == pytest.approx(0.15 * rare, abs=1)
    few = groups_of({"rare": rare})
    alone = by_label(few, stratified(few, SHARES, commonest=1000))
    assert alone["rare"][Split.TEST] == pytest.approx(tested, abs=0 if tested == 5 else 1)


def test_a_rare_label_with_enough_items_is_validated_by_three():
    groups = groups_of({"a": 400, "b": 380, "rare": 20, "rarer": 19})
    counted = by_label(groups, stratified(groups, SplitShares(validation_fraction=0.05, test_fraction=0.05)))
    assert {split: counted["rare"][split] for split in (Split.TEST, Split.VALIDATION)} == {Split.TEST: 5, Split.VALIDATION: 3}
    assert counted["rarer"][Split.VALIDATION] <= 2
    alone = groups_of({"rare": 20})
    none = stratified(alone, SplitShares(validation_fraction=0.0), commonest=400)
    assert Split.VALIDATION not in none.values()


def test_labels_that_all_have_few_items_give_no_more_than_their_shares():
    groups = groups_of({f"label-{n}": 20 for n in range(30)})
    counted = by_label(groups, stratified(groups, SHARES))
    assert {counts[Split.TEST] for counts in counted.values()} == {3}


def test_no_test_split_needs_no_rare_items():
    groups = groups_of({"a": 400, "rare": 20})
    chosen = stratified(groups, SplitShares(test_fraction=0.0))
    assert Split.TEST not in chosen.values()


def test_rare_items_that_test_already_count():
    fixed = [SplitGroup(f"old-{n}", "rare", 1, Split.TEST) for n in range(4)]
    groups = groups_of({"a": 400, "rare": 16})
    assert by_label(groups, stratified([*fixed, *groups], SHARES))["rare"][Split.TEST] == 1


@given(st.integers(1, 40), st.integers(0, 40))
def test_what_is_fixed_counts_and_new_groups_make_up_for_it(num_old, num_new):
    old = groups_of({"a": num_old})
    chosen = stratified(old, SHARES)
    fixed = [SplitGroup(group.name, group.label, group.num_items, chosen[group.name]) for group in old]
    new = groups_of({"a": num_old + num_new}, start=num_old)
    later = stratified([*fixed, *new], SHARES)
    assert later.keys() == {group.name for group in new}
    counted = by_label([*fixed, *new], later)["a"]
    total = num_old + num_new
    assert abs(counted[Split.TEST] - total * 0.15) <= 1.01
    assert abs(counted[Split.VALIDATION] - total * 0.15) <= 1.01


def test_the_order_of_groups_says_nothing():
    groups = groups_of({"a": 13, "b": 7, "c": 2})
    assert stratified(groups, SHARES) == stratified(groups[::-1], SHARES)


def test_a_large_group_goes_where_it_does_least_harm():
    groups = [SplitGroup("large", "a", 80), *groups_of({"a": 20})]
    chosen = stratified(groups, SHARES)
    assert chosen["large"] is Split.TRAIN
    assert Counter(chosen.values())[Split.TEST] == pytest.approx(15, abs=1)


def send(setup, labels: int, each: int, *, seed: int = 0) -> None:
    files = {
        f"label{label:02}/{seed}-{label}-{n}.png": picture(seed + label * 100 + n, size=(24, 24))
        for label in range(labels)
        for n in range(each)
    }
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()


def cut(setup):
    version, _ = snapshot_create(dataset=setup.dataset, actor=setup.actor)
    setup.refresh()
    return version, {record.item: record.split for record in version_all_items(version)}


def splits_by_label(splits) -> dict[str, Counter]:
    counted: dict[str, Counter] = defaultdict(Counter)
    for item, stored in Item.objects.filter(id__in=list(splits)).values_list("id", "annotations"):
        counted[stored[0]["label"]][splits[item]] += 1
    return counted


@pytest.mark.django_db
def test_every_label_trains_and_is_tested_and_nothing_moves_later(setup):
    send(setup, labels=8, each=7)
    moves = stratified_moves(setup.dataset).splits
    _, first = cut(setup)
    counted = splits_by_label(first)
    assert len(counted) == 8
    assert all({*counts} == set(Split) for counts in counted.values())
    assert sum(first[item] == split for item, split in moves.items()) == len(moves) > 0
    send(setup, labels=9, each=7, seed=5000)
    _, second = cut(setup)
    assert {item: second[item] for item in first} == first
    assert all(
        counts[Split.TEST] == pytest.approx(0.15 * sum(counts.values()), abs=1) for counts in splits_by_label(second).values()
    )
    _, third = cut(setup)
    assert third == second
    assert not stratified_moves(setup.dataset).splits


@pytest.mark.django_db
def test_problems_are_those_of_the_version_that_would_be_cut(setup):
    send(setup, labels=6, each=6)
    before = {problem.code for problem in dataset_problems(setup.dataset)}
    cut(setup)
    assert {problem.code for problem in dataset_problems(setup.dataset)} == before


@pytest.mark.django_db
def test_groups_stay_together_and_what_a_person_assigned_stays(setup):
    send(setup, labels=3, each=8)
    ids = list(Item.objects.order_by("id").values_list("id", flat=True))
    Item.objects.filter(id__in=ids[:4]).update(group="part-1", split=split_of_group("part-1", SHARES).value)
    Item.objects.filter(id__in=ids[4:6]).update(split="test", split_by="person")
    _, splits = cut(setup)
    assert len({splits[item] for item in ids[:4]}) == 1
    assert {splits[item] for item in ids[4:6]} == {Split.TEST}


@pytest.mark.django_db
def test_other_shares_before_the_first_version_start_from_the_hash_again(setup):
    send(setup, labels=4, each=10)
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.2, test_fraction=0.3))
    setup.refresh()
    version, _ = cut(setup)
    assert version.manifest["num_items_by_split"] == {"train": 20, "validation": 8, "test": 12}


@pytest.mark.django_db
def test_the_preview_is_what_the_version_holds_and_moves_nothing(setup):
    send(setup, labels=5, each=9)
    before = dict(Item.objects.values_list("id", "split"))
    shares = SplitShares(validation_fraction=0.1, test_fraction=0.4)
    preview = split_preview(setup.dataset, shares)
    assert dict(Item.objects.values_list("id", "split")) == before
    setup.refresh()
    version, _ = snapshot_create(dataset=setup.dataset, actor=setup.actor, shares=shares)
    assert {split.value: num for split, num in preview.by_split.items()} == version.manifest["num_items_by_split"]
    assert preview.is_exact
    setup.refresh()
    later = split_preview(setup.dataset, SplitShares(test_fraction=0.0))
    assert later.by_split == preview.by_split  # the shares are settled


@pytest.mark.django_db
def test_the_preview_by_http(setup, client):
    send(setup, labels=2, each=10)
    client.force_login(setup.owner)
    address = f"/api/projects/{setup.project.id}/split-preview"
    answer = client.get(address, {"validation_fraction": 0.2, "test_fraction": 0.2})
    rule = {"by": "labels", "field": ""}
    by_split = {"train": 12, "validation": 4, "test": 4}
    assert answer.json() == {"by_split": by_split, "is_exact": True, "rule": rule, "num_without": 0}
    refused = client.get(address, {"validation_fraction": 0.6, "test_fraction": 0.6})
    assert refused.status_code == 422
