"""Splits that files or people say stay; a dataset of training and test alone gets a validation part and a word of it."""

from __future__ import annotations

import pytest

from automl.contracts.dataset import SplitShares, split_of_group
from labeling.bulk.each import do, undo
from labeling.snapshots import snapshot_create
from studio.datasets.files.reasons import NOTES, REASONS
from studio.datasets.models import BulkChange, Item, Reject
from studio.datasets.versions.errors import SharesFixedError
from studio.datasets.versions.splits import shares_set, validation_settle
from tests.support.project_setup import ingest, picture, zip_of

LABELS = ("rose", "tulip")


def send(setup, counts: dict[str, int], *, seed: int = 0):
    """An upload with folders of splits and labels: as many pictures in each split as is said."""
    files, number = {}, seed
    for split, count in counts.items():
        for n in range(count):
            files[f"{split}/{LABELS[n % 2]}/{number}.png"] = picture(number, size=(40, 40))
            number += 1
    upload = ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    return upload


def splits() -> dict[str, str]:
    return {name.rsplit("/", 1)[1]: split for name, split in Item.objects.values_list("name", "split")}


def rejects(upload) -> dict[str, str]:
    return dict(Reject.objects.filter(upload=upload).values_list("code", "name"))


def num(split: str) -> int:
    return Item.objects.filter(split=split, deleted_at=None).count()


def test_training_and_test_alone_get_a_validation_part_and_can_be_cut(setup):
    upload = send(setup, {"train": 40, "test": 10})
    carved = num("validation")
    assert 0 < carved < 20
    assert num("test") == 10
    shares = SplitShares(test_fraction=0.0)
    rows = Item.objects.exclude(split="test")
    assert {row.split for row in rows if split_of_group(row.group, shares) == "validation"} == {"validation"}
    assert {row.split for row in rows if split_of_group(row.group, shares) == "train"} == {"train"}
    assert rejects(upload) == {"validation_carved": f"train → validation (× {carved})"}
    assert "validation_carved" in NOTES & set(REASONS)
    version, is_new = snapshot_create(dataset=setup.dataset, actor=setup.actor)
    assert is_new
    assert version.manifest["num_items_by_split"] == {"train": 40 - carved, "validation": carved, "test": 10}


def test_a_small_training_part_gives_at_least_one_picture(setup):
    for seed in range(0, 60, 6):
        Item.objects.all().delete()
        send(setup, {"train": 5, "test": 1}, seed=seed)
        assert 1 <= num("validation") <= 4


def test_a_validation_part_that_comes_later_gives_back_what_was_carved(setup):
    send(setup, {"train": 30})
    before = {name for name, split in splits().items() if split == "validation"}
    assert before
    upload = send(setup, {"validation": 6}, seed=100)
    assert (num("train"), num("validation")) == (30, 6)
    assert rejects(upload) == {"validation_returned": f"validation → train (× {len(before)})"}
    send(setup, {"train": 12}, seed=200)
    assert (num("train"), num("validation")) == (42, 6)


def test_a_validation_part_that_was_named_is_left_as_it_is(setup):
    upload = send(setup, {"train": 20, "validation": 3, "test": 3})
    assert (num("train"), num("validation"), num("test")) == (20, 3, 3)
    assert rejects(upload) == {}


def test_nothing_is_carved_once_there_is_a_version_or_against_a_share_of_nothing(setup):
    send(setup, {"train": 20, "validation": 3, "test": 3})
    snapshot_create(dataset=setup.dataset, actor=setup.actor)
    Item.objects.filter(split="validation").update(split="train", split_by="import")
    assert validation_settle(dataset=setup.dataset) == (0, 0)


def test_other_shares_move_no_split_that_was_assigned(setup):
    send(setup, {"train": 20, "validation": 4, "test": 4})
    assigned = splits()
    ingest(setup.dataset, zip_of({f"rose/{n}.png": picture(n, size=(40, 40)) for n in range(500, 530)}), labels="folder")
    free = {name: split for name, split in splits().items() if name not in assigned}
    change = BulkChange(dataset=setup.dataset, kind="split", change={"split": "test"})
    by_hand = next(name for name, split in free.items() if split == "train")
    chosen = Item.objects.filter(name__endswith=f"/{by_hand}").values_list("id", flat=True)
    before = do(change, list(chosen), setup.actor)
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.0, test_fraction=0.0))
    now = splits()
    assert {name: now[name] for name in assigned} == assigned
    assert now[by_hand] == "test"
    assert {now[name] for name in free if name != by_hand} == {"train"}
    undo(change, before, setup.actor)
    shares_set(dataset=setup.dataset, shares=SplitShares())
    assert splits() == assigned | free


def test_a_split_from_before_its_source_was_noted_stays_when_the_hash_differs(setup):
    send(setup, {"train": 20, "validation": 4, "test": 4})
    Item.objects.update(split_by=None)
    before, shares = splits(), SplitShares()
    odd = {row.name.rsplit("/", 1)[1] for row in Item.objects.all() if split_of_group(row.group, shares) != row.split}
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.4, test_fraction=0.4))
    assert odd
    assert {name: splits()[name] for name in odd} == {name: before[name] for name in odd}


def test_carved_pictures_follow_the_shares(setup):
    send(setup, {"train": 40, "test": 4})
    few = num("validation")
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.6, test_fraction=0.1))
    assert num("validation") > few
    assert num("test") == 4
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.0, test_fraction=0.1))
    assert (num("validation"), num("train")) == (0, 40)
    shares_set(dataset=setup.dataset, shares=SplitShares(validation_fraction=0.15, test_fraction=0.1))
    snapshot_create(dataset=setup.dataset, actor=setup.actor)
    with pytest.raises(SharesFixedError):
        shares_set(dataset=setup.dataset, shares=SplitShares())
