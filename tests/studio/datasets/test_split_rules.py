"""Splits by time, by groups of a value and by names: the rule, what versions hold by it, and what the preview says before."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.dataset import Split, SplitShares
from automl.contracts.table import TableSchema
from labeling.bulk.each import do
from labeling.snapshots import snapshot_create
from studio.datasets.handlers import job_run
from studio.datasets.models import BulkChange, Item, Upload
from studio.datasets.versions import split_preview as preview_module
from studio.datasets.versions.errors import SplitFieldError
from studio.datasets.versions.manifest import dataset_problems, version_all_items
from studio.datasets.versions.split_preview import split_preview
from studio.datasets.versions.split_rule import SplitBy, SplitRule, TimedGroup, joined, split_by_name, split_by_time
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, home, ingest, picture, setup, setup_make, zip_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

__all__ = ["home", "setup"]

SHARES = SplitShares(validation_fraction=0.2, test_fraction=0.2)
ORDER = {Split.TRAIN: 0, Split.VALIDATION: 1, Split.TEST: 2}
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)


@given(
    sizes=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), min_size=1, max_size=40),
    validation=st.floats(0, 0.45),
    test=st.floats(0, 0.45),
)
def test_what_is_newer_never_trains_for_what_is_older(sizes, validation, test):
    shares = SplitShares(validation_fraction=validation, test_fraction=test)
    groups = [TimedGroup(str(place), float(moment), num) for place, (moment, num) in enumerate(sizes)]
    chosen = split_by_time(groups, shares)
    assert chosen.keys() == {group.name for group in groups}
    ordered = sorted(groups, key=lambda group: group.moment)
    assert [ORDER[chosen[group.name]] for group in ordered] == sorted(ORDER[chosen[group.name]] for group in groups)
    by_moment = defaultdict(set)
    for group in groups:
        by_moment[group.moment].add(chosen[group.name])
    assert all(len(splits) == 1 for splits in by_moment.values())
    assert Split.TRAIN in chosen.values()
    if test > 0 and len(by_moment) > 1:
        assert Split.TEST in chosen.values()


def named(chosen, split: Split) -> set[str]:
    return {name for name, one in chosen.items() if one is split}


def test_moments_of_one_item_each_give_the_shares_and_what_has_no_moment_trains():
    groups = [TimedGroup(str(n), None if n < 10 else float(n), 1) for n in range(110)]
    chosen = split_by_time(groups, SHARES)
    assert named(chosen, Split.TEST) == {str(n) for n in range(88, 110)}
    assert named(chosen, Split.VALIDATION) == {str(n) for n in range(66, 88)}
    assert {chosen[str(n)] for n in range(10)} == {Split.TRAIN}


def test_later_items_give_what_the_fixed_ones_lack():
    fixed = [TimedGroup(f"old{n}", float(n), 1, Split.TEST if n >= 80 else Split.TRAIN) for n in range(100)]
    chosen = split_by_time([*fixed, *(TimedGroup(f"new{n}", 1000.0 + n, 1) for n in range(100))], SHARES)
    assert chosen.keys() == {f"new{n}" for n in range(100)}
    assert named(chosen, Split.TEST) == {f"new{n}" for n in range(80, 100)}
    assert sum(split is Split.VALIDATION for split in chosen.values()) == 40


def test_names_are_read_in_both_languages_and_nothing_named_validation_gets_some():
    values = {"a": "Train", "b": " TEST ", "c": "验证集", "d": "训练"}
    assert split_by_name(values, SHARES, has_validation=False) == {
        "a": Split.TRAIN,
        "b": Split.TEST,
        "c": Split.VALIDATION,
        "d": Split.TRAIN,
    }
    bare = split_by_name({str(n): "train" for n in range(100)} | {"t": "test"}, SHARES, has_validation=False)
    assert 5 <= sum(split is Split.VALIDATION for split in bare.values()) <= 40
    assert Split.VALIDATION not in split_by_name({"x": "train", "y": "train"}, SHARES, has_validation=True).values()


def test_groups_that_share_a_value_hang_together():
    units = joined([("g1", "a"), ("g2", "a"), ("g2", "b"), ("g3", "c")])
    assert units["g1"] == units["g2"] != units["g3"]


@pytest.fixture
def rows(db, home):
    """A project that predicts a category."""
    return setup_make(task="tabular_prediction")


def send(setup, first: int, num: int) -> None:
    """Rows of one day each; twenty visits to each of many people; a column that names splits."""
    lines = ["kind,mass_g,person,seen,part"]
    for row in range(first, first + num):
        day = (BEGIN + timedelta(days=row)).strftime("%Y-%m-%d")
        part = ("train", "train", "dev", "test")[row % 4] if row % 5 else ""
        lines.append(f"{'ab'[row % 2]},{3000 + 7 * row},p{row // 10},{day},{part}")
    ingest(setup.dataset, ("\n".join(lines) + "\n").encode(), name=f"t{first}.csv", kind="file", labels="auto")
    setup.dataset.refresh_from_db()
    if TableSchema.model_validate(setup.dataset.columns).target is None:
        client = setup.client()
        now = client.get(f"/api/datasets/{setup.dataset.id}/columns").json()
        for column in now["columns"]:
            column["role"] = "target" if column["name"] == "kind" else "feature"
        body = {"columns": now["columns"], "revision": now["revision"]}
        answer = client.put(f"/api/datasets/{setup.dataset.id}/columns", body, content_type="application/json")
        assert answer.status_code in {200, 202}, answer.content
        for job in Job.objects.filter(kind="label_rows", state="queued"):
            job_run(job, InMemoryReporter())
    setup.refresh()
    setup.dataset.refresh_from_db()


def cut(setup, **rule):
    version, _ = snapshot_create(dataset=setup.dataset, actor=setup.actor, **rule)
    setup.refresh()
    setup.dataset.refresh_from_db()
    return version, {record.item: record.split for record in version_all_items(version)}


def cells(column: str) -> dict[str, str]:
    return {item.id: json.loads(item.text)["cells"].get(column, "") for item in Item.objects.all()}


def counted(splits) -> dict[str, int]:
    return {split.value: sum(one is split for one in splits.values()) for split in Split}


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize(
    "rule",
    [
        SplitRule(by=SplitBy.TIME, field="seen"),
        SplitRule(by=SplitBy.VALUE, field="person"),
        SplitRule(by=SplitBy.NAMED, field="part"),
    ],
    ids=str,
)
def test_the_preview_is_what_the_version_holds_and_writes_nothing(rows, rule, is_large, monkeypatch):
    if is_large:
        monkeypatch.setattr(preview_module, "EXACT_ITEMS", 10)
    send(rows, 0, 200)
    before = dict(Item.objects.values_list("id", "split"))
    preview = split_preview(rows.dataset, SHARES, rule)
    assert dict(Item.objects.values_list("id", "split")) == before
    rows.dataset.refresh_from_db()
    assert rows.dataset.split_rule is None
    version, _ = cut(rows, shares=SHARES, rule=rule)
    assert {split.value: num for split, num in preview.by_split.items()} == version.manifest["num_items_by_split"]
    assert preview.is_exact
    assert preview.rule == rule
    assert preview.num_without == (40 if rule.field == "part" else 0)


def test_of_very_many_items_the_preview_says_about_how_many_and_still_refuses_what_cannot_decide(rows, monkeypatch):
    monkeypatch.setattr(preview_module, "PLANNED_ITEMS", 10)
    send(rows, 0, 200)
    preview = split_preview(rows.dataset, SHARES, SplitRule(by=SplitBy.TIME, field="seen"))
    assert preview.by_split == {Split.TRAIN: 120, Split.VALIDATION: 40, Split.TEST: 40}
    assert not preview.is_exact
    with pytest.raises(SplitFieldError):
        split_preview(rows.dataset, SHARES, SplitRule(by=SplitBy.VALUE, field="kind"))
    assert split_preview(rows.dataset, SHARES, SplitRule(by=SplitBy.NAMED, field="part")).is_exact


def test_by_time_the_newest_test_and_nothing_moves_later(rows):
    send(rows, 0, 100)
    _, first = cut(rows, shares=SHARES, rule=SplitRule(by=SplitBy.TIME, field="seen"))
    assert counted(first) == {"train": 60, "validation": 20, "test": 20}
    seen = cells("seen")
    assert max(seen[item] for item in first if first[item] is Split.TRAIN) < min(
        seen[item] for item in first if first[item] is Split.VALIDATION
    )
    assert max(seen[item] for item in first if first[item] is Split.VALIDATION) < min(
        seen[item] for item in first if first[item] is Split.TEST
    )
    send(rows, 100, 100)
    _, second = cut(rows)  # the rule stays
    assert {item: second[item] for item in first} == first
    assert counted(second) == {"train": 120, "validation": 40, "test": 40}
    seen = cells("seen")
    new = {item: split for item, split in second.items() if item not in first}
    assert max(seen[item] for item in new if new[item] is Split.TRAIN) < min(
        seen[item] for item in new if new[item] is Split.TEST
    )
    _, third = cut(rows, rule=SplitRule(by=SplitBy.VALUE, field="person"))
    assert third == second


def test_by_value_nobody_is_on_two_sides_and_later_items_follow(rows):
    send(rows, 0, 195)
    _, first = cut(rows, rule=SplitRule(by=SplitBy.VALUE, field="person"))
    people = cells("person")
    sides = defaultdict(set)
    for item, split in first.items():
        sides[people[item]].add(split)
    assert {len(splits) for splits in sides.values()} == {1}
    assert counted(first)["test"] == pytest.approx(0.15 * 195, abs=10)
    assert counted(first)["validation"] == pytest.approx(0.15 * 195, abs=10)
    send(rows, 195, 105)  # five more of the last person
    _, second = cut(rows)
    assert {item: second[item] for item in first} == first
    people = cells("person")
    for item, split in second.items():
        sides[people[item]].add(split)
    assert {len(splits) for splits in sides.values()} == {1}


def test_by_name_the_values_say_it_and_labels_take_over_again(rows):
    send(rows, 0, 100)
    _, first = cut(rows, rule=SplitRule(by=SplitBy.NAMED, field="part"))
    parts = cells("part")
    names = {"train": Split.TRAIN, "dev": Split.VALIDATION, "test": Split.TEST}
    assert all(first[item] is names[parts[item]] for item in first if parts[item])
    send(rows, 100, 100)
    by_labels = split_preview(rows.dataset, rule=SplitRule())
    version, second = cut(rows, rule=SplitRule())
    assert {item: second[item] for item in first} == first
    assert {split.value: num for split, num in by_labels.by_split.items()} == version.manifest["num_items_by_split"]
    new = {item: split for item, split in second.items() if item not in first}
    assert any(parts_split is not names.get(cells("part")[item], parts_split) for item, parts_split in new.items())


def test_splits_from_files_or_people_stay(rows):
    send(rows, 0, 60)
    assigned = list(Item.objects.order_by("id").values_list("id", flat=True)[:5])
    Item.objects.filter(id__in=assigned).update(split="test", split_by="person")
    _, splits = cut(rows, shares=SHARES, rule=SplitRule(by=SplitBy.TIME, field="seen"))
    assert {splits[item] for item in assigned} == {Split.TEST}
    assert counted(splits) == {"train": 36, "validation": 12, "test": 12}


def test_a_column_that_cannot_decide_is_refused_and_one_that_is_gone_harms_no_problems(rows):
    send(rows, 0, 60)
    for rule in (
        SplitRule(by=SplitBy.TIME, field="mass_g"),
        SplitRule(by=SplitBy.VALUE, field="kind"),
        SplitRule(by=SplitBy.NAMED, field="nothing"),
    ):
        with pytest.raises(SplitFieldError):
            cut(rows, rule=rule)
    rows.dataset.refresh_from_db()
    assert rows.dataset.split_rule is None
    rows.dataset.split_rule = {"by": "value", "field": "gone"}
    rows.dataset.save(update_fields=["split_rule"])
    dataset_problems(rows.dataset)
    with pytest.raises(SplitFieldError):
        cut(rows)


def test_pictures_by_when_they_came_and_by_metadata(setup):
    for number in range(5):
        files = {f"{'ab'[n % 2]}/{n}.png": picture(1000 * number + n, size=(24, 24)) for n in range(8)}
        ingest(setup.dataset, zip_of(files), labels="folder")
        setup.refresh()
    for place, upload in enumerate(Upload.objects.order_by("created_at")):
        created_at = upload.created_at.replace(year=2020 + place)
        Upload.objects.filter(id=upload.id).update(created_at=created_at)
    _, splits = cut(setup, shares=SHARES, rule=SplitRule(by=SplitBy.TIME))
    uploads = dict(Item.objects.values_list("id", "upload__created_at__year"))
    sides = {year: {splits[item] for item in splits if uploads[item] == year} for year in range(2020, 2025)}
    assert sides == {
        **{year: {Split.TRAIN} for year in (2020, 2021, 2022)},
        2023: {Split.VALIDATION},
        2024: {Split.TEST},
    }


def test_metadata_decides_for_pictures(setup):
    files = {f"{'ab'[n % 2]}/{n}.png": picture(n, size=(24, 24)) for n in range(60)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    ids = list(Item.objects.order_by("id").values_list("id", flat=True))
    client = setup.client()
    for place, item in enumerate(ids[:50]):
        facts = {"camera": f"c{place // 5}", "taken": (BEGIN + timedelta(hours=place)).isoformat()}
        do(BulkChange(dataset=setup.dataset, kind="metadata", change={"metadata": facts}), [item], setup.actor)
    found = client.get(f"/api/projects/{setup.project.id}/split-fields").json()
    assert found == {"moments": ["taken"], "values": ["camera", "taken"]}
    address = f"/api/projects/{setup.project.id}/split-preview"
    query = {"validation_fraction": 0.2, "test_fraction": 0.2, "by": "time", "field": "taken"}
    preview = client.get(address, query).json()
    assert preview["by_split"] == {"train": 36, "validation": 12, "test": 12}
    assert preview["num_without"] == 10
    assert client.get(address, {"by": "time", "field": "camera"}).json()["code"] == "split_field"
    assert client.get(address, {"by": "value"}).status_code == 422
    body = {"project": setup.project.id, "shares": SHARES.model_dump(), "rule": {"by": "value", "field": "camera"}}
    answer = client.post("/api/labeling/snapshots", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    setup.dataset.refresh_from_db()
    assert setup.dataset.split_rule == {"by": "value", "field": "camera"}
    sides = defaultdict(set)
    for metadata, split in Item.objects.values_list("metadata", "split"):
        if metadata:
            sides[metadata["camera"]].add(split)
    assert {len(splits) for splits in sides.values()} == {1}
    assert set.union(*sides.values()) == {"train", "validation", "test"}
