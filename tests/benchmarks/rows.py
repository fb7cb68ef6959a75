"""Runs a script of ``benchmarks/`` at its smallest, and looks at how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping

from benchmarks._smoke import Smoke

ASSETS = (
    "chinese_reviews_negative",
    "chinese_reviews_positive",
    "efficientnet_lite0",
    "minilm_l6",
    "mnist_digits",
    "tuxpaint_stamps",
)
"""Cards of what the scripts read at this size."""


def row_runs(smoke: Smoke, name: str, environment: Mapping[str, str]) -> None:
    """Fails with the script's output, unless it ran to its end and left nothing out."""
    ran = smoke.run(name, environment)
    assert ran.status == 0, f"{name} ended with {ran.status}:\n{ran.stderr[-4000:]}"
    lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
    skipped = [line["skipped"] for line in lines if "skipped" in line]
    assert not skipped, f"{name} was left out: {skipped}"
    assert not [line for line in lines if "ratio" in line], f"{name} claims something at its smallest"
