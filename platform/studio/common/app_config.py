"""What each app of the platform registers in its ``apps.py``: routers, job handlers and hooks, found by listing the apps.

A lower app that must call a higher one calls a hook: a function of a fixed name, whose signature stands as a Protocol of that
name in camel case where it is called (``hooks.py`` of that app). The higher app names the module that has it. All are plain
names, looked up when they are used, so that an app is imported only where it is wanted. Settings were decided against: everyone
who adds something would change the same file, far from what is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

from django.apps import AppConfig, apps


class StudioAppConfig(AppConfig):
    """A Django app that brings something of the platform's.

    An ``apps.py`` imports this module, not the class: Django takes every class that it finds there for the app's own.
    """

    job_handlers: ClassVar[Mapping[str, str]] = {}
    """Kind of job -> module that handles it: ``studio.jobs.handlers``."""
    hooks: ClassVar[Mapping[str, str]] = {}
    """Name of a hook -> module whose function of that name is called. Of a hook that is asked for one thing at a time the name
    says which, behind a colon: ``quota_used:items``.
    """
    routers: ClassVar[tuple[str, ...]] = ()
    """Modules with a ``router`` of the API, in the order of its description."""


def studio_apps() -> list[StudioAppConfig]:
    """All apps that are installed, from the ground up."""
    return [app for app in apps.get_app_configs() if isinstance(app, StudioAppConfig)]


def hook_functions(name: str) -> Iterator[Any]:
    """The functions that apps bring for a hook; the caller knows their signature."""
    for app in studio_apps():
        if name in app.hooks:
            yield getattr(import_module(app.hooks[name]), name.partition(":")[0])
