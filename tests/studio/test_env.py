"""The environment: right by default, and everything that is wrong is named at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from studio.config.env import EnvError, env_read


def test_nothing_need_be_set(tmp_path: Path):
    env = env_read({"MODELYARD_HOME": str(tmp_path)})
    assert env.database.name == str(tmp_path / "modelyard.sqlite3")
    assert env.broker_url == f"redis+socket://{tmp_path}/run/broker.sock"
    assert env.s3 is None
    assert env.job_threads is None
    assert not env.is_debug
    assert env.allowed_hosts == ("127.0.0.1", "localhost", "[::1]")


def test_secret_is_made_once_and_kept_private(tmp_path: Path):
    first, second = (env_read({"MODELYARD_HOME": str(tmp_path)}).secret_key for _ in range(2))
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    assert env_read({"MODELYARD_HOME": str(tmp_path / "other")}).secret_key != first


def test_secrets_are_not_shown(tmp_path: Path):
    env = env_read(
        {
            "MODELYARD_HOME": str(tmp_path),
            "MODELYARD_SECRET_KEY": "k" * 40,
            "MODELYARD_DATABASE_URL": "postgres://me:hidden-password@db:5433/studio",
            "MODELYARD_BROKER_URL": "redis://:hidden-password@broker:6379/0",
            "MODELYARD_BLOBS": "s3://pictures",
            "MODELYARD_S3_ENDPOINT": "https://s3.example.org",
            "MODELYARD_S3_ACCESS_KEY": "key",
            "MODELYARD_S3_SECRET_KEY": "hidden-password",
            "MODELYARD_METRICS_TOKEN": "hidden-password-of-metrics",
        }
    )
    assert "hidden-password" not in repr(env)
    assert env.metrics_token == "hidden-password-of-metrics"
    assert "kkkk" not in repr(env)
    assert (env.database.host, env.database.port, env.database.user) == ("db", "5433", "me")
    assert env.database.password == "hidden-password"
    assert env.s3.bucket == "pictures"


@pytest.mark.parametrize(("query", "times"), [("", 5), ("?prepare_threshold=0", 0), ("?prepare_threshold=none", None)])
def test_statements_are_kept_unless_a_pooler_forbids_it(tmp_path: Path, query: str, times: int | None):
    address = f"postgres://me@db/studio{query}{'&' if query else '?'}sslmode=require"
    database = env_read({"MODELYARD_HOME": str(tmp_path), "MODELYARD_DATABASE_URL": address}).database
    assert database.prepare_threshold == times
    assert database.options == {"sslmode": "require"}
    with pytest.raises(EnvError, match="or none behind a pooler"):
        env_read({"MODELYARD_HOME": str(tmp_path), "MODELYARD_DATABASE_URL": "postgres://me@db/studio?prepare_threshold=often"})


def test_everything_wrong_is_named_at_once(tmp_path: Path):
    wrong = {
        "MODELYARD_HOME": str(tmp_path),
        "MODELYARD_SECRET_KEY": "short",
        "MODELYARD_DATABASE_URL": "mysql://db/name",
        "MODELYARD_BROKER_URL": "kafka://broker",
        "MODELYARD_BLOBS": "s3://bucket",
        "MODELYARD_DEBUG": "perhaps",
        "MODELYARD_PUBLIC_URL": "example.org",
        "MODELYARD_WORKERS": "0",
        "MODELYARD_JOB_THREADS": "many",
        "MODELYARD_HOST": "gpu 1",
        "MODELYARD_METRICS_TOKEN": "short",
    }
    with pytest.raises(EnvError) as refused:
        env_read(wrong)
    named = {problem.split()[0] for problem in refused.value.problems}
    missing = {"MODELYARD_S3_ENDPOINT", "MODELYARD_S3_ACCESS_KEY", "MODELYARD_S3_SECRET_KEY"}
    assert named == (set(wrong) - {"MODELYARD_HOME", "MODELYARD_BLOBS"}) | missing


@pytest.mark.parametrize(("name", "why"), [("gpu@1%h", "holds '@%'"), ("-gpu", "begins with '-'"), ("g" * 81, "81 characters")])
def test_a_host_is_named_so_that_workers_and_queues_can_be(tmp_path: Path, name: str, why: str):
    with pytest.raises(EnvError, match=f"MODELYARD_HOST is wrong: .*{why}.*e.g. gpu-1"):
        env_read({"MODELYARD_HOME": str(tmp_path), "MODELYARD_HOST": name})
    assert env_read({"MODELYARD_HOME": str(tmp_path), "MODELYARD_HOST": "rack2.gpu_1-b"}).host_name == "rack2.gpu_1-b"


@pytest.mark.parametrize("value", ["s3://", "s3://a/b", "gcs://bucket"])
def test_blobs_are_on_files_or_in_one_bucket(tmp_path: Path, value: str):
    with pytest.raises(EnvError, match="MODELYARD_BLOBS is wrong"):
        env_read({"MODELYARD_HOME": str(tmp_path), "MODELYARD_BLOBS": value})


def test_home_that_cannot_be_written_is_explained(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(EnvError, match="MODELYARD_SECRET_KEY"):
        env_read({"MODELYARD_HOME": str(tmp_path / "file" / "home")})


def test_long_home_gets_a_short_socket(tmp_path: Path):
    url = env_read({"MODELYARD_HOME": str(tmp_path / ("x" * 120))}).broker_url
    assert len(url.removeprefix("redis+socket://")) <= 100


def test_processes_that_begin_at_once_share_one_key(tmp_path):
    """Each reads a whole key, and all the same."""
    for number in range(15):
        home = {"MODELYARD_HOME": str(tmp_path / str(number))}
        with ThreadPoolExecutor(8) as pool:
            keys = set(pool.map(lambda _, home=home: env_read(home).secret_key, range(8)))
        assert len(keys) == 1
        assert [path.name for path in (tmp_path / str(number)).glob("secret_key*")] == ["secret_key"]


def test_sign_up_is_open_on_this_machine_and_by_invitation_elsewhere(tmp_path: Path):
    home = {"MODELYARD_HOME": str(tmp_path)}
    assert env_read(home).sign_up == "open"
    assert env_read({**home, "MODELYARD_PUBLIC_URL": "https://studio.example.org"}).sign_up == "invitation"
    assert env_read({**home, "MODELYARD_SIGN_UP": "closed"}).sign_up == "closed"


def test_mail_and_provider_are_read_whole(tmp_path: Path):
    env = env_read(
        {
            "MODELYARD_HOME": str(tmp_path),
            "MODELYARD_EMAIL_URL": "smtps://me:p%40ss@mail.example.org",
            "MODELYARD_EMAIL_FROM": "studio@example.org",
            "MODELYARD_OIDC_ISSUER": "https://login.example.org/realms/main/",
            "MODELYARD_OIDC_CLIENT_ID": "studio",
            "MODELYARD_OIDC_CLIENT_SECRET": "hidden-secret",
            "MODELYARD_OIDC_DOMAINS": "Example.org, corp.example",
        }
    )
    assert env.mail is not None
    assert (env.mail.host, env.mail.port, env.mail.password, env.mail.is_tls) == ("mail.example.org", 465, "p@ss", True)
    assert env.oidc is not None
    assert (env.oidc.issuer, env.oidc.name) == ("https://login.example.org/realms/main", "login.example.org")
    assert env.oidc.domains == ("example.org", "corp.example")
    assert "p@ss" not in str(env)
    assert "hidden-secret" not in str(env)


def test_what_is_wrong_with_accounts_is_named_together(tmp_path: Path):
    with pytest.raises(EnvError) as refused:
        env_read(
            {
                "MODELYARD_HOME": str(tmp_path),
                "MODELYARD_SIGN_UP": "yes",
                "MODELYARD_EMAIL_URL": "smtp://mail.example.org",
                "MODELYARD_OIDC_ISSUER": "https://login.example.org",
                "MODELYARD_SESSION_IDLE_MINUTES": "soon",
            }
        )
    for name in ("MODELYARD_SIGN_UP", "MODELYARD_EMAIL_FROM", "MODELYARD_OIDC_CLIENT_ID", "MODELYARD_SESSION_IDLE_MINUTES"):
        assert name in str(refused.value)
