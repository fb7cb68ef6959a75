"""Judges a split with the graph that is shipped, not with the model that was trained. Shapes: N items, L labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from automl.contracts.artefact import SplitReport
from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.task import TaskSpec
from engine.artefact.session import Session
from engine.data.cache import PackedPictures
from engine.job import Job
from engine.tasks import task_part

_BATCH = 8
"""Batches of eight ran no faster than single pictures on a CPU; larger ones only need memory."""


class Judge:
    """One graph, one task: scores pictures and turns scores into reports."""

    def __init__(self, session: Session, task: TaskSpec, options: Mapping[str, str], labels: Sequence[str], job: Job):
        self._session = session
        self._metrics = task_part(task.name, "metrics")
        self._is_several = task_part(task.name, "spec").has_several_labels(options)
        self._labels = tuple(labels)
        self._job = job

    def scores(self, pictures: PackedPictures, records: Sequence[ItemRecord], *, span: tuple[float, float]) -> np.ndarray:
        """Scores ``_NL`` of the records' pictures.

        Args:
            pictures: of the version.
            records: the items to judge.
            span: share of the whole job that this is, from and to.

        Raises:
            StoppedError: the job was asked to stop.
        """
        rows = pictures.indices(records)
        found = []
        for start in range(0, len(rows), _BATCH):
            self._job.control.raise_if_stopped()
            self._job.progress("evaluate", span[0] + (span[1] - span[0]) * start / len(rows))
            found.append(self._session.scores(pictures.pictures_NHWC[rows[start : start + _BATCH]]))
        return np.concatenate(found) if found else np.empty((0, len(self._labels)), dtype=np.float32)

    def thresholds(self, scores_NL: np.ndarray, targets: np.ndarray) -> Mapping[str, float]:
        """The score from which each label should be said; empty where exactly one label is said."""
        if not self._is_several:
            return {}
        recommended: Mapping[str, float] = self._metrics.best_thresholds(scores_NL, targets, self._labels)
        return recommended

    def report(
        self,
        split: Split,
        records: Sequence[ItemRecord],
        targets: np.ndarray,
        scores_NL: np.ndarray,
        thresholds: Mapping[str, float],
    ) -> SplitReport:
        """Everything a report shows of one split."""
        limits_L = np.array([thresholds[label] for label in self._labels]) if thresholds else None
        answers = self._metrics.Answers.of(scores_NL, targets, limits_L)
        report: SplitReport = self._metrics.split_report(split, records, answers, self._labels)
        return report
