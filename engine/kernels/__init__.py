"""Operators that are ours, one folder each, found by listing: a plain reference, a fast path for the CPU, Triton for CUDA.

Those with an ``onnx.py`` are part of exported graphs; the others are of losses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.discovery import folder_names, member

__all__ = ["kernel_names", "onnx_translations"]

_MARKER = "op.py"
_EXPORTED = "onnx.py"


def kernel_names() -> tuple[str, ...]:
    """All operators, sorted."""
    return folder_names(__name__, _MARKER)


def onnx_translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How ``torch.onnx.export`` writes these operators: its ``custom_translation_table``. Loads torch."""
    found: dict[Callable[..., Any], Callable[..., Any]] = {}
    for name in folder_names(__name__, _EXPORTED):
        found |= member(__name__, name, "op", marker=_MARKER).onnx_translations()
    return found
