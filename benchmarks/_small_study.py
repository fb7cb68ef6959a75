"""A study as the start form makes it, and what its models say of items that were never uploaded."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from benchmarks._platform import tree_cpu_seconds
from benchmarks.small_sets._small_set import SmallSet
from runtime.predictor import Predictor
from tests.journeys.walk import Walk

STUDY_S = 3 * 3600


class Stated(NamedTuple):
    """What a report states of a trial, of the measure that scores the set's test items."""

    value: float
    low: float
    high: float
    """Ends of its 95 % interval."""


@dataclass(frozen=True)
class Shipped:
    """What came of a study."""

    answers: NDArray
    """Of the shipped model."""
    trials: dict[str, NDArray]
    """Of each trial's model, by number and family."""
    single_choice: str
    """The trial that the validation split alone would have chosen."""
    judged_best: str
    """The trial that the study itself holds for the best."""
    shipping: str
    """As the study says it."""
    mirrors: dict[str, str]
    """Whether each trial's network saw mirrored pictures, of trials that had the choice."""
    stated: dict[str, Stated]
    """What the study says of each trial, of those it states an interval for."""


@dataclass(frozen=True)
class Ran:
    """A study that has ended well."""

    ended: dict[str, Any]
    """As the API says it."""
    trials: list[dict[str, Any]]
    wall_s: float
    """From the start of the study to its end, the model that is shipped among it."""
    cpu_s: float
    """Processor time of the whole platform in that time."""

    @property
    def shipped(self) -> str:
        """Artefact of the model."""
        return next(str(trial["artefact"]) for trial in self.trials if trial["id"] == self.ended["best_trial"])


def study_ran(walk: Walk, small: SmallSet, **changed: Any) -> Ran:
    """Takes a set through project, upload, version and study; ``changed`` is what differs from the goal "fast" alone."""
    fields = {"workspace": walk.workspace, "name": small.name, "task": small.task, "task_options": dict(small.options)}
    project = walk.call("POST", "/projects", json=fields)
    small.upload(walk, project)
    version = walk.snapshot(project["id"])
    order = {"project": project["id"], "version": version["id"], "goal": "fast", "pruner": "median"}
    began_s, began_cpu_s = time.monotonic(), tree_cpu_seconds(walk.platform)
    study = walk.call("POST", "/studies", json=order | changed)
    ended, trials = walk.study_ended(study["id"], timeout_s=STUDY_S)
    wall_s, cpu_s = time.monotonic() - began_s, tree_cpu_seconds(walk.platform) - began_cpu_s
    assert ended["state"] == "succeeded", (ended, trials)
    return Ran(ended, trials, wall_s, cpu_s)


def studied(walk: Walk, small: SmallSet, **changed: Any) -> Shipped:
    """The same, and lets each model answer the test items."""
    ran = study_ran(walk, small, **changed)
    ended, trials = ran.ended, ran.trials
    models = {trial["id"]: trial for trial in trials if trial["artefact"]}
    answers = {id_: small.ask(model_of(walk, trial["artefact"])) for id_, trial in models.items()}
    measure = next(iter(small.measures(answers[ended["best_trial"]])))
    candidates = {id_: _name(trial) for id_, trial in models.items() if trial["members"] is None}
    return Shipped(
        answers=answers[ended["best_trial"]],
        trials={name: answers[id_] for id_, name in candidates.items()},
        single_choice=candidates[_single(walk, [models[id_] for id_ in candidates], ended["objective"])],
        judged_best=candidates[ended["judged_trial"]],
        shipping=ended["shipping"],
        mirrors={name: mirror for id_, name in candidates.items() if (mirror := _mirror(walk, models[id_]["artefact"]))},
        stated={candidates[id_]: stated for id_ in candidates if (stated := _stated(walk, models[id_], measure))},
    )


def _mirror(walk: Walk, artefact: str) -> str:
    params = walk.call("GET", f"/artefacts/{artefact}")["manifest"]["train"]["params"]
    return str(params.get("mirror", ""))


def _stated(walk: Walk, trial: Mapping[str, Any], metric: str) -> Stated | None:
    report = walk.call("GET", f"/artefacts/{trial['artefact']}/report")
    judged = report.get("judgement") or next(each for each in report["splits"] if each["split"] == "validation")
    if metric not in judged["intervals"]:
        return None
    return Stated(judged["metrics"][metric], *judged["intervals"][metric])


def _name(trial: Mapping[str, Any]) -> str:
    return f"{trial['number'] + 1} {trial['train']['family']}"


def _single(walk: Walk, trials: Sequence[Mapping[str, Any]], objective: Mapping[str, Any]) -> str:
    """The best on the validation split, of equals the first."""
    sign = 1.0 if objective["is_higher_better"] else -1.0

    def value(trial: Mapping[str, Any]) -> float:
        splits = walk.call("GET", f"/artefacts/{trial['artefact']}/report")["splits"]
        measured = next((each["metrics"] for each in splits if each["split"] == "validation"), trial["values"])
        return sign * measured[objective["name"]]

    ordered = sorted(trials, key=lambda trial: trial["number"])
    return str(max(ordered, key=value)["id"])


def model_of(walk: Walk, artefact: str) -> Predictor:
    """The model as every service runs it, from its files."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        manifest = walk.call("GET", f"/artefacts/{artefact}")["manifest"]
        names = ["artefact.json", "model.onnx", manifest["decode"].get("tokenizer")]
        for name in filter(None, names):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(walk.http.get(f"/artefacts/{artefact}/files/{name}").raise_for_status().content)
        predictor = Predictor()
        predictor.setup(folder)
        return predictor
