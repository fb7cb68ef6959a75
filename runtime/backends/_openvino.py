"""What the backends of OpenVINO share.

Each thread has a request of its own. There are as many streams as cores, with a thread each, so that calls do not wait for one
another. A graph is compiled anew for each shape that it has not seen; the library keeps what it compiled.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..pool import num_cores
from .kind import GraphError

NAME = "openvino"
PLATFORM = "openvino_onnx"
DEVICE = "CPU"


class _Own(threading.local):
    """What a thread has of its own."""

    request: Any = None


def library() -> Any:  # noqa: ANN401 - optional, so that it has no types here
    """Imports OpenVINO without its telemetry package, which would report the import to its vendor.

    Raises:
        GraphError: it is not installed, or cannot be loaded.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # None makes the import fail, as documented
    try:
        import openvino  # noqa: PLC0415 - optional, and only safe after the line above
    except (ImportError, OSError) as error:
        raise GraphError(f"OpenVINO cannot be loaded: {error}") from error
    return openvino


class OpenVino:
    """A graph compiled for the processor."""

    def __init__(self, model: Path, output: str, *, precision: str) -> None:
        """Compiles.

        Args:
            model: an ONNX file.
            output: the one that is asked for.
            precision: what numbers are computed in, as OpenVINO calls it.

        Raises:
            GraphError: OpenVINO or this processor cannot run it.
        """
        core = library().Core()
        try:
            if precision.upper() not in {*core.get_property(DEVICE, "OPTIMIZATION_CAPABILITIES"), "F32"}:
                raise GraphError(f"the processor computes nothing in {precision}")
            streams = num_cores()
            config = {"INFERENCE_PRECISION_HINT": precision, "INFERENCE_NUM_THREADS": streams, "NUM_STREAMS": streams}
            self._model = core.compile_model(core.read_model(model), DEVICE, config)
            self._output = self._model.output(output)
        except RuntimeError as error:
            raise GraphError(f"OpenVINO cannot run the graph: {_first_line(error)}") from error
        self._own = _Own()

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Graph``."""
        request = self._own.request
        if request is None:
            request = self._own.request = self._model.create_infer_request()
        try:
            found = request.infer({name: np.ascontiguousarray(feed) for name, feed in feeds.items()}, share_inputs=True)
        except (RuntimeError, TypeError, ValueError) as error:
            raise GraphError(f"OpenVINO cannot run the graph: {_first_line(error)}") from error
        answer: NDArray[np.float32] = found[self._output].copy()  # the request's memory is its next answer's
        return answer


def is_there() -> bool:
    """Whether OpenVINO is installed."""
    return find_spec(NAME) is not None


def version() -> str:
    """See ``Backend``."""
    return f"{NAME} {library().__version__}"


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:300] if lines else type(error).__name__
