"""Memory of one ordinary endpoint, how long it takes to its first answer, and that the memory stays flat.

Memory is the proportional share (PSS), weights included: MobileNetV2 brings 14 MB.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks import _serving
from benchmarks.harness import Claim, Options, main
from benchmarks.serve_throughput import PICTURE_SIZE, mobilenet_artefact
from tests.support.photos import jpeg

TARGET_MB = 130.0
TARGET_START_S = 0.8
TARGET_GROWTH = 1.05
NUM_CONNECTIONS = 8


def measure(options: Options) -> list[Claim]:
    """One claim for each."""
    num_requests, seconds = options.pick((10_000, 2.0), smoke=(1, 0.1), quick=(500, 2.0))
    with tempfile.TemporaryDirectory() as scratch:
        artefact_dir = mobilenet_artefact(Path(scratch) / "mobilenet")
        picture = jpeg(PICTURE_SIZE, seed=1)
        starts: dict[str, list[float]] = {"ours": [], "bare": []}
        for _ in range(options.num_rounds):
            for name, start in {"ours": _serving.ours, "bare": _serving.bare}.items():
                with start(artefact_dir, picture) as server:
                    starts[name].append(server.start_s)
        with _serving.bare(artefact_dir, picture) as server:
            server.load(num_connections=NUM_CONNECTIONS, seconds=seconds)
            bare_mb = server.memory_bytes() / 1e6
        with _serving.ours(artefact_dir, picture) as server:
            warm_mb, end_mb = _grow(server, num_requests, seconds)
    sys.stderr.write(f"ours {warm_mb:.0f} MB warm, {end_mb:.0f} MB after {num_requests} requests; bare {bare_mb:.0f} MB\n")
    began = {name: statistics.median(values) for name, values in starts.items()}
    size, start_s = "MB of memory (PSS); anchor: bare ASGI", "s from start to first answer; anchor: bare ASGI"
    flat = f"memory after {num_requests} requests / when warm"
    return [
        Claim("serve_memory", size, end_mb, bare_mb, end_mb, TARGET_MB, is_at_most=True),
        Claim("serve_memory", start_s, began["ours"], began["bare"], began["ours"], TARGET_START_S, is_at_most=True),
        Claim("serve_memory", flat, end_mb, warm_mb, end_mb / warm_mb, TARGET_GROWTH, is_at_most=True),
    ]


def _grow(server: _serving.Server, num_requests: int, seconds: float) -> tuple[float, float]:
    """Memory when warm, and after so many requests more."""
    num_done = server.load(num_connections=NUM_CONNECTIONS, seconds=seconds).num_requests
    warm_mb = server.memory_bytes() / 1e6
    while num_done < num_requests:
        num_done += server.load(num_connections=NUM_CONNECTIONS, seconds=seconds).num_requests
    return warm_mb, server.memory_bytes() / 1e6


if __name__ == "__main__":
    main(measure)
