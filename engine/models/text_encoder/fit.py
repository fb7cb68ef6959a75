"""Where the head begins: as the text probe ends."""

from __future__ import annotations

from engine.models.linear_probe.fit import L2_STRENGTHS, solutions

__all__ = ["L2_STRENGTHS", "solutions"]
