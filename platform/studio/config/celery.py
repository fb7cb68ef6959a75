"""The Celery application. Two queues: ``control`` for short work, ``jobs`` for what runs in a process of its own.

Workers: ``celery -A studio.config.celery worker -Q jobs -c N`` and
``celery -A studio.config.celery worker -Q control -P threads -c 4 -B`` (with the beat inside). A message only says that a row
may want attention: what is to be done, and whether, is read from the row.
"""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")

app = Celery("modelyard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
