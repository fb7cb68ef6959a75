"""Text that no database and no file name can hold is refused where it comes in, so that no other code meets it.

JSON and percent-encoding can carry two such things: the character NUL, which PostgreSQL refuses, and half of a surrogate pair,
which has no UTF-8 form at all. Checked once at the API's edge instead of in each field: a field that forgot would answer 500.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.datastructures import MultiValueDict
from ninja.parser import Parser

from studio.common.errors import InvalidInputError
from studio.common.problem import problem_response


class TextRefusedError(InvalidInputError):
    """A text holds a character that cannot be stored."""

    def __init__(self, where: str) -> None:
        super().__init__(
            f"{where} holds a character that cannot be stored.",
            hint="Remove NUL characters (\\u0000) and unpaired surrogates (\\ud800 to \\udfff) from the text.",
            fields={where: ["holds NUL or an unpaired surrogate"]},
        )


def text_is_storable(text: str) -> bool:
    """Whether a database can hold the text."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def texts_check(value: object, *, where: str) -> None:
    """Looks at every text in a JSON value, keys of objects included.

    Raises:
        TextRefusedError: one of them cannot be stored.
    """
    waiting = [(where, value)]
    while waiting:  # no recursion: a caller chooses the depth
        place, found = waiting.pop()
        if isinstance(found, str):
            if not text_is_storable(found):
                raise TextRefusedError(place)
        elif isinstance(found, Mapping):
            if not all(text_is_storable(key) for key in found):
                raise TextRefusedError(place)
            prefix = "" if place == where else f"{place}."
            waiting += [(f"{prefix}{key}", each) for key, each in found.items()]
        elif isinstance(found, list):
            waiting += [(f"{place}.{index}", each) for index, each in enumerate(found)]


class CheckedParser(Parser):
    """Ninja's parser of bodies, forms and queries; ``problem.py`` unwraps what it raises."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Parses JSON."""
        body = super().parse_body(request)
        texts_check(body, where="body")
        return body

    def parse_querydict(self, data: MultiValueDict[str, Any], list_fields: list[str], request: HttpRequest) -> dict[str, Any]:
        """Parses a query or a form; uploaded files are no text and pass."""
        fields = super().parse_querydict(data, list_fields, request)
        texts_check(fields, where="query")
        return fields


class TextMiddleware:
    """Looks at the path, which the API's parser does not see."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answers a problem, or passes the request on."""
        if not text_is_storable(request.path_info):
            return problem_response(TextRefusedError("path"))
        return self._get_response(request)
