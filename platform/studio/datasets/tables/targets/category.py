"""A category is predicted: the values of the target are the labels of the project."""

from __future__ import annotations

from typing import ClassVar

from automl.contracts.annotation import AnnotationKind, ClassLabel
from automl.contracts.base import Text
from automl.contracts.table import Column, ColumnKind
from automl.contracts.words import Words
from runtime.cells import text_of
from studio.datasets.files.formats import label_is_valid
from studio.datasets.tables.targets.kind import TargetValue

words = Words(__file__)

MAX_CLASSES = 1_000


class Category:
    """See ``TargetKind``."""

    annotation: ClassVar[AnnotationKind] = "class"
    columns: ClassVar[frozenset[ColumnKind]] = frozenset({ColumnKind.NUMBER, ColumnKind.CATEGORY})
    usual: ClassVar[ColumnKind] = ColumnKind.CATEGORY
    has_labels: ClassVar[bool] = True

    def is_likely(self, column: Column) -> bool:
        """Any but what is measured in a unit, which is no category whatever its name."""
        return column.kind is not ColumnKind.NUMBER or not column.units

    def refusal(self, column: str) -> Text:
        """It holds neither categories nor numbers."""
        return words("no_category", column=column)

    def read(self, cell: str, column: Column, labels: set[str]) -> TargetValue:
        """The label; at most ``MAX_CLASSES`` of them."""
        del column
        label = text_of(cell)
        if not label:
            return TargetValue(None)
        if not label_is_valid(label):
            return TargetValue(None, "target_not_label")
        if label not in labels:
            if len(labels) >= MAX_CLASSES:
                return TargetValue(None, "target_too_many")
            labels.add(label)
        return TargetValue((ClassLabel(label=label),))


KIND = Category()
