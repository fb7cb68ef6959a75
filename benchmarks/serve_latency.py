"""What a caller waits: the median of one caller beyond the model itself, and how far the slow calls of eight lie above theirs.

By the wall, best of the rounds: what other work on the machine adds is not the server's.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks import _serving
from benchmarks._photos import jpeg
from benchmarks.harness import Claim, Options, SkippedError, main
from benchmarks.serve_throughput import PICTURE_SIZE, mobilenet_artefact
from exporters.runtime.predictor import Predictor

TARGET_ADDED_MS = 0.6
TARGET_SPREAD = 1.4
NUM_IN_PROCESS = 50
MAX_LOAD_A_CORE = 2.0
"""More than the rows before this one leave behind."""


def measure(options: Options) -> list[Claim]:
    """One claim for one caller, one for eight.

    Raises:
        SkippedError: others use the machine, and the wall would measure them.
    """
    if os.getloadavg()[0] > MAX_LOAD_A_CORE * (os.cpu_count() or 1):
        raise SkippedError(f"a load average of {os.getloadavg()[0]:.1f} leaves nothing to measure by the wall")
    seconds = 1.0 if options.is_quick else 3.0
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        artefact_dir = mobilenet_artefact(Path(scratch) / "mobilenet")
        picture = jpeg(PICTURE_SIZE, seed=1)
        predictor = Predictor()
        predictor.setup(artefact_dir)
        starters = {"ours": _serving.ours, "bare": _serving.bare}
        servers = {name: stack.enter_context(start(artefact_dir, picture)) for name, start in starters.items()}
        added: dict[str, list[float]] = {name: [] for name in servers}
        spread: dict[str, list[float]] = {name: [] for name in servers}
        for _ in range(options.num_rounds):
            for name, server in servers.items():
                alone_ms = _in_process_ms(predictor, picture)
                added[name].append(server.load(num_connections=1, seconds=seconds).p50_ms - alone_ms)
                shown = server.load(num_connections=8, seconds=seconds)
                spread[name].append(shown.p99_ms / shown.p50_ms)
    best = {name: (min(added[name]), min(spread[name])) for name in servers}
    sys.stderr.write(f"{ ({n: (round(a, 2), round(s, 2)) for n, (a, s) in best.items()}) }\n")
    wait = "ms that one caller waits beyond the model, p50, best round; anchor: bare ASGI"
    tail = "p99 / p50 at c=8, best round; anchor: bare ASGI"
    return [
        Claim("serve_latency", wait, best["ours"][0], best["bare"][0], best["ours"][0], TARGET_ADDED_MS, is_at_most=True),
        Claim("serve_latency", tail, best["ours"][1], best["bare"][1], best["ours"][1], TARGET_SPREAD, is_at_most=True),
    ]


def _in_process_ms(predictor: Predictor, picture: bytes) -> float:
    taken = []
    for _ in range(NUM_IN_PROCESS):
        began_at = time.perf_counter()
        predictor.encode(predictor.predict(predictor.decode(picture)))
        taken.append(time.perf_counter() - began_at)
    return statistics.median(taken) * 1000


if __name__ == "__main__":
    main(measure)
