"""docker-compose.yml: sound as a document, and its very commands walk the product on PostgreSQL, Redis and S3.

No container engine is needed: each service's command and environment are taken from the file, with the services' names replaced
by addresses of servers that run here.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psycopg
import pytest
import yaml
from django.conf import settings
from minio import Minio
from minio.error import S3Error

from studio.config.processes import answers
from tests.journeys.walk import Walk
from tests.support import services
from tests.support.once import share_host_cache
from tests.support.platform_process import ASSETS, ROOT, free_ports

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
WEED = str(shutil.which("weed", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"))
PLATFORM = ("web", "worker-control", "worker-cpu", "serving")


def test_every_reference_has_its_object():
    names, volumes = set(COMPOSE["services"]), set(COMPOSE["volumes"])
    for name, service in COMPOSE["services"].items():
        assert "image" in service or (ROOT / service["build"] / "Dockerfile").exists(), name
        assert set(service.get("depends_on", {})) <= names, name
        for needed, condition in service.get("depends_on", {}).items():
            if condition["condition"] == "service_healthy":
                assert "healthcheck" in COMPOSE["services"][needed], f"{name} waits for the health of {needed}"
        assert {volume.split(":")[0] for volume in service.get("volumes", ())} <= volumes, name


def test_the_environment_is_one_that_the_platform_reads():
    known = set(re.findall(r"MODELYARD_[A-Z0-9_]+", (ROOT / "platform/studio/config/env.py").read_text()))
    for name in PLATFORM:
        given = {variable for variable in COMPOSE["services"][name]["environment"] if variable.startswith("MODELYARD_")}
        assert given <= known


def test_every_image_has_a_version():
    images = [service["image"] for service in COMPOSE["services"].values() if "image" in service]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    assert len(images) == 5
    for image in images:
        assert re.search(r":\d+\.\d+", image), f"{image} changes under our feet"


def test_workers_and_the_prediction_server_keep_what_they_write_to_themselves():
    assert "umask 077" in COMPOSE["services"]["serving"]["command"][2]
    assert "mkdir --mode=700 /data" in (ROOT / "Dockerfile").read_text()


def test_the_clock_has_threads_beside_the_places_for_jobs():
    command = COMPOSE["services"]["worker-control"]["command"]
    here = re.search(r'"-Q", "control", .*"-c", "(\d+)"', (ROOT / "platform/studio/config/processes.py").read_text())
    assert here
    assert int(command[command.index("-c") + 1]) == int(here[1]) > settings.JOB_PLACES


def test_the_store_takes_its_key_and_nobody_else(tmp_path):
    """The very command of the file, with ports of this machine: the version is that which the tests install."""
    service = COMPOSE["services"]["s3"]
    version = re.search(r"^version \S+ (\S+)", subprocess.run([WEED, "version"], capture_output=True, text=True).stdout)
    assert version
    assert service["image"].rpartition(":")[2] == version[1]
    s3, s3_grpc, master, master_grpc, volume, volume_grpc, filer, filer_grpc = free_ports(8)
    words = [word.replace("=/data", f"={tmp_path}").replace("=8333", f"={s3}") for word in service["command"]]
    words = [word.replace("0.0.0.0", "127.0.0.1") for word in words]
    words += [f"-s3.port.grpc={s3_grpc}", f"-master.port={master}", f"-master.port.grpc={master_grpc}"]
    words += [f"-volume.port={volume}", f"-volume.port.grpc={volume_grpc}", f"-filer.port={filer}"]
    words += [f"-filer.port.grpc={filer_grpc}"]
    healthy = f"http://127.0.0.1:{s3}/healthz"
    assert service["healthcheck"]["test"][1].endswith("http://127.0.0.1:8333/healthz")
    given = {"AWS_ACCESS_KEY_ID": "name", "AWS_SECRET_ACCESS_KEY": "a-password-of-some-length"}
    with services.process([WEED, *words], is_ready=answers(healthy), log=tmp_path / "weed.log", env=given):
        Minio(f"127.0.0.1:{s3}", "name", "a-password-of-some-length", secure=False).make_bucket("modelyard")
        with pytest.raises(S3Error, match="Signature"):
            Minio(f"127.0.0.1:{s3}", "name", "another", secure=False).list_buckets()
        assert httpx.get(f"http://127.0.0.1:{s3}/modelyard", timeout=5).status_code == httpx.codes.FORBIDDEN


def test_no_secret_has_a_default():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("MODELYARD_SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD", "S3_ACCESS_KEY", "S3_SECRET_KEY"):
        assert f"${{{name}:?" in text
        assert f"${{{name}:-" not in text


class Composed:
    """The platform's services of the file, run by hand."""

    def __init__(self, home: Path, stack: ExitStack) -> None:
        self.home = home
        self._stack = stack
        self._web, self._serving = free_ports(2)
        self.url = f"http://127.0.0.1:{self._web}"
        self.prediction_url = f"http://127.0.0.1:{self._serving}"

    def start(self) -> Composed:
        (self.home / "logs").mkdir(parents=True)
        share_host_cache(self.home / "data")
        postgres = self._stack.enter_context(services.postgres())
        database = f"compose_{secrets.token_hex(4)}"
        admin = self._stack.enter_context(psycopg.connect(postgres, autocommit=True))
        admin.execute(f"CREATE DATABASE {database}")
        self._stack.callback(lambda: admin.execute(f"DROP DATABASE {database} WITH (FORCE)"))
        redis = self._stack.enter_context(services.redis_protocol("redis-server", self.home))
        (self.home / "s3").mkdir()
        endpoint, access, secret = self._stack.enter_context(services.seaweed(self.home / "s3"))
        given = {
            "MODELYARD_SECRET_KEY": secrets.token_urlsafe(40),
            "MODELYARD_PUBLIC_URL": self.url,
            "MODELYARD_PREDICTION_URL": self.prediction_url,
            "POSTGRES_PASSWORD": "unused",
            "REDIS_PASSWORD": "unused",
            "S3_ACCESS_KEY": access,
            "S3_SECRET_KEY": secret,
        }
        here = {
            "MODELYARD_HOME": str(self.home / "data"),
            "MODELYARD_DATABASE_URL": f"{postgres.rpartition('/')[0]}/{database}",
            "MODELYARD_BROKER_URL": redis,
            "MODELYARD_S3_ENDPOINT": endpoint,
        }
        ready = {
            "web": answers(f"{self.url}/api/health"),
            "serving": answers(f"{self.prediction_url}/health"),
        }
        for name in PLATFORM:
            self._run(name, given, here, ready.get(name, lambda: True))
        return self

    def _run(self, name: str, given: dict[str, str], here: dict[str, str], is_ready: Callable[[], bool]) -> None:
        service = COMPOSE["services"][name]
        declared = {key: _filled(str(value), given) for key, value in service["environment"].items()}
        ports = {"8000": str(self._web), "8010": str(self._serving)}
        words = [_filled(word, given) for word in service["command"]]
        words = [re.sub(r"\b(8000|8010)\b", lambda found: ports[found[1]], word) for word in words]
        words = [
            word.replace("/data/serving", f"{here['MODELYARD_HOME']}/serving").replace("0.0.0.0", "127.0.0.1") for word in words
        ]
        environment = {
            **declared,
            "DJANGO_SETTINGS_MODULE": "studio.config.settings",
            **here,
            "MODELYARD_ASSETS": str(ASSETS),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": f"{ROOT / 'platform'}{os.pathsep}{ROOT}",
        }
        log = self.home / "logs" / f"{name}.log"
        self._stack.enter_context(services.process(words, is_ready=is_ready, log=log, env=environment, wait_s=90))

    def log(self) -> str:
        """The ends of the services' logs."""
        return "\n".join(
            f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-25:])
            for path in sorted((self.home / "logs").glob("*.log"))
        )


@pytest.fixture
def composed(tmp_path, assets) -> Iterator[Composed]:
    with ExitStack() as stack:
        yield Composed(tmp_path, stack).start()


@pytest.mark.journey
@pytest.mark.timeout(400)
def test_its_commands_walk_from_pictures_to_an_answer(composed):
    with Walk(composed) as walk:
        made = walk.trained(per_class=16)
        deployment, key = walk.deploy(made["project"]["id"], made["artefact"]), walk.key()
        predicted = walk.predict(deployment, key, next(iter(made["pictures"].values())))
    assert predicted["model"] == made["artefact"]


def _filled(text: str, given: dict[str, str]) -> str:
    """Puts values into ``${NAME:?why}`` and ``${NAME:-default}`` as Compose does."""

    def value(found: re.Match[str]) -> str:
        name, operator, rest = found[1], found[2], found[3]
        if name in given:
            return given[name]
        assert operator == ":-", f"{name} is needed: {rest}"
        return rest

    return re.sub(r"\$\{(\w+)(:[?-])([^}]*)\}", value, text)
