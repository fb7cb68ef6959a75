"""Every error on the wire is problem+json (RFC 9457), made in this one place."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import pydantic
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError
from ninja.errors import ValidationError as NinjaValidationError

from studio.common.errors import InvalidInputError, NotFoundError, NotSignedInError, PermissionDeniedError, StudioError

_log = logging.getLogger(__name__)


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
    response = JsonResponse(body, status=error.status, content_type="application/problem+json")
    if "retry_after_s" in error.extra:
        response["Retry-After"] = str(int(error.extra["retry_after_s"]))
    return response


def problems_install(api: NinjaAPI) -> None:
    """Makes the API answer every exception as a problem."""
    api.add_exception_handler(StudioError, _studio)
    api.add_exception_handler(NinjaValidationError, _ninja_validation)
    api.add_exception_handler(pydantic.ValidationError, _pydantic_validation)
    api.add_exception_handler(AuthenticationError, _authentication)
    api.add_exception_handler(HttpError, _http)
    api.add_exception_handler(Http404, _not_found)
    api.add_exception_handler(PermissionDenied, _permission)
    api.add_exception_handler(RequestDataTooBig, _too_big)
    api.add_exception_handler(Exception, _unexpected)


class _InternalError(StudioError):
    status = 500
    code = "internal_error"
    title = "Something went wrong on our side"


class _TooBigError(StudioError):
    status = 413
    code = "body_too_large"
    title = "The request is too large"


def _http_error(status: int, message: str) -> StudioError:
    """Gives an error raised inside the framework (a malformed body, a failed CSRF check) our form."""
    phrase = HTTPStatus(status).phrase
    name = "".join(word.capitalize() for word in phrase.split())
    fields = {"status": status, "code": phrase.lower().replace(" ", "_").replace("-", "_"), "title": phrase}
    return type(f"{name}Error", (StudioError,), fields)(message)


def _studio(_request: HttpRequest, error: StudioError) -> HttpResponse:
    return problem_response(error)


def _ninja_validation(_request: HttpRequest, error: NinjaValidationError) -> HttpResponse:
    # loc is ("body", <argument>, field...) or ("query", field...): the first word and a body's argument say nothing to people
    return _fields(error.errors, skip=lambda loc: 2 if loc and loc[0] in {"body", "form"} and len(loc) > 2 else 1)


def _pydantic_validation(_request: HttpRequest, error: pydantic.ValidationError) -> HttpResponse:
    return _fields([dict(entry) for entry in error.errors()], skip=lambda _loc: 0)


def _fields(errors: Sequence[Mapping[str, Any]], *, skip: Any) -> HttpResponse:  # noqa: ANN401 - a small function of loc
    fields: dict[str, list[str]] = {}
    for entry in errors:
        loc = tuple(entry["loc"])
        name = ".".join(str(part) for part in loc[skip(loc) :]) or "body"
        fields.setdefault(name, []).append(str(entry["msg"]))
    return problem_response(InvalidInputError("Some values are not acceptable: " + ", ".join(fields) + ".", fields=fields))


def _authentication(_request: HttpRequest, _error: AuthenticationError) -> HttpResponse:
    return problem_response(NotSignedInError(hint="Sign in, or send `Authorization: Bearer my_...` with a valid API key."))


def _http(_request: HttpRequest, error: HttpError) -> HttpResponse:
    if error.status_code == HTTPStatus.FORBIDDEN:
        return problem_response(PermissionDeniedError(error.message, hint="Reload the page and try again."))
    return problem_response(_http_error(error.status_code, error.message))


def _not_found(_request: HttpRequest, _error: Http404) -> HttpResponse:
    return problem_response(NotFoundError())


def _permission(_request: HttpRequest, _error: PermissionDenied) -> HttpResponse:
    return problem_response(PermissionDeniedError())


def _too_big(_request: HttpRequest, _error: RequestDataTooBig) -> HttpResponse:
    return problem_response(_TooBigError(hint="Send fewer files in one request, or upload in parts."))


def _unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    _log.error("%s %s failed", request.method, request.path, exc_info=error)
    return problem_response(_InternalError(hint="Try again; if it stays, the server's log names the cause."))
