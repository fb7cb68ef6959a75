"""As the linear probe's: features of texts are dense, and comparable in scale."""

from __future__ import annotations

from engine.models.linear_probe.fit import L2_STRENGTHS, solutions

__all__ = ["L2_STRENGTHS", "solutions"]
