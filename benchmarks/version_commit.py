"""Cutting a version on PostgreSQL: by the column, as the platform does, against a contract object for each row.

Both read the same rows, ask the task's checker, hash canonical JSON and write Parquet; ours also stores the tree and its row.
``--full`` cuts 1,000,000 annotations. Time is the processor time of this process and of the database's together; on a quiet
machine the two overlap, so the wall shows less.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.harness import Claim, Options, Size, SkippedError, interleave, main, speedup

FULL = 1_000_000
LIMIT_S = 10.0
LABELS = ("rose", "tulip", "daisy", "poppy", "iris")


@contextmanager
def database(*, is_shared: bool) -> Iterator[None]:
    """Django on an empty PostgreSQL database and a home of its own; the server is not ours alone if it is shared."""
    from tests.support import migrated, once, services

    once.folder_open()
    with tempfile.TemporaryDirectory(prefix="modelyard-bench-") as home:
        try:
            context = services.postgres() if is_shared else services.own_postgres()
            with context as server, migrated.postgres_databases(server, is_migrated=True) as (address,):
                os.environ["MODELYARD_HOME"] = home
                os.environ["MODELYARD_DATABASE_URL"] = address
                os.environ["MODELYARD_BROKER_URL"] = "memory://"
                os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
                sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "platform"))
                import django
                from django.db import connection

                django.setup()
                yield
                connection.close()
        except services.ServiceMissingError as error:
            raise SkippedError(str(error)) from error


def tree_cpu_seconds() -> float:
    """Processor time of this process and of all below it, the database's too."""
    total = time.process_time()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def dataset_fill(num_items: int, *, num_boxes: int):
    """A project with annotated items, made by SQL: a label each, or some boxes each."""
    from django.db import connection

    from studio.accounts.access import SYSTEM
    from studio.accounts.models import Workspace
    from studio.datasets.models import Dataset
    from studio.projects.services import labels_add, project_create

    workspace = Workspace.objects.create(name="bench")
    project = project_create(workspace=workspace, name="bench", task="image_classification", actor=SYSTEM)
    project = labels_add(project=project, names=LABELS)
    dataset = Dataset.objects.select_related("project").get(project=project)
    listed = "','".join(LABELS)
    label = f"(ARRAY['{listed}'])[1 + n % {len(LABELS)}]"
    annotations = f"jsonb_build_array(jsonb_build_object('kind', 'class', 'label', {label}, 'score', NULL))"
    if num_boxes:
        box = "'kind', 'box', 'label', " + label + ", 'score', NULL, 'x', k + 0.5, 'y', n % 400 + 0.25, "
        annotations = (
            f"(SELECT jsonb_agg(jsonb_build_object({box} 'width', 10.5 + n % 7, 'height', 20.0)) "
            f"FROM generate_series(1, {num_boxes}) k)"
        )
    digits = "lpad(to_hex(n), 64, '0')"
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # without triggers: nothing here reads what they keep
        cursor.execute(
            'INSERT INTO datasets_item (id, created_at, dataset_id, name, blob, width, height, format, size_bytes, "group", '
            "split, state, annotations, revision, annotated_at, provenance, metadata, quarantine) "
            f"SELECT 'itm_{num_boxes:02d}' || lpad(n::text, 24, '0'), now(), %s, "
            f"'picture ' || n || '.jpg', {digits}, 640, 480, 'jpeg', "
            f"100000, {digits}, (ARRAY['train','train','train','validation','test'])[1 + (n / 7) %% 5], 'annotated', "
            f"{annotations.replace('%', '%%')}, 1, now(), 'person:usr_01hzzzzzzzzzzzzzzzzzzzzzzz', '{{}}', '' "
            f"FROM generate_series(1, {num_items}) n",
            [dataset.id],
        )
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("ANALYZE datasets_item")
    return dataset


def row_by_row(dataset, limit: int) -> int:
    """A contract for each row, dumped for the hash and again for the shard."""
    from automl.contracts.annotation import Annotations
    from automl.contracts.dataset import ItemRecord, MediaFacts, Split, content_hash, record_to_row
    from engine.tasks import task_part
    from studio.datasets.models import Item
    from studio.datasets.versions.shards import SHARD_SCHEMA

    def records() -> Iterator[ItemRecord]:
        rows = Item.objects.filter(dataset=dataset, deleted_at=None, state="annotated").order_by("id")
        for row in rows.values(*ITEM_FIELDS)[:limit].iterator(chunk_size=2000):
            media = {name: row[name] for name in MediaFacts.model_fields if name in row}
            yield ItemRecord.model_construct(
                item=row["id"],
                name=row["name"],
                blob=row["blob"],
                media=MediaFacts.model_construct(**media),
                split=Split(row["split"]),
                group=row["group"],
                annotations=Annotations.validate_python(row["annotations"]),
                provenance=row["provenance"],
            )

    def written(writer: pq.ParquetWriter) -> Iterator[ItemRecord]:
        waiting = []
        for record in records():
            waiting.append(record_to_row(record))
            if len(waiting) == 1000:
                writer.write_table(pa.Table.from_pylist(waiting, schema=SHARD_SCHEMA))
                waiting = []
            yield record

    task_part("image_classification", "check").problems(list(records()), dataset.project.labels, {})
    with (
        tempfile.TemporaryDirectory() as folder,
        pq.ParquetWriter(f"{folder}/items", SHARD_SCHEMA, compression="zstd") as writer,
    ):
        content_hash(written(writer))
    return limit


ITEM_FIELDS = ("id", "name", "blob", "width", "height", "format", "size_bytes", "split", "group", "annotations", "provenance")


def by_column(dataset, num_items: int, num_boxes: int) -> int:
    """What the platform does; one item changes each time, so that the version is a new one."""
    from labeling.snapshots import snapshot_create
    from studio.accounts.access import SYSTEM
    from studio.datasets.models import Item
    from studio.datasets.versions.manifest import version_commit

    Item.objects.filter(id=f"itm_{num_boxes:02d}{1:024d}").update(provenance=f"person:usr_{time.time_ns()}")
    # The checker of a classification refuses boxes: without asking it they can be cut all the same.
    version, is_new = (version_commit if num_boxes else snapshot_create)(dataset=dataset, actor=SYSTEM)
    assert is_new
    assert version.manifest["num_items"] == num_items
    return num_items


def measure(options: Options) -> list[Claim]:
    """A ratio and the seconds for a million annotations, for items of one label and of ten boxes."""
    num_annotations = options.pick(200_000, smoke=100, quick=50_000, full=FULL)
    claims = []
    with database(is_shared=options.is_smoke):
        for num_boxes, words in ((0, "1 label an item"), (10, "10 boxes an item")):
            num_items = num_annotations // max(1, num_boxes)
            dataset = dataset_fill(num_items, num_boxes=num_boxes)
            contestants = {
                "ours": partial(by_column, dataset, num_items, num_boxes),
                "rows": partial(row_by_row, dataset, min(num_items, 20_000)),
            }
            rounds = options.pick(options.num_rounds, smoke=1, full=1)
            seconds = interleave(contestants, num_rounds=rounds, clock=tree_cpu_seconds)
            metric = f"items/s cut, {num_annotations:,} annotations, {words}"
            claims.append(speedup("version_commit", metric, seconds, ours="ours", anchor="rows", target=4.0))
            whole = min(seconds["ours"]) * FULL / max(1, num_boxes)
            metric = f"CPU seconds for {FULL:,} annotations, {words}"
            claims.append(Claim("version_commit", metric, whole, LIMIT_S, whole, LIMIT_S, is_at_most=True))
            if options.size is Size.FULL:
                began = time.monotonic()
                by_column(dataset, num_items, num_boxes)
                wall = time.monotonic() - began
                metric = f"wall seconds for {FULL:,} annotations, {words}; worth reading on a quiet machine"
                claims.append(Claim("version_commit", metric, wall, LIMIT_S, wall, LIMIT_S, is_at_most=True))
    return claims


if __name__ == "__main__":
    main(measure)
