"""A number is predicted: each cell of the target is one."""

from __future__ import annotations

import math
from typing import ClassVar

from automl.contracts.annotation import AnnotationKind, Value
from automl.contracts.base import Text
from automl.contracts.table import Column, ColumnKind
from automl.contracts.words import Words
from runtime.cells import number_of
from studio.datasets.tables.targets.kind import TargetValue

words = Words(__file__)


class Number:
    """See ``TargetKind``."""

    annotation: ClassVar[AnnotationKind] = "value"
    columns: ClassVar[frozenset[ColumnKind]] = frozenset({ColumnKind.NUMBER})
    usual: ClassVar[ColumnKind] = ColumnKind.NUMBER
    has_labels: ClassVar[bool] = False

    def is_likely(self, column: Column) -> bool:
        """Any column of numbers."""
        return column.kind is ColumnKind.NUMBER

    def refusal(self, column: str) -> Text:
        """It holds no numbers."""
        return words("no_number", column=column)

    def read(self, cell: str, column: Column, labels: set[str]) -> TargetValue:
        """The number in the column's format; NaN for a missing cell gives nothing."""
        del labels
        value = number_of(cell, column.decimal, column.units)
        if value is None:
            return TargetValue(None, "target_not_number")
        return TargetValue(None if math.isnan(value) else (Value(value=value),))


KIND = Number()
