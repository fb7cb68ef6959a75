"""The HTTP endpoints of the data sets: the routers of the packages, gathered."""

from __future__ import annotations

from ninja import Router

from studio.datasets.items.api import router as items
from studio.datasets.tables.api import router as tables
from studio.datasets.tables.profile_api import router as profiles
from studio.datasets.uploads.api import router as uploads
from studio.datasets.uploads.source_api import router as sources
from studio.datasets.versions.api import router as versions
from studio.datasets.versions.format_api import router as formats

router = Router(tags=["datasets"])
for one in (items, uploads, sources, versions, formats, tables, profiles):
    router.add_router("", one)
