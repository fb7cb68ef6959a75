"""Replays an artefact's golden samples: ``python -m <package>.runtime.selftest ARTEFACT_DIR``.

Scores are compared by label, along the whole way from file to annotation, so a changed weight, a changed channel order and a
swapped label all show. The same check runs when a bundle is built and on the machine where it lands.
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
import onnxruntime

from .answers import json_bytes
from .boxes import boxes_encode
from .decode import Picture
from .encode import Annotation, BoxAnnotation, value_encode
from .errors import ArtefactUnreadableError, RuntimeFault
from .predictor import Predictor

SAMPLES_DIR = "samples"
EXPECTED_FILE = "expected.json"
MISSING_LABEL = 1.0
"""Difference that counts for a label, or a box, which only one side knows."""
LOWEST_BOX_SCORE = 0.05
"""Boxes from this score on are all compared; of those below, the best few."""
NUM_ALWAYS = 10
"""So many of the best boxes of each side are compared whatever their score: a weak detector has no others."""
LEAST_BOX_SCORE = LOWEST_BOX_SCORE / 50
"""Below it the last digits of a written score would weigh too much."""
EVERYTHING: dict[str, Any] = {"top": 1000, "threshold": 0.0, "thresholds": {}}


@dataclass(frozen=True, slots=True)
class Sample:
    """One golden input and what should be said of it."""

    path: Path
    scores: dict[str, float]
    """By label; empty where the model answers with boxes or a number."""
    number: float | None
    """What is predicted, where that is a number."""
    detections: list[list[float]]
    """x, y, width, height as fractions of the picture, score, index of the label."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What the replay showed."""

    num_samples: int
    max_difference: float
    tolerance: float
    is_passed: bool
    environment: str


def samples_read(artefact_dir: Path, labels: tuple[str, ...], *, is_number: bool = False) -> list[Sample]:
    """Reads the golden samples; ``labels`` names the scores of a file that does not do so itself.

    Args:
        artefact_dir: the artefact.
        labels: in the order of the scores.
        is_number: whether a number is predicted.

    Raises:
        ArtefactUnreadableError: there are none, or the file is broken.
    """
    folder = artefact_dir / SAMPLES_DIR
    try:
        expected: dict[str, Any] = json.loads((folder / EXPECTED_FILE).read_bytes())
        names = expected.get("labels") or labels
        samples = [_sample(folder, names, entry, is_number=is_number) for entry in expected["samples"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArtefactUnreadableError(f"the golden samples cannot be read: {error!r}") from error
    if not samples:
        raise ArtefactUnreadableError("there are no golden samples")
    return samples


def scores_difference(expected: dict[str, float], annotations: Sequence[Annotation]) -> float:
    """The largest difference of a score between a sample and an answer that holds every label."""
    given = {each["label"]: each["score"] for each in annotations if each["kind"] == "class"}
    if given.keys() != expected.keys():
        return MISSING_LABEL
    return max(abs(expected[label] - given[label]) for label in expected)


def boxes_difference(
    expected: Sequence[BoxAnnotation], annotations: Sequence[BoxAnnotation], picture: Picture, *, most: int
) -> float:
    """The largest difference of a score, or of a side as a fraction of the picture, between boxes and their nearest likes.

    The last of several boxes stands where the list was cut, by its length ``most`` or by a low score: which of two equals
    stands there is a matter of rounding, so it is not looked for. Scores below ``LOWEST_BOX_SCORE`` are measured as if they
    stood there.
    """
    ways = ((expected, annotations), (annotations, expected))
    return max((_distance(box, there, picture) for wanted, there in ways for box in _compared(wanted, most)), default=0.0)


def _compared(boxes: Sequence[BoxAnnotation], most: int) -> list[BoxAnnotation]:
    """Those, best first, that the other side must know."""
    is_last_cut = len(boxes) > 1 and (boxes[-1]["score"] <= LOWEST_BOX_SCORE or len(boxes) == most)
    there = boxes[:-1] if is_last_cut else boxes
    return [box for place, box in enumerate(there) if place < NUM_ALWAYS or box["score"] > LOWEST_BOX_SCORE]


def _distance(box: BoxAnnotation, others: Sequence[BoxAnnotation], picture: Picture) -> float:
    apart = [
        max(
            abs(box["x"] - other["x"]) / picture.width_px,
            abs(box["y"] - other["y"]) / picture.height_px,
            abs(box["width"] - other["width"]) / picture.width_px,
            abs(box["height"] - other["height"]) / picture.height_px,
            _score_distance(box["score"], other["score"]),
        )
        for other in others
        if other["label"] == box["label"]
    ]
    return min(apart, default=MISSING_LABEL)


def _score_distance(first: float, second: float) -> float:
    return abs(first - second) * LOWEST_BOX_SCORE / min(max(first, second, LEAST_BOX_SCORE), LOWEST_BOX_SCORE)


def _difference(predictor: Predictor, sample: Sample) -> float:
    picture = predictor.decode(sample.path.read_bytes())
    answer = predictor.predict(picture)
    if predictor.is_number:
        assert sample.number is not None  # as the samples were read
        return abs(value_encode(answer)["value"] - sample.number)
    if not predictor.is_boxes:
        annotations = predictor.encode(answer, picture, top=len(predictor.labels), threshold=0.0)
        return scores_difference(sample.scores, annotations)
    assert isinstance(picture, Picture)  # boxes lie on pictures
    rows_D6 = np.array(sample.detections, dtype=np.float32).reshape(-1, 6)  # noqa: N806 - the suffix is the shape
    expected, given = (boxes_encode(rows, predictor.labels, picture, **EVERYTHING) for rows in (rows_D6, answer))
    return boxes_difference(expected, given, picture, most=len(answer))


def _sample(folder: Path, labels: Sequence[str], entry: dict[str, Any], *, is_number: bool) -> Sample:
    path, scores = folder / entry["file"], entry["scores"]
    if is_number:
        (number,) = scores
        return Sample(path, {}, float(number), [])
    return Sample(path, dict(zip(labels, scores, strict=True)) if scores else {}, None, entry.get("detections", []))


def replay(artefact_dir: Path) -> Replay:
    """Answers every golden sample and compares.

    Raises:
        RuntimeFault: the artefact or a sample cannot be read.
    """
    predictor = Predictor()
    predictor.setup(artefact_dir)
    samples = samples_read(artefact_dir, predictor.labels, is_number=predictor.is_number)
    worst = 0.0
    for sample in samples:
        worst = max(worst, _difference(predictor, sample))
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
