"""Reads stored JSON as a contract. What this release cannot read is an error about the stored data, not about the request."""

from __future__ import annotations

from typing import Any, TypeVar

import pydantic

from studio.common.errors import StoredDataUnreadableError

Model = TypeVar("Model", bound=pydantic.BaseModel)


def read_stored(contract: type[Model], value: Any, *, subject: str) -> Model:  # noqa: ANN401 - JSON
    """Validates what a row holds.

    Args:
        contract: its form.
        value: the JSON.
        subject: whose value it is, for the error: an id, or a name and an id.

    Raises:
        StoredDataUnreadableError: the value has another form; the error names the fields and what they hold.
    """
    try:
        return contract.model_validate(value)
    except pydantic.ValidationError as error:
        found = {".".join(map(str, each["loc"])) or "value": each for each in error.errors(include_url=False)}
        fields = ", ".join(f"{name} = {_shown(each['input'])}" for name, each in found.items())
        raise StoredDataUnreadableError(
            f"What is stored of {subject} has values that this release does not know: {fields}.",
            hint="Run the release of Modelyard that wrote it, or restore it from a backup.",
            extra={"fields": {name: each["msg"] for name, each in found.items()}},
            params={"subject": subject, "fields": fields},
        ) from error


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, str | int | float) and len(repr(value)) < 80 else type(value).__name__
