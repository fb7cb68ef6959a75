"""A task type: one folder below ``engine/tasks/``, exported as ``TASK`` from its ``spec.py``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from automl.contracts.annotation import IGNORED_LABEL, AnnotationKind, LabelName
from automl.contracts.base import Contract, Text, left_out
from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality


class OutputKind(StrEnum):
    """What a model answers. A new kind widens the common language: it needs a decision record."""

    CLASS_SCORES = "class_scores"
    """One score a label; they add up to one."""
    LABEL_SCORES = "label_scores"
    """One score a label, each by itself (several labels may be true)."""
    BOXES = "boxes"
    """Upright boxes: rows of (x, y, width, height) as fractions of the picture, score, index of the label; best first. Rows
    without a box have the score 0 and the index -1."""
    NUMBER = "number"
    """One number, in the unit of what was learned."""
    MASK = "mask"
    """A label a pixel: two planes of float32, the index of the label (-1: none of them) and how sure the model is of it, 0..1,
    at a size of the graph's own."""
    HEAT_MAP = "heat_map"
    """How unlike the normal pictures each place of a picture is: one plane of float32, 0..1, at a size of the graph's own. The
    picture's score is the largest of them."""
    INSTANCES = "instances"
    """Single objects with their pixels: rows as of ``BOXES``, each followed by a square mask within its box, row by row: how
    likely each cell shows the object, 0..1."""
    QUADS = "quads"
    """Lines of text in the order in which they are read: rows of x and y of four corners as fractions of the picture, from
    where the text begins, the score, then the characters as Unicode numbers. Rows without a line have the score 0."""
    VECTOR = "vector"
    """A direction for the whole item: float32 numbers whose squares add up to one. Items are alike as far as theirs point the
    same way, by the cosine of the angle between them."""


OverlapRule = Literal["over", "keep", "both", "order"]
"""What happens where areas meet: what is drawn later takes the pixels, or leaves them to others; areas share them as objects of
their own; or areas overlap, and the label that stands higher in the label set counts."""


class SampleSchema(Contract):
    """The fields of an item."""

    file_suffixes: tuple[str, ...]
    """Lower case, with the dot."""


class AnnotationSchema(Contract):
    """Annotations that an item may have."""

    kinds: tuple[AnnotationKind, ...]
    needs_label_set: bool
    min_labels: int = 0
    """Labels that a label set must hold before training."""
    first_labels: tuple[LabelName, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Of a new project."""
    has_ignored_areas: bool = Field(default=False, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Whether areas may be marked that count neither in training nor in metrics: shapes with ``IGNORED_LABEL``."""
    overlap_rules: tuple[OverlapRule, ...] = Field(default=(), exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Of which a project chooses one, first the rule at the beginning; none where areas do not meet."""

    @property
    def has_classes(self) -> bool:
        """Whether the item as a whole carries labels."""
        return "class" in self.kinds

    def is_ignored(self, label: str | None, labels: Collection[str]) -> bool:
        """Whether a shape with this label marks an area that does not count.

        Args:
            label: of the shape.
            labels: of the project.
        """
        return self.has_ignored_areas and label == IGNORED_LABEL and label not in labels

    def overlap_rule(self, chosen: str) -> OverlapRule | None:
        """The rule of a project: the one chosen, or the first where none is; None where areas do not meet."""
        return next((rule for rule in self.overlap_rules if rule == chosen), next(iter(self.overlap_rules), None))


class TaskOption(Contract):
    """A choice made once, when a project is made, e.g. one label or several."""

    name: str
    title: Text
    help: Text
    choices: tuple[TaskChoice, ...] = Field(min_length=2)
    default: str


class TaskChoice(Contract):
    """One value of a task option."""

    value: str
    title: Text
    annotation: AnnotationSchema | None = Field(
        default=None, exclude_if=lambda value: value is None, json_schema_extra=left_out
    )
    """What may be said of an item where it is chosen; None: what the task allows."""


class MetricSpec(Contract):
    """A number that a report shows."""

    name: str
    title: Text
    help: Text
    unit: Literal["fraction", "loss", "count", "ms", "target"]
    """``target``: that of the number which is predicted."""
    is_higher_better: bool
    only_for: Mapping[str, str] = Field(default_factory=dict, exclude_if=lambda value: not value, json_schema_extra=left_out)
    """Options of the task, with the values for which it is measured; empty: always."""


class UploadExample(Contract):
    """One way in which data may come, shown beside the field that takes files."""

    title: Text
    drawing: Text
    """Lines in letters of one width: folders with their files, or the first lines of a table."""


class QuickstartPartner(Contract):
    """A quick start of another task, of which a second project is made."""

    task: str
    quickstart: str


class QuickstartSpec(Contract):
    """Examples for one use of a task, beside the usual ones."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    """Of a module in the task's folder ``quickstarts``."""
    title: Text
    summary: Text
    families: tuple[str, ...] = ()
    """Of these a model is trained and published at once; none: as of the usual examples."""
    at_least: Mapping[str, Mapping[str, float]] = Field(default_factory=dict)
    """The least of parameters, by family and name: where the quickest first trial is not good enough."""
    pages: tuple[Literal["templates", "shelves"], ...] = ()
    """Pages of the project on which more is ready than data and a model."""
    partner: QuickstartPartner | None = None
    """What fills a second project beside it, with a gallery that names what the first one finds."""


class TaskUI(Contract):
    """Which parts of the front end serve the task, by name; the front end's compiler checks the names."""

    labelling_tool: Literal["class-picker", "boxes", "masks", "objects", "text-lines", "value"]
    report_charts: tuple[
        Literal[
            "summary",
            "per-class",
            "per-size",
            "confusion",
            "object-confusion",
            "precision-recall",
            "thresholds",
            "score-curves",
            "learning-curves",
            "worst-items",
            "regression",
            "leaderboard",
            "importance",
            "dependence",
            "slices",
            "robustness",
            "advice",
            "score-distribution",
            "similarity",
            "text-lines",
            "coverage",
        ],
        ...,
    ]
    """In the order in which they are drawn; a chart draws nothing where a report has nothing for it."""
    tryout_form: Literal["image", "text", "row"]


class TaskSpec(Contract):
    """What the platform knows of a task without loading torch."""

    schema_version: int = 1
    name: str
    """Equals the folder's name."""
    title: Text
    summary: Text
    rank: int = 100
    """Place among the tasks where people choose one, the smallest first; the first is chosen beforehand."""
    modality: Modality
    sample: SampleSchema
    annotation: AnnotationSchema
    options: tuple[TaskOption, ...] = ()
    consumes: FeatureKind
    outputs: tuple[OutputKind, ...]
    """Kinds that a model of this task may answer with, one for each way its options can stand."""
    metrics: tuple[MetricSpec, ...] = Field(min_length=1)
    """The first that is measured is the objective."""
    ui: TaskUI
    upload_help: tuple[UploadExample, ...] = ()
    """What people may drop, the commonest first."""
    can_refit: bool = True
    """Whether a study may train its best model again with the data held back; False where training itself does so, or where the
    scale of the answers comes from that data."""
    has_examples: bool = False
    """Whether there is real data to begin with."""
    quickstarts: tuple[QuickstartSpec, ...] = ()
    """Further examples, each for one use."""
    is_draft: bool = False
    """Not whole yet: no page offers it."""

    def metrics_of(self, options: Mapping[str, str]) -> tuple[MetricSpec, ...]:
        """The metrics that are measured as a project's options stand.

        Args:
            options: what the project chose; an option that is left out has its default.
        """
        chosen = self._chosen(options)
        return tuple(each for each in self.metrics if all(chosen.get(name) == value for name, value in each.only_for.items()))

    def annotation_of(self, options: Mapping[str, str]) -> AnnotationSchema:
        """What may be said of an item as a project's options stand.

        Args:
            options: what the project chose; an option that is left out has its default.
        """
        chosen = self._chosen(options)
        choices = (each for option in self.options for each in option.choices if each.value == chosen[option.name])
        return next((each.annotation for each in choices if each.annotation is not None), self.annotation)

    def objective(self, options: Mapping[str, str], name: str = "") -> MetricSpec:
        """The metric that a study improves: the one of that name if it is measured, else the first."""
        measured = self.metrics_of(options)
        return next((each for each in measured if each.name == name), measured[0])

    def _chosen(self, options: Mapping[str, str]) -> dict[str, str]:
        return {option.name: option.default for option in self.options} | dict(options)


TaskOption.model_rebuild()


class Severity(StrEnum):
    """A blocking problem refuses a version or a study; an advisory one is shown."""

    BLOCKING = "blocking"
    ADVISORY = "advisory"


class Problem(Contract):
    """Something about a dataset that a person should mend."""

    code: str
    severity: Severity
    item: str | None = None
    """Item id when one item is the cause."""
    field: str | None = None
    """What of it, e.g. a label's name."""
    message: Text
    remedy: Text
