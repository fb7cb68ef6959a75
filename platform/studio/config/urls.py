"""Addresses: the API, and the front end for everything else."""

from __future__ import annotations

from django.urls import path, re_path

from studio.config.api import api
from studio.config.frontend import frontend_page

handler500 = "studio.common.problem.server_error"

urlpatterns = [
    path("api/", api.urls),
    # A wrong address below /api/ is an error, not a page.
    re_path(r"^(?!api/).*$", frontend_page),
]
