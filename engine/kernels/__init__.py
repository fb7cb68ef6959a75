"""Operators that are ours, one folder each: a plain reference, a fast path for the CPU, Triton for CUDA."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["onnx_translations"]


def onnx_translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How ``torch.onnx.export`` writes these operators: its ``custom_translation_table``."""
    from engine.kernels.gru import op as gru  # noqa: PLC0415 - loads torch
    from engine.kernels.nms import op as nms  # noqa: PLC0415 - likewise
    from engine.kernels.roi_align import op as roi_align  # noqa: PLC0415 - likewise

    return {**gru.onnx_translations(), **nms.onnx_translations(), **roi_align.onnx_translations()}
