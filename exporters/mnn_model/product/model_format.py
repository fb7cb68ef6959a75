"""MNN opens ``model.mnn``."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from runtime.backends.kind import GraphError

_kept = os.dup(1)
os.dup2(2, 1)  # the library prints what the processor can do
try:
    import MNN  # type: ignore[import-untyped]
    from MNN import expr
finally:
    with suppress(OSError, TypeError):  # Windows knows no library without a name
        ctypes.CDLL(None).fflush(None)
    os.dup2(_kept, 1)
    os.close(_kept)

TYPES = {"uint8": expr.uint8, "int32": expr.int, "float32": expr.float}


class Mnn:
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "mnn"
    platform: ClassVar[str] = "mnn"
    files: ClassVar[tuple[str, ...]] = ("model.mnn",)

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return find_spec("MNN") is not None

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        return f"MNN {MNN.version()}"

    @staticmethod
    def open(model: Path, output: str) -> _Graph:
        """See ``Backend``."""
        manifest = json.loads((model.parent / "artefact.json").read_bytes())
        return _Graph(model, [each["name"] for each in manifest["inputs"]], output)


class _Graph:
    """Answers one call after the other: the library's modules are not for several threads."""

    def __init__(self, model: Path, inputs: list[str], output: str) -> None:
        self._inputs = inputs
        self._lock = threading.Lock()
        try:
            self._module = MNN.nn.load_module_from_file(str(model), inputs, [output])
        except Exception as error:
            raise GraphError(f"MNN cannot open the model: {error}") from error

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Graph`` of the runtime."""
        try:
            with self._lock:
                given = [self._variable(feeds[name]) for name in self._inputs]
                (answer,) = self._module.forward(given)
                return np.array(answer.read(), dtype=np.float32).reshape(answer.shape)
        except Exception as error:
            raise GraphError(f"MNN cannot run the model: {error}") from error

    @staticmethod
    def _variable(feed: NDArray[Any]) -> Any:  # noqa: ANN401 - the library has no types
        feed = np.ascontiguousarray(feed)
        return expr.const(feed, list(feed.shape), expr.NCHW, TYPES[feed.dtype.name])


BACKEND = Mnn
