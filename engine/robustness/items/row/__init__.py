"""See ``questions``."""

from engine.robustness.items.row.questions import Rows

KIND = Rows()
