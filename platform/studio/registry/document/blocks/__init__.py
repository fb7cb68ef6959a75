"""The parts of a report file: a module for each chart that a task may name, found by listing."""

from __future__ import annotations

from typing import cast

from runtime.listing import kind_of, modules_in
from studio.registry.document.sheet import Block

NAMES = modules_in(__path__)


def block_named(chart: str) -> Block:
    """The part that draws a chart; ValueError where there is none."""
    return cast("Block", kind_of(__name__, NAMES, chart.replace("-", "_"), of="chart"))
