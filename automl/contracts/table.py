"""The columns of a table: what their cells mean, and what they are for.

A row is an item. Its cells are kept as they came, as text or missing; a schema says how to read them
(``runtime.cells``), so that changing one's mind about a column loses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from automl.contracts.base import Contract

MAX_COLUMNS = 2_000
ROWS_FILE, COLUMNS_FILE = "rows.parquet", "columns.json"
"""What the job ``profile`` finds in ``data/``: all living rows of a dataset as they stand, labelled or not, in the columns
``row`` (canonical JSON), ``split`` and ``annotations`` (JSON, empty where there are none); and the ``TableSchema``."""
PROFILE_FILE = "profile.json"
"""What it leaves in ``artefact/``: a ``TableProfile``."""
MAX_SPELLINGS = 24
ColumnName = Annotated[str, Field(min_length=1, max_length=256)]
UnitSpelling = Annotated[str, Field(max_length=24, pattern=r"^[^\s\d+\-.,()](.*\S)?$")]
"""It begins with nothing that a number might end or begin with."""


class ColumnKind(StrEnum):
    """What the cells of a column mean."""

    NUMBER = "number"
    CATEGORY = "category"
    """One of few values, or a code; numbers too may be that."""
    DATETIME = "datetime"
    TEXT = "text"
    """Words that differ from row to row."""


class ColumnRole(StrEnum):
    """What a column is for."""

    FEATURE = "feature"
    TARGET = "target"
    """What is to be predicted: its cells become the rows' annotations."""
    IGNORED = "ignored"
    """Kept and shown, never learned from: numbers of rows, names, what is known only afterwards."""


class Column(Contract):
    """One column."""

    name: ColumnName
    kind: ColumnKind
    role: ColumnRole = ColumnRole.FEATURE
    decimal: Literal[".", ","] = Field(default=".", exclude_if=lambda value: value == ".")
    """The decimal sign of numbers; the other one may part thousands."""
    units: tuple[UnitSpelling, ...] = Field(default=(), max_length=MAX_SPELLINGS, exclude_if=lambda value: not value)
    """Spellings of the one unit or currency of numbers, as cells write it before them or behind, first the one to show. Cells
    may leave it out; a cell with another unit is no number."""
    datetime_format: str = Field(default="", max_length=64, exclude_if=lambda value: not value)
    """Of a datetime: a format of ``strptime``, or ``iso``, ``epoch_s``, ``epoch_ms``; empty means ``iso``."""


class TableSchema(Contract):
    """The columns in the order of the file that came first."""

    columns: tuple[Column, ...] = Field(default=(), max_length=MAX_COLUMNS)

    @model_validator(mode="after")
    def _names_are_unique(self) -> TableSchema:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise ValueError("names of columns must be unique")
        if sum(column.role is ColumnRole.TARGET for column in self.columns) > 1:
            raise ValueError("at most one column is the target")
        return self

    @property
    def target(self) -> Column | None:
        """The column to predict; None until somebody chooses one."""
        return next((column for column in self.columns if column.role is ColumnRole.TARGET), None)

    @property
    def features(self) -> tuple[Column, ...]:
        """What is learned from, in order."""
        return tuple(column for column in self.columns if column.role is ColumnRole.FEATURE)

    def column(self, name: str) -> Column | None:
        """The column of that name, if there is one."""
        return next((column for column in self.columns if column.name == name), None)


class Row(Contract):
    """The content of one item, and its canonical JSON: keys sorted, no blanks, empty cells left out."""

    cells: Mapping[ColumnName, str]
    """As they came, without white space around them; empty ones are left out."""
    copy_number: int = Field(default=1, ge=1, exclude_if=lambda value: value == 1)
    """Equal rows of one file are counted, so that each is an item of its own and reading the file again makes no twin."""

    def canonical(self) -> str:
        """The canonical JSON, whose UTF-8 is hashed; letters stand as they are, not as escapes."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class ValueCount(Contract):
    """How often a value occurs."""

    value: str
    count: int = Field(ge=0)


class Histogram(Contract):
    """Counts between edges; one more edge than counts. Of datetimes the edges are seconds since 1970."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


class ColumnProfile(Contract):
    """What the cells of one column look like."""

    name: ColumnName
    kind: ColumnKind
    role: ColumnRole
    guessed: ColumnKind
    """What the cells look like, whatever a person chose."""
    guessed_units: tuple[str, ...] = ()
    """And which unit they have, as ``Column.units``."""
    num_rows: int
    num_missing: int
    num_invalid: int
    """Cells that cannot be read as the kind says; to a model they are missing."""
    num_distinct: int
    """Exact up to 100,000, an estimate above."""
    minimum: float | None = None
    """This and the next of numbers and datetimes (seconds since 1970)."""
    maximum: float | None = None
    mean: float | None = None
    std: float | None = None
    quantiles: tuple[float, ...] = ()
    """At 0.05, 0.25, 0.5, 0.75, 0.95."""
    histogram: Histogram | None = None
    top: tuple[ValueCount, ...] = ()
    """The commonest values of a category, most common first, at most 50; of a text the commonest words."""
    examples: tuple[str, ...] = ()
    """A few different cells as they came."""
    target_association: float | None = None
    """0..1: how much the column alone says of the target (see ``engine.table.profile``); None without a target."""


class WarningCode(StrEnum):
    """What a profile warns of."""

    LEAKS_TARGET = "leaks_target"
    """The column all but says the target: is it known when a prediction is asked for?"""
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    MOSTLY_MISSING = "mostly_missing"
    MIXED = "mixed"
    """Some cells are of another kind than the rest."""
    MIXED_UNITS = "mixed_units"
    """Numbers with different units, which ``value`` lists: no model may take them for the same."""
    DUPLICATE_COLUMN = "duplicate_column"
    HIGH_CARDINALITY = "high_cardinality"
    SENTINEL = "sentinel"
    """A number such as -999 that probably means that the value is missing."""
    IMBALANCED_TARGET = "imbalanced_target"
    RARE_CLASS = "rare_class"
    """Categories of the target with too few rows to learn from; all in one warning."""
    OUTLIERS = "outliers"
    DUPLICATE_ROWS = "duplicate_rows"
    DRIFT = "drift"
    """Training and held-back rows differ in this column."""
    AMBIGUOUS = "ambiguous"
    """All cells could be read in another way as well, which ``value`` says: a datetime format, or a decimal sign."""


class ColumnWarning(Contract):
    """Something that a person should look at."""

    code: WarningCode
    column: str | None = None
    other: str | None = None
    """Another column that it concerns."""
    value: str | None = None
    share: float | None = Field(default=None, ge=0.0, le=1.0)
    """Share of the rows, where the warning is about rows; else how strong, 0..1."""
    values: tuple[ValueCount, ...] = ()
    """Values that it concerns with their rows, the rarest first, at most 100."""
    num_values: int | None = Field(default=None, ge=0)
    """All that it concerns, also those that ``values`` leaves out; None where it concerns no values."""
    suggested_role: ColumnRole | None = None


class Correlation(Contract):
    """How two columns go together, 0..1.

    Of two numbers the absolute rank correlation (Spearman), of two categories Cramer's V without bias (Bergsma 2013), of one of
    each the correlation ratio.
    """

    first: str
    second: str
    strength: float = Field(ge=0.0, le=1.0)
    is_inverse: bool = False
    """Of two numbers: the one falls as the other rises."""


class TableProfile(Contract):
    """``profile.json``: what a table looks like."""

    schema_version: int = 1
    num_rows: int
    num_sampled: int
    """Rows that associations were computed on; counts and missing cells are of all."""
    columns: tuple[ColumnProfile, ...]
    warnings: tuple[ColumnWarning, ...]
    correlations: tuple[Correlation, ...]
    """The strongest pairs, at most 500, strongest first."""
