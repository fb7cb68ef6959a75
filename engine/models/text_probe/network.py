"""The frozen backbone of the text probe: the text encoder as it was trained, which reads all its positions at once.

Of longer texts it reads several such windows, at even distances where they are longer than all windows together.
"""

from __future__ import annotations

from torch import nn

from engine.models.text_encoder import network as encoder
from engine.models.text_encoder.network import TextEncoder, load_pretrained
from engine.models.text_probe.family import MOST_WINDOWS, WINDOW

__all__ = ["TextEncoder", "build", "load_pretrained"]


def build(size: str, num_labels: int | None = None) -> nn.Module:
    """The encoder, or the encoder with a linear head if ``num_labels`` is given."""
    return encoder.build(size, num_labels, window=WINDOW, most_windows=MOST_WINDOWS)
