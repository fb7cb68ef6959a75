"""See ``questions``."""

from engine.robustness.items.text.questions import Texts

KIND = Texts()
