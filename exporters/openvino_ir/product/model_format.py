"""OpenVINO opens ``model.xml``, whose weights are in ``model.bin``."""

from __future__ import annotations

from typing import ClassVar

from runtime.backends.openvino_f32 import KIND as OPENVINO_F32


class OpenVinoIr(OPENVINO_F32):
    """See ``Backend`` of the runtime."""

    name: ClassVar[str] = "openvino_ir"
    files: ClassVar[tuple[str, ...]] = ("model.xml", "model.bin")


BACKEND = OpenVinoIr
