"""See ``material``."""

from engine.advice.items.row.material import Rows

KIND = Rows()
