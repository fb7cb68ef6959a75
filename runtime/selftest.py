"""Replays an artefact's golden samples: ``python -m <package>.runtime.selftest ARTEFACT_DIR``.

Answers are compared by label, along the whole way from the file on, so a changed weight, a changed channel order and a swapped
label all show. The same check runs when a bundle is built and on the machine where it lands.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .backends import USUAL, Backend, GraphError
from .errors import ArtefactUnreadableError, RuntimeFault
from .predictor import Predictor
from .responses import json_bytes

SAMPLES_DIR = "samples"
EXPECTED_FILE = "expected.json"


@dataclass(frozen=True, slots=True)
class Replay:
    """What the replay showed."""

    num_samples: int
    max_difference: float
    tolerance: float
    is_passed: bool
    environment: str


def samples_read(artefact_dir: Path, labels: Sequence[str]) -> list[dict[str, Any]]:
    """Reads the golden samples: each entry of the file, with the labels that its scores are of.

    Args:
        artefact_dir: the artefact.
        labels: in the order of the scores, for a file that does not name them itself.

    Raises:
        ArtefactUnreadableError: there are none, or the file is broken.
    """
    try:
        expected: dict[str, Any] = json.loads((artefact_dir / SAMPLES_DIR / EXPECTED_FILE).read_bytes())
        names = expected.get("labels") or labels
        samples = [{"labels": names, "detections": [], **entry} for entry in expected["samples"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtefactUnreadableError(f"the golden samples cannot be read: {error!r}") from error
    if not samples:
        raise ArtefactUnreadableError("there are no golden samples")
    return samples


def _difference(predictor: Predictor, folder: Path, sample: dict[str, Any]) -> float:
    try:
        item = predictor.decode((folder / sample["file"]).read_bytes())
        return predictor.answers.difference(sample, predictor.predict(item), item)
    except GraphError as error:
        raise ArtefactUnreadableError(f"a golden sample cannot be answered: {error}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtefactUnreadableError(f"a golden sample cannot be read: {error!r}") from error


def replay(artefact_dir: Path, backend: str | type[Backend] = USUAL) -> Replay:
    """Answers every golden sample and compares.

    Args:
        artefact_dir: the artefact.
        backend: what runs its graph, by name or the class itself.

    Raises:
        RuntimeFault: the artefact or a sample cannot be read, or the backend cannot run it.
    """
    predictor = Predictor()
    predictor.setup(artefact_dir, backend)
    return predictor_replay(predictor, artefact_dir)


def predictor_replay(predictor: Predictor, artefact_dir: Path) -> Replay:
    """Does so with a model that is ready.

    Raises:
        RuntimeFault: a sample cannot be read or answered.
    """
    samples = samples_read(artefact_dir, predictor.labels)
    worst = max(_difference(predictor, artefact_dir / SAMPLES_DIR, sample) for sample in samples)
    return Replay(len(samples), worst, predictor.tolerance, worst <= predictor.tolerance, environment(predictor.backend))


def environment(backend: type[Backend]) -> str:
    """Interpreter and libraries that answer."""
    return f"python {platform.python_version()}, {backend.version()}, numpy {np.__version__}"


def main(artefact_dir: Path, backend: str | type[Backend] = USUAL) -> int:
    """Prints what the replay showed, as one line of JSON; the exit status says whether it passed."""
    try:
        shown = replay(artefact_dir, backend)
    except RuntimeFault as fault:
        sys.stdout.write(json_bytes({"code": fault.code, "detail": fault.detail}).decode() + "\n")
        return 2
    sys.stdout.write(json_bytes(asdict(shown)).decode() + "\n")
    return 0 if shown.is_passed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
