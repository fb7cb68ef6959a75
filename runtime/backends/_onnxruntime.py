"""What the backends of ONNX Runtime share: a session that asks for one output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from .kind import GraphError

PLATFORM = "onnxruntime_onnx"
ERRORS_ONLY = 3

Provider = str | tuple[str, dict[str, str]]


class OnnxRuntimeGraph:
    """A graph opened with one provider; the processor takes the nodes that the provider cannot run."""

    def __init__(self, model: Path, output: str, providers: Sequence[Provider]) -> None:
        """Opens a session.

        Args:
            model: an ONNX file.
            output: the one that is asked for.
            providers: of ONNX Runtime, the first one first.

        Raises:
            GraphError: the library cannot run the graph, or has not taken the first provider.
        """
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = ort.InferenceSession(str(model), options, providers=list(providers))
        except Exception as error:
            raise _fault(error) from error
        first = providers[0] if isinstance(providers[0], str) else providers[0][0]
        if self._session.get_providers()[0] != first:
            raise GraphError(f"{first} cannot be used on this machine: its driver or one of its libraries is missing")
        self._outputs = [output]

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """See ``Graph``."""
        try:
            answer: NDArray[np.float32] = self._session.run(self._outputs, feeds)[0]
        except Exception as error:
            raise _fault(error) from error
        return answer


def version() -> str:
    """See ``Backend``."""
    return f"onnxruntime {ort.__version__}"


def _fault(error: Exception) -> Exception:
    """The library's own errors share no base but Exception."""
    return GraphError(str(error)) if type(error).__module__.startswith("onnxruntime") else error
