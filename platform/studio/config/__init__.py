"""The project: settings, addresses, command line. Nothing imports this package."""

from studio.config.celery import app as celery_app

__all__ = ["celery_app"]
