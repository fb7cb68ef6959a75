"""The door for the web server: ``granian --interface wsgi studio.config.wsgi:application``."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")

application = get_wsgi_application()
