"""The frozen backbone of the linear probe: EfficientNet-Lite as it is."""

from __future__ import annotations

from engine.models.efficientnet_lite.network import EfficientNetLite, build, load_pretrained

__all__ = ["EfficientNetLite", "build", "load_pretrained"]
