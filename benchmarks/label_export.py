"""A version's labels to Label Studio JSON, COCO and VOC: items a second of CPU, beside an ORM loop that dumps JSON; memory too.

The anchor reads the same rows with Django's ORM and dumps a list with ``json``, which is the least that a label tool can do.
Ours reads the version and streams a whole archive, lists of splits and colours included. Memory is that of a process apart.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from benchmarks._platform import database_copied
from benchmarks.harness import Claim, Options, interleave, main, speedup

FORMS = ("label_studio", "coco", "voc")
GOAL = 40_000
LABELS = [f"class {n}" for n in range(20)]


def setup(home: Path) -> None:
    """A database of its own below ``home``."""
    root = Path(__file__).resolve().parent.parent
    sys.path[:0] = [str(root / "platform"), str(root)]
    os.environ |= {"MODELYARD_HOME": str(home), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    import django
    from django.conf import settings
    from django.db import connections

    django.setup()
    settings.HOME, settings.BLOBS_DIR, settings.CACHE_DIR = home, home / "blobs", home / "cache"
    database = connections["default"].settings_dict
    database.update(ENGINE="django.db.backends.sqlite3", NAME=str(home / "modelyard.sqlite3"))


def annotations_of(n: int) -> list[dict[str, object]]:
    """Two boxes of an item."""
    corners = ((n % 97, n % 89, 31.5, 42.25), (n % 83 + 100, n % 71 + 50, 60, 80.5))
    boxes = enumerate(corners)
    return [
        {"score": None, "kind": "box", "label": LABELS[(n + k) % 20], "x": float(x), "y": float(y), "width": w, "height": h}
        for k, (x, y, w, h) in boxes
    ]


def build(home: Path, count: int) -> None:
    """Rows in the database and the same as a version in the store."""
    setup(home)
    from django.core.management import call_command

    if not database_copied(home):
        call_command("migrate", verbosity=0)
    from automl.contracts.annotation import Annotations
    from automl.contracts.dataset import ItemRecord, Label, LabelSet, MediaFacts, Split
    from studio.common.blobs import blobs
    from studio.datasets.items.kinds import kind_named
    from studio.datasets.models import Item
    from studio.datasets.versions.records import VersionWriter
    from studio.datasets.versions.shards import records_table
    from tests.support.project_setup import setup_make

    dataset = setup_make().dataset
    columns = {"width": 640, "height": 480, "format": "jpeg", "size_bytes": 50_000, "provenance": "import:upl_x"}
    splits = [split.value for split in Split]

    def rows(start: int) -> list[dict[str, object]]:
        return [
            columns
            | {
                "id": f"itm_{n:026d}",
                "name": f"camera/{n:07d}.jpg",
                "blob": f"{n:064x}",
                "group": f"{n:064x}",
                "split": splits[n % 3],
                "annotations": annotations_of(n),
            }
            for n in range(start, min(start + 5000, count))
        ]

    from django.utils import timezone

    now = timezone.now()
    for start in range(0, count, 5000):
        items = [Item(dataset=dataset, state="annotated", annotated_at=now, **row) for row in rows(start)]
        Item.objects.bulk_create(items)

    def record_of(row: dict[str, object]) -> ItemRecord:
        plain = {name: row[name] for name in ("name", "blob", "split", "group", "provenance")}
        media = MediaFacts(**{name: row[name] for name in ("width", "height", "format", "size_bytes")})
        return ItemRecord(item=row["id"], media=media, annotations=Annotations.validate_python(row["annotations"]), **plain)

    folder = home / "version"
    folder.mkdir()
    writer = VersionWriter(folder, LabelSet(labels=tuple(Label(name=name) for name in LABELS)))
    for start in range(0, count, 5000):
        writer.add(records_table([record_of(row) for row in rows(start)], kind_named("image")))
    manifest = writer.finish(
        project=dataset.project_id,
        parent=None,
        task="image_classification",
        task_options={},
        annotation_kinds=("class", "box"),
    )
    blobs().put_tree(f"versions/{manifest.id}", folder)
    (home / "dataset").write_text(dataset.id)
    (home / "manifest.json").write_text(manifest.model_dump_json())


def exported(home: Path, form: str) -> int:
    """Streams a download without pictures to nowhere."""
    from studio.datasets.models import DatasetVersion
    from studio.datasets.versions.download import Download

    manifest = json.loads((home / "manifest.json").read_text())
    version = DatasetVersion(id=manifest["id"], manifest=manifest, project_id=manifest["project"], number=1)
    with open(os.devnull, "wb") as sink:
        for chunk in Download(version, form, with_data=False).chunks():
            sink.write(chunk)
    return int(manifest["num_items"])


def dumped(home: Path) -> int:
    """What the ORM and ``json`` take."""
    from studio.datasets.models import Item

    items = Item.objects.filter(dataset=(home / "dataset").read_text()).order_by("id")
    tasks = [
        {"id": item.id, "data": {"image": item.name, "split": item.split}, "annotations": [{"result": item.annotations}]}
        for item in items.iterator(chunk_size=2000)
    ]
    with open(os.devnull, "w") as sink:
        json.dump(tasks, sink)
    return len(tasks)


def child(home: Path, form: str) -> None:
    """Exports in a process of its own and prints the memory that it took, in MB."""
    setup(home)
    started = time.monotonic()
    exported(home, form)
    # Not ru_maxrss: that of a child begins with its parent's.
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
    peak = int(line.split()[1]) / 1000
    print(json.dumps({"peak_mb": peak, "seconds": time.monotonic() - started}))


def in_child(home: Path, form: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.label_export", "--child", form, "--home", str(home)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def built(home: Path, count: int) -> Path:
    """A version, built by a process of its own."""
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.label_export", "--build", str(count), "--home", str(home)]
    subprocess.run(command, check=True)
    return home


def measure(options: Options) -> list[Claim]:
    """Items a second and memory of each format."""
    num_items = options.pick(100_000, smoke=20, quick=20_000, full=1_000_000)
    num_few = options.pick(num_items // 4, smoke=num_items)
    measured_alone = options.pick(FORMS, smoke=FORMS[:1])
    with tempfile.TemporaryDirectory(prefix="label-export-") as folder:
        homes = {count: built(Path(folder) / str(count), count) for count in {num_items, num_few}}
        large, small = homes[num_items], homes[num_few]
        setup(large)
        contestants = {"orm": partial(dumped, large)} | {form: partial(exported, large, form) for form in FORMS}
        seconds = interleave(contestants, num_rounds=options.pick(options.num_rounds, smoke=1, full=1))
        peaks = {form: [in_child(home, form)["peak_mb"] for home in (large, small)] for form in measured_alone}
    claims = []
    for form in FORMS:
        metric = f"items/s to {form}, {num_items} items with two boxes, against the ORM and json"
        claims.append(speedup("label_export", metric, seconds, ours=form, anchor="orm", target=1.0))
        rate = claims[-1].ours
        claims.append(Claim("label_export", f"items/s to {form}", rate, GOAL, rate, GOAL))
    for form, (many, few) in peaks.items():
        metric = f"peak memory to {form}, MB, against a quarter of the items"
        claims.append(Claim("label_export", metric, many, few, many / few, 1.25, is_at_most=True))
    return claims


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--child")
    parser.add_argument("--build", type=int)
    parser.add_argument("--home", type=Path)
    own, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    if own.child:
        child(own.home, own.child)
    elif own.build:
        build(own.home, own.build)
    else:
        main(measure)
