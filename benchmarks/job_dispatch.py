"""From the request that orders a job to the job's own ``started`` event, on a warm worker.

Both clocks are this machine's, so the figure holds the API, the queue, the lease and the fork; wall time is what counts.
"""

from __future__ import annotations

import statistics
import sys
from datetime import UTC, datetime

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, main
from tests.journeys.walk import Walk

TARGET_MS = 50.0


def measure(options: Options) -> list[Claim]:
    """Jobs one after the other, the first not counted."""
    with walking("efficientnet_lite0", "mnist_digits") as walk:
        trained = walk.trained(per_class=8)
        artefact, version = trained["artefact"], trained["version"]["id"]
        num_jobs = options.pick(15, smoke=1, quick=5)
        delays_ms = [_delay_ms(walk, artefact, version) for _ in range(1 + num_jobs)][1:]
    sys.stderr.write("ms: " + ", ".join(f"{delay:.0f}" for delay in sorted(delays_ms)) + "\n")
    median_ms = statistics.median(delays_ms)
    metric = f"wall ms from request to started, median of {num_jobs} jobs"
    return [Claim("job_dispatch", metric, median_ms, 0.0, median_ms, TARGET_MS, is_at_most=True)]


def _delay_ms(walk: Walk, artefact: str, version: str) -> float:
    """Orders an evaluation and waits for its end, so that the next one meets an idle worker."""
    ordered_at = datetime.now(UTC)
    job = walk.call("POST", f"/artefacts/{artefact}/evaluate", json={"version": version, "split": "test"})
    ended = walk.job(job["id"])
    assert ended["state"] == "succeeded", ended
    events = walk.call("GET", f"/jobs/{job['id']}/events")["events"]
    started = next(event for event in events if event["type"] == "started")
    return (datetime.fromisoformat(started["at"]) - ordered_at).total_seconds() * 1000


if __name__ == "__main__":
    main(measure)
