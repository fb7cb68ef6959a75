"""Messages about alerts: signed, sent to permitted addresses only, again and later each time until they arrive."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from studio.accounts.models import Language, User
from studio.deployments.alerts import sending, webhook
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertRules
from studio.deployments.alerts.recording import alert_begin, alert_end
from studio.deployments.alerts.sending import DELAYS, LEASE, deliveries_send
from tests.studio.deployments.webhook_receiver import is_genuine, receiving
from tests.studio.deployments.workers import at_once, bare_artefact, bare_deployment

FIGURES = {"share": 12.5, "failed": 5, "calls": 40, "limit": 5.0}


@pytest.fixture
def receiver():
    """A real server."""
    with receiving() as server:
        yield server


@pytest.fixture
def send(setup, deployment):
    """Asks the API about the alerts of the deployment."""

    def ask(method, path="", body=None):
        url = f"/api/deployments/{deployment.id}/alerts{path}"
        if method == "get":
            return setup.client().get(url)
        return getattr(setup.client(), method)(url, {} if body is None else body, content_type="application/json")

    return ask


@pytest.fixture
def secret(send, receiver, settings):
    """Of the webhook that is set up."""
    settings.SOURCE_NETWORKS = ["127.0.0.1/32"]
    reply = send("put", "/settings", {"webhook_url": receiver.url})
    assert reply.status_code == 200, reply.content
    return reply.json()["secret"]


def begin():
    alert_begin(AlertRules.objects.get(), "errors", figures=FIGURES, at=timezone.now())
    return Alert.objects.get()


def only(send):
    ((delivery,),) = [each["deliveries"] for each in send("get").json()["items"]]
    return delivery


def test_a_message_is_signed_and_says_what_happened(send, secret, receiver, deployment, settings):
    alert = begin()
    deliveries_send()
    ((path, header, body),) = receiver.got
    assert path == "/hook?token=of%20ours"
    assert re.fullmatch(r"t=\d+,v1=[0-9a-f]{64}", header)
    assert is_genuine(body, header, secret)
    assert not is_genuine(body + b" ", header, secret)
    delivery = only(send)
    (sent,) = receiver.bodies
    assert datetime.fromisoformat(sent.pop("time")) == alert.began_at.replace(
        microsecond=alert.began_at.microsecond // 1000 * 1000
    )
    assert sent == {
        "event": "alert.began",
        "delivery": delivery["id"],
        "condition": "errors",
        "message": "12.5% of the calls of the last hour failed (5 of 40); the limit is 5%.",
        "figures": FIGURES,
        "deployment": {"id": deployment.id, "name": "Cats and dogs", "slug": deployment.slug},
        "url": f"{settings.PUBLIC_URL}/projects/{deployment.project_id}/deployments/{deployment.id}?tab=watch",
    }
    assert (delivery["state"], delivery["status"], delivery["attempts"], delivery["target"]) == (
        "delivered",
        204,
        1,
        "127.0.0.1",
    )
    alert_end(AlertRules.objects.get(), alert, figures=FIGURES, at=timezone.now())
    deliveries_send()
    assert [each["event"] for each in receiver.bodies] == ["alert.began", "alert.ended"]


def test_what_fails_is_sent_again_later_each_time_with_the_same_id(send, secret, receiver):
    receiver.statuses = [500, 503]
    begin()
    now = timezone.now()
    for wait in (timedelta(), timedelta(seconds=59), timedelta(seconds=60), timedelta(minutes=5, seconds=59)):
        deliveries_send(now=now + wait)
    assert (only(send)["state"], only(send)["status"], only(send)["code"], len(receiver.got)) == ("waiting", 503, "answered", 2)
    assert "2xx" in only(send)["reason"]["en"]
    deliveries_send(now=now + timedelta(minutes=6))
    deliveries_send(now=now + timedelta(days=9))
    assert (only(send)["state"], only(send)["attempts"], only(send)["reason"]) == ("delivered", 3, None)
    assert len({body["delivery"] for body in receiver.bodies}) == 1
    assert len({body for _, _, body in receiver.got}) == 1


def test_it_is_given_up_after_the_last_attempt_and_reported(send, secret, receiver):
    receiver.statuses = [500] * 9
    begin()
    now = timezone.now()
    for delay in (timedelta(), *DELAYS, timedelta(days=1)):
        now += delay
        deliveries_send(now=now)
    assert (only(send)["state"], only(send)["attempts"], only(send)["next_at"]) == ("failed", 6, None)
    assert len(receiver.got) == 6


def test_a_redirect_is_not_followed(send, secret, receiver):
    receiver.statuses = [302]
    begin()
    deliveries_send()
    assert (only(send)["state"], only(send)["status"], only(send)["code"]) == ("waiting", 302, "redirected")
    assert [path for path, _, _ in receiver.got] == ["/hook?token=of%20ours"]


def test_an_address_that_is_refused_by_now_is_not_called(send, secret, receiver, settings):
    settings.SOURCE_NETWORKS = []
    begin()
    deliveries_send()
    assert (only(send)["code"], receiver.got) == ("address_refused", [])
    assert "MODELYARD_SOURCE_NETWORKS" in only(send)["reason"]["en"]


def test_a_receiver_that_drips_is_cut_in_time(send, secret, receiver, monkeypatch):
    monkeypatch.setattr(webhook, "TIMEOUT_S", 0.4)
    receiver.is_dripping = True
    begin()
    began = time.monotonic()
    deliveries_send()
    assert time.monotonic() - began < 5
    assert only(send)["code"] == "too_slow"


def test_a_cut_process_loses_nothing(send, secret, receiver, monkeypatch):
    begin()
    now = timezone.now()

    class CutError(BaseException):
        pass

    def cut(*_):
        raise CutError

    with monkeypatch.context() as patched:
        patched.setattr(sending, "webhook_post", cut)
        with pytest.raises(CutError):
            deliveries_send(now=now)
    deliveries_send(now=now)
    assert (only(send)["state"], receiver.got) == ("waiting", [])
    deliveries_send(now=now + LEASE)
    assert (only(send)["state"], only(send)["attempts"]) == ("delivered", 2)


@pytest.mark.django_db(transaction=True)
class TestWorkers:
    """Several at once, each with a connection of its own."""

    @pytest.fixture
    def deployment(self, setup, version):
        return bare_deployment(setup, bare_artefact(setup, version))

    def test_they_send_a_message_once(self, secret, receiver):
        begin()
        at_once(deliveries_send)
        assert len(receiver.got) == 1


def test_a_receiver_that_was_removed_gets_nothing_more_and_a_corrected_one_gets_it(send, secret, receiver):
    begin()
    send("put", "/settings", {"webhook_url": ""})
    deliveries_send()
    assert (only(send)["state"], only(send)["code"], receiver.got) == ("failed", "target_removed", [])
    AlertDelivery.objects.update(state="waiting", next_at=timezone.now())
    corrected = send("put", "/settings", {"webhook_url": receiver.url.replace("/hook", "/right")}).json()
    assert corrected["secret"] is None  # it was shown before
    deliveries_send()
    ((path, header, body),) = receiver.got
    assert path.startswith("/right")
    assert is_genuine(body, header, secret)


def test_a_new_secret_signs_from_now_on(send, secret, receiver):
    renewed = send("post", "/secret").json()["secret"]
    assert renewed != secret
    assert renewed not in AlertRules.objects.get().secret_sealed
    begin()
    deliveries_send()
    ((_, header, body),) = receiver.got
    assert is_genuine(body, header, renewed)
    assert not is_genuine(body, header, secret)


def test_a_mail_is_in_the_language_of_whom_it_is_for(send, setup, deployment, settings):
    settings.HAS_MAIL = True
    User.objects.filter(id=setup.owner.id).update(language=Language.ZH)
    send("put", "/settings", {"emails": [setup.owner.email, "ops@example.org"]})
    begin()
    deliveries_send()
    by_address = {message.to[0]: message for message in mail.outbox}
    assert by_address["ops@example.org"].subject == "[Modelyard] Cats and dogs: Many failed calls"
    assert "12.5% of the calls" in by_address["ops@example.org"].body
    assert f"/deployments/{deployment.id}" in by_address["ops@example.org"].body
    assert "12.5% 的调用失败" in by_address[setup.owner.email].body


def test_mail_that_is_not_taken_is_sent_again(send, settings):
    settings.HAS_MAIL = True
    send("put", "/settings", {"emails": ["ops@example.org"]})
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    begin()
    deliveries_send()
    assert (only(send)["state"], only(send)["code"]) == ("waiting", "mail_failed")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    deliveries_send(now=timezone.now() + DELAYS[0])
    assert (only(send)["state"], len(mail.outbox)) == ("delivered", 1)


def test_a_test_is_sent_now_and_says_how_it_went(send, secret, receiver, settings):
    settings.HAS_MAIL = True
    send("put", "/settings", {"webhook_url": receiver.url, "emails": ["ops@example.org"]})
    receiver.statuses = [404]
    refused, mailed = send("post", "/test").json()
    assert (refused["is_delivered"], refused["status"], refused["code"]) == (False, 404, "answered")
    assert (mailed["channel"], mailed["is_delivered"], mailed["reason"]) == ("mail", True, None)
    assert "This is a test" in mail.outbox[0].body
    hooked = send("post", "/test").json()[0]
    assert (hooked["is_delivered"], hooked["status"], hooked["target"]) == (True, 204, "127.0.0.1")
    assert hooked["took_ms"] > 0
    assert receiver.bodies[-1]["event"] == "test"
    assert is_genuine(receiver.got[-1][2], receiver.got[-1][1], secret)
    assert send("get").json()["items"] == []


def test_what_is_left_out_of_the_settings_stays(send, secret, receiver, settings):
    settings.HAS_MAIL = True
    emails = ["ops@example.org"]
    choice = {"condition": "silence", "is_on": True, "limit": 5}
    for body in ({"emails": emails}, {}, {"conditions": [choice]}, {"webhook_url": receiver.url}):
        updated = send("put", "/settings", body).json()
        assert (updated["webhook_url"], updated["emails"], updated["secret"]) == (receiver.url, emails, None)
    (silence,) = [each for each in updated["conditions"] if each["condition"] == "silence"]
    assert (silence["is_on"], silence["limit"]["value"]) == (True, 5)
    cleared = send("put", "/settings", {"webhook_url": "", "emails": []}).json()
    assert (cleared["webhook_url"], cleared["emails"]) == ("", [])


def test_a_test_without_a_receiver_reports_it(send):
    for path in ("/test", "/secret"):
        reply = send("post", path)
        assert (reply.status_code, reply.json()["code"]) == (409, "alert_target_missing")
