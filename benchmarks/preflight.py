"""How far the check before a training is from what the training then takes: time of the whole study, and memory at its peak.

Each case is checked and then trained on a platform of its own, with the same settings. Time is from the start of the study to
its end, memory the most that a process of a trial reported of itself, every two seconds: shorter trials have none. Both use the
wall clock and the whole machine, so the load average matters more than elsewhere.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, main
from tests.journeys.walk import Walk

MOST_TIME, MOST_MEMORY = 1.25, 1.15
TIMEOUT_S = 1_500.0
CARDS = (
    "chinese_reviews_negative",
    "chinese_reviews_positive",
    "efficientnet_lite0",
    "efficientnet_lite1",
    "efficientnet_lite2",
    "minilm_l6",
    "multilingual_e5_small",
    "tuxpaint_cutouts",
    "tuxpaint_stamps",
    "vega_cars",
)


@dataclass(frozen=True)
class Case:
    """A training."""

    name: str
    task: str
    settings: dict[str, Any]


ONE = {"max_trials": 1, "refits": False}
BRIEF = {**ONE, "at_most": {"epochs": 4}}
CASES = (
    Case("pictures, fast", "image_classification", {"goal": "fast"}),
    Case("pictures, one network of 4 epochs", "image_classification", {"families": ["efficientnet_lite"], **BRIEF}),
    Case("texts, fast", "text_classification", {"goal": "fast"}),
    Case("table, balanced", "tabular_prediction", {"goal": "balanced"}),
    Case("boxes, one network of 4 epochs", "object_detection", {"families": ["ssd"], **BRIEF}),
)
SMOKE = (Case("table", "tabular_prediction", {"families": ["gradient_boosting"], **ONE}),)


def measure(options: Options) -> list[Claim]:
    """Two claims a case, or one where the trials were too short to report their memory."""
    claims = []
    with walking(*options.pick(CARDS, smoke=("vega_cars",))) as walk:
        for case in options.pick(CASES, smoke=SMOKE, quick=CASES[2:4]):
            project, version = _filled(walk, case)
            body = {"project": project, "version": version, **case.settings}
            check = _checked(walk, body)
            taken_s, memory = _trained(walk, body)
            sys.stderr.write(
                f"{case.name}: {check['verdict']} {check['estimated_s']} s {check['memory_bytes']}, {taken_s} s {memory}\n"
            )
            claims.append(_claim(f"time of the study, {case.name}", check["estimated_s"], taken_s, MOST_TIME))
            if memory:
                claims.append(_claim(f"memory at its peak, {case.name}", check["memory_bytes"], memory, MOST_MEMORY))
    return claims


def _claim(metric: str, estimated: float, taken: float, target: float) -> Claim:
    """How many times too much, or too little, the estimate is."""
    ratio = max(estimated / taken, taken / estimated)
    return Claim("preflight", metric, estimated, taken, ratio, target, is_at_most=True)


def _filled(walk: Walk, case: Case) -> tuple[str, str]:
    """A project with the real examples of its task, and its version."""
    body = {"workspace": walk.workspace, "name": case.name, "task": case.task, "task_options": {}}
    project = walk.call("POST", "/projects", json=body)
    job = walk.job(walk.call("POST", f"/datasets/{project['dataset']}/examples")["job"]["id"], timeout_s=600)
    assert job["state"] == "succeeded", job
    # Rows get their labels from a job of its own, which starts when the examples are in.
    summary = f"/datasets/{project['dataset']}/summary"
    walk.until(lambda: walk.call("GET", summary)["annotated"] or None, "the examples have no labels", 120.0)
    return project["id"], walk.snapshot(project["id"])["id"]


def _checked(walk: Walk, body: dict[str, Any]) -> dict[str, Any]:
    """What the check finds."""
    started = walk.call("POST", "/preflights", json=body)["id"]

    def look() -> dict[str, Any] | None:
        check: dict[str, Any] = walk.call("GET", f"/preflights/{started}")
        return check if check["verdict"] is not None else None

    return walk.until(look, "the check did not end", 200.0)


def _trained(walk: Walk, body: dict[str, Any]) -> tuple[float, int]:
    """Seconds of the study, and the most memory that a trial of it reported."""
    study = walk.call("POST", "/studies", json={**body, "name": "checked", "pruner": "none"})
    ended, trials = walk.study_ended(study["id"], timeout_s=TIMEOUT_S)
    assert ended["state"] == "succeeded", ended
    taken = datetime.fromisoformat(ended["ended_at"]) - datetime.fromisoformat(ended["created_at"])
    return taken.total_seconds(), max(_memory(walk, trial["job"]) for trial in trials)


def _memory(walk: Walk, job: str) -> int:
    """The most that a job's process reported of itself; 0 of one that was too short."""
    found = next(iter(walk.platform.home.rglob(f"{job}/events.jsonl")), None)
    lines = [] if found is None else found.read_text(encoding="utf-8").splitlines()
    return max((json.loads(line).get("memory_bytes") or 0 for line in lines), default=0)


if __name__ == "__main__":
    main(measure)
