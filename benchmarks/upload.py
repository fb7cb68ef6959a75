"""Many small pictures by the command ``modelyard upload``, killed by force three times on the way.

The anchor is a plain loop: one picture a request, one after another. Both run against the real platform on this machine, which
decodes each picture and makes its thumbnail; the clock is the wall's, for what a person waits.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import httpx

from benchmarks._platform import own_platform
from benchmarks.harness import Claim, Options, main
from tests.client.killing import command_start, folder_make, killed_upload
from tests.journeys.walk import Walk


def measure(options: Options) -> list[Claim]:
    """One claim for the rate and one for what was lost or came twice."""
    count, num_looped = options.pick((3_000, 150), smoke=(300, 5), quick=(1_000, 150), full=(100_000, 150))
    with tempfile.TemporaryDirectory(prefix="modelyard-bench-") as name:
        folder = folder_make(Path(name) / "many", count)
        loop = folder_make(Path(name) / "loop", num_looped, per_folder=num_looped, seed=2)
        with own_platform() as platform, Walk(platform) as walk:
            return _claims(walk, folder, loop, count)


def _claims(walk: Walk, folder: Path, loop: Path, count: int) -> list[Claim]:
    made = walk.call("POST", f"/workspaces/{walk.workspace}/keys", json={"name": "Bench", "role": "engineer"})
    project = walk.project()
    base = f"/datasets/{project['dataset']}"

    def num_items() -> int:
        return int(walk.call("GET", f"{base}/summary")["items"])

    loop_rate = _one_by_one(walk.platform.url, made["secret"], base, loop)
    before = num_items()
    start_s = time.perf_counter()
    found = killed_upload(
        lambda: command_start(
            walk.platform.url, made["secret"], "upload", project["id"], str(folder), log=folder.parent / "upload.log"
        ),
        lambda: num_items() - before,
        kill_at=[count // 10, count * 4 // 10, count * 7 // 10],
    )
    rate = count / (time.perf_counter() - start_s)
    sys.stderr.write(f"killed at {found} of {count}\n{(folder.parent / 'upload.log').read_text()[-400:]}\n")
    wrong = abs(num_items() - before - count)
    return [
        Claim("upload", f"files/s, {count} pictures, killed three times", rate, loop_rate, rate / loop_rate, 3.0),
        Claim("upload", "files lost or there twice", wrong, 0, wrong, 0, is_at_most=True),
    ]


def _one_by_one(url: str, key: str, base: str, folder: Path) -> float:
    """Files a second of a loop that sends each file in a request of its own."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    start_s = time.perf_counter()
    with httpx.Client(base_url=f"{url}/api", headers={"Authorization": f"Bearer {key}"}, timeout=60) as http:
        for path in files:
            http.post(f"{base}/uploads/batch", files=[("files", (path.name, path.read_bytes()))]).raise_for_status()
    return len(files) / (time.perf_counter() - start_s)


if __name__ == "__main__":
    main(measure)
