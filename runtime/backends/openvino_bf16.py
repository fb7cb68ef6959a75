"""OpenVINO on the processor, computing in bfloat16, where the processor has such instructions."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from . import _openvino
from ._openvino import OpenVino
from .kind import ONNX_FILES


class OpenVinoBf16:
    """See ``Backend``."""

    name: ClassVar[str] = "openvino_bf16"
    platform: ClassVar[str] = _openvino.PLATFORM
    files: ClassVar[tuple[str, ...]] = ONNX_FILES
    is_there = staticmethod(_openvino.is_there)
    version = staticmethod(_openvino.version)

    @staticmethod
    def open(model: Path, output: str) -> OpenVino:
        """See ``Backend``."""
        return OpenVino(model, output, precision="bf16")


KIND = OpenVinoBf16
