"""The frozen backbone of the text probe: the text encoder as it is."""

from __future__ import annotations

from engine.models.text_encoder.network import TextEncoder, build, load_pretrained

__all__ = ["TextEncoder", "build", "load_pretrained"]
