"""The ten commonest calls over a million items, from the list of projects to a saved label; SQLite and PostgreSQL.

The anchor is the same call in a dataset of 1,000, in turns. What the caller waits is shown beside the processor time of web
process and database together, since a busy machine stretches the first and not so much the second. How many queries each
call costs is a gate of ``tests/studio/datasets/test_queries.py``.
"""

from __future__ import annotations

import io
import itertools
import uuid
from collections.abc import Callable

from PIL import Image

from benchmarks._served_project import ServedProject, in_turns, served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET_MS = 15.0
KEEP = """
import django, os, sys
from pathlib import Path
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
django.setup()
from studio.datasets.files.thumbnails import thumbnail_keep
thumbnail_keep(blob=sys.argv[1], thumbnail=Path(sys.argv[2]).read_bytes())
"""


def measure(options: Options) -> list[Claim]:
    """Every call on each database."""
    sizes = options.pick((1_000, 1_000_000), smoke=(50, 100), quick=(1_000, 20_000))
    rounds = options.pick(40, smoke=1, quick=10)
    return [claim for vendor in vendors(options) for claim in _vendor(vendor, sizes, rounds)]


def _vendor(vendor: str, sizes: tuple[int, int], rounds: int) -> list[Claim]:
    claims = []
    num_few, num_items = sizes
    with served_project(vendor, num_few) as small, served_project(vendor, num_items) as large:
        few, many = calls(small, num_few), calls(large, num_items)
        for name in many:
            (small_wait, small_cpu), (wait, cpu) = in_turns([(small, few[name]), (large, many[name])], rounds)
            where = f"{name}, {vendor}, {num_items} items"
            claims += [
                Claim("web_pages", f"wall ms, {where}, p50", wait, small_wait, wait, TARGET_MS, is_at_most=True),
                Claim("web_pages", f"processor ms, {where}, mean", cpu, small_cpu, cpu, TARGET_MS, is_at_most=True),
            ]
    return claims


def calls(where: ServedProject, num_items: int) -> dict[str, Callable[[], object]]:
    """The calls, by what a person would say that they do."""
    middle = where.item(num_items // 2)
    shown = where.call("GET", f"/items/{middle}")
    _thumbnail_keep(where, shown["blob"])
    page = {"limit": 50, "start": middle}

    def get(path: str, **query: object) -> Callable[[], object]:
        return lambda: where.call("GET", path, params=query)

    def take() -> object:
        return where.call("POST", "/labeling/assignments", json={"project": where.project, "prefetch": 4, "skip": []})

    unlabelled = (
        where.item(number) for number in itertools.cycle(range(7, num_items, 10))
    )  # the fill labels 0 to 5 of each ten
    answers: dict[str, list[object] | None] = {}

    def save() -> object:
        item = next(unlabelled)
        before = answers.get(item)
        after = [{"kind": "class", "label": "label-3" if before is None else "label-4"}]
        answers[item] = after
        change = {"item": item, "operation": str(uuid.uuid4()), "before": before, "after": after}
        (answer,) = where.call("PUT", "/labeling/changes", json={"changes": [change]})["changes"]
        assert answer["status"] in {"saved", "merged"}, answer
        return answer

    dataset = f"/datasets/{where.dataset}"
    return {
        "who am I": get("/auth/me"),
        "list of projects": get("/projects"),
        "project": get(f"/projects/{where.project}"),
        "summary": get(f"{dataset}/summary"),
        "choices of the filters": get(f"{dataset}/facets"),
        "page of 50": get(f"{dataset}/items", **page),
        "page of 50 by label and state": get(f"{dataset}/items", **page, label="label-1", state="annotated"),
        "thumbnail": get(f"/items/{middle}/thumbnail", size=256),
        "next items to label": take,
        "saved label": save,
    }


def _thumbnail_keep(where: ServedProject, blob: str) -> None:
    """Lays a thumbnail into the platform's cache: the fill has no pictures."""
    out = io.BytesIO()
    Image.effect_noise((256, 192), 40).convert("RGB").save(out, "JPEG")
    file = where.home / "thumbnail.jpg"
    file.write_bytes(out.getvalue())
    where.run("-c", KEEP, blob, str(file))


if __name__ == "__main__":
    main(measure)
