"""Imported once by the server that forks the processes of platform jobs: Django, and the handlers of these jobs."""

from __future__ import annotations

from importlib import import_module

import django

from studio.common.gc_freeze import gc_frozen

with gc_frozen():  # and to be shared with all that is forked
    django.setup()

    from studio.jobs.handlers import job_kinds

    for _path in dict.fromkeys(job_kinds().values()):
        if "platform" in import_module(_path).EXECUTORS.values():
            import_module(_path)
    import_module("studio.jobs.reporter")
