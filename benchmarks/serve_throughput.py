"""Answers a second of an ordinary endpoint against what the same model does in process on two threads.

The limit is measured right before and right after each stretch of load, because the machine's speed drifts. By the wall, since
it is a rate that is claimed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks import _serving
from benchmarks._mobilenet import SIDE_PX, mobilenet_model
from benchmarks._photos import jpeg
from benchmarks.harness import Claim, Options, main
from exporters.runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write

NUM_LABELS = 1000
NUM_THREADS = 2
PICTURE_SIZE = (320, 240)
TARGETS = {8: 0.90, 32: 0.87}
"""Least share of the limit, by number of connections."""


def measure(options: Options) -> list[Claim]:
    """One claim a number of connections."""
    seconds = 1.0 if options.is_quick else 3.0
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
        for num_connections, target in TARGETS.items():
            rates, limits = _rates(
                predictor, picture, servers, num_connections=num_connections, num_rounds=options.num_rounds, seconds=seconds
            )
            shares = {
                name: statistics.median(r / m for r, m in zip(rates[name], limits[name], strict=True)) for name in servers
            }
            sys.stderr.write(f"c={num_connections}: share of the limit { ({n: round(v, 3) for n, v in shares.items()}) }\n")
            metric = f"pictures/s, MobileNetV2, c={num_connections}; anchor: two threads in process"
            middle, limit = statistics.median(rates["ours"]), statistics.median(limits["ours"])
            claims.append(Claim("serve_throughput", metric, middle, limit, shares["ours"], target))
    return claims


def mobilenet_artefact(folder: Path) -> Path:
    """An artefact of ordinary size."""
    labels = tuple(f"label {number}" for number in range(NUM_LABELS))
    return artefact_write(folder, model=mobilenet_model(NUM_LABELS), labels=labels, min_side_px=SIDE_PX)


def in_process_rate(predictor: Predictor, picture: bytes, seconds: float) -> float:
    """Pictures a second of two threads that share the session."""
    counts = [0] * NUM_THREADS
    began_at = time.perf_counter()

    def run(place: int) -> None:
        while time.perf_counter() - began_at < seconds:
            predictor.encode(predictor.predict(predictor.decode(picture)))
            counts[place] += 1

    threads = [threading.Thread(target=run, args=(place,)) for place in range(NUM_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.perf_counter() - began_at)


def _rates(predictor, picture, servers, *, num_connections, num_rounds, seconds) -> tuple[dict, dict]:
    rates: dict[str, list[float]] = {name: [] for name in servers}
    limits: dict[str, list[float]] = {name: [] for name in servers}
    before = in_process_rate(predictor, picture, seconds)
    for round_number in range(num_rounds + 1):
        for name, server in servers.items():
            rate = server.load(num_connections=num_connections, seconds=seconds).per_second
            after = in_process_rate(predictor, picture, seconds)
            if round_number > 0:
                rates[name].append(rate)
                limits[name].append((before + after) / 2)
            before = after
    return rates, limits


if __name__ == "__main__":
    main(measure)
