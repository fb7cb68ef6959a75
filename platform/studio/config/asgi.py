"""The door for the web server: ``granian --interface asgi studio.config.asgi:application``."""

from __future__ import annotations

import os
import resource

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")
_handler = get_wsgi_application()

from django.conf import settings  # noqa: E402 - Django must be set up before

from studio.config.bodies import Bodies  # noqa: E402
from studio.config.front import Application  # noqa: E402
from studio.config.threads import Threads  # noqa: E402

WEB_THREADS = 48  # event streams hold up to 24 of them: settings.EVENT_VIEWERS_MAX
OPEN_FILES = 16_384
"""Each connection is an open file; a login shell's usual limit of 1,024 is soon reached."""


def _files_allow() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


_files_allow()
application = Application(_handler, bodies=Bodies(settings.HOME / "bodies"), threads=Threads(WEB_THREADS))
