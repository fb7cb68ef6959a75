"""The job ``label_rows``: labels all rows of a dataset from the cells of its target; without a target it takes the labels off.

What did not come from cells (a person's word, a model's) stays unless the order says otherwise. Repeating the job is harmless,
and choosing the target that was there before brings its labels back: cells never change. Rows that come meanwhile are labelled
as they come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotations
from automl.contracts.dataset import LabelSet
from studio.common.errors import StudioError
from studio.common.events import event_record
from studio.datasets.files.reasons import REASONS
from studio.datasets.files.rows import cells_of
from studio.datasets.items.annotations import (
    IS_LIVING,
    STORED,
    AnnotationRow,
    ItemAnnotations,
    annotation_rows_write,
    labels_named,
)
from studio.datasets.items.label_set import labels_extend
from studio.datasets.items.selectors import labels_used
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import Dataset, Item
from studio.datasets.tables.columns import TargetSettings, dataset_lock, labelling_of, target_drop
from studio.datasets.tables.errors import TooManyClassesError
from studio.datasets.tables.target import TargetReader, classes_gather, target_reader
from studio.datasets.tables.targets import target_kind
from studio.jobs.handlers import Reporter
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.projects.services import label_set_replace

PORTION = 5_000
"""Rows a transaction."""
_LOOKING = 0.25
"""Of the whole: the labels are gathered before the first row gets one."""
_FROM_CELLS = "import:"
"""How the provenance of what came from cells begins."""


class TargetChangedError(StudioError):
    """Somebody chose another target meanwhile; that one has a job of its own."""

    status = 409
    code = "target_changed"
    title = "Another target was chosen meanwhile"


class _Row(NamedTuple):
    item: str
    text: str
    stored: str | None
    """Annotations as JSON."""
    provenance: str
    is_living: bool
    upload: str | None


def rows_label_run(*, job: Job, reporter: Reporter) -> int:
    """Labels the rows; returns how many changed.

    Raises:
        TooManyClassesError: the target has too many values; it is a feature again and no row has changed.
        TargetChangedError: another one was chosen meanwhile.
    """
    dataset = Dataset.objects.select_related("project").get(id=job.payload["dataset"])
    labelling = labelling_of(schema_of(dataset))
    payload = {"keeps_annotations": job.payload.get("keeps_said")} | job.payload  # jobs queued earlier have the other name
    run = _Run(dataset, labelling, keeps_annotations=payload["keeps_annotations"], reporter=reporter)
    labels = run.gather()
    num_changed = run.write()
    if job.payload["drops_labels"] or labelling is None:
        _labels_drop(dataset.project, set(labels))
    for code, num in run.reader.troubles.items():
        reporter.warn(code, f"{REASONS[code].en} (× {num})")
    return num_changed


class _Run:
    """One attempt."""

    def __init__(
        self, dataset: Dataset, labelling: TargetSettings | None, *, keeps_annotations: bool, reporter: Reporter
    ) -> None:
        self._dataset, self._labelling, self._keeps_annotations, self._reporter = (
            dataset,
            labelling,
            keeps_annotations,
            reporter,
        )
        self._kind = target_kind(dataset.project)
        self.reader = target_reader(dataset.project, schema_of(dataset))
        self._total = max(Item.objects.filter(dataset=dataset).count(), 1)

    def gather(self) -> list[str]:
        """Adds the target's values to the label set, sorted; returns them."""
        column = self.reader.column
        if column is None or not self._kind.has_labels:
            return []
        reader = TargetReader(column, self._kind)
        done = 0
        for rows in _portions(self._dataset):
            try:
                classes_gather(reader, (row.text for row in rows))
            except TooManyClassesError:
                target_drop(dataset=self._dataset, column=column.name)
                raise
            done += len(rows)
            self._report(_LOOKING * done / self._total)
        labels = sorted(reader.labels, key=_label_order)
        with transaction.atomic():
            self._lock()
            labels_extend(project=self._dataset.project, names=labels)
        self.reader = TargetReader(column, self._kind, known=labels)
        return labels

    def write(self) -> int:
        """Annotates every row from its cell; returns how many annotations changed."""
        num_changed = done = 0
        for rows in _portions(self._dataset, lock=self._lock):
            num_changed += self._written(rows)
            done += len(rows)
            self._report(_LOOKING + (1 - _LOOKING) * done / self._total)
        return num_changed

    def _written(self, rows: list[_Row]) -> int:
        annotation_rows: list[AnnotationRow] = []
        known: dict[str, ItemAnnotations] = {}
        for row in rows:
            is_by_others = row.stored is not None and not row.provenance.startswith(_FROM_CELLS)
            if is_by_others and self._keeps_annotations:
                continue
            annotations = self.reader.of(cells_of(row.text)).annotations
            if row.stored is not None and row.stored not in known:
                known[row.stored] = Annotations.validate_json(row.stored)
            now = None if row.stored is None else known[row.stored]
            if annotations != now or is_by_others:
                before = () if now is None else labels_named([now])
                source = f"{_FROM_CELLS}{row.upload or self._dataset.id}"
                annotation_rows.append(AnnotationRow(row.item, self._dataset.id, row.is_living, before, annotations, source))
        if annotation_rows:
            annotation_rows_write(rows=annotation_rows, at=timezone.now())
            project = self._dataset.project
            event_record(
                workspace=project.workspace_id,
                project=project.id,
                type="item.changed",
                subject=self._dataset.id,
                data={"num_items": len(annotation_rows), "items": []},
            )
        return len(annotation_rows)

    def _lock(self) -> None:
        """Keeps others from choosing another target while rows are written; stops where one was chosen."""
        if labelling_of(schema_of(dataset_lock(self._dataset))) != self._labelling:
            raise TargetChangedError

    def _report(self, fraction: float) -> None:
        self._reporter.check_cancelled()
        self._reporter.progress("label_rows", min(fraction, 1.0))


def _portions(dataset: Dataset, *, lock: Callable[[], None] | None = None) -> Iterator[list[_Row]]:
    """All rows, those that were deleted last; with ``lock`` each portion is a transaction that holds them."""
    for is_living in (True, False):
        items = Item.objects.filter(dataset=dataset, deleted_at__isnull=is_living, text__isnull=False)
        after = ""
        while True:
            if lock is None:
                rows = _portion(items, after)
                if rows:
                    yield rows
            else:
                with transaction.atomic():
                    lock()
                    rows = _portion(items.select_for_update(), after)
                    if rows:
                        yield rows
            if len(rows) < PORTION:
                break
            after = rows[-1].item


def _portion(items: QuerySet[Item], after: str) -> list[_Row]:
    columns = ("id", "text", STORED, "provenance", IS_LIVING, "upload_id")
    return [_Row(*row) for row in items.filter(id__gt=after).order_by("id").values_list(*columns)[:PORTION]]


def _label_order(label: str) -> tuple[int, float, str]:
    """Numbers by their size, before words."""
    try:
        return 0, float(label), label
    except ValueError:
        return 1, 0.0, label


def _labels_drop(project: Project, of_target: set[str]) -> None:
    """Takes the labels of the target before out of the label set, as far as no row carries them."""
    with transaction.atomic():
        project = Project.objects.select_for_update().get(id=project.id)
        names = labels_used(project, project.labels.names) | of_target
        labels = tuple(one for one in project.labels.labels if one.name in names)
        if len(labels) < len(project.labels.labels):
            label_set_replace(project=project, label_set=LabelSet(labels=labels))
