"""Addresses: the API, and the front end for everything else."""

from __future__ import annotations

from django.urls import include, path, re_path

from studio.config.api import api
from studio.config.frontend import frontend_page
from studio.config.openapi import openapi_page

PROGRAMS = ("api/", "rpc/", "oauth/", "v1/", "metrics")
"""Beginnings of addresses that programs ask."""
handler500 = "studio.common.problem.server_error"

urlpatterns = [
    path("api/openapi.json", openapi_page),
    # Where a provider of identities sends browsers back to: /api/auth/oidc/oidc/login/callback/
    path("api/auth/", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("api/", api.urls),
    # A wrong address of programs is an error, not a page.
    re_path(rf"^(?!{'|'.join(PROGRAMS)}).*$", frontend_page),
]
