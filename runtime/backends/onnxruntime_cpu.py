"""ONNX Runtime on the processor: runs every graph that an artefact may hold.

One thread and no spinning: whoever wants more cores asks from several threads. That scaled 1.95-2.0x on two cores, while two
threads inside one run were slower than one on a shared machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from . import _onnxruntime
from ._onnxruntime import OnnxRuntimeGraph
from .kind import ONNX_FILES


class OnnxRuntimeCpu:
    """See ``Backend``."""

    name: ClassVar[str] = "onnxruntime_cpu"
    platform: ClassVar[str] = _onnxruntime.PLATFORM
    files: ClassVar[tuple[str, ...]] = ONNX_FILES

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        return _onnxruntime.version()

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return True

    @staticmethod
    def open(model: Path, output: str) -> OnnxRuntimeGraph:
        """See ``Backend``."""
        return OnnxRuntimeGraph(model, output, ["CPUExecutionProvider"])


KIND = OnnxRuntimeCpu
