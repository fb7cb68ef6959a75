"""Values of parameters as numbers."""

from __future__ import annotations

from automl.contracts.family import ParamValue


def number(value: ParamValue | None, default: int) -> float:
    """A parameter's value; the default where it is none or not there."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else float(default)
