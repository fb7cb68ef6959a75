"""Imported once by the server that forks the processes of platform jobs: Django, and the handlers of these jobs."""

from __future__ import annotations

import gc
from importlib import import_module

import django

django.setup()

from studio.jobs.handlers import job_kinds  # noqa: E402 - models are there from now on

for _path in dict.fromkeys(job_kinds().values()):
    if "platform" in import_module(_path).EXECUTORS.values():
        import_module(_path)
import_module("studio.jobs.reporter")
gc.freeze()  # shared with all that is forked
