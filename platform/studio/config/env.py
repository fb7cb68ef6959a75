"""The one module that reads the environment: once, at boot, and it names everything that is missing or wrong together.

Everything has a default that is right for one machine and one person. In production only variables change, never files.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl, unquote, urlsplit

from studio.common.sockets import socket_path
from studio.config import env_accounts, env_limits, env_secrets
from studio.config.env_accounts import MailConfig, OidcConfig, SignUp

REPOSITORY = Path(__file__).resolve().parents[3]

T = TypeVar("T")

MOST_HOST_CHARS = 80
"""As many as the tables of hosts have room for."""
_ODD_IN_HOST = re.compile(r"[^A-Za-z0-9._-]")


class EnvError(Exception):
    """The environment cannot be used; the message lists every variable that is missing or wrong."""

    code = "env_invalid"

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("The environment needs mending:\n" + "\n".join(f"  - {problem}" for problem in problems))


@dataclass(frozen=True)
class S3Config:
    """An S3 bucket."""

    endpoint: str
    bucket: str
    access_key: str
    secret_key: str = field(repr=False)


@dataclass(frozen=True)
class DatabaseConfig:
    """SQLite in a file, or PostgreSQL."""

    is_postgres: bool
    name: str
    user: str = ""
    password: str = field(default="", repr=False)
    host: str = ""
    port: str = ""
    prepare_threshold: int | None = 5
    """How often a connection asks a statement before PostgreSQL keeps it parsed and planned; None: it keeps none."""
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Env:
    """The settings from the environment, validated."""

    home: Path
    """Everything that the platform writes on this host lies below."""
    assets_dir: Path
    secret_key: str = field(repr=False)
    database: DatabaseConfig
    broker_url: str = field(repr=False)
    s3: S3Config | None
    """None keeps blobs below ``home``."""
    is_debug: bool
    is_behind_proxy: bool
    """True trusts ``X-Forwarded-For`` and ``X-Forwarded-Proto`` of the nearest proxy."""
    allowed_hosts: tuple[str, ...]
    public_url: str
    prediction_url: str
    are_metrics_open: bool
    """Whether other machines may read the prediction server's ``/metrics`` without a token."""
    metrics_token: str = field(repr=False)
    """Who shows it may read them from anywhere; empty: there is none. The prediction server reads the variable itself."""
    source_folders: tuple[str, ...]
    """Folders of the host that people may collect pictures from."""
    source_networks: tuple[str, ...]
    """Private networks, like ``10.1.0.0/16``, in which addresses of pictures and buckets may lie."""
    num_workers: int
    """Jobs that run at the same time on this host."""
    job_threads: int | None
    """Threads of one job; None: its share of the cores."""
    host_name: str
    """By which the workers of this host are known to the others."""
    host_address: str
    """At which other hosts reach this one; empty takes the address by which it reaches the database or the broker."""
    quotas: Mapping[str, int]
    """What a workspace may use at most; 0: as much as it likes."""
    rates: Mapping[str, int]
    """How often in a minute a caller may ask for what costs much; 0: as often as it likes."""
    cache_bytes: int
    """The most that jobs may keep in the cache of this host; 0: as much as it takes."""
    audit_days: int
    """Days that the audit trail is kept; 0 keeps it for ever."""
    sign_up: SignUp
    """Who may make an account: anybody, who has an invitation, nobody."""
    sign_up_limit: int
    """New accounts from one address of the network in an hour."""
    session_idle_minutes: int
    """A session that nobody used for so long has ended; 0: none ends by that."""
    mail: MailConfig | None
    """None: no mail is sent, and nothing asks for it."""
    oidc: OidcConfig | None
    """A provider of identities that people may sign in with."""


class _Reader:
    """Collects problems instead of stopping at the first."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.problems: list[str] = []

    def text(self, name: str, default: str = "") -> str:
        return self._environ.get(name, "").strip() or default

    def parsed(self, name: str, default: str, parse: Callable[[str], T], fallback: T) -> T:
        value = self.text(name, default)
        try:
            return parse(value)
        except ValueError as error:
            self.problems.append(f"{name} is wrong: {error}")
            return fallback

    def number(self, name: str, default: str) -> int:
        return self.parsed(name, default, _at_least_zero, 0)

    def needed(self, name: str, reason: str) -> str:
        value = self.text(name)
        if not value:
            self.problems.append(f"{name} is missing: {reason}")
        return value


def env_read(environ: Mapping[str, str] | None = None) -> Env:
    """Reads and checks the environment.

    Raises:
        EnvError: with every problem at once.
    """
    reader = _Reader(os.environ if environ is None else environ)
    home = Path(reader.text("MODELYARD_HOME", str(REPOSITORY / "var"))).expanduser().resolve()
    public_url = reader.parsed("MODELYARD_PUBLIC_URL", "http://127.0.0.1:8000", _http_url, "")
    public_host = urlsplit(public_url).hostname or "127.0.0.1"
    hosts = reader.text("MODELYARD_ALLOWED_HOSTS", f"{public_host},localhost,127.0.0.1,[::1]")
    database = reader.parsed(
        "MODELYARD_DATABASE_URL", f"sqlite:///{home / 'modelyard.sqlite3'}", _database, DatabaseConfig(False, ":memory:")
    )
    env = Env(
        home=home,
        assets_dir=Path(reader.text("MODELYARD_ASSETS", str(home / "assets"))).expanduser().resolve(),
        secret_key=reader.parsed("MODELYARD_SECRET_KEY", "", lambda value: env_secrets.secret_key(value, home), ""),
        database=database,
        broker_url=reader.parsed("MODELYARD_BROKER_URL", _socket_url(home), _broker_url, ""),
        s3=_s3(reader),
        is_debug=reader.parsed("MODELYARD_DEBUG", "0", _switch, False),
        is_behind_proxy=reader.parsed("MODELYARD_BEHIND_PROXY", "0", _switch, False),
        allowed_hosts=tuple(dict.fromkeys(host.strip() for host in hosts.split(",") if host.strip())),
        public_url=public_url,
        prediction_url=reader.parsed("MODELYARD_PREDICTION_URL", "http://127.0.0.1:8010", _http_url, ""),
        are_metrics_open=reader.parsed("MODELYARD_OPEN_METRICS", "0", _switch, False),
        metrics_token=reader.parsed("MODELYARD_METRICS_TOKEN", "", env_secrets.token, ""),
        source_folders=reader.parsed("MODELYARD_SOURCE_FOLDERS", "", _folders, ()),
        source_networks=reader.parsed("MODELYARD_SOURCE_NETWORKS", "", _networks, ()),
        num_workers=reader.parsed("MODELYARD_WORKERS", str(max(1, min(4, os.cpu_count() or 1))), _at_least_one, 1),
        job_threads=reader.parsed("MODELYARD_JOB_THREADS", "auto", _threads, None),
        host_name=reader.parsed("MODELYARD_HOST", _known_host(socket.gethostname()), _host_name, "localhost"),
        host_address=reader.text("MODELYARD_HOST_ADDRESS"),
        quotas=env_limits.quotas(reader.number),
        rates=env_limits.rates(reader.number),
        cache_bytes=reader.number("MODELYARD_CACHE_GB", "50") * 2**30,
        audit_days=reader.parsed("MODELYARD_AUDIT_DAYS", "0", _at_least_zero, 0),
        sign_up=reader.parsed("MODELYARD_SIGN_UP", env_accounts.sign_up_default(public_host), env_accounts.sign_up, "closed"),
        sign_up_limit=reader.parsed("MODELYARD_SIGN_UP_LIMIT", "30", _at_least_one, 1),
        session_idle_minutes=reader.parsed("MODELYARD_SESSION_IDLE_MINUTES", "0", env_accounts.minutes, 0),
        mail=reader.parsed("MODELYARD_EMAIL_URL", "", lambda value: env_accounts.mail(value, reader.text), None),
        oidc=reader.parsed("MODELYARD_OIDC_ISSUER", "", lambda value: env_accounts.oidc(value, reader.text), None),
    )
    if reader.problems:
        raise EnvError(reader.problems)
    return env


def _socket_url(home: Path) -> str:
    return f"redis+socket://{socket_path(home, 'broker.sock')}"


def _database(value: str) -> DatabaseConfig:
    parts = urlsplit(value)
    if parts.scheme == "sqlite":
        name = unquote(parts.path.removeprefix("/")) if parts.path.startswith("//") else unquote(parts.path)
        if not name.strip("/"):
            raise ValueError("write sqlite:////path/to/file")
        return DatabaseConfig(is_postgres=False, name=name)
    if parts.scheme in {"postgres", "postgresql"}:
        name = unquote(parts.path.strip("/"))
        if not name:
            raise ValueError("write postgres://user:password@host:5432/name")
        options = dict(parse_qsl(parts.query))
        threshold = options.pop("prepare_threshold", "5")
        if threshold != "none" and not threshold.isdecimal():
            raise ValueError("prepare_threshold is a number of times, or none behind a pooler that shares connections")
        return DatabaseConfig(
            is_postgres=True,
            name=name,
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            host=parts.hostname or "",
            port=str(parts.port or ""),
            prepare_threshold=None if threshold == "none" else int(threshold),
            options=options,
        )
    raise ValueError("it starts with sqlite:// or postgres://")


def _broker_url(value: str) -> str:
    if value.split("://", 1)[0] not in {"redis", "rediss", "redis+socket", "amqp", "amqps", "memory"}:
        raise ValueError("it starts with redis://, rediss://, redis+socket:// or amqp://")
    return value


def _s3(reader: _Reader) -> S3Config | None:
    value = reader.text("MODELYARD_BLOBS", "file")
    if value == "file":
        return None
    bucket = value.removeprefix("s3://").strip("/")
    if not value.startswith("s3://") or not bucket or "/" in bucket:
        reader.problems.append("MODELYARD_BLOBS is wrong: write file or s3://bucket")
    return S3Config(
        endpoint=reader.needed("MODELYARD_S3_ENDPOINT", "blobs are on S3; e.g. https://s3.example.org"),
        bucket=bucket,
        access_key=reader.needed("MODELYARD_S3_ACCESS_KEY", "blobs are on S3"),
        secret_key=reader.needed("MODELYARD_S3_SECRET_KEY", "blobs are on S3"),
    )


def _host_name(value: str) -> str:
    """Part of the names of workers, queues and folders: Celery fills in what follows a %, and ends a name at an @."""
    odd = "".join(dict.fromkeys(_ODD_IN_HOST.findall(value)))
    if odd:
        fault = f"{value!r} holds {odd!r}, which names of workers and queues cannot"
    elif not value[0].isalnum():
        fault = f"{value!r} begins with {value[0]!r}"
    elif len(value) > MOST_HOST_CHARS:
        fault = f"{value!r} has {len(value)} characters"
    else:
        return value
    raise ValueError(
        f"{fault}; write at most {MOST_HOST_CHARS} Latin letters, digits, dots, hyphens and underscores, e.g. gpu-1"
    )


def _known_host(value: str) -> str:
    """What the system calls itself, as far as a host may be called so."""
    return _ODD_IN_HOST.sub("-", value)[:MOST_HOST_CHARS].lstrip("-._") or "localhost"


def _switch(value: str) -> bool:
    if value.lower() in {"1", "true", "yes", "on"}:
        return True
    if value.lower() in {"0", "false", "no", "off"}:
        return False
    raise ValueError("write 1 or 0")


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("write http://host:port or https://host")
    return value.rstrip("/")


def _folders(value: str) -> tuple[str, ...]:
    folders = tuple(part for part in value.split(os.pathsep) if part)
    if not all(Path(folder).is_absolute() for folder in folders):
        raise ValueError(f"write absolute paths with {os.pathsep} between")
    return folders


def _networks(value: str) -> tuple[str, ...]:
    return tuple(str(ip_network(part.strip(), strict=False)) for part in value.split(",") if part.strip())


def _at_least_one(value: str) -> int:
    number = int(value) if value.isdigit() else 0
    if number < 1:
        raise ValueError("write a whole number from 1")
    return number


def _threads(value: str) -> int | None:
    if value == "auto":
        return None
    if not value.isdigit() or int(value) < 1:
        raise ValueError("write a whole number from 1, or auto")
    return int(value)


def _at_least_zero(value: str) -> int:
    if not value.isdigit():
        raise ValueError("write a whole number from 0")
    return int(value)
