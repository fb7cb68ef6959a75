"""The platform's command line: ``manage.py`` of a clone, and ``modelyard-server`` where the package is installed."""

from __future__ import annotations

import gc
import os
import sys

GARBAGE = (50_000, 20, 50)
"""When to look for garbage: Python's usual 700 objects are a handful of models, and a migration makes thousands that stay."""


def main() -> None:
    """Hands the command line to Django."""
    gc.set_threshold(*GARBAGE)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415 - so that its absence can be explained

        from studio.config.env import EnvError  # noqa: PLC0415
    except ImportError as error:
        raise SystemExit(f"{error}. Run `make demo` once, or `pip install -e '.[web]'` in your environment.") from error
    try:
        execute_from_command_line(sys.argv)
    except EnvError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
