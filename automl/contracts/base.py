"""Base of every contract: a frozen value that refuses fields it does not know.

Contracts cross process and machine walls as JSON. Therefore they are immutable, carry a ``schema_version`` where they are
stored, and fail loudly on a field that a newer or foreign writer added.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


def left_out(schema: dict[str, Any]) -> None:
    """For ``json_schema_extra``: the schema promises no default for a field that is left out of the JSON when it is empty."""
    schema.pop("default", None)


class Contract(BaseModel):
    """A frozen value with a JSON form."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    @classmethod
    def read(cls, path: Path) -> Self:
        """Reads the contract from a JSON file.

        Raises:
            FileNotFoundError: the file is not there.
            pydantic.ValidationError: the file is not this contract.
        """
        return cls.model_validate_json(path.read_bytes())

    def write(self, path: Path) -> None:
        """Writes the contract as JSON so that a reader sees the old file or the new one, never a part."""
        partial = path.with_name(path.name + ".partial")
        partial.write_text(self.model_dump_json(indent=2), encoding="utf-8")
        partial.replace(path)


class Text(Contract):
    """A sentence or name that a person reads, by language; languages beside these two are further fields."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, str]

    en: str
    zh: str

    @classmethod
    def same(cls, text: str) -> Self:
        """A name that every language writes alike."""
        return cls(en=text, zh=text)

    def in_language(self, language: str) -> str:
        """What a language says, or English where it has no words."""
        text: str = getattr(self, language, self.en)
        return text
