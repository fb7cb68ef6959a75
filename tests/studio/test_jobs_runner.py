"""Jobs from submit to end, with a real process for engine kinds. Celery runs tasks where they are sent."""

from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.job import Finished, JobState, StopReason
from studio.accounts.access import SYSTEM
from studio.common.blobs import blobs
from studio.common.models import Event
from studio.jobs import reaper, services, tasks
from studio.jobs.leases import job_take
from studio.jobs.models import Job
from studio.jobs.order import jobs_before
from studio.jobs.runner import job_execute
from studio.jobs.states import JobFinishedError, JobLeaseLostError, job_write
from studio.jobs.workdir import job_workdir, result_prefix
from tests.studio import probe
from tests.studio.fake_engine.engine.run import say

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("probe"), pytest.mark.both_databases]


@pytest.fixture
def submit(project):
    def submit(kind: str, behaviour: str, **payload) -> Job:
        job = services.job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind=kind,
            title=Text(en="A probe", zh="探测"),
            subject="",
            payload={"behaviour": behaviour, **payload},
        )
        job.refresh_from_db()
        return job

    return submit


@pytest.fixture
def no_messages(monkeypatch):
    """A broker that takes messages and loses them."""
    monkeypatch.setattr(tasks.job_run_task, "apply_async", lambda *_args, **_options: None)


def in_thread(function, *arguments) -> threading.Thread:
    def call() -> None:
        try:
            function(*arguments)
        finally:
            connection.close()

    thread = threading.Thread(target=call)
    thread.start()
    return thread


def wait_for(condition, wait_s: float = 15) -> None:
    deadline = time.monotonic() + wait_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)


def test_platform_job_runs_to_its_end(submit):
    job = submit("probe", "succeed")
    assert job.state == "succeeded"
    assert job.progress_fraction == 1.0
    assert job.stage == "copy"
    assert job.attempt == 1
    assert probe.read("ended", job.id) == ["succeeded"]
    assert job.end_handled_at is not None
    types = list(Event.objects.filter(subject=job.id).order_by("id").values_list("type", flat=True))
    assert types == ["job.submitted", "job.progressed", "job.ended"]


def test_title_is_given_in_both_languages(client, submit):
    job = submit("probe", "succeed")
    title = {"en": "A probe", "zh": "探测"}
    assert client.get(f"/api/jobs/{job.id}").json()["title"] == title
    assert [each["title"] for each in client.get("/api/jobs").json()["items"]] == [title]


def _once(project, *, subject="sub_1", variant=()):
    return services.job_submit_once(
        workspace=project.workspace_id,
        project=project.id,
        kind="probe",
        title=Text(en="Once", zh="一次"),
        subject=subject,
        payload={"behaviour": "succeed"},
        variant=variant,
    )


def test_while_one_waits_a_repeated_request_gives_that_one(project):
    with transaction.atomic():  # nothing runs before the end
        first, is_new = _once(project)
        again, is_again_new = _once(project)
        other, _ = _once(project, subject="sub_2")
        beside, _ = _once(project, variant=("b",))
    assert (is_new, is_again_new, again.id) == (True, False, first.id)
    assert len({first.id, other.id, beside.id}) == 3
    assert probe.read("ran", first.id) == [""]


def test_after_the_end_a_repeated_request_gives_another(project):
    ids = [_once(project)[0].id for _ in range(3)]
    assert len(set(ids)) == 3
    assert all(probe.read("ran", each) == [""] for each in ids)


def test_without_a_key_every_job_is_new(submit):
    assert submit("probe", "succeed").id != submit("probe", "succeed").id


def test_warning_is_kept_once(submit):
    assert submit("probe", "warn").warnings == [{"code": "odd", "message": "This is odd."}]


def test_known_error_fails_the_job_with_its_code(submit):
    job = submit("probe", "fail")
    assert job.state == "failed"
    assert job.error == {"code": "probe_failed", "message": "No.", "hint": "Do not.", "items": []}


def test_a_bug_fails_the_job_and_reports_it(submit):
    job = submit("probe", "break")
    assert job.state == "failed"
    assert job.error["code"] == "internal_error"
    assert "a bug" in job.error["message"]


def test_engine_job_leaves_its_result_in_the_store(submit):
    job = submit("probe_engine", "succeed")
    assert job.state == "succeeded", job.error
    assert job.metrics == {"accuracy": 0.9}
    assert job.warnings == [{"code": "small_data", "message": "few pictures"}]
    assert (blobs().fetch_tree(result_prefix(job.id)) / "model.onnx").read_bytes() == b"model of attempt 1"
    assert probe.read("reported", job.id).count("metric") == 3
    assert probe.read("reported", job.id)[-1] == "finished"
    assert not (job_workdir(job.id) / "checkpoints").exists()


def test_engine_failure_becomes_the_jobs_error(submit):
    job = submit("probe_engine", "fail")
    assert job.state == "failed"
    assert job.error == {"code": "label_set_empty", "message": "No labels.", "hint": "Add one.", "items": ["itm_1"]}
    assert job.attempt == 1
    assert (job_workdir(job.id) / "checkpoints").exists()  # a failure's directory is its evidence


def test_retryable_failure_is_tried_again(submit):
    job = submit("probe_engine", "fail_once")
    assert (job.state, job.attempt) == ("succeeded", 2)


def test_without_memory_it_goes_on_with_smaller_parts_of_batches(submit):
    job = submit("probe_engine", "outgrow")
    assert (job.state, job.attempt, job.batch_parts) == ("succeeded", 3, 4)
    assert [warning["code"] for warning in job.warnings] == ["small_data", "batch_split", "batch_split"]


def test_crash_is_tried_three_times_and_named(submit):
    job = submit("probe_engine", "crash")
    assert (job.state, job.attempt) == ("failed", 3)
    assert job.error["code"] == "worker_crashed"
    assert "SIGSEGV" in job.error["message"]
    assert probe.read("ended", job.id) == ["failed"]


def test_crashed_once_succeeds_from_the_kept_directory(submit):
    job = submit("probe_engine", "crash_once")
    assert (job.state, job.attempt) == ("succeeded", 2)
    assert (blobs().fetch_tree(result_prefix(job.id)) / "model.onnx").read_bytes() == b"model of attempt 2"


def test_silent_process_is_ended(submit, settings):
    settings.JOB_STALL_S = 1.0
    job = submit("probe_engine", "hang")
    assert (job.state, job.attempt) == ("failed", 3)
    assert job.error["code"] == "worker_stalled"


def test_what_cannot_be_prepared_fails_with_the_reason(submit):
    job = submit("probe_engine", "unprepared")
    assert job.state == "failed"
    assert job.error["code"] == "probe_failed"
    assert job.error["hint"] == "Add pictures."


def test_handler_may_ask_for_the_end(submit):
    job = submit("probe_engine", "wait", prune_at=2)
    assert job.state == "stopped"
    assert probe.read("ended", job.id) == ["stopped"]


def test_waiting_job_is_cancelled_at_once(submit, actor, no_messages):
    job = services.job_cancel(job=submit("probe_engine", "succeed"), actor=actor)
    assert job.state == "cancelled"
    assert probe.read("ended", job.id) == ["cancelled"]
    job_execute(job.id)  # its message comes late
    assert probe.read("reported", job.id) == []


@pytest.mark.parametrize("kind", ["probe", "probe_engine"])
def test_running_job_is_cancelled(submit, actor, no_messages, kind):
    job = submit(kind, "wait")
    runner = in_thread(job_execute, job.id)
    wait_for(lambda: Job.objects.get(id=job.id).state == "running")
    services.job_cancel(job=job, actor=actor)
    runner.join(20)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert probe.read("ended", job.id) == ["cancelled"]


def test_a_paused_job_frees_its_worker_and_goes_on_from_what_it_left(submit, no_messages):
    job = submit("probe_engine", "wait_once")
    runner = in_thread(job_execute, job.id)
    wait_for((job_workdir(job.id) / "checkpoints" / "attempt-1").exists)
    services.job_pause(job=job)
    runner.join(20)
    job.refresh_from_db()
    assert (job.state, job.attempt) == ("queued", 0)
    job_execute(job.id)  # a message that comes late
    reaper.jobs_sweep(now=timezone.now() + timedelta(hours=9))
    job.refresh_from_db()
    assert (job.state, job.sent_at) == ("queued", None)
    services.job_resume(job=job)
    job_execute(job.id)
    job.refresh_from_db()
    assert job.state == "succeeded"
    assert blobs().get_object(f"{result_prefix(job.id)}/model.onnx").read_bytes() == b"model of attempt 2"


def test_job_that_does_not_obey_is_ended_by_force(submit, actor, no_messages, settings):
    settings.JOB_STOP_GRACE_S = 0.5
    job = submit("probe_engine", "hang")
    runner = in_thread(job_execute, job.id)
    wait_for(lambda: Job.objects.get(id=job.id).state == "running")
    services.job_cancel(job=job, actor=actor)
    runner.join(20)
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_finished_job_cannot_be_cancelled(submit, actor):
    with pytest.raises(JobFinishedError):
        services.job_cancel(job=submit("probe", "succeed"), actor=actor)


def test_second_message_changes_nothing(submit):
    job = submit("probe", "succeed")
    job_execute(job.id)
    assert probe.read("ran", job.id) == [""]
    assert Job.objects.get(id=job.id).attempt == 1


def test_two_workers_do_not_take_one_job(submit, no_messages):
    job = submit("probe", "succeed")
    assert job_take(job.id) is not None
    assert job_take(job.id) is None


def test_lost_message_is_sent_again(submit, monkeypatch):
    with monkeypatch.context() as context:
        context.setattr(tasks.job_run_task, "apply_async", lambda *_args, **_options: None)
        job = submit("probe", "succeed")
    now = timezone.now()
    reaper.jobs_sweep(now=now + timedelta(seconds=10))
    assert Job.objects.get(id=job.id).state == "queued"
    reaper.jobs_sweep(now=now + timedelta(seconds=20))
    assert Job.objects.get(id=job.id).state == "succeeded"


def test_broker_that_is_away_delays_a_job_only(submit, monkeypatch):
    def refuse(*_args, **_options):
        raise ConnectionRefusedError

    with monkeypatch.context() as context:
        context.setattr(tasks.job_run_task, "apply_async", refuse)
        job = submit("probe", "succeed")
        reaper.jobs_sweep(now=timezone.now() + timedelta(seconds=20))
    assert job.state == "queued"
    reaper.jobs_sweep(now=timezone.now() + timedelta(seconds=20))
    assert Job.objects.get(id=job.id).state == "succeeded"


def test_long_queue_gets_few_messages(submit, monkeypatch):
    sent = []
    monkeypatch.setattr(tasks.job_run_task, "apply_async", lambda *_args, **_options: sent.append(1))
    job = submit("probe", "succeed")
    start = Job.objects.get(id=job.id).queued_at
    for second in range(0, 3600, 5):
        now = start + timedelta(seconds=second)
        num_before = len(sent)
        reaper.queue_sweep(now=now)
        if len(sent) > num_before:
            Job.objects.filter(id=job.id).update(sent_at=now)
    assert 5 < len(sent) < 25


def test_lease_that_ran_out_gives_another_attempt(submit, no_messages):
    job = submit("probe", "succeed")
    job_take(job.id)
    reaper.leases_sweep(now=timezone.now() + timedelta(seconds=20))
    assert Job.objects.get(id=job.id).state == "leased"
    reaper.leases_sweep(now=timezone.now() + timedelta(seconds=40))
    job.refresh_from_db()
    assert (job.state, job.lease_owner, job.attempt) == ("queued", "", 1)
    job_execute(job.id)
    assert Job.objects.get(id=job.id).attempt == 2


def test_worker_lost_three_times_fails_with_the_reason(submit, no_messages):
    job = submit("probe", "succeed")
    for _ in range(3):
        assert job_take(job.id) is not None
        reaper.leases_sweep(now=timezone.now() + timedelta(seconds=40))
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error["code"] == "worker_lost"
    assert probe.read("ended", job.id) == ["failed"]


def test_lost_worker_of_a_cancelled_job_cancels_it(submit, actor, no_messages):
    job = submit("probe", "succeed")
    job_take(job.id)
    services.job_cancel(job=job, actor=actor)
    reaper.leases_sweep(now=timezone.now() + timedelta(seconds=40))
    assert Job.objects.get(id=job.id).state == "cancelled"


def test_who_lost_the_lease_cannot_write(submit, no_messages):
    job = submit("probe", "succeed")
    late = job_take(job.id)
    reaper.leases_sweep(now=timezone.now() + timedelta(seconds=40))
    job_take(job.id)
    with pytest.raises(JobLeaseLostError):
        job_write(late, lease=late.lease_owner, changes={"stage": "late"})


def test_worker_that_lost_its_lease_ends_the_process_and_keeps_silent(submit, no_messages):
    job = submit("probe_engine", "wait")
    runner = in_thread(job_execute, job.id)
    wait_for(lambda: Job.objects.get(id=job.id).state == "running")
    Job.objects.filter(id=job.id).update(lease_owner="another")
    runner.join(20)
    assert not runner.is_alive()
    assert Job.objects.get(id=job.id).state == "running"


def test_lease_is_renewed_while_the_work_goes_on(submit, no_messages):
    job = submit("probe", "wait")
    runner = in_thread(job_execute, job.id)
    wait_for(lambda: Job.objects.get(id=job.id).state == "running")
    first = Job.objects.get(id=job.id).lease_until
    wait_for(lambda: Job.objects.get(id=job.id).lease_until > first)
    services.job_stop(job=job, reason=StopReason.CANCELLED)
    runner.join(20)
    assert Job.objects.get(id=job.id).state == "cancelled"


def test_engine_that_was_done_is_not_run_again(submit, no_messages):
    """The process finished, but its runner died before it could write so."""
    job = submit("probe_engine", "succeed")
    workdir = job_workdir(job.id)
    (workdir / "artefact").mkdir(parents=True)
    (workdir / "artefact" / "model.onnx").write_bytes(b"made before")
    say(workdir, Finished(at=timezone.now(), metrics={"accuracy": 0.7}))
    Job.objects.filter(id=job.id).update(attempt=1)
    job_execute(job.id)
    job.refresh_from_db()
    assert (job.state, job.metrics) == ("succeeded", {"accuracy": 0.7})
    assert (blobs().fetch_tree(result_prefix(job.id)) / "model.onnx").read_bytes() == b"made before"


def test_handler_is_called_until_it_succeeds_and_only_then_the_job_is_shown_as_done(submit, client):
    job = submit("probe", "succeed", deaf_until=3)
    assert job.state == "succeeded"
    assert probe.read("ended", job.id) == ["succeeded"]
    assert job.end_handled_at is None

    def shown() -> tuple[str, bool, list[str]]:
        one = client.get(f"/api/jobs/{job.id}").json()
        states = ("running", "succeeded")
        listed = [state for state in states if client.get("/api/jobs", {"state": state}).json()["items"]]
        return one["state"], one["ended_at"] is not None, listed

    ended = Event.objects.filter(subject=job.id, type="job.ended")
    assert shown() == ("running", False, ["running"])
    assert not ended.exists()
    for minutes in range(1, 5):
        reaper.ends_sweep(now=timezone.now() + timedelta(minutes=minutes))
    assert probe.read("ended", job.id) == ["succeeded"] * 3
    assert Job.objects.get(id=job.id).end_handled_at is not None
    assert shown() == ("succeeded", True, ["succeeded"])
    assert ended.count() == 1


def test_log_and_events_are_served(submit, client):
    job = submit("probe_engine", "succeed")
    log = client.get(f"/api/jobs/{job.id}/log").json()
    assert "attempt 1: succeed" in log["text"]
    rest = client.get(f"/api/jobs/{job.id}/log?offset={log['next_offset']}").json()
    assert rest == {"text": "", "next_offset": log["next_offset"], "done": True}
    events = client.get(f"/api/jobs/{job.id}/events").json()["events"]
    assert [event["type"] for event in events[:3]] == ["started", "warning", "progress"]


@pytest.mark.parametrize("offset", [10**6, 2**63, 10**30])
def test_a_log_has_nothing_behind_its_end(submit, client, offset):
    job = submit("probe", "succeed")
    assert client.get(f"/api/jobs/{job.id}/log?offset={offset}").json() == {"text": "", "next_offset": offset, "done": True}
    assert client.get(f"/api/jobs/{job.id}/events?after={offset}").json()["events"] == []


def test_log_is_served_on_another_host(submit, client, settings, tmp_path):
    job = submit("probe", "succeed")
    settings.JOBS_DIR = tmp_path / "elsewhere"
    assert "hello" in client.get(f"/api/jobs/{job.id}/log").json()["text"]


def test_jobs_are_listed_and_cancelled_by_api(submit, client, project, no_messages):
    jobs = [submit("probe", "succeed").id for _ in range(3)]
    page = client.get(f"/api/jobs?project={project.id}&limit=2").json()
    assert [job["id"] for job in page["items"]] == jobs[:0:-1]
    page = client.get(f"/api/jobs?project={project.id}&limit=2&cursor={page['next_cursor']}").json()
    assert ([job["id"] for job in page["items"]], page["next_cursor"]) == (jobs[:1], None)
    assert client.post(f"/api/jobs/{jobs[0]}/cancel").json()["state"] == JobState.CANCELLED
    answer = client.post(f"/api/jobs/{jobs[0]}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "job_finished")


def test_a_job_that_waits_says_how_many_are_taken_before_it(submit, no_messages, client, django_assert_num_queries):
    idle, other, first, second, paused = (submit(kind, "wait") for kind in ["probe_idle", "probe", *["probe_engine"] * 3])
    services.job_pause(job=paused)
    paused.refresh_from_db()
    with django_assert_num_queries(1):
        before = jobs_before([idle, other, first, second, paused])
    assert before == {idle.id: 2, other.id: 0, first.id: 0, second.id: 1}, "a person's job is taken before the platform's own"
    assert client.get(f"/api/jobs/{second.id}").json()["num_before"] == 1
    listed = {each["id"]: each["num_before"] for each in client.get("/api/jobs").json()["items"]}
    assert listed == {**before, paused.id: None}
    services.job_cancel(job=first, actor=SYSTEM)
    assert client.get(f"/api/jobs/{first.id}").json()["num_before"] is None
    assert client.get(f"/api/jobs/{second.id}").json()["num_before"] == 0
