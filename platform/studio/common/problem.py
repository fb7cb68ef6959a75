"""Every error on the wire is problem+json (RFC 9457), made in this one place."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

import pydantic
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError
from ninja.errors import ValidationError as NinjaValidationError

from automl.contracts.base import Text
from studio.common.errors import (
    BodyTooLargeError,
    DatabaseUnavailableError,
    InvalidInputError,
    NotFoundError,
    NotSignedInError,
    PermissionDeniedError,
    StudioError,
)
from studio.common.failures import failure_known

_log = logging.getLogger(__name__)


class ProblemResponse(JsonResponse):
    """A problem, with its code at hand for whoever passes it on."""

    code = ""


def problem_response(error: StudioError) -> HttpResponse:
    """Renders an error."""
    body: dict[str, Any] = {
        "type": f"urn:modelyard:problem:{error.code}",
        "title": error.title,
        "status": error.status,
        "code": error.code,
        "detail": error.message,
        "hint": error.hint,
    }
    if error.fields:
        body["fields"] = error.fields
    if error.extra:
        body["extra"] = error.extra
    if error.params:
        body["params"] = {
            name: value.model_dump() if isinstance(value, Text) else value for name, value in error.params.items()
        }
    response = ProblemResponse(body, status=error.status, content_type="application/problem+json")
    response.code = error.code
    if "retry_after_s" in error.extra:
        response["Retry-After"] = str(int(error.extra["retry_after_s"]))
    return response


PROGRAMS = ("/api/", "/rpc/", "/oauth/", "/v1/", "/v2", "/metrics", "/health")
"""Beginnings of addresses that programs ask."""


def is_of_pages(request: HttpRequest) -> bool:
    """Whether an address is one that people open, rather than one that programs ask."""
    return not request.path_info.startswith(PROGRAMS)


class ProblemMiddleware:
    """Turns answers that are given before the API's code runs into problems: no such address, or not with that method."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on, and turns the framework's own pages about addresses into problems."""
        response = self._get_response(request)
        made = _OF_ADDRESSES.get(response.status_code)
        content_type = response.get("Content-Type", "").partition(";")[0]
        if made is None or content_type not in {"text/html", "text/plain"} or is_of_pages(request):
            return response
        problem = problem_response(made(hint="GET /api/openapi.json lists every address with its methods."))
        if "Allow" in response:
            problem["Allow"] = response["Allow"]
        return problem


class RepeatMiddleware:
    """Repeats a read once where its connection to the database was broken."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Passes the request on, at most twice."""
        response = self._get_response(request)
        if request.method != "GET" or getattr(response, "code", "") != DatabaseUnavailableError.code:
            return response
        connection.close()
        return self._get_response(request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answers errors that no code of ours caught as problems, also failures before it was reached."""
    error = sys.exc_info()[1]
    converted = _from_unexpected(error)
    if converted.status != _InternalError.status:  # else Django has written it down
        _log.warning("%s %s: %s: %s", request.method, request.path, converted.code, error)
    return problem_response(converted)


def problems_install(api: NinjaAPI) -> None:
    """Makes the API answer every exception as a problem."""
    for kind, convert in _CONVERSIONS:
        api.add_exception_handler(kind, _handler(convert))


class _InternalError(StudioError):
    status = 500
    code = "internal_error"
    title = "Something went wrong on our side"


class _MalformedError(StudioError):
    code = "malformed_request"
    title = "The request is malformed"


class _FrameworkError(StudioError):
    """Raised within the framework, which knows a status alone: the status's own words are code and title."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        self.status = status.value
        self.code = status.phrase.lower().replace(" ", "_").replace("-", "_")
        self.title = status.phrase
        super().__init__(message)


class _NoAddressError(NotFoundError):
    title = "There is nothing at this address"


class MethodNotAllowedError(StudioError):
    """The address is right, the method is not."""

    status = 405
    code = "method_not_allowed"
    title = "This address does not take that method"


_OF_ADDRESSES: dict[int, type[StudioError]] = {404: _NoAddressError, 405: MethodNotAllowedError}


def _handler(convert: Callable[[Any], StudioError]) -> Callable[[HttpRequest, Any], HttpResponse]:
    def handle(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ANN401 - each kind of exception has its own type
        converted = convert(error)
        if converted.status == _InternalError.status:
            _log.error("%s %s failed", request.method, request.path, exc_info=error)
        elif converted is not error and converted.status > _InternalError.status:
            _log.warning("%s %s: %s: %s", request.method, request.path, converted.code, error)
        return problem_response(converted)

    return handle


def _from_ninja_validation(error: NinjaValidationError) -> StudioError:
    """``loc`` is ("body", <argument>, field...) or ("query", field...); what stands before the field is left out."""
    fields = []
    for entry in error.errors:
        loc = tuple(entry["loc"])
        num_skipped = 2 if loc and loc[0] in {"body", "form"} and len(loc) > 2 else 1
        fields.append((loc[num_skipped:], str(entry["msg"])))
    return _invalid(fields)


def _from_pydantic(error: pydantic.ValidationError) -> StudioError:
    return _invalid([(entry["loc"], entry["msg"]) for entry in error.errors()])


def _invalid(entries: Iterable[tuple[tuple[object, ...], str]]) -> StudioError:
    fields: dict[str, list[str]] = {}
    for loc, message in entries:
        fields.setdefault(".".join(str(part) for part in loc) or "body", []).append(message)
    return InvalidInputError("Some values are not acceptable: " + ", ".join(fields) + ".", fields=fields)


def _from_http(error: HttpError) -> StudioError:
    """Gives an error raised inside the framework (e.g. a malformed body) our form."""
    if isinstance(error.__cause__, StudioError):  # the framework wraps whatever its parser raises
        return error.__cause__
    return _FrameworkError(HTTPStatus(error.status_code), error.message)


def _from_authentication(_error: AuthenticationError) -> StudioError:
    return NotSignedInError(hint="Sign in, or send `Authorization: Bearer my_...` with a valid API key.")


def _from_unexpected(error: BaseException | None) -> StudioError:
    known = None if error is None else failure_known(error)
    return known or _InternalError(hint="Try again; if it stays, the server's log names the cause.")


_CONVERSIONS: tuple[tuple[type[Exception], Callable[[Any], StudioError]], ...] = (
    (StudioError, lambda error: error),
    (NinjaValidationError, _from_ninja_validation),
    (pydantic.ValidationError, _from_pydantic),
    (AuthenticationError, _from_authentication),
    (HttpError, _from_http),
    (Http404, lambda _error: NotFoundError()),
    (PermissionDenied, lambda _error: PermissionDeniedError()),
    (SuspiciousOperation, lambda error: _MalformedError(str(error))),
    (MultiPartParserError, lambda error: _MalformedError(str(error), hint="Send a form with its boundary in `Content-Type`.")),
    (RequestDataTooBig, lambda _error: BodyTooLargeError(hint="Send fewer files in one request, or upload in parts.")),
    (Exception, _from_unexpected),
)
