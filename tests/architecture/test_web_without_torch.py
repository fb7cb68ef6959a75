"""The web process never loads torch, whatever page it serves, nor what takes a second or a hundred megabytes at its start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "cv2", "openvino", "onnxscript", "engine.training", "sklearn", "scipy")

SCRIPT = f"""
import sys
from django.core.management import call_command
import studio.config.asgi
from studio.config.celery import app
from studio.config.urls import urlpatterns
from studio.projects.catalog import families_of, tasks
call_command("check")
app.loader.import_default_modules()
assert urlpatterns and all(families_of(task) for task in tasks().values())
print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_web_and_worker_processes_load_no_torch(tmp_path: Path):
    environment = {
        **os.environ,
        "MODELYARD_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "studio.config.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
