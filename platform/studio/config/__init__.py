"""The project: settings, addresses, command line. Nothing imports this room."""

from studio.config.celery import app as celery_app

__all__ = ["celery_app"]
