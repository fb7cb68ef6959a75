"""Moments at the ends of the calendar are refused where they come in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import get_args, get_type_hints

import pytest
from ninja import Schema
from pydantic import TypeAdapter, ValidationError

from studio.common.moments import Moment, moment_check
from studio.config.api import api

ENDS = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1899-12-31T23:59:59Z", "3000-01-01T00:00:00Z")
INCOMING = ("In", "Query", "Filter")
"""Ends of the names of what callers send."""


@pytest.mark.parametrize("text", ENDS)
def test_moments_that_cannot_be_stored_are_refused(text):
    with pytest.raises(ValidationError, match="between the years 1900 and 2999"):
        TypeAdapter(Moment).validate_python(text)


def test_other_moments_are_taken_in_utc():
    assert TypeAdapter(Moment).validate_python("2026-11-27T08:00:00+08:00") == datetime(2026, 11, 27, tzinfo=UTC)
    assert TypeAdapter(Moment).validate_python("2026-11-27T08:00:00") == datetime(2026, 11, 27, 8, tzinfo=UTC)


def test_every_moment_that_a_caller_sends_is_checked():
    api.get_openapi_schema()  # imports all endpoints
    unchecked = [
        f"{schema.__name__}.{name}"
        for schema in _schemas(Schema)
        if schema.__name__.endswith(INCOMING)
        for name, kind in get_type_hints(schema, include_extras=True).items()
        if datetime in _parts(kind) and moment_check not in _checks(kind)
    ]
    assert unchecked == []


def _schemas(base: type[Schema]) -> Iterator[type[Schema]]:
    for each in base.__subclasses__():
        yield each
        yield from _schemas(each)


def _parts(kind: object) -> set[object]:
    return {kind}.union(*(_parts(part) for part in get_args(kind) if isinstance(part, type) or get_args(part)))


def _checks(kind: object) -> set[object]:
    own = {getattr(each, "func", None) for each in getattr(kind, "__metadata__", ())}
    return own.union(*(_checks(part) for part in get_args(kind)))


@pytest.mark.parametrize("text", ENDS[:2])
def test_an_end_of_the_calendar_is_the_callers_fault(client, workspace, text):
    root = f"/api/workspaces/{workspace.id}"
    body = {"name": "k", "role": "viewer", "expires_at": text}
    assert client.post(f"{root}/keys", body, content_type="application/json").status_code == 422
    assert client.get(f"{root}/audit", {"since": text}).status_code == 422
    assert client.get(f"{root}/audit/export", {"until": text}).status_code == 422
