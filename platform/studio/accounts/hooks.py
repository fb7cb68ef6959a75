"""Tells higher rooms of what happened here, by the names in settings."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.db import transaction


def keys_changed() -> None:
    """After the commit: whoever keeps a copy of the keys (the prediction server's folder) renews it."""
    for path in settings.KEY_HOOKS:
        transaction.on_commit(import_module(path).keys_changed)
