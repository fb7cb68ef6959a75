"""EasyDL's endpoints on the platform's own port: tokens and predictions, for programs that change nothing but the host.

The data sets have an endpoint of their own in ``labeling.easydl``; both are let in and refused by ``easydl_endpoint``.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextlib import closing
from threading import BoundedSemaphore
from typing import Any

import httpx
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import path, re_path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from runtime.ids import log_id, prediction_number
from studio.accounts.access import Principal, secret_sha256
from studio.accounts.authentication import ApiKeyAuth
from studio.accounts.key_rules import keys_alive
from studio.accounts.models import ApiKey
from studio.common.errors import StudioError
from studio.common.failures import failure_known
from studio.deployments.prediction_server import prediction_client

TOKEN_S = 30 * 24 * 3600
"""How long a client may keep a token, as EasyDL says it; a key that ends sooner says so."""
CONNECT_S = 2.0
ANSWER_S = 30.0
"""A call that is passed on may take so long in all; it holds a thread of the web process."""
MAX_PASSED_ON = 12
"""Calls passed on at once, so that a prediction server that hangs leaves the pages their threads."""
RETRY_S = 5
UNKNOWN_TOKEN, EXPIRED_TOKEN, NO_METHOD, NO_PERMISSION, INTERNAL = 110, 111, 3, 6, 336000
UNAVAILABLE, CLUSTER_LIMIT = 2, 4
INVALID_ARGUMENT, INVALID_JSON, BASE64_INVALID, UNREADABLE = 336001, 336002, 336003, 336005
_OF_STATUS = {
    401: UNKNOWN_TOKEN,
    403: NO_PERMISSION,
    405: NO_METHOD,
    429: 18,
    502: UNAVAILABLE,
    503: UNAVAILABLE,
    504: UNAVAILABLE,
}

Fields = dict[str, Any]
View = Callable[[HttpRequest, Fields], Fields]

_log = logging.getLogger(__name__)


class EasyDLError(Exception):
    """A refusal with EasyDL's number."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


def easydl_endpoint(view: View) -> Callable[[HttpRequest], HttpResponse]:
    """Lets a caller in by the token in the address, reads the JSON body, and answers as EasyDL does, refusals too.

    ``view`` gets the request, whose ``auth`` is the key's ``Principal``, and the body's fields.
    """

    @csrf_exempt  # nobody is let in by a cookie here
    def endpoint(request: HttpRequest) -> HttpResponse:
        try:
            if request.method != "POST":
                raise EasyDLError(NO_METHOD, "Send the request with POST.")
            request.auth = _let_in(request)  # type: ignore[attr-defined]  # as Ninja leaves it
            answer = view(request, _fields(request))
        except Exception as error:  # noqa: BLE001 - EasyDL's clients read refusals in one form only
            return easydl_refusal(error)
        return JsonResponse({"log_id": log_id(prediction_number()), **answer})

    return endpoint


def easydl_refusal(error: Exception) -> HttpResponse:
    """What EasyDL answers: a number and words in the body of a 200."""
    if isinstance(error, EasyDLError):
        return _error(error.number, str(error))
    known = error if isinstance(error, StudioError) else failure_known(error)
    if known is None:
        _log.exception("an EasyDL call failed", exc_info=error)
        return _error(INTERNAL, "Something went wrong on the server.")
    number = _OF_STATUS.get(known.status, INTERNAL if known.status >= 500 else INVALID_ARGUMENT)
    return _error(number, " ".join(filter(None, (known.message or known.title, known.hint))))


def _error(number: int, message: str) -> HttpResponse:
    return JsonResponse({"error_code": number, "error_msg": message})


def _let_in(request: HttpRequest) -> Principal:
    token = request.GET.get("access_token", "")
    principal = ApiKeyAuth().authenticate(request, token) if token else None
    if principal is not None:
        return principal
    if ApiKey.objects.filter(secret_sha256=secret_sha256(token), expires_at__lte=timezone.now()).exists():
        raise EasyDLError(EXPIRED_TOKEN, "Access token expired")
    raise EasyDLError(UNKNOWN_TOKEN, "Access token invalid or no longer valid")


def _fields(request: HttpRequest) -> Fields:
    try:
        fields = json.loads(request.body or b"{}")
    except (ValueError, RecursionError) as error:
        raise EasyDLError(INVALID_JSON, f"The body is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise EasyDLError(INVALID_JSON, "The body is JSON but not an object.")
    return fields


@csrf_exempt
def token_page(request: HttpRequest) -> HttpResponse:
    """``/oauth/2.0/token``: an API key, shown as client id and secret, is its own token."""
    if request.method not in {"GET", "POST"}:
        return _token_refused("invalid_request", "Ask with GET or POST.", 405)
    given = {**request.GET.dict(), **request.POST.dict()}
    if given.get("grant_type") != "client_credentials":
        return _token_refused("unsupported_grant_type", "grant_type must be client_credentials", 400)
    secret = given.get("client_secret", "")
    key: Any = keys_alive(now=timezone.now()).filter(secret_sha256=secret_sha256(secret)).first() if secret else None
    if key is None:
        return _token_refused("invalid_client", "Client authentication failed", 401)
    if given.get("client_id") not in {key.id, secret}:
        return _token_refused("invalid_client", "unknown client id", 401)
    left_s = TOKEN_S if key.expires_at is None else int((key.expires_at - timezone.now()).total_seconds())
    answer = JsonResponse({"access_token": secret, "expires_in": min(TOKEN_S, left_s), "scope": "public"})
    answer["Cache-Control"] = "no-store"
    return answer


def _token_refused(error: str, message: str, status: int) -> HttpResponse:
    return JsonResponse({"error": error, "error_description": message}, status=status)


@csrf_exempt
def predict_page(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """``/rpc/2.0/ai_custom/v1/<kind>/<name>``: passed on to the prediction server, which also lets the caller in."""
    if not _places.acquire(blocking=False):
        return _later(CLUSTER_LIMIT, "Too many calls wait for the prediction server.")
    try:
        return _pass_on(request, f"{settings.PREDICTION_URL}/rpc/2.0/ai_custom/v1/{kind}/{name}")
    except httpx.HTTPError as error:
        _log.warning("the prediction server does not answer: %r", error)
        return _later(UNAVAILABLE, "The prediction server does not answer.")
    finally:
        _places.release()


_places = BoundedSemaphore(MAX_PASSED_ON)


def _pass_on(request: HttpRequest, address: str) -> HttpResponse:
    ends_s = time.monotonic() + ANSWER_S
    headers = {"Content-Type": request.headers.get("Content-Type", ""), "Accept-Encoding": "identity"}
    built = prediction_client().build_request(
        str(request.method),
        address,
        params=request.GET.dict(),
        content=request.body,
        headers=headers,
        timeout=httpx.Timeout(ANSWER_S, connect=CONNECT_S),
    )
    content = bytearray()
    with closing(prediction_client().send(built, stream=True)) as answer:
        for piece in answer.iter_bytes():
            content += piece
            if time.monotonic() > ends_s:
                raise httpx.ReadTimeout(f"the answer was not whole after {ANSWER_S} s")
    response = HttpResponse(bytes(content), status=answer.status_code, content_type=answer.headers.get("content-type"))
    if "retry-after" in answer.headers:
        response["Retry-After"] = answer.headers["retry-after"]
    return response


def _later(number: int, message: str) -> HttpResponse:
    response = _error(number, message)
    response["Retry-After"] = str(RETRY_S)
    return response


@csrf_exempt
def nothing_page(request: HttpRequest) -> HttpResponseBase:
    """Any other address of EasyDL's."""
    return _error(NO_METHOD, f"Unsupported openapi method: {request.path_info}")


urlpatterns = [
    path("oauth/2.0/token", token_page),
    re_path(r"^rpc/2\.0/ai_custom/v1/(?P<kind>\w+)/(?P<name>[\w-]+)$", predict_page),
]
