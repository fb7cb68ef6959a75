"""As the text encoder's."""

from __future__ import annotations

from engine.models.text_encoder.tokenizer import build

__all__ = ["build"]
