"""See ``material``."""

from engine.advice.items.image.material import Images

KIND = Images()
