"""The API's description as a page to read: Swagger UI as Django Ninja brings it, from this server alone.

An alternative was a package of the front end, which would be a second copy of the same program.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import ninja
import orjson
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.views.decorators.http import require_safe

from studio.common.errors import NotFoundError
from studio.common.problem import problem_response

_FOLDER = Path(ninja.__file__).parent / "static" / "ninja"
_FILES = {
    "swagger-ui.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui-init.js": "text/javascript; charset=utf-8",
}
_SETTINGS = {
    "url": "/api/openapi.json",
    "deepLinking": True,
    "docExpansion": "none",
    "filter": True,
    "persistAuthorization": False,
    "validatorUrl": None,  # it would ask a server of others
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Modelyard</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body data-api-csrf="true" data-csrf-token="{token}">
<script type="application/json" id="swagger-settings">{settings}</script>
<div id="swagger-ui"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/swagger-ui-init.js"></script>
</body>
</html>
"""


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    """``GET /api/docs``: as open as the description; who is signed in tries calls out in their own name."""
    return HttpResponse(_PAGE.format(token=get_token(request), settings=orjson.dumps(_SETTINGS).decode()))


@require_safe
def docs_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """What the page is drawn with."""
    file = _FOLDER / name
    if name not in _FILES:
        return problem_response(NotFoundError("There is no such file."))
    tag = f'"{ninja.__version__}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponseBase = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
    else:
        response = FileResponse(file.open("rb"), content_type=_FILES[name])
    response["ETag"], response["Cache-Control"] = tag, "public, no-cache"
    return response
