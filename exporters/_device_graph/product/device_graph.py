"""What an app does around the model: it resizes the picture in front, and chooses among the answers behind.

Shapes: H height, W width, C colour channels, S side of the picture that the model sees.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.backends.kind import GraphError

FACTS_FILE = "device.json"
FINISH = Path(__file__).with_name("finish")


class DeviceGraph:
    """Answers as the whole graph does; see ``Graph`` of the runtime. One picture after the other."""

    def __init__(self, model: Path, answers: Callable[[NDArray[np.float32]], Sequence[Any]]) -> None:
        """Reads what goes in and out.

        Args:
            model: lies beside ``device.json``.
            answers: runs the model: ``_1CSS`` to its outputs in the order of the file.
        """
        facts = json.loads((model.parent / FACTS_FILE).read_bytes())
        self._answers, self._side_px = answers, int(facts["side_px"])
        self._shapes = [tuple(each["axes"]) for each in facts["outputs"]]
        self._settings = facts["settings"]
        kind = facts["output"]
        self._finish = import_module(f"finish.{kind}").finish if (FINISH / f"{kind}.py").exists() else None
        self._lock = threading.Lock()

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Graph`` of the runtime."""
        (pictures,) = feeds.values()
        answers: list[NDArray[Any]] = [self._answer(picture) for picture in pictures]
        return np.concatenate(answers, dtype=np.float32)

    def _answer(self, picture_HWC: NDArray[np.uint8]) -> NDArray[np.float32]:  # noqa: N803 - the suffix is the shape
        try:
            with self._lock:
                given = self._answers(resized(picture_HWC, self._side_px))
                found = [np.array(each, np.float32).reshape(shape) for each, shape in zip(given, self._shapes, strict=True)]
        except Exception as error:
            raise GraphError(f"the model cannot be run: {error}") from error
        answer: NDArray[np.float32] = found[0] if self._finish is None else self._finish(found, self._settings)
        return answer


def resized(picture_HWC: NDArray[np.uint8], side_px: int) -> NDArray[np.float32]:  # noqa: N803 - the suffix is the shape
    """The picture as the model sees it: antialiased bilinear, the aspect is not kept; RGB 0..255 as ``_1CSS``."""
    rows_SH, columns_SW = (_weights(length, side_px) for length in picture_HWC.shape[:2])  # noqa: N806 - as above
    planes_CHW = picture_HWC.astype(np.float32).transpose(2, 0, 1)  # noqa: N806 - as above
    seen_CSS = ((rows_SH @ planes_CHW) @ columns_SW.T).astype(np.float32)  # noqa: N806 - as above
    return np.ascontiguousarray(seen_CSS[None])


def _weights(before: int, after: int) -> NDArray[np.float32]:
    """Weights of the pixels before in each pixel after: a triangle about its centre, as wide as the pixels shrink."""
    centres = (2 * np.arange(after) + 1) * before
    places = (2 * np.arange(before) + 1) * after
    weights = np.clip(2 * max(before, after) - np.abs(places[None] - centres[:, None]), 0, None).astype(np.float32)
    normalised: NDArray[np.float32] = weights / weights.sum(axis=1, keepdims=True)
    return normalised
