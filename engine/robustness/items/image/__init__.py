"""See ``questions``."""

from engine.robustness.items.image.questions import Images

KIND = Images()
