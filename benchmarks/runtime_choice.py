"""What a server on premise chooses at its start, beside the best of all backends that answer as the trained model does.

By the wall: a backend has threads of its own, and a caller waits by the wall. The backends take turns, so that they all see the
same machine. The second claim is how long the choice takes, which the start of the server waits for.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks._mobilenet import SIDE_PX, mobilenet_model
from benchmarks.harness import Claim, Options, SkippedError, main
from runtime.backend_choice import BUDGET_S, backend_choose
from runtime.items.kind import Decoded
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write, picture_bytes, plain_model
from tests.exporters.text_artefact_factory import text_artefact_write

LEAST = 0.95
NUM_ITEMS = 4


def _tiny(folder: Path) -> Path:
    return artefact_write(folder, model=plain_model())


def _mobilenet(folder: Path) -> Path:
    return artefact_write(folder, model=plain_model(mobilenet_model(3)), min_side_px=SIDE_PX - 16)


def _picture(number: int) -> bytes:
    return picture_bytes(number, width=SIDE_PX, height=SIDE_PX)


def _text(number: int) -> bytes:
    return b"late again, and very good " * (number + 1)


Model = tuple[Callable[[Path], Path], Callable[[int], bytes]]
MODELS: Mapping[str, Model] = {
    "MobileNetV2": (_mobilenet, _picture),
    "tiny pictures": (_tiny, _picture),
    "tiny texts": (text_artefact_write, _text),
}


def measure(options: Options) -> list[Claim]:
    """The worst of some models, and the longest trial.

    Raises:
        SkippedError: this machine has one backend only.
    """
    names, num_runs = options.pick((list(MODELS), 100), smoke=(["tiny texts"], 2), quick=(list(MODELS), 20))
    worst, longest = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            make, item = MODELS[name]
            artefact_dir = make(Path(scratch) / name.replace(" ", "_"))
            began_at = time.perf_counter()
            choice = backend_choose(artefact_dir)
            longest.append(time.perf_counter() - began_at)
            if not choice.tried:
                raise SkippedError("this machine has one backend only")
            ready = {each.backend: Predictor() for each in choice.tried if each.ms is not None}
            for backend, predictor in ready.items():
                predictor.setup(artefact_dir, backend)
            items = [choice.predictor.decode(item(number)) for number in range(NUM_ITEMS)]
            chosen = choice.predictor.backend.name
            shares = [_share(ready, chosen, items, num_runs) for _ in range(options.num_rounds + 1)][1:] if ready else [1.0]
            worst.append(statistics.median(shares))
            tried = ", ".join(f"{each.backend} {each.why or each.ms}" for each in choice.tried)
            sys.stderr.write(f"{name}: {chosen}, {worst[-1]:.3f} of the best; {tried}\n")
    trial = "seconds of the longest trial"
    return [
        Claim("runtime_choice", "best of the grid / chosen, the worst model", min(worst), 1.0, min(worst), LEAST),
        Claim("runtime_choice", trial, max(longest), BUDGET_S, max(longest), BUDGET_S, is_at_most=True),
    ]


def _share(ready: Mapping[str, Predictor], chosen: str, items: list[Decoded], num_runs: int) -> float:
    """Median time of the best backend over that of the chosen one; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(num_runs):
        for name, predictor in ready.items():
            started_at = time.perf_counter()
            for item in items:
                predictor.predict(item)
            times[name].append(time.perf_counter() - started_at)
    medians = {name: statistics.median(each) for name, each in times.items()}
    return min(medians.values()) / medians[chosen]


if __name__ == "__main__":
    main(measure)
