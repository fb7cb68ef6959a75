"""Processor time of web process and database for one saved annotation, through the real stack; SQLite and PostgreSQL.

Every save is a request of its own with session, CSRF check, validation, history, index, counts and event. Label Studio 1.23.2
took 27 to 38 ms. The work of PostgreSQL's own processes for it is in the figure.
"""

from __future__ import annotations

import uuid

from benchmarks._served_project import served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET_MS = 6.0
LABEL_STUDIO_MS = 27.0


def measure(options: Options) -> list[Claim]:
    """Saves on items of a large dataset, some to warm up first."""
    num_items, num_first, num = options.pick((100_000, 50, 600), smoke=(100, 2, 5), quick=(5000, 50, 150))
    claims = []
    for vendor in vendors(options):
        with served_project(vendor, num_items) as large:

            def save(number: int) -> None:
                body = {"annotations": [{"kind": "class", "label": f"label-{number % 10}"}], "revision": 0}
                body["operation"] = str(uuid.uuid4())
                large.call("PUT", f"/labeling/items/{large.item(number * 10 + 7)}/annotations", json=body)

            for number in range(num_first):
                save(number)
            before = large.cpu_s()
            for number in range(num_first, num):
                save(number)
            cpu_ms = (large.cpu_s() - before) * 1000 / (num - num_first)
        metric = (
            f"ms of CPU for a saved annotation, {vendor}, {num_items} items; the other figure is Label Studio's of another run"
        )
        claims.append(Claim("label_submit", metric, cpu_ms, LABEL_STUDIO_MS, cpu_ms, TARGET_MS, is_at_most=True))
    return claims


if __name__ == "__main__":
    main(measure)
