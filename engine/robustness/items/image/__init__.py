"""See ``alterations``."""

from engine.robustness.items.image.alterations import Images

KIND = Images()
