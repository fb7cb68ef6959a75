"""ONNX Runtime on the processor: runs every graph that an artefact may hold.

One thread and no spinning: whoever wants more cores asks from several threads. That scaled 1.95-2.0x on two cores, while two
threads inside one run were slower than one on a shared machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from .kind import ONNX_FILES, GraphError

ERRORS_ONLY = 3


class OnnxRuntimeCpu:
    """See ``Backend``."""

    name: ClassVar[str] = "onnxruntime_cpu"
    platform: ClassVar[str] = "onnxruntime_onnx"
    files: ClassVar[tuple[str, ...]] = ONNX_FILES

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return True

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        return f"onnxruntime {ort.__version__}"

    @staticmethod
    def open(model: Path, output: str) -> _Graph:
        """See ``Backend``."""
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = ERRORS_ONLY
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return _Graph(ort.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]), output)
        except Exception as error:
            raise _fault(error) from error


class _Graph:
    def __init__(self, session: ort.InferenceSession, output: str) -> None:
        self._session = session
        self._outputs = [output]

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        try:
            answer: NDArray[np.float32] = self._session.run(self._outputs, feeds)[0]
        except Exception as error:
            raise _fault(error) from error
        return answer


def _fault(error: Exception) -> Exception:
    """The library's own errors share no base but Exception."""
    return GraphError(str(error)) if type(error).__module__.startswith("onnxruntime") else error


KIND = OnnxRuntimeCpu
