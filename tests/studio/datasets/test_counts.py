"""Kept counts equal counting, whatever is done to the items and by how many at once."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from importlib import import_module
from threading import Event

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from labeling.label_changes.plan import LabelRename
from labeling.label_changes.services import label_change_start
from studio.common.sql.batch import StatementBatch
from studio.datasets.items.annotations import AnnotationWrite, annotations_write, labels_insert
from studio.datasets.items.counts import FOLD_ROWS, Facet, counts_counted, counts_fold_one, counts_of, counts_rebuild
from studio.datasets.items.counts_bulk import MIN_ROWS
from studio.datasets.items.services import item_delete, item_restore
from studio.datasets.migrations._counters_0004 import install_sql
from studio.datasets.models import CountChange, Dataset, Item, ItemFlag
from studio.datasets.tasks import counts_fold_task
from tests.support.project_setup import setup_make

pytestmark = pytest.mark.both_databases(
    "platform/studio/datasets/items/counts.py",
    "platform/studio/datasets/items/counts_bulk.py",
)

LABELS = ("rose", "tulip", "aster")


def items_make(dataset: Dataset, num: int, *, seed: int = 0) -> list[Item]:
    """Rows without pictures: nothing here looks at one."""
    names = [f"{seed}-{n}" for n in range(num)]
    rows = [
        Item(dataset=dataset, name=f"{name}.png", blob=name, width=4, height=4, format="png", size_bytes=100 + n, group=name)
        for n, name in enumerate(names)
    ]
    for n, row in enumerate(rows):
        row.split = ("train", "validation", "test")[n % 3]
    return Item.objects.bulk_create(rows)


def act(setup, rng: random.Random) -> None:
    """One random thing that happens to items."""
    ids = list(Item.objects.filter(dataset=setup.dataset).order_by("id").values_list("id", flat=True))
    some = rng.sample(ids, 5)
    match rng.randrange(8):
        case 0:
            items_make(setup.dataset, 3, seed=rng.getrandbits(60))
        case 1:
            item_delete(dataset=setup.dataset, items=some, actor=setup.actor)
        case 2:
            item_restore(dataset=setup.dataset, items=some, actor=setup.actor)
        case 3:
            Item.objects.filter(id__in=some).update(split=rng.choice(["train", "test"]))
        case 4:
            flags = [
                ItemFlag(dataset=setup.dataset, item_id=one, kind="dark", severity=0.5, created_at=timezone.now())
                for one in some
            ]
            ItemFlag.objects.bulk_create(flags, ignore_conflicts=True)
        case 5:
            ItemFlag.objects.filter(item__in=some[:2]).update(dismissed_at=timezone.now())
        case 6:
            Item.objects.filter(id__in=some, deleted_at__isnull=False).update(quarantine="act_1")
        case _:
            say(some, rng.choice([None, (), (ClassLabel(label=rng.choice(LABELS)),)]), rng.choice("ab"))


def say(ids: list[str], annotations, who: str) -> None:
    with transaction.atomic():
        rows = Item.objects.select_for_update().filter(id__in=ids).order_by("id")
        annotations_write(writes=[AnnotationWrite(row, annotations, f"person:{who}") for row in rows], at=timezone.now())


def as_counted(dataset: Dataset) -> None:
    assert counts_of(dataset.id) == counts_counted(dataset.id)


@pytest.mark.parametrize("seed", range(3))
def test_kept_counts_equal_counting_after_random_actions(setup, seed):
    rng = random.Random(seed)
    setup.labels(*LABELS)
    items_make(setup.dataset, 30)
    for step in range(40):
        act(setup, rng)
        if step % 10 == 9:
            as_counted(setup.dataset)
        if step == 20:
            counts_fold_one(dataset=setup.dataset.id)
    label_change_start(dataset=setup.dataset, plan=LabelRename(source="rose", target="dahlia"), actor=setup.actor)
    as_counted(setup.dataset)
    assert counts_of(setup.dataset.id)[Facet.STATE]


def test_the_clock_folds_where_many_changes_have_gathered(setup):
    changes = [CountChange(dataset=setup.dataset, facet=Facet.BYTES, value="", change=1) for _ in range(FOLD_ROWS + 1)]
    CountChange.objects.bulk_create(changes)
    counts_fold_task()
    assert CountChange.objects.filter(dataset=setup.dataset).count() == 1
    assert counts_of(setup.dataset.id, Facet.BYTES) == {Facet.BYTES: {"": FOLD_ROWS + 1}}


def test_datasets_do_not_mix(setup, db):
    other = setup_make(email="eve@example.org")
    items_make(setup.dataset, 4)
    items_make(other.dataset, 7)
    assert counts_of(setup.dataset.id)[Facet.STATE] == {"unlabelled": 4}
    assert counts_of(other.dataset.id)[Facet.STATE] == {"unlabelled": 7}


def test_folding_keeps_the_sums_and_leaves_one_row_a_count(setup):
    for seed in range(4):
        items_make(setup.dataset, 2, seed=seed)
    before = counts_of(setup.dataset.id)
    counts_fold_one(dataset=setup.dataset.id)
    assert counts_of(setup.dataset.id) == before
    rows = CountChange.objects.filter(dataset=setup.dataset).values_list("facet", "value")
    assert len(rows) == len(set(rows))


def test_rebuilding_mends_what_is_wrong(setup):
    items_make(setup.dataset, 6)
    CountChange.objects.filter(dataset=setup.dataset).update(change=77)
    counts_rebuild(dataset=setup.dataset.id)
    as_counted(setup.dataset)
    counts_rebuild(dataset=setup.dataset.id)
    as_counted(setup.dataset)


@pytest.mark.django_db(transaction=True)
def test_counting_anew_beside_somebody_who_folds(setup):
    """Neither counts what the other writes."""
    items_make(setup.dataset, 5)
    for value in ("unlabelled", "annotated"):  # wrong, and something to fold
        CountChange.objects.create(dataset=setup.dataset, facet=Facet.STATE.value, value=value, change=77)
    is_folded, may_go = Event(), Event()

    def fold() -> None:
        try:
            with transaction.atomic():
                assert counts_fold_one(dataset=setup.dataset.id)
                is_folded.set()
                may_go.wait(20)
        finally:
            connection.close()

    def rebuild() -> None:
        try:
            counts_rebuild(dataset=setup.dataset.id)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        folding = pool.submit(fold)
        assert is_folded.wait(20)
        rebuilding = pool.submit(rebuild)
        wait([rebuilding], timeout=0.5)  # SQLite has one writer
        may_go.set()
        folding.result(20)
        rebuilding.result(20)
    as_counted(setup.dataset)


@pytest.mark.django_db(transaction=True)
def test_people_at_once_lose_no_count(setup):
    setup.labels(*LABELS)
    ids = [item.id for item in items_make(setup.dataset, 40)]

    def work(worker: int) -> None:
        rng = random.Random(worker)
        try:
            for step in range(12):
                say(rng.sample(ids, 3), (ClassLabel(label=rng.choice(LABELS)),), str(worker))
                if step == 6:
                    counts_fold_one(dataset=setup.dataset.id)
                if worker == 0 and step == 9:
                    counts_rebuild(dataset=setup.dataset.id)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    as_counted(setup.dataset)


def test_the_migration_takes_the_counts_of_rows_that_were_there_before(setup):
    migration = import_module("studio.datasets.migrations.0004_counts")
    items_make(setup.dataset, 5)
    CountChange.objects.all().delete()
    with connection.schema_editor() if connection.vendor == "postgresql" else nullcontext(Runner()) as editor:
        migration.counts_fill(None, editor)
    assert counts_of(setup.dataset.id)[Facet.STATE] == {"unlabelled": 5}
    as_counted(setup.dataset)


class Runner:
    """SQLite's schema editor refuses to work inside a test's transaction; it would do no more than this."""

    def execute(self, sql: str, params: None) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)


def test_every_trigger_is_in_place_after_all_migrations(db):
    catalogue = {
        "postgresql": "SELECT tgname FROM pg_trigger",
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    }
    with connection.cursor() as cursor:
        cursor.execute(catalogue[connection.vendor])
        there = {row[0] for row in cursor.fetchall()}
    expected = {name for sql in install_sql(connection.vendor) for name in re.findall(r"CREATE TRIGGER (\w+)", sql)}
    assert expected
    assert expected <= there


def triggers() -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1")
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY 1")
        return cursor.fetchall()


def test_writes_of_many_rows_are_counted_and_leave_the_triggers_in_place(setup):
    before = triggers()
    setup.labels(*LABELS)
    rows = items_make(setup.dataset, 3 * MIN_ROWS)
    ids = [row.id for row in rows]
    item_delete(dataset=setup.dataset, items=ids[:7], actor=setup.actor)
    rose, tulip = (ClassLabel(label="rose"),), (ClassLabel(label="tulip"), ClassLabel(label="aster"))
    for some, labels, who in [
        (ids[: 2 * MIN_ROWS], rose, "a"),
        (ids[MIN_ROWS:], tulip, "b"),
        (ids[: MIN_ROWS + 9], None, "a"),
    ]:
        say(some, labels, who)
        as_counted(setup.dataset)
    assert counts_of(setup.dataset.id)[Facet.LABEL] == {"tulip": 2 * MIN_ROWS - 9, "aster": 2 * MIN_ROWS - 9}
    assert triggers() == before
    say(ids[-5:], rose, "a")  # few again: the triggers count
    item_restore(dataset=setup.dataset, items=ids[:7], actor=setup.actor)
    as_counted(setup.dataset)


def index_add(rows) -> None:
    batch = StatementBatch()
    labels_insert(batch, rows)
    batch.send()


def test_a_write_of_many_rows_that_fails_changes_neither_counts_nor_triggers(setup):
    before, rows = triggers(), items_make(setup.dataset, MIN_ROWS)
    index = [(setup.dataset.id, row.id, "rose") for row in rows]
    with pytest.raises(IntegrityError), transaction.atomic():
        index_add([*index, index[0]])
    assert triggers() == before
    assert Facet.LABEL not in counts_of(setup.dataset.id)
    as_counted(setup.dataset)


def test_texts_that_hold_the_signs_between_rows_are_written_whole(setup):
    rows = items_make(setup.dataset, 200)
    odd = ["a\x1fb", "c\x1ed"]
    index_add([(setup.dataset.id, row.id, odd[n % 2] if n > 100 else f"l{n % 3}") for n, row in enumerate(rows)])
    found = counts_of(setup.dataset.id)[Facet.LABEL]
    assert {label: found[label] for label in odd} == {odd[0]: 49, odd[1]: 50}
    as_counted(setup.dataset)
