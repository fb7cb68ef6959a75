"""How far the check before a training is from what the training then takes: time of the whole study, and memory at its peak.

Each case is checked and then trained on a platform of its own, with the same settings; ``--case`` picks those whose names
contain a word, ``--quick`` one of them. What is claimed is processor time, as the trials' processes count it themselves: other
work on the machine hardly changes it. The clock, from the start of the study to its end, stands beside it without a claim, and
with the range that the check gives; the check begins when nothing else of the platform runs. Of each trial one line says
what its model was checked to take. Memory is the most that a process of a trial reported of itself, every two seconds: shorter
trials have none.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, main
from tests.journeys.walk import ENDED, Walk

MOST_TIME, MOST_MEMORY = 1.25, 1.15
TIMEOUT_S = 1_500.0
QUIET_S = 10.0
"""Without a job, after which none is taken to follow."""
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


@dataclass(frozen=True)
class Taken:
    """What a study took."""

    wall_s: float
    cpu_s: float
    """Of its trials' processes."""
    memory_bytes: int
    """The most that one of them reported; 0 where all were too short."""
    trials: tuple[tuple[str, float, int], ...]
    """Of each its model, processor time and memory."""


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


def measure(options: Options, *, word: str = "") -> list[Claim]:
    """Two claims a case, or fewer where nothing was measured beforehand or the trials were too short to report their memory."""
    cases = options.pick(CASES, smoke=SMOKE, quick=CASES[3:4])
    claims = []
    with walking(*options.pick(CARDS, smoke=("vega_cars",))) as walk:
        for case in [each for each in CASES if word in each.name] if word else cases:
            project, version = _filled(walk, case)
            body = {"project": project, "version": version, **case.settings}
            check = _checked(walk, body)
            taken = _trained(walk, body)
            sys.stderr.write(_compared(case, check, taken))
            if check["estimated_cpu_s"] is not None:
                claims.append(_claim(f"processor time, {case.name}", check["estimated_cpu_s"], taken.cpu_s, MOST_TIME))
            if taken.memory_bytes:
                claims.append(
                    _claim(f"memory at its peak, {case.name}", check["memory_bytes"], taken.memory_bytes, MOST_MEMORY)
                )
    return claims


def _compared(case: Case, check: dict[str, Any], taken: Taken) -> str:
    """What was estimated and what came, with what the estimates rest on."""
    checked = {f"{each['family']} {each['size']}": each for each in check["trials"]}
    lines = []
    for model, cpu_s, memory_bytes in taken.trials:
        found = checked.get(model, {})
        planned_s, planned_bytes = found.get("estimated_cpu_s") or 0.0, found.get("memory_bytes") or 0
        words = f"{'rough' if found.get('is_rough') else ''}"
        lines.append(
            f"  {model}: {planned_s:.1f} core s, {planned_bytes / 2**20:.0f} MiB {words}; taken {cpu_s:.1f},"
            f" {memory_bytes / 2**20:.0f}\n"
        )
    return "".join(lines) + (
        f"{case.name}: {check['verdict']}; time {check['time_basis']} {check['estimated_s']:.0f} s"
        f" ({check['least_s']:.0f} to {check['most_s']:.0f}), {check['estimated_cpu_s'] or 0:.1f} core s;"
        f" memory {check['memory_basis']} {check['memory_bytes'] / 2**20:.0f} MiB;"
        f" taken {taken.wall_s:.0f} s, {taken.cpu_s:.1f} core s, {taken.memory_bytes / 2**20:.0f} MiB\n"
    )


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
    quiet_since = time.monotonic()
    while time.monotonic() < quiet_since + QUIET_S:
        if not _is_quiet(walk):
            quiet_since = time.monotonic()
        time.sleep(1.0)
    started = walk.call("POST", "/preflights", json=body)["id"]

    def look() -> dict[str, Any] | None:
        check: dict[str, Any] = walk.call("GET", f"/preflights/{started}")
        return check if check["verdict"] is not None else None

    return walk.until(look, "the check did not end", 200.0)


def _trained(walk: Walk, body: dict[str, Any]) -> Taken:
    """A study, from its start to its end."""
    study = walk.call("POST", "/studies", json={**body, "name": "checked", "pruner": "none"})
    ended, trials = walk.study_ended(study["id"], timeout_s=TIMEOUT_S)
    assert ended["state"] == "succeeded", ended
    taken = datetime.fromisoformat(ended["ended_at"]) - datetime.fromisoformat(ended["created_at"])
    found = []
    for trial in trials:
        lines = _reported(walk, trial["job"])
        train = trial["train"] if trial["members"] is None else {"family": "shipped", "size": ""}
        most = [max((line.get(name) or 0 for line in lines), default=0) for name in ("cpu_s", "memory_bytes")]
        found.append((f"{train['family']} {train['size']}", float(most[0]), int(most[1])))
    return Taken(
        wall_s=taken.total_seconds(),
        cpu_s=sum(cpu_s for _, cpu_s, _ in found),
        memory_bytes=max(memory_bytes for *_, memory_bytes in found),
        trials=tuple(found),
    )


def _is_quiet(walk: Walk) -> bool:
    """Whether no job runs: what the platform does with new items by itself would share the processor with the check."""
    jobs = walk.call("GET", "/jobs", params={"workspace": walk.workspace})["items"]
    return all(job["state"] in ENDED for job in jobs)


def _reported(walk: Walk, job: str) -> list[dict[str, Any]]:
    """What a job's process reported, event by event."""
    found = next(iter(walk.platform.home.rglob(f"{job}/events.jsonl")), None)
    return [] if found is None else [json.loads(line) for line in found.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--case", default="")
    own, rest = parser.parse_known_args()
    main(lambda options: measure(options, word=own.case), rest)
