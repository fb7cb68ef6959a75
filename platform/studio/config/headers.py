"""Security headers that Django has no setting for."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",  # component libraries set sizes and colours as style attributes
        "script-src 'self' 'wasm-unsafe-eval'",  # the click-to-mask assist runs onnxruntime, WebAssembly that we serve
        "worker-src 'self' blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


class ContentSecurityMiddleware:
    """Sets the content security policy on every answer, and forbids caches to keep the API's answers about people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Adds the headers, unless the view set its own."""
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        if request.path_info.startswith("/api/"):
            # What has a tag may be kept by the caller's own browser, but not without asking again.
            response.headers.setdefault("Cache-Control", "private, no-cache" if "ETag" in response else "no-store")
        response.headers.setdefault("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")
        return response
