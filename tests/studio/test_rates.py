"""How often a caller may ask for what costs much: counted over all processes, refused with a time to come back, forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, RequestFactory

from studio.accounts.errors import RateLimitedError
from studio.accounts.models import RateCount
from studio.accounts.rates import NAMES, WINDOW_S, Rate, rate_check, rates_prune
from studio.accounts.roles import Role
from studio.config.env import EnvError, env_read
from tests.support.project_setup import home, setup

pytestmark = pytest.mark.both_databases("platform/studio/accounts/rates.py")

__all__ = ["home", "setup"]

JSON = "application/json"
NOW = 1_700_000_000


@pytest.fixture
def limited(settings):
    """Lets each caller in twice."""
    settings.RATES = {rate.value: 2 for rate in Rate}


def request_from(address: str = "192.0.2.1"):
    return RequestFactory().get("/", REMOTE_ADDR=address)


def announce(client: Client, dataset: str):
    body = {"name": "a.png", "size_bytes": 10, "kind": "file"}
    return client.post(f"/api/datasets/{dataset}/uploads", body, content_type=JSON)


def test_uploads_of_one_person_are_refused_and_of_another_are_not(setup, limited):
    client = setup.client()
    assert [announce(client, setup.dataset.id).status_code for _ in range(2)] == [201, 201]
    refused = announce(client, setup.dataset.id)
    body = refused.json()
    assert (refused.status_code, body["code"]) == (429, "rate_limited")
    assert 1 <= int(refused["Retry-After"]) <= WINDOW_S
    assert body["extra"] == {"rate": "uploads", "limit": 2, "retry_after_s": int(refused["Retry-After"])}
    assert announce(setup.client(setup.member("Sam", Role.ENGINEER)), setup.dataset.id).status_code == 201
    assert client.get(f"/api/datasets/{setup.dataset.id}/uploads").status_code == 200


def test_a_key_counts_for_itself(setup, limited):
    body = {"name": "robot", "role": "engineer"}
    secret = setup.client().post(f"/api/workspaces/{setup.workspace.id}/keys", body, content_type=JSON).json()["secret"]
    for client in (setup.client(), Client(headers={"Authorization": f"Bearer {secret}"})):
        assert [announce(client, setup.dataset.id).status_code for _ in range(3)] == [201, 201, 429]


@pytest.mark.parametrize(
    ("rate", "method", "address", "body"),
    [
        ("searches", "get", "/api/labeling/similar?project={project}&text=cat", None),
        ("sources", "post", "/api/datasets/{dataset}/sources", {"source": {"kind": "folder", "path": "/nowhere"}}),
        ("descriptions", "get", "/api/openapi.json", None),
    ],
)
def test_what_costs_much_is_limited_whether_or_not_it_succeeds(setup, limited, rate, method, address, body):
    ids = {"project": setup.project.id, "dataset": setup.dataset.id}
    client = setup.client()
    address = address.format(**ids)
    answers = [getattr(client, method)(address, body, content_type=JSON) for _ in range(3)]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]
    assert answers[2].json()["extra"]["rate"] == rate


def test_searches_by_picture_and_by_sentence_count_together(setup, limited):
    client, address = setup.client(), f"/api/labeling/similar?project={setup.project.id}"
    client.get(f"{address}&text=cat")
    answers = [client.post(address, {"file": SimpleUploadedFile("a.png", b"no picture")}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [409, 429]


def test_zero_and_the_defaults(db, settings, tmp_path):
    settings.RATES = {rate.value: None for rate in Rate}
    for _ in range(5):
        rate_check(request_from(), Rate.PLANS)
    assert not RateCount.objects.exists()
    home = {"MODELYARD_HOME": str(tmp_path)}
    assert set(env_read(home).rates) == {rate.value for rate in Rate} == {rate.value for rate in NAMES}
    assert env_read({**home, "MODELYARD_RATE_PLANS": "0"}).rates["plans"] == 0
    with pytest.raises(EnvError, match="MODELYARD_RATE_PLANS is wrong"):
        env_read({**home, "MODELYARD_RATE_PLANS": "often"})


def test_a_window_ends_and_old_counts_go(db, limited):
    for second in (0, 30):
        rate_check(request_from(), Rate.PLANS, now_s=NOW + second)
    with pytest.raises(RateLimitedError) as refused:
        rate_check(request_from(), Rate.PLANS, now_s=NOW + 40)
    assert refused.value.extra["retry_after_s"] == WINDOW_S - 40
    rate_check(request_from("192.0.2.2"), Rate.PLANS, now_s=NOW + 40)
    rate_check(request_from(), Rate.SEARCHES, now_s=NOW + 40)
    rate_check(request_from(), Rate.PLANS, now_s=NOW + WINDOW_S)
    # A clock that was wrong by hours does not shut anybody out.
    rate_check(request_from(), Rate.PLANS, now_s=NOW - 7200)
    assert rates_prune(now_s=NOW + 100) == 1
    assert rates_prune(now_s=NOW + 10 * WINDOW_S) == 2


@pytest.mark.django_db(transaction=True)
def test_callers_side_by_side_are_all_counted(settings):
    settings.RATES = {rate.value: 50 for rate in Rate}

    def ask(_: int) -> int:
        refused = 0
        for _each in range(10):
            try:
                rate_check(request_from(), Rate.SEARCHES, now_s=NOW)
            except RateLimitedError:
                refused += 1
        connection.close()
        return refused

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(8))) == 30
    assert RateCount.objects.get().num == 80
