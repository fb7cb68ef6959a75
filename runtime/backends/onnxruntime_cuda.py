"""ONNX Runtime on a graphics card of NVIDIA, where ``onnxruntime-gpu`` is installed in place of ``onnxruntime``."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import onnxruntime as ort

from . import _onnxruntime
from ._onnxruntime import OnnxRuntimeGraph
from .kind import ONNX_FILES

PROVIDER = "CUDAExecutionProvider"
OPTIONS = {"use_tf32": "0"}
"""TF32 keeps 10 bits of a number: the golden samples would differ by more than they may."""


class OnnxRuntimeCuda:
    """See ``Backend``."""

    name: ClassVar[str] = "onnxruntime_cuda"
    platform: ClassVar[str] = _onnxruntime.PLATFORM
    files: ClassVar[tuple[str, ...]] = ONNX_FILES

    @staticmethod
    def version() -> str:
        """See ``Backend``."""
        return _onnxruntime.version()

    @staticmethod
    def is_there() -> bool:
        """See ``Backend``."""
        return PROVIDER in ort.get_available_providers()

    @staticmethod
    def open(model: Path, output: str) -> OnnxRuntimeGraph:
        """See ``Backend``."""
        return OnnxRuntimeGraph(model, output, [(PROVIDER, OPTIONS), "CPUExecutionProvider"])


KIND = OnnxRuntimeCuda
