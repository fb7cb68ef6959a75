"""How a person says that a table is read, where what is guessed of it is wrong. What is not said is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from automl.contracts.table import MAX_COLUMNS

Separator = Literal[",", ";", "\t", "|", ""]
"""What parts the columns; empty: nothing does, each line is one cell."""
Encoding = Literal["utf-8", "utf-16", "gb18030", "big5", "shift-jis", "windows-1252"]
CODECS: Mapping[str, str] = {
    "utf-8": "utf-8-sig",
    "utf-16": "utf-16",
    "gb18030": "gb18030",
    "big5": "cp950",
    "shift-jis": "cp932",
    "windows-1252": "cp1252",
}
"""Python's codecs by ``Encoding``."""
PLAIN = (".csv", ".tsv", ".tab")
"""Endings of tables that are text with separators."""
_OF_ALL = frozenset({"decimal", "columns"})
_PLACES = Field(ge=0, lt=MAX_COLUMNS)


class TableColumns(BaseModel):
    """Which columns hold the texts and their labels, counted from 0."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[int, _PLACES]
    label: Annotated[int, _PLACES] | None = None
    """None: the rows are unlabelled."""

    @model_validator(mode="after")
    def _differ(self) -> Self:
        if self.text == self.label:
            raise ValueError("one column cannot hold both the texts and their labels")
        return self


class TableOptions(BaseModel):
    """How tables are read; None of what is guessed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    separator: Separator | None = None
    encoding: Encoding | None = None
    has_head: bool | None = None
    """Whether the first row names the columns."""
    sheet: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    """Of an Excel file, the only one that is read."""
    decimal: Literal[".", ","] | None = None
    """The decimal mark of numbers that could be read with either."""
    columns: TableColumns | None = None
    """Of a table of texts."""

    @property
    def given(self) -> frozenset[str]:
        """Names of what is said."""
        return frozenset(self.model_dump(exclude_none=True))


def options_of(files: Mapping[str, bytes]) -> TableOptions:
    """What was said of the tables among files; nothing of files that came without a word."""
    return cast(TableOptions, getattr(files, "options", TableOptions()))


def options_for(name: str) -> frozenset[str]:
    """The options that mean something to a file, by its name's ending."""
    low = name.lower()
    if low.endswith(PLAIN):
        return _OF_ALL | {"separator", "encoding", "has_head"}
    return _OF_ALL | {"sheet", "has_head"} if low.endswith(".xlsx") else _OF_ALL
