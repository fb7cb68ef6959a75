"""CPU time that serving adds to a call, with key check, metrics and prediction log on.

The model is tiny, so that nearly all of a request is plumbing. What decoding, running and encoding the same picture cost in a
process of their own is taken off, for every server alike. The bare ASGI application shows what HTTP in Python costs at least;
LitServe is measured when PEER_PYTHON names a Python that has it.
"""

from __future__ import annotations

import io
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from PIL import Image

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from benchmarks import _serving
from benchmarks.harness import Claim, Options, main
from engine.artefact.reference import JudgedContents, reference_write
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write

SIDE_PX = 28
NUM_CONNECTIONS = 8
TARGET_MS = 0.15
TARGET_OF_LITSERVE = 0.2


def measure(options: Options) -> list[Claim]:
    """One claim in milliseconds; one against LitServe when that is there."""
    seconds, num_in_process = options.pick((3.0, 3000), smoke=(0.1, 10), quick=(1.0, 3000))
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        artefact_dir = artefact_write(Path(scratch) / "tiny")
        picture = _picture()
        # As of a model that was trained: the server takes facts of some of the calls' items.
        judged = JudgedContents("dsv_test", (Split.TEST,), [picture] * 100)
        reference_write(artefact_dir, ArtefactManifest.read(artefact_dir / MANIFEST_FILE), judged, None)
        predictor = Predictor()
        predictor.setup(artefact_dir)
        servers = {name: stack.enter_context(start(artefact_dir, picture)) for name, start in _starters().items()}
        added: dict[str, list[float]] = {name: [] for name in servers}
        alone: list[float] = []
        for round_number in range(options.num_rounds + 1):
            in_process_ms = _in_process_ms(predictor, picture, num_in_process)
            used_ms = {n: s.cpu_ms(num_connections=NUM_CONNECTIONS, seconds=seconds) for n, s in servers.items()}
            if round_number > 0:
                alone.append(in_process_ms)
                for name, total_ms in used_ms.items():
                    added[name].append(total_ms - in_process_ms)
    return _claims(added, alone)


def _starters() -> dict:
    starters = {"ours": _serving.ours, "bare": _serving.bare}
    return starters | ({"litserve": _serving.litserve} if _serving.has_peer() else {})


def _claims(added: dict[str, list[float]], alone: list[float]) -> list[Claim]:
    middle = {name: statistics.median(values) for name, values in added.items()}
    sys.stderr.write(
        f"in process {statistics.median(alone):.3f} ms; added: { ({n: round(v, 3) for n, v in middle.items()}) }\n"
    )
    metric = f"CPU ms added to a request, c={NUM_CONNECTIONS}; anchor: bare ASGI"
    claims = [
        Claim("serve_overhead", metric, middle["ours"], middle["bare"], middle["ours"], TARGET_MS, is_at_most=True),
    ]
    if "litserve" in added:
        ratio = statistics.median(ours / theirs for ours, theirs in zip(added["ours"], added["litserve"], strict=True))
        metric = f"CPU ms added to a request, c={NUM_CONNECTIONS}; anchor: LitServe"
        claims.append(
            Claim("serve_overhead", metric, middle["ours"], middle["litserve"], ratio, TARGET_OF_LITSERVE, is_at_most=True)
        )
    return claims


def _in_process_ms(predictor: Predictor, picture: bytes, number: int) -> float:
    began_at = time.process_time()
    for _ in range(number):
        decoded = predictor.decode(picture)
        predictor.encode(predictor.predict(decoded), decoded)
    return (time.process_time() - began_at) / number * 1000


def _picture() -> bytes:
    file = io.BytesIO()
    Image.radial_gradient("L").resize((SIDE_PX, SIDE_PX)).convert("RGB").save(file, "JPEG")
    return file.getvalue()


if __name__ == "__main__":
    main(measure)
