"""Answers of an ordinary endpoint against what the same model does in process on two threads that share a session.

The limit is measured right before and right after each stretch of load, because the machine's speed drifts. Two shares are
taken and the smaller one counts: answers a second, which shows idle cores, and pictures a CPU second, which is right on a
machine that others use too.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import _serving
from benchmarks._mobilenet import SIDE_PX, mobilenet_model
from benchmarks.harness import Claim, Options, main
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write
from tests.support.photos import jpeg

NUM_LABELS = 1000
NUM_THREADS = 2
PICTURE_SIZE = (320, 240)
TARGETS = {8: 0.90, 32: 0.87}
"""Least share of the limit, by number of connections."""


def measure(options: Options) -> list[Claim]:
    """One claim a number of connections."""
    seconds, targets = options.pick((2.0, TARGETS), smoke=(0.1, {8: 0.90}), quick=(1.0, {8: 0.90}))
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        artefact_dir = mobilenet_artefact(Path(scratch) / "mobilenet")
        picture = jpeg(PICTURE_SIZE, seed=1)
        predictor = Predictor()
        predictor.setup(artefact_dir)
        names = {"ours": _serving.ours, "bare": _serving.bare} | (
            {"litserve": _serving.litserve} if _serving.has_peer() else {}
        )
        servers = {name: stack.enter_context(start(artefact_dir, picture)) for name, start in names.items()}
        claims = []
        for num_connections, target in targets.items():
            rounds = _rounds(Load(predictor, picture, servers, num_connections, seconds), options.num_rounds)
            shares = {name: statistics.median(one.share for one in rounds[name]) for name in servers}
            by_wall = {name: statistics.median(one.wall_share for one in rounds[name]) for name in servers}
            shown = {name: f"{shares[name]:.2f} (by the wall {by_wall[name]:.2f})" for name in servers}
            sys.stderr.write(f"c={num_connections}: share of the limit {shown}\n")
            metric = f"pictures/CPU s, MobileNetV2, c={num_connections}; anchor: two threads in process"
            ours = statistics.median(one.served.per_cpu_s for one in rounds["ours"])
            limit = statistics.median(one.limit.per_cpu_s for one in rounds["ours"])
            claims.append(Claim("serve_throughput", metric, ours, limit, shares["ours"], target))
    return claims


@dataclass(frozen=True)
class Rate:
    """Pictures done by the second of two clocks."""

    per_s: float
    per_cpu_s: float


@dataclass(frozen=True)
class Round:
    """One stretch of load and the limit around it."""

    served: Rate
    limit: Rate

    @property
    def wall_share(self) -> float:
        """Of the limit's answers a second."""
        return self.served.per_s / self.limit.per_s

    @property
    def share(self) -> float:
        """The smaller one."""
        return min(self.wall_share, self.served.per_cpu_s / self.limit.per_cpu_s)


@dataclass(frozen=True)
class Load:
    """What is measured."""

    predictor: Predictor
    picture: bytes
    servers: dict[str, _serving.Server]
    num_connections: int
    seconds: float

    def serve(self, server: _serving.Server) -> Rate:
        """Loads one server."""
        before_s = server.cpu_seconds()
        shown = server.load(num_connections=self.num_connections, seconds=self.seconds)
        return Rate(shown.per_second, shown.num_requests / (server.cpu_seconds() - before_s))


def mobilenet_artefact(folder: Path) -> Path:
    """An artefact of ordinary size."""
    labels = tuple(f"label {number}" for number in range(NUM_LABELS))
    return artefact_write(folder, model=mobilenet_model(NUM_LABELS), labels=labels, min_side_px=SIDE_PX)


def in_process_rate(predictor: Predictor, picture: bytes, seconds: float) -> Rate:
    """Two threads that share the session."""
    counts = [0] * NUM_THREADS
    began_at, cpu_began_at = time.perf_counter(), time.process_time()

    def run(place: int) -> None:
        while time.perf_counter() - began_at < seconds:
            decoded = predictor.decode(picture)
            predictor.encode(predictor.predict(decoded), decoded)
            counts[place] += 1

    threads = [threading.Thread(target=run, args=(place,)) for place in range(NUM_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Rate(sum(counts) / (time.perf_counter() - began_at), sum(counts) / (time.process_time() - cpu_began_at))


def _rounds(load: Load, num_rounds: int) -> dict[str, list[Round]]:
    rounds: dict[str, list[Round]] = {name: [] for name in load.servers}
    before = in_process_rate(load.predictor, load.picture, load.seconds / 2)
    for round_number in range(num_rounds + 1):
        for name, server in load.servers.items():
            served = load.serve(server)
            after = in_process_rate(load.predictor, load.picture, load.seconds / 2)
            if round_number > 0:
                limit = Rate((before.per_s + after.per_s) / 2, (before.per_cpu_s + after.per_cpu_s) / 2)
                rounds[name].append(Round(served, limit))
            before = after
    return rounds


if __name__ == "__main__":
    main(measure)
