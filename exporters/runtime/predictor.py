"""One model, four verbs: setup, decode, predict, encode.

Sessions run with one thread and without spinning. Whoever wants more cores runs ``predict`` from several threads: that scaled
1.95-2.0x on two cores, while two threads inside one run were slower than one on a shared machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from PIL import Image

from . import boxes
from .decode import Picture, picture_array, picture_decode
from .encode import DEFAULT_TOP, Annotation, annotations_encode, scores_best, scores_uncertainty, value_encode
from .errors import ArtefactUnreadableError
from .rows import RowReader, Rows, row_parse
from .text import Encode, TextTokens, text_decode, tokenizer_open

MANIFEST_FILE = "artefact.json"
MODEL_FILE = "model.onnx"
KNOWN_SCHEMA = 1
EXCLUSIVE_OUTPUT = "class_scores"
BOXES_OUTPUT = "boxes"
NUMBER_OUTPUT = "number"
KNOWN_DECODES = ("image", "text", "row")
WARM_UP_TEXT = "?"
KNOWN_OUTPUTS = (EXCLUSIVE_OUTPUT, "label_scores", BOXES_OUTPUT, NUMBER_OUTPUT)
Item = Picture | TextTokens | Rows
BATCH_CELLS = 400_000
"""Rows times columns of one run: a graph of trees needs some memory for each row."""
ROW_LENGTH = 6
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
        self.is_boxes = False
        self.is_number = False
        """Whether the answer is one number, not scores of labels."""
        self.default_top = DEFAULT_TOP
        """Annotations in an answer at most, when the caller does not say."""
        self.is_text = False
        """Whether items are texts, not pictures."""
        self.reader: RowReader | None = None
        """How rows are read, where items are rows of a table."""
        self._encode: Encode | None = None
        self._pad_id = 0
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
            if self.is_text:
                self._encode = tokenizer_open(artefact_dir / manifest["decode"]["tokenizer"])
            self._session = _open_session(artefact_dir / MODEL_FILE)
            self._warm_up()
        except (OSError, ValueError, KeyError, IndexError, TypeError, ImportError) as error:
            raise ArtefactUnreadableError(f"{artefact_dir.name}: {error!r}") from error
        except Exception as error:
            # onnxruntime's own errors share no base but Exception.
            if type(error).__module__.startswith("onnxruntime"):
                raise ArtefactUnreadableError(f"{artefact_dir.name}: {error}") from error
            raise

    def decode(self, data: bytes) -> Item:
        """Turns a picture file into pixels, a text in UTF-8 into tokens, or a row as a dataset keeps it into tensors.

        A row of a dataset is read as training reads it: what is no number counts as missing.

        Raises:
            RuntimeFault: it is no picture, no text, or no row, or a broken one; the error's code says which.
        """
        if self.reader is not None:
            return self.reader.read([dict.fromkeys(self.reader.names) | row_parse(data)], is_lenient=True)
        if self._encode is not None:
            return text_decode(data, self._encode, pad_id=self._pad_id)
        return picture_decode(data, min_side_px=self.min_side_px)

    def decode_image(self, picture: Image.Image) -> Picture:
        """Does the same for an open Pillow picture."""
        return picture_array(picture, min_side_px=self.min_side_px)

    def predict(self, item: Item) -> NDArray[np.float32]:
        """Answers one item: a score a label in the order of ``labels``, one number, or rows of boxes (see ``boxes``)."""
        if isinstance(item, Rows):
            of_row: NDArray[np.float32] = self.predict_rows(item)[0]
            return of_row
        array = item.tokens_T if isinstance(item, TextTokens) else item.pixels_HWC
        (answers,) = self._session.run([self._output], {self._input: array[None]})
        answer: NDArray[np.float32] = answers[0]
        return answer

    def predict_rows(self, rows: Rows) -> NDArray[np.float32]:
        """Answers many rows, in few runs: scores ``_NL`` in the order of ``labels``, or numbers ``_N1``."""
        num_rows = len(next(iter(rows.feeds.values())))
        at_once = max(1, BATCH_CELLS // sum(feed.shape[1] for feed in rows.feeds.values()))
        found = []
        for first in range(0, num_rows, at_once):
            feeds = {name: feed[first : first + at_once] for name, feed in rows.feeds.items()}
            found.append(self._session.run([self._output], feeds)[0])
        answers_NK: NDArray[np.float32] = found[0] if len(found) == 1 else np.concatenate(found)  # noqa: N806 - the suffix is the shape
        return answers_NK

    def encode(
        self,
        answer: NDArray[np.float32],
        item: Item,
        *,
        top: int | None = None,
        threshold: float | None = None,
        thresholds: Mapping[str, float] | None = None,
    ) -> Sequence[Annotation]:
        """Turns an answer into annotations, best first; see ``annotations_encode`` and ``boxes_encode``."""
        if self.is_number:
            return [value_encode(answer)]
        lowest = self.thresholds if thresholds is None else thresholds
        most = self.default_top if top is None else top
        if self.is_boxes and isinstance(item, Picture):
            return boxes.boxes_encode(answer, self.labels, item, top=most, threshold=threshold, thresholds=lowest)
        return annotations_encode(answer, self.labels, top=most, threshold=threshold, thresholds=lowest)

    def judge(
        self, answer: NDArray[np.float32], thresholds: Mapping[str, float] | None = None
    ) -> tuple[dict[str, object] | None, float | None]:
        """The best label with its score, whether or not it passes, and how unsure the model is, 0..1.

        A detector that sees nothing has no best label. Of a number there is its value, and nothing says how sure it is.
        """
        if self.is_number:
            return {"value": value_encode(answer)["value"]}, None
        lowest = self.thresholds if thresholds is None else thresholds
        if self.is_boxes:
            return boxes.boxes_best(answer, self.labels), boxes.boxes_uncertainty(answer, self.labels, lowest)
        values = answer.tolist()
        unsure = scores_uncertainty(values, self.labels, is_exclusive=self.is_exclusive, thresholds=lowest)
        return scores_best(values, self.labels), unsure

    def hold(
        self, answer: NDArray[np.float32], item: Item, thresholds: Mapping[str, float] | None = None
    ) -> Sequence[Annotation]:
        """What the model holds to be there, whatever the caller asked to see.

        Of labels that exclude each other that is the best one, else all that pass their thresholds; of a number the number.
        """
        if self.is_number:
            return [value_encode(answer)]
        if self.is_exclusive:
            return annotations_encode(answer, self.labels, top=1)
        most = self.default_top if self.is_boxes else len(self.labels)
        return self.encode(answer, item, top=most, thresholds=thresholds)

    def _read_manifest(self, manifest: dict[str, Any]) -> None:
        if manifest["schema_version"] != KNOWN_SCHEMA:
            raise ValueError(f"artefact schema {manifest['schema_version']}, this runtime knows {KNOWN_SCHEMA}")
        if manifest["output"] not in KNOWN_OUTPUTS or manifest["decode"]["kind"] not in KNOWN_DECODES:
            raise ValueError(f"cannot run {manifest['decode']['kind']} to {manifest['output']}")
        self.labels = tuple(label["name"] for label in manifest["label_set"]["labels"])
        self.thresholds = {str(label): float(score) for label, score in manifest["thresholds"].items()}
        self.is_exclusive = manifest["output"] == EXCLUSIVE_OUTPUT
        self.is_boxes = manifest["output"] == BOXES_OUTPUT
        self.is_number = manifest["output"] == NUMBER_OUTPUT
        self.default_top = boxes.DEFAULT_TOP if self.is_boxes else DEFAULT_TOP
        self.is_text = manifest["decode"]["kind"] == "text"
        if self.is_text:
            self._pad_id = int(manifest["decode"]["pad_id"])
        elif manifest["decode"]["kind"] == "row":
            self.reader = RowReader(manifest["decode"])
        else:
            self.min_side_px = int(manifest["decode"]["min_side_px"])
        self.tolerance = float(manifest["tolerance"])
        self._input = manifest["inputs"][0]["name"]
        self._output = manifest["outputs"][0]["name"]

    def _warm_up(self) -> None:
        if self.reader is not None:
            item: Item = self.reader.read([self.reader.typical], is_lenient=True)
        else:
            item = self.decode(WARM_UP_TEXT.encode() if self.is_text else self._grey())
        answer = self.predict(item)
        expected = (1,) if self.is_number else (len(self.labels),)
        is_right = answer.shape[1:] == (ROW_LENGTH,) if self.is_boxes else answer.shape == expected
        if not is_right:
            raise ValueError(f"the model answers in shape {answer.shape} for {len(self.labels)} labels")
        self.encode(answer, item)

    def _grey(self) -> bytes:
        grey = BytesIO()
        Image.new("RGB", (self.min_side_px, self.min_side_px), "grey").save(grey, "JPEG")
        return grey.getvalue()


def _open_session(model: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
