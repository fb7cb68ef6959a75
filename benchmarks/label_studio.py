"""A labeller's requests beside Label Studio's, live and in turns: lists, projects, next item, a saved label, import, export.

Both have a web process and SQLite, the same number of pictures, and labels on six of ten. PEER_PYTHON_LABEL_STUDIO names a
Python that has it:

    python -m venv /tmp/peer && /tmp/peer/bin/pip install label-studio
    PEER_PYTHON_LABEL_STUDIO=/tmp/peer/bin/python python -m benchmarks.label_studio

What a caller waits and the processor time of a request are printed; ratios are theirs over ours. Import is by rates of unlike
work, so it is the least comparable row: theirs makes tasks of JSON, ours reads labels onto pictures that are there, as pictures
come by another way. Export is a request of theirs, and a version streamed by a process of ours.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from benchmarks import label_export, label_import, web_pages
from benchmarks._fill import LABELS
from benchmarks._label_studio import LabelStudio, choice, label_studio
from benchmarks._served_project import ServedProject, Serving, in_turns, served_project
from benchmarks.harness import Claim, Options, main

TARGET = 3.0
NAME = "label_studio"
REQUESTS = ("list of projects", "project", "page of 50", "next items to label", "saved label")


def measure(options: Options) -> list[Claim]:
    """The requests, then import and export; nothing but ours where nothing is claimed."""
    num_items = options.pick(10_000, smoke=20, quick=1_000, full=100_000)
    rounds = options.pick(40, smoke=1, quick=20)
    with ExitStack() as stack:
        theirs = None if options.is_smoke else stack.enter_context(label_studio())
        ours = stack.enter_context(served_project("sqlite", num_items))
        import_s = theirs.filled(num_items) if theirs else math.inf
        claims = _requests(theirs, ours, num_items, rounds)
        export_rate = _export_rate(theirs) if theirs else 0.0
        read = json.loads(ours.run("-c", label_import.READING, ours.dataset, str(num_items)))
    with tempfile.TemporaryDirectory(prefix="label-export-") as folder:
        label_export.built(Path(folder), num_items)
        ours_s = label_export.in_child(Path(folder), "label_studio")["seconds"]
    for what, figure, anchor in (
        ("labels read onto items; theirs: tasks made of JSON", read["wall"], num_items / import_s),
        ("exported as Label Studio JSON", num_items / ours_s, export_rate),
    ):
        metric = f"items/s by the wall clock, {what}, {num_items} items"
        claims.append(Claim(NAME, metric, figure, anchor, figure / max(anchor, 1e-9), TARGET))
    return claims


def _requests(theirs: LabelStudio | None, ours: ServedProject, num_items: int, rounds: int) -> list[Claim]:
    """Waits and processor time of each request; without a peer ours are compared with themselves."""
    we, they = web_pages.calls(ours, num_items), _calls(theirs) if theirs else {}
    claims = []
    for name in REQUESTS:
        contestants: list[tuple[Serving, Callable[[], object]]] = [(ours, we[name])]
        if theirs:
            contestants.append((theirs, they[name]))
        sides = in_turns(contestants, rounds)
        for clock, words in enumerate(("wall ms, p50", "processor ms, mean")):
            figure, anchor = sides[0][clock], sides[-1][clock]
            ratio = anchor / max(figure, 1e-9)
            claims.append(Claim(NAME, f"{words}, {name}, {num_items} items", figure, anchor, ratio, TARGET))
            sys.stderr.write(claims[-1].line() + "\n")
    return claims


def _export_rate(theirs: LabelStudio) -> float:
    """Items a second."""
    start = time.perf_counter()
    exported = theirs.call("GET", f"/projects/{theirs.project}/export", params={"exportType": "JSON"})
    return len(exported) / (time.perf_counter() - start)


def _calls(where: LabelStudio) -> dict[str, Callable[[], object]]:
    """By the names that ``web_pages`` gives ours."""
    project = f"/projects/{where.project}"
    middle = len(where.tasks) // 50 // 2
    tasks = itertools.cycle(task for number, task in enumerate(where.tasks) if number % 10 >= 6)

    def save() -> object:
        annotation = {"result": [choice(LABELS[3])], "lead_time": 1.0}
        return where.call("POST", f"/tasks/{next(tasks)}/annotations/", json=annotation)

    return {
        "list of projects": lambda: where.call("GET", "/projects/"),
        "project": lambda: where.call("GET", f"{project}/"),
        "page of 50": lambda: where.call("GET", "/tasks/", params={"project": where.project, "page": middle, "page_size": 50}),
        "next items to label": lambda: where.call("GET", f"{project}/next"),
        "saved label": save,
    }


if __name__ == "__main__":
    main(measure)
