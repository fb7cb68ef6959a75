"""What several models at one address cost: CPU time of a call that is shared out, and how long callers wait beside a shadow.

The models are tiny, so that nearly all of a request is plumbing; the baseline is the same server with one model. What the
shadow answers is work of its own, which costs CPU time and must not show in what callers wait.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from benchmarks import _serving
from benchmarks.harness import Claim, Options, main
from benchmarks.serve_overhead import _picture
from tests.exporters.artefact_factory import artefact_write

NUM_CONNECTIONS = 8
MOST_CPU = 1.02
MOST_P50 = 1.1
MOST_P99 = 1.5


def measure(options: Options) -> list[Claim]:
    """A ratio of CPU times, and two of waits."""
    seconds = options.pick(3.0, smoke=0.1, quick=1.0)
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        first, other = (artefact_write(Path(scratch) / name, seed=seed) for name, seed in (("first", 12), ("other", 13)))
        model = {"artefact": "art_other", "artefact_dir": str(other), "thresholds": None}
        fields = {"alone": {}, "shared": {"variants": [{**model, "share": 50}]}, "shadowed": {"shadow": model}}
        picture = _picture()
        servers = {name: stack.enter_context(_serving.ours(first, picture, **settings)) for name, settings in fields.items()}
        cpu: list[float] = []
        waits: dict[str, list[float]] = {"p50": [], "p99": []}
        for round_number in range(options.num_rounds + 1):
            shared_ms, alone_ms = (
                servers[name].cpu_ms(num_connections=NUM_CONNECTIONS, seconds=seconds) for name in ("shared", "alone")
            )
            shadowed, alone = (servers[name].load(num_connections=1, seconds=seconds) for name in ("shadowed", "alone"))
            if round_number > 0:
                cpu.append(shared_ms / alone_ms)
                waits["p50"].append(shadowed.p50_ms / alone.p50_ms)
                waits["p99"].append(shadowed.p99_ms / alone.p99_ms)
                sys.stderr.write(f"CPU {shared_ms:.3f} and {alone_ms:.3f} ms; {shadowed} and {alone}\n")
    middle = statistics.median
    claims = (
        (f"CPU time of a call shared by two models / of one, c={NUM_CONNECTIONS}", middle(cpu), MOST_CPU),
        ("p50 of a caller beside a shadow / alone, c=1", middle(waits["p50"]), MOST_P50),
        ("p99 of a caller beside a shadow / alone, c=1", middle(waits["p99"]), MOST_P99),
    )
    return [Claim("serve_variants", name, ratio, 1.0, ratio, most, is_at_most=True) for name, ratio, most in claims]


if __name__ == "__main__":
    main(measure)
