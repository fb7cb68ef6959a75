"""What is wrong with the data of a training: by the task's checker, by the shards, and by looking at items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow.compute as pc

from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from engine.errors import DataInvalidError, EngineError
from engine.job import Job
from engine.preflight.items import fault_kind
from engine.preflight.items.kind import Looked
from engine.preflight.part import VersionItems
from engine.tasks import task_spec
from engine.training.prepare import raise_if_blocked

words = Words(__file__)

MOST_LISTED = 100
"""Items that an error names."""


@dataclass(frozen=True)
class Faults:
    """What was found."""

    problems: Sequence[Problem] = ()
    """Blocking ones first."""
    bad_items: frozenset[str] = frozenset()
    """Ids of items that would make every trial fail."""
    num_read: int = 0
    """Items that were opened."""
    error: EngineError | None = None
    """What every trial would end with, where it would."""


def faults_of(items: VersionItems, problems: Sequence[Problem], job: Job, *, time_s: float) -> Faults:
    """Looks for faults.

    Args:
        items: of the version.
        problems: that the task's checker found.
        job: whose control and directory to use.
        time_s: for opening items.
    """
    looked = fault_kind(task_spec(job.spec.task).modality.items).look(items, job, time_s=time_s)
    found = [*problems, *looked.problems, *in_two_splits(items)]
    found.sort(key=lambda problem: problem.severity is not Severity.BLOCKING)
    blocked = {problem.item for problem in found if problem.severity is Severity.BLOCKING and problem.item is not None}
    return Faults(problems=found, bad_items=frozenset(blocked), num_read=looked.num_read, error=_error(problems, looked))


def in_two_splits(items: VersionItems) -> list[Problem]:
    """One problem where the same bytes stand on both sides of a split."""
    table = items.table.select(["blob", "split"])
    num_splits = table.group_by("blob").aggregate([("split", "count_distinct")])
    twice = num_splits.filter(pc.greater(num_splits["split_count_distinct"], 1))["blob"]
    if not len(twice):
        return []
    of_first = items.table.filter(pc.equal(items.table["blob"], twice[0]))
    held_back = of_first.filter(pc.not_equal(of_first["split"], Split.TRAIN.value))
    shown = (held_back if held_back.num_rows else of_first).slice(0, 1).to_pylist()[0]
    message: Text = words("in_two_splits", count=len(twice), name=shown["name"])
    return [
        Problem(
            code="in_two_splits",
            severity=Severity.ADVISORY,
            item=shown["item"],
            field="split",
            message=message,
            remedy=words("in_two_splits.remedy"),
        )
    ]


def _error(problems: Sequence[Problem], looked: Looked) -> EngineError | None:
    """As a trial would end."""
    try:
        raise_if_blocked(problems)
    except DataInvalidError as error:
        return error
    if looked.error is None:
        return None
    ids = tuple(problem.item for problem in looked.problems if problem.severity is Severity.BLOCKING and problem.item)
    looked.error.items = ids[:MOST_LISTED]
    return looked.error
