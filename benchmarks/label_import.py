"""Rows a second when a table ``file,label`` is read onto items that are there: parsing, matching, writing, index and counts.

The anchor writes the same rows as the platform did first: a model object a row, grouped by annotation, 500 in a statement.
Label Studio 1.23.2 imported 4,500 to 7,600 rows a second. CPU time of the process that reads, its modules loaded as in a worker
that runs; what PostgreSQL's own process takes on top stands on standard error beside the wall clock's rate.
"""

from __future__ import annotations

import json
import sys

from benchmarks._served_project import served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET = 30_000.0
READING = """
import django, json, os, sys, time
from pathlib import Path
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
django.setup()
from django.db import connection, transaction
from django.utils import timezone
from studio.datasets.items.counts import counts_counted, counts_of
from studio.datasets.models import Dataset, Item, ItemLabel
from tests.support.project_setup import ingest
dataset, num = Dataset.objects.select_related("project").get(id=sys.argv[1]), int(sys.argv[2])
items = Item.objects.filter(dataset=dataset)
ItemLabel.objects.filter(dataset=dataset).delete()
items.update(annotations=None, state="unlabelled", annotated_at=None, provenance="", revision=0)
names = list(items.order_by("id").values_list("name", flat=True)[:num])
lines = [f"{name},label-{n % 10}" for n, name in enumerate(names)]
table = chr(10).join(["file,label", *lines]).encode()
ingest(dataset, table[:11], name="labels.csv", kind="labels_csv", labels="csv")
pid = connection.connection.info.backend_pid if connection.vendor == "postgresql" else None
def database_s():
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9 if pid else 0.0
database, wall, cpu = database_s(), time.perf_counter(), time.process_time()
upload = ingest(dataset, table, name="labels.csv", kind="labels_csv", labels="csv")
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
database = database_s() - database
assert upload.num_labelled == num, (upload.num_labelled, num)
assert counts_of(dataset.id) == counts_counted(dataset.id)
rows = list(items.order_by("-id")[:5000])
slow = time.process_time()
with transaction.atomic():
    for row in rows:
        row.annotations = [{"kind": "class", "label": "label-1"}]
        row.annotated_at = timezone.now()
    Item.objects.bulk_update(rows, ["annotations", "annotated_at"], batch_size=500)
    ItemLabel.objects.filter(item__in=[row.id for row in rows]).delete()
    ItemLabel.objects.bulk_create([ItemLabel(dataset=dataset, item=row, label="label-1") for row in rows], batch_size=500)
slow = time.process_time() - slow
print(json.dumps({"cpu": num / cpu, "wall": num / wall, "anchor": len(rows) / slow, "both": num / (cpu + database)}))
"""


def measure(options: Options) -> list[Claim]:
    """One table on each database."""
    num_items = options.pick(50_000, smoke=100, quick=10_000, full=1_000_000)
    claims = []
    for vendor in vendors(options):
        with served_project(vendor, num_items) as large:
            found = json.loads(large.run("-c", READING, large.dataset, str(num_items)))
        sys.stderr.write(
            f"{vendor}: {found['wall']:.0f} rows/s by the wall clock, {found['both']:.0f} by CPU with the database\n"
        )
        metric = f"rows/s of labels read onto items, {vendor}, {num_items} rows; the other figure is writing alone, by models"
        claims.append(Claim("label_import", metric, found["cpu"], found["anchor"], found["cpu"], TARGET))
    return claims


if __name__ == "__main__":
    main(measure)
