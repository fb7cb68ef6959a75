"""The platform's settings for tests: a home of its own, passwords hashed fast, tasks run where they are sent.

Read by pytest-django before any conftest. ``MODELYARD_TEST_SERVICES`` is ``embedded`` (the default: SQLite, files) or
``production`` (PostgreSQL, S3).
"""

import atexit
import os
import shutil
import tempfile

KEPT = ("MODELYARD_TEST_", "MODELYARD_LITERT_PYTHON")
for name in [name for name in os.environ if name.startswith("MODELYARD_") and not name.startswith(KEPT)]:
    del os.environ[name]
os.environ["MODELYARD_HOME"] = tempfile.mkdtemp(prefix="modelyard-test-")
os.environ["MODELYARD_BROKER_URL"] = "memory://"
os.environ["MODELYARD_SIGN_UP_LIMIT"] = "100000"  # all tests come from one address
os.environ["MODELYARD_JOB_THREADS"] = "1"  # other tests run beside them
atexit.register(shutil.rmtree, os.environ["MODELYARD_HOME"], ignore_errors=True)
TEST_SERVICES = os.environ.get("MODELYARD_TEST_SERVICES", "embedded")
if TEST_SERVICES == "production":
    os.environ["MODELYARD_DATABASE_URL"] = "postgres://postgres@127.0.0.1:5432/modelyard"

from studio.config.settings import *  # noqa: E402, F403 - the environment must be set before it is read
from studio.config.settings import DATABASES, HOME, INSTALLED_APPS  # noqa: E402

INSTALLED_APPS = [*INSTALLED_APPS, "tests.studio.probe_app.ProbeConfig"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
DATABASES["default"]["CONN_MAX_AGE"] = 0
if "sqlite3" in DATABASES["default"]["ENGINE"]:
    # A file, not memory: leases are renewed by another thread, and that needs a second connection.
    DATABASES["default"]["TEST"] = {"NAME": str(HOME / "test.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_modelyard_{os.getpid()}"}
