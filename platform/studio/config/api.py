"""The API: the routers of all apps, one way to be let in, one form of errors."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import orjson
from django.http import HttpRequest
from ninja import NinjaAPI, Schema
from ninja.renderers import JSONRenderer
from ninja.responses import NinjaJSONEncoder

from studio.accounts.authentication import AUTH
from studio.common.app_config import studio_apps
from studio.common.problem import problems_install
from studio.common.text import CheckedParser


class FastJSONRenderer(JSONRenderer):
    """Ninja's JSON by another encoder, ten times as fast; what that one cannot write is left to the slow one."""

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> Any:  # noqa: ANN401 - Ninja's own signature
        """Encodes an answer."""
        try:
            return orjson.dumps(data, default=_ENCODER.default, option=_OPTIONS)
        except TypeError:  # a number above 64 bits
            return super().render(request, data, response_status=response_status)


_ENCODER = NinjaJSONEncoder()
_OPTIONS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_NON_STR_KEYS


def code_version() -> str:
    """Version of Modelyard that runs."""
    try:
        return version("modelyard")
    except PackageNotFoundError:
        return "0.1.0"


class HealthOut(Schema):
    """The web process is up."""

    status: str
    version: str


def api_make() -> NinjaAPI:
    """Builds the API from the routers of all apps."""
    made = NinjaAPI(
        title="Modelyard",
        version=code_version(),
        auth=AUTH,
        parser=CheckedParser(),
        renderer=FastJSONRenderer(),
        docs_url=None,
        openapi_url=None,  # studio.config.openapi
        urls_namespace="api",
    )
    problems_install(made)
    for app in studio_apps():
        for module in app.routers:
            made.add_router("", import_module(module).router)
    return made


api = api_make()


@api.get("/health", response=HealthOut, auth=None, tags=["health"])
def health(request: HttpRequest) -> HealthOut:
    """Whether the web process answers."""
    del request
    return HealthOut(status="ok", version=code_version())
