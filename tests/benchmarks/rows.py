"""Runs a script of ``benchmarks/`` at its smallest, and looks at how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from benchmarks._smoke import Smoke
from tests.support.once import host_cache, made_once
from tests.support.platform_process import assets_fetched

ASSETS = (
    "chinese_reviews_negative",
    "chinese_reviews_positive",
    "efficientnet_lite0",
    "minilm_l6",
    "mnist_digits",
    "tuxpaint_stamps",
)
"""Cards of what the scripts read at this size."""


def material(folder: Path) -> dict[str, str]:
    """Where rows find assets and keep what they make: in this folder, but graphs and packages for all of the run."""
    graphs = host_cache() / "graphs"
    graphs.mkdir(parents=True, exist_ok=True)
    (folder / "graphs").symlink_to(graphs, target_is_directory=True)
    for package in ("mnist_digits", "fashion_mnist"):
        (folder / package).symlink_to(made_once(package, Path.mkdir), target_is_directory=True)
    return {"MODELYARD_ASSETS": str(assets_fetched(*ASSETS)), "MODELYARD_BENCH_CACHE": str(folder)}


def row_runs(smoke: Smoke, name: str, environment: Mapping[str, str]) -> None:
    """Fails with the script's output, unless it ran to its end and left nothing out."""
    ran = smoke.run(name, environment)
    assert ran.status == 0, f"{name} ended with {ran.status}:\n{ran.stderr[-4000:]}"
    lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
    skipped = [line["skipped"] for line in lines if "skipped" in line]
    assert not skipped, f"{name} was left out: {skipped}"
    assert not [line for line in lines if "ratio" in line], f"{name} claims something at its smallest"
