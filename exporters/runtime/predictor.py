"""One model, four verbs: setup, decode, predict, encode.

Sessions run with one thread and without spinning. Whoever wants more cores runs ``predict`` from several threads: that scaled
1.95-2.0x on two cores, while two threads inside one run were slower than one on a shared machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from PIL import Image

from .decode import picture_array, picture_decode
from .encode import DEFAULT_TOP, ClassAnnotation, annotations_encode, scores_best, scores_uncertainty
from .errors import ArtefactUnreadableError

MANIFEST_FILE = "artefact.json"
MODEL_FILE = "model.onnx"
KNOWN_SCHEMA = 1
EXCLUSIVE_OUTPUT = "class_scores"
KNOWN_OUTPUTS = (EXCLUSIVE_OUTPUT, "label_scores")
ERRORS_ONLY = 3


class Predictor:
    """A model that is ready to answer. ``predict`` may be called from several threads at once."""

    def __init__(self) -> None:
        self._session: Any = None
        self._input = ""
        self._output = ""
        self.labels: tuple[str, ...] = ()
        self.thresholds: dict[str, float] = {}
        self.is_exclusive = True
        self.min_side_px = 1
        self.tolerance = 0.0

    def setup(self, artefact_dir: Path) -> None:
        """Loads the model and runs it once, so that the first answer is as fast as the others.

        Raises:
            ArtefactUnreadableError: a file is missing or broken, or the artefact is of a kind this runtime does not know.
        """
        try:
            manifest = json.loads((artefact_dir / MANIFEST_FILE).read_bytes())
            self._read_manifest(manifest)
            self._session = _open_session(artefact_dir / MODEL_FILE)
            self._warm_up()
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise ArtefactUnreadableError(f"{artefact_dir.name}: {error!r}") from error
        except Exception as error:
            # onnxruntime's own errors share no base but Exception.
            if type(error).__module__.startswith("onnxruntime"):
                raise ArtefactUnreadableError(f"{artefact_dir.name}: {error}") from error
            raise

    def decode(self, data: bytes) -> NDArray[np.uint8]:
        """Turns a picture file into height x width x 3.

        Raises:
            PictureUnreadableError: it is no picture, or a broken one.
            PictureTooLargeError: it has too many pixels.
        """
        return picture_decode(data, min_side_px=self.min_side_px)

    def decode_image(self, picture: Image.Image) -> NDArray[np.uint8]:
        """Does the same for an open Pillow picture."""
        return picture_array(picture, min_side_px=self.min_side_px)

    def predict(self, picture_HWC: NDArray[np.uint8]) -> NDArray[np.float32]:  # noqa: N803 - the suffix is the shape
        """Scores one picture: one number a label, in the order of ``labels``."""
        (scores_BL,) = self._session.run([self._output], {self._input: picture_HWC[None]})  # noqa: N806 - as above
        scores: NDArray[np.float32] = scores_BL[0]
        return scores

    def encode(
        self,
        scores: NDArray[np.float32],
        *,
        top: int = DEFAULT_TOP,
        threshold: float | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> list[ClassAnnotation]:
        """Turns scores into annotations, best first; see ``annotations_encode``."""
        lowest = self.thresholds if thresholds is None else thresholds
        return annotations_encode(scores, self.labels, top=top, threshold=threshold, thresholds=lowest)

    def judge(
        self, scores: NDArray[np.float32], thresholds: Mapping[str, float] | None = None
    ) -> tuple[dict[str, object], float]:
        """The best label with its score, whether or not it passes, and how unsure the model is, 0..1."""
        values = scores.tolist()
        lowest = self.thresholds if thresholds is None else thresholds
        unsure = scores_uncertainty(values, self.labels, is_exclusive=self.is_exclusive, thresholds=lowest)
        return scores_best(values, self.labels), unsure

    def _read_manifest(self, manifest: dict[str, Any]) -> None:
        if manifest["schema_version"] != KNOWN_SCHEMA:
            raise ValueError(f"artefact schema {manifest['schema_version']}, this runtime knows {KNOWN_SCHEMA}")
        if manifest["output"] not in KNOWN_OUTPUTS or manifest["decode"]["kind"] != "image":
            raise ValueError(f"cannot run {manifest['decode']['kind']} to {manifest['output']}")
        self.labels = tuple(label["name"] for label in manifest["label_set"]["labels"])
        self.thresholds = {str(label): float(score) for label, score in manifest["thresholds"].items()}
        self.is_exclusive = manifest["output"] == EXCLUSIVE_OUTPUT
        self.min_side_px = int(manifest["decode"]["min_side_px"])
        self.tolerance = float(manifest["tolerance"])
        self._input = manifest["inputs"][0]["name"]
        self._output = manifest["outputs"][0]["name"]

    def _warm_up(self) -> None:
        grey = BytesIO()
        Image.new("RGB", (self.min_side_px, self.min_side_px), "grey").save(grey, "JPEG")
        scores = self.predict(self.decode(grey.getvalue()))
        if scores.shape != (len(self.labels),):
            raise ValueError(f"the model gives scores of shape {scores.shape} for {len(self.labels)} labels")
        self.encode(scores)


def _open_session(model: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
