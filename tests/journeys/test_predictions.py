"""A batch prediction whose process is killed while it runs: each item has its result once, in order, all the same."""

from __future__ import annotations

import csv
import io
import signal
import time
from typing import Any

import psutil
import pytest

from tests.journeys.walk import ENDED, Walk, zipped
from tests.support.platform_process import Platform
from tests.support.project_setup import picture

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

NUM_PICTURES = 2000
TORN = 700
"""Place of the one that cannot be read."""
NAMES = [f"{number:04}.png" for number in range(NUM_PICTURES)]


def test_each_result_is_there_once_however_often_the_process_dies(killed_platform: Platform):
    with Walk(killed_platform) as walk:
        made = walk.trained(per_class=12)
        started = start(walk, made)
        seen = [found for results in (0, 300) if (found := kill_behind(walk, started, results)) is not None]
        ended = walk.job(started["job"]["id"], timeout_s=400)
        assert (ended["state"], ended["attempt"]) == ("succeeded", 1 + len(seen)), ended
        assert seen, "it ended before it could be killed"
        assert all(0 < found < NUM_PICTURES for found in seen)
        run = walk.call("GET", f"/predictions/{started['id']}")
        assert (run["num_results"], run["num_failed"], run["num_expected"]) == (NUM_PICTURES, 1, NUM_PICTURES)
        sheet = walk.call("GET", f"/predictions/{started['id']}/download").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["file"] for row in rows] == NAMES
    assert [place for place, row in enumerate(rows) if row["error"]] == [TORN]
    assert all(row["predicted"] in made["version"]["labels"] for place, row in enumerate(rows) if place != TORN)


def start(walk: Walk, made: dict[str, Any]) -> dict[str, Any]:
    """Sends an archive and has it predicted."""
    data = zipped({name: picture(n, size=(32, 32))[: 40 if n == TORN else None] for n, name in enumerate(NAMES)})
    uploads = f"/datasets/{made['project']['dataset']}/uploads"
    upload = walk.call("POST", uploads, json={"name": "many.zip", "size_bytes": len(data), "kind": "predict"})
    walk.call("PUT", f"{uploads}/{upload['id']}/parts", params={"offset": 0}, content=data)
    body = {"artefact": made["artefact"], "source": "files", "uploads": [upload["id"]]}
    return walk.call("POST", f"/projects/{made['project']['id']}/predictions", json=body)


def kill_behind(walk: Walk, started: dict[str, Any], results: int) -> int | None:
    """Kills the job's process once there are more results than so many; answers how many there were, None if it has ended."""
    deadline = time.monotonic() + 200
    while (run := walk.call("GET", f"/predictions/{started['id']}"))["num_results"] <= results:
        if run["job"]["state"] in ENDED:
            return None
        assert time.monotonic() < deadline, walk.platform.log()
        time.sleep(0.05)
    processes = job_processes(walk.platform)
    for process in processes:
        process.send_signal(signal.SIGKILL)
    return int(run["num_results"]) if processes else None


def job_processes(platform: Platform) -> list[psutil.Process]:
    """Those of platform jobs: forked from the server that has all imported."""
    known = {process.pid: process for process in platform.find("multiprocessing.forkserver")}
    return [process for process in known.values() if process.ppid() in known]
