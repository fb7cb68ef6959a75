"""What a caller waits: the median of one caller beyond the model itself, and how far the slow calls of eight lie above theirs.

By the wall. One caller's calls take turns with the same work in process, so that both see the same machine; the other claim is
the best of its rounds, and nothing is claimed while others use the machine.
"""

from __future__ import annotations

import os
import socket
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks import _serving
from benchmarks.harness import Claim, Options, SkippedError, main
from benchmarks.serve_throughput import PICTURE_SIZE, mobilenet_artefact
from runtime.predictor import Predictor
from tests.support.photos import jpeg

TARGET_ADDED_MS = 0.6
TARGET_SPREAD = 1.4
MAX_LOAD_A_CORE = 2.0
"""More than this row and the ones before it bring about."""


def measure(options: Options) -> list[Claim]:
    """One claim for one caller, one for eight.

    Raises:
        SkippedError: others use the machine, and the wall would measure them.
    """
    seconds, num_pairs = options.pick((3.0, 100), smoke=(0.1, 2), quick=(1.0, 100))
    _refuse_busy_machine(options)
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
                added[name].append(_added_ms(server, predictor, picture, num_pairs))
                shown = server.load(num_connections=8, seconds=seconds)
                spread[name].append(shown.p99_ms / shown.p50_ms)
    _refuse_busy_machine(options)
    best = {name: (min(added[name]), min(spread[name])) for name in servers}
    sys.stderr.write(f"{ ({n: (round(a, 2), round(s, 2)) for n, (a, s) in best.items()}) }\n")
    wait = "ms that one caller waits beyond the model, p50, best round; anchor: bare ASGI"
    tail = "p99 / p50 at c=8, best round; anchor: bare ASGI"
    return [
        Claim("serve_latency", wait, best["ours"][0], best["bare"][0], best["ours"][0], TARGET_ADDED_MS, is_at_most=True),
        Claim("serve_latency", tail, best["ours"][1], best["bare"][1], best["ours"][1], TARGET_SPREAD, is_at_most=True),
    ]


def _refuse_busy_machine(options: Options) -> None:
    load = os.getloadavg()[0]
    if not options.is_smoke and load > MAX_LOAD_A_CORE * (os.cpu_count() or 1):
        raise SkippedError(f"a load average of {load:.1f} leaves nothing to measure by the wall")


def _added_ms(server: _serving.Server, predictor: Predictor, picture: bytes, num_pairs: int) -> float:
    """Median of what a call takes longer than the same work right beside it."""
    longer = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        request = server.request()
        for _ in range(num_pairs):
            began_at = time.perf_counter()
            connection.sendall(request)
            # The answers are far smaller than this and come in one piece or two; the second ends with the body's brace.
            answer = b""
            while not answer.endswith((b"}", b"]")):
                answer += connection.recv(65536)
            answered_at = time.perf_counter()
            decoded = predictor.decode(picture)
            predictor.encode(predictor.predict(decoded), decoded)
            longer.append((answered_at - began_at) - (time.perf_counter() - answered_at))
            assert b" 200 " in answer[:16]
    return statistics.median(longer) * 1000


if __name__ == "__main__":
    main(measure)
