"""Measures a model on the machine where it runs, and sends the figures to the model's page where somebody asks for that."""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .backend_choice import backend_choose, backend_open
from .backends import NAMES
from .errors import RuntimeFault
from .items.kind import Decoded
from .pool import num_cores
from .predictor import Predictor
from .responses import json_bytes
from .selftest import SAMPLES_DIR, environment, samples_read

WARM_UP = 5
SEND_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: the way from a decoded item to the answer, without network."""

    model: str
    device: str
    backend: str
    environment: str
    num_runs: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    per_second: float
    """Answers of all cores together."""
    memory_mib: float | None
    """Of the process with the model loaded, at most; None where the system does not say."""


def measure(artefact_dir: Path, *, model: str, device: str, num_runs: int, backend: str | None = None) -> Figures:
    """Answers golden samples again and again.

    Args:
        artefact_dir: the artefact.
        model: by which it is named.
        device: what the machine is called.
        num_runs: how many answers are timed.
        backend: what runs the graph; None takes the fastest.

    Raises:
        RuntimeFault: the model or a sample cannot be read.
    """
    predictor = (backend_open(artefact_dir, backend) if backend else backend_choose(artefact_dir)).predictor
    samples = samples_read(artefact_dir, predictor.labels)
    items = [predictor.decode((artefact_dir / SAMPLES_DIR / each["file"]).read_bytes()) for each in samples]
    for number in range(WARM_UP):
        predictor.predict(items[number % len(items)])
    took = sorted(_run_ms(predictor, items[number % len(items)]) for number in range(num_runs))
    return Figures(
        model=model,
        device=device,
        backend=predictor.backend.name,
        environment=environment(predictor.backend),
        num_runs=num_runs,
        p50_ms=_percentile(took, 50),
        p95_ms=_percentile(took, 95),
        p99_ms=_percentile(took, 99),
        per_second=_per_second(predictor, items, num_runs),
        memory_mib=_memory_mib(),
    )


def main(artefact_dir: Path, model: str, arguments: Sequence[str], *, prog: str) -> int:
    """Prints the figures as one line of JSON.

    Args:
        artefact_dir: the artefact.
        model: by which the platform names it.
        arguments: of the command.
        prog: what people type for it.
    """
    parser = argparse.ArgumentParser(prog=prog, description="Measures the model on this machine")
    parser.add_argument("--runs", type=int, default=200, help="answers to time (default: %(default)s)")
    parser.add_argument("--backend", choices=NAMES, help="what runs the model; default: the fastest")
    parser.add_argument("--device", default=platform.node() or "device", help="what the figures call it (default: %(default)s)")
    parser.add_argument("--send", metavar="URL", help="address of the platform: also send the figures to the model's page")
    parser.add_argument("--key", default="", help="API key that may write models there")
    options = parser.parse_args(arguments)
    try:
        runs = max(1, options.runs)
        figures = measure(artefact_dir, model=model, device=options.device, num_runs=runs, backend=options.backend)
    except RuntimeFault as fault:
        sys.stdout.write(json_bytes({"code": fault.code, "detail": fault.detail}).decode() + "\n")
        return 1
    sys.stdout.write(json_bytes(asdict(figures)).decode() + "\n")
    return _send(options.send, options.key, figures) if options.send else 0


def _send(url: str, key: str, figures: Figures) -> int:
    address = f"{url.rstrip('/')}/api/artefacts/{figures.model}/measurements"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    request = urllib.request.Request(address, data=json.dumps(asdict(figures)).encode(), headers=headers)  # noqa: S310 - given by hand
    try:
        with urllib.request.urlopen(request, timeout=SEND_TIMEOUT_S):  # noqa: S310 - as above
            return 0
    except (urllib.error.URLError, OSError, ValueError) as error:
        sys.stderr.write(f"The figures could not be sent to {url}: {error}\n")
        return 1


def _run_ms(predictor: Predictor, item: Decoded) -> float:
    started_at = time.perf_counter()
    predictor.predict(item)
    return round((time.perf_counter() - started_at) * 1000, 4)


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _per_second(predictor: Predictor, items: Sequence[Decoded], num_runs: int) -> float:
    def work() -> None:
        for number in range(num_runs):
            predictor.predict(items[number % len(items)])

    threads = [threading.Thread(target=work) for _ in range(num_cores())]
    started_at = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return round(len(threads) * num_runs / (time.perf_counter() - started_at), 2)


def _memory_mib() -> float | None:
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return None
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(used / (1 << 20) if sys.platform == "darwin" else used / 1024, 1)
