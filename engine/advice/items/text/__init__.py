"""See ``material``."""

from engine.advice.items.text.material import Texts

KIND = Texts()
