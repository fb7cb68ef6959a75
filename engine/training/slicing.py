"""Adds the slices on which the model does worse to the report of a split.

It is done where a model is judged and nowhere later: the items are at hand there, decoded, and it takes a second or two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from automl.contracts.dataset import ItemRecord
from automl.contracts.report import SplitReport
from automl.contracts.task import TaskSpec
from engine.slices.find import slices
from engine.slices.items import facts_kind
from engine.slices.metadata import metadata_facts
from engine.tasks import task_part
from engine.tasks.shared.outcomes import Outcomes


@dataclass(frozen=True)
class JudgedSplit:
    """Items of a split, the truth, and what was answered, all in one order."""

    records: Sequence[ItemRecord]
    answers: np.ndarray
    targets: np.ndarray
    content: Any
    """What the model reads, as ``FactsKind.facts`` takes it."""
    data_dir: Path
    """Of the job; metadata of the items may lie there."""


def sliced(
    report: SplitReport, judged: JudgedSplit, *, task: TaskSpec, labels: Sequence[str], thresholds: Mapping[str, float]
) -> SplitReport:
    """The same report with the parts that are answered worse."""
    outcomes: Outcomes = task_part(task.name, "metrics").outcomes(
        report, judged.answers, judged.targets, labels=labels, thresholds=thresholds
    )
    item_ids = [record.item for record in judged.records]
    facts = facts_kind(task.modality.items).facts(judged.records, judged.content)
    found = slices(
        chain(facts, metadata_facts(judged.data_dir, item_ids)),
        outcomes,
        item_ids=item_ids,
        listed=[item.item for item in report.items],
    )
    return report if found is None else report.model_copy(update={"slices": found.report, "slice_items": found.places})
