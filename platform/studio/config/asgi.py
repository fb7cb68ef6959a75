"""The ASGI application: ``granian --interface asgi studio.config.asgi:application``."""

from __future__ import annotations

import os
import resource
from importlib import import_module

from django.core.wsgi import get_wsgi_application

from studio.common.gc_freeze import gc_frozen

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")
with gc_frozen():
    _handler = get_wsgi_application()
    import_module("studio.config.urls")  # else the first request would wait for it

from django.conf import settings

from studio.config.asgi_bridge import Application
from studio.config.request_bodies import Bodies
from studio.config.sqlite3.base import writers_limit
from studio.config.threads import Threads

WEB_THREADS = 48  # event streams hold up to 24 of them: settings.EVENT_VIEWERS_MAX
WRITERS_WAITING = 16
"""On SQLite: the other threads answer those who read."""
WRITE_WAIT_S = 5.0
OPEN_FILES = 16_384
"""Each connection is an open file; a login shell's usual limit of 1,024 is soon reached."""


def _files_allow() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_soft = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < new_soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_soft, hard))


_files_allow()
writers_limit(most=WRITERS_WAITING, wait_s=WRITE_WAIT_S)
application = Application(_handler, bodies=Bodies(settings.HOME / "bodies"), threads=Threads(WEB_THREADS))
