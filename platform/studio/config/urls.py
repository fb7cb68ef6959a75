"""Addresses: the API, and the front end for everything else."""

from __future__ import annotations

from django.urls import include, path, re_path

from studio.common.problem import PROGRAMS
from studio.config.api import api
from studio.config.docs_page import docs_file, docs_page
from studio.config.frontend import frontend_page
from studio.config.openapi import openapi_page

handler500 = "studio.common.problem.server_error"

urlpatterns = [
    path("api/openapi.json", openapi_page),
    path("api/docs", docs_page),
    path("api/docs/<str:name>", docs_file),
    # EasyDL's own addresses; by name, since the labelling app must not be imported from here.
    path("", include("studio.deployments.easydl")),
    path("", include("labeling.easydl")),
    # Where a provider of identities sends browsers back to: /api/auth/oidc/oidc/login/callback/
    path("api/auth/", include("allauth.socialaccount.providers.openid_connect.urls")),
    path("api/", api.urls),
    # A wrong address of programs is an error, not a page.
    re_path(rf"^(?!{'|'.join(start[1:] for start in PROGRAMS)}).*$", frontend_page),
]
