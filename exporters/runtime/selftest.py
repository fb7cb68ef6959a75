"""Replays an artefact's golden samples: ``python -m <package>.runtime.selftest ARTEFACT_DIR``.

Scores are compared by label, along the whole way from file to annotation, so a changed weight, a changed channel order and a
swapped label all show. The same check runs when a bundle is built and on the machine where it lands.
"""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from .answers import json_bytes
from .encode import ClassAnnotation
from .errors import ArtefactUnreadableError, RuntimeFault
from .predictor import Predictor

SAMPLES_DIR = "samples"
EXPECTED_FILE = "expected.json"
MISSING_LABEL = 1.0
"""Difference that counts for a label which only one side knows."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One golden input and the score that each label should get."""

    path: Path
    scores: dict[str, float]


@dataclass(frozen=True, slots=True)
class Replay:
    """What the replay showed."""

    num_samples: int
    max_difference: float
    tolerance: float
    is_passed: bool
    environment: str


def samples_read(artefact_dir: Path, labels: tuple[str, ...]) -> list[Sample]:
    """Reads the golden samples; ``labels`` names the scores of a file that does not do so itself.

    Raises:
        ArtefactUnreadableError: there are none, or the file is broken.
    """
    folder = artefact_dir / SAMPLES_DIR
    try:
        expected: dict[str, Any] = json.loads((folder / EXPECTED_FILE).read_bytes())
        names = expected.get("labels") or labels
        samples = [Sample(folder / s["file"], dict(zip(names, s["scores"], strict=True))) for s in expected["samples"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtefactUnreadableError(f"the golden samples cannot be read: {error!r}") from error
    if not samples:
        raise ArtefactUnreadableError("there are no golden samples")
    return samples


def scores_difference(expected: dict[str, float], annotations: list[ClassAnnotation]) -> float:
    """The largest difference of a score between a sample and an answer that holds every label."""
    given = {annotation["label"]: annotation["score"] for annotation in annotations}
    if given.keys() != expected.keys():
        return MISSING_LABEL
    return max(abs(expected[label] - given[label]) for label in expected)


def replay(artefact_dir: Path) -> Replay:
    """Answers every golden sample and compares.

    Raises:
        RuntimeFault: the artefact or a sample cannot be read.
    """
    predictor = Predictor()
    predictor.setup(artefact_dir)
    samples = samples_read(artefact_dir, predictor.labels)
    worst = 0.0
    for sample in samples:
        scores = predictor.predict(predictor.decode(sample.path.read_bytes()))
        annotations = predictor.encode(scores, top=len(predictor.labels), threshold=0.0)
        worst = max(worst, scores_difference(sample.scores, annotations))
    return Replay(len(samples), worst, predictor.tolerance, worst <= predictor.tolerance, environment())


def environment() -> str:
    """Interpreter and runtime that answer."""
    return f"python {platform.python_version()}, onnxruntime {onnxruntime.__version__}, numpy {np.__version__}"


def main(artefact_dir: Path) -> int:
    """Prints what the replay showed, as one line of JSON; the exit status says whether it passed."""
    try:
        shown = replay(artefact_dir)
    except RuntimeFault as fault:
        sys.stdout.write(json_bytes({"code": fault.code, "detail": fault.detail}).decode() + "\n")
        return 2
    sys.stdout.write(json_bytes(asdict(shown)).decode() + "\n")
    return 0 if shown.is_passed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
