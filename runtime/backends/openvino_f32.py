"""OpenVINO on the processor, computing in 32-bit floats."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from . import _openvino
from ._openvino import OpenVino
from .kind import ONNX_FILES


class OpenVinoF32:
    """See ``Backend``."""

    name: ClassVar[str] = "openvino_f32"
    platform: ClassVar[str] = _openvino.PLATFORM
    files: ClassVar[tuple[str, ...]] = ONNX_FILES
    is_there = staticmethod(_openvino.is_there)
    version = staticmethod(_openvino.version)

    @staticmethod
    def open(model: Path, output: str) -> OpenVino:
        """See ``Backend``."""
        return OpenVino(model, output, precision="f32")


KIND = OpenVinoF32
