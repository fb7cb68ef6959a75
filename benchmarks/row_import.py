"""Rows a second when a CSV of 20 columns becomes items: parsing, hashing, writing, index and counts; then with a target.

The anchor writes items as other data comes in: a model object each, in one transaction a thousand. CPU time of the process that
reads; the wall clock's rate, what PostgreSQL's own process takes on top, the memory that reading adds, and the rate of
labelling all rows from a column stand on standard error.
"""

from __future__ import annotations

import json
import sys

from benchmarks._served_project import served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET = 10_000.0
READING = """
import django, json, os, random, resource, sys, tempfile, time
from pathlib import Path
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
django.setup()
from django.db import connection
from automl.contracts.table import ColumnRole
from studio.accounts.access import SYSTEM
from studio.datasets.items.table_schema import schema_of
from studio.datasets.tables.columns import columns_set
from studio.datasets.items.counts import counts_counted, counts_of
from studio.datasets.handlers import job_run
from studio.datasets.items.creation import item_ingest
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.models import Dataset, Upload
from studio.datasets.files.rows import row_serialise
from studio.datasets.uploads.services import upload_append, upload_create, upload_finish
from studio.jobs.models import Job
from studio.projects.services import project_create
from tests.support.project_setup import InMemoryReporter
first, num = Dataset.objects.select_related("project__workspace").get(id=sys.argv[1]), int(sys.argv[2])
def made(name):
    project = project_create(workspace=first.project.workspace, name=name, task="tabular_prediction", actor=SYSTEM)
    return Dataset.objects.select_related("project").get(project=project)
chance = random.Random(7)
path = Path(tempfile.mkdtemp()) / "sales.csv"
kinds = ["north", "south", "east", "west"]
with path.open("w") as file:
    file.write(",".join(["id", "region", "when", *(f"amount_{n}" for n in range(17))]) + chr(10))
    for row in range(num):
        amounts = ",".join(f"{chance.random() * 1000:.3f}" for _ in range(17))
        file.write(f"{row},{kinds[row % 4]},2024-{row % 12 + 1:02d}-{row % 28 + 1:02d},{amounts}" + chr(10))
def sent(dataset, data, name):
    upload = upload_create(dataset=dataset, actor=SYSTEM, name=name, size_bytes=len(data), kind="file")
    for at in range(0, len(data), 32 * 2**20):
        upload_append(upload=Upload.objects.get(id=upload.id), offset=at, chunks=[data[at : at + 32 * 2**20]])
    return upload_finish(upload=Upload.objects.get(id=upload.id), labels="auto")
def ran(job):
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
dataset = made("Rows")
ran(sent(made("Warm"), b"a,b" + chr(10).encode() + b"1,2" + chr(10).encode(), "warm.csv")[1])
upload, job = sent(dataset, path.read_bytes(), "sales.csv")
pid = connection.connection.info.backend_pid if connection.vendor == "postgresql" else None
def database_s():
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9 if pid else 0.0
def memory_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
memory = memory_mb()
database, wall, cpu = database_s(), time.perf_counter(), time.process_time()
ran(job)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
database = database_s() - database
memory = memory_mb() - memory
upload = Upload.objects.get(id=upload.id)
assert upload.num_items == num, (upload.num_items, num)
assert counts_of(dataset.id) == counts_counted(dataset.id)
dataset.refresh_from_db()
columns = [
    one.model_copy(update={"role": ColumnRole.TARGET}) if one.name == "region" else one for one in schema_of(dataset).columns
]
_, job = columns_set(dataset=dataset, columns=columns, revision=dataset.columns_revision, actor=SYSTEM)
label = time.perf_counter()
ran(job)
label = time.perf_counter() - label
assert counts_of(dataset.id) == counts_counted(dataset.id)
few = int(sys.argv[3])
again = made("By models")
texts = [row_serialise({f"c{c}": str(chance.random()) for c in range(20)}).text for n in range(few)]
files = [IncomingFile(f"r{n}", text.encode()) for n, text in enumerate(texts)]
slow = time.process_time()
for at in range(0, few, 1000):
    item_ingest(dataset=again, upload=upload, files=files[at : at + 1000], takes_several=False)
slow = time.process_time() - slow
print(json.dumps({"cpu": num / cpu, "wall": num / wall, "anchor": few / slow, "both": num / (cpu + database), "memory": memory,
    "label": num / label}))
"""


def measure(options: Options) -> list[Claim]:
    """One table on each database."""
    num_rows, num_few = options.pick((100_000, 5_000), smoke=(200, 20), quick=(10_000, 5_000), full=(1_000_000, 5_000))
    claims = []
    for vendor in vendors(options):
        with served_project(vendor, 10) as small:
            found = json.loads(small.run("-c", READING, small.dataset, str(num_rows), str(num_few)).splitlines()[-1])
        sys.stderr.write(
            f"{vendor}: {found['wall']:.0f} rows/s by the wall clock, {found['both']:.0f} by CPU with the database, "
            f"{found['memory']:.0f} MB more memory; labelled from a column: {found['label']:.0f} rows/s by the wall clock\n"
        )
        metric = f"rows/s of a table of 20 columns made items, {vendor}, {num_rows} rows; the other figure is writing by models"
        claims.append(Claim("row_import", metric, found["cpu"], found["anchor"], found["cpu"], TARGET))
    return claims


if __name__ == "__main__":
    main(measure)
