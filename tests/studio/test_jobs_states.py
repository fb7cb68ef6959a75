"""The written table of a job's moves, and what is decided when a process is gone."""

from __future__ import annotations

import signal

import pytest
from django.utils import timezone

from automl.contracts.job import Failed, Finished, JobState, StopReason
from studio.jobs.children import Exit
from studio.jobs.models import Job
from studio.jobs.outcome import JobEnded, JobRequeued, outcome_of
from studio.jobs.states import FINISHED, MOVES, JobFinishedError, JobLeaseLostError, JobMoveError, job_move

pytestmark = pytest.mark.both_databases

PAIRS = [(source, target) for source in JobState for target in JobState]


@pytest.fixture
def job_in(project):
    def job_in(state: JobState, **columns) -> Job:
        return Job.objects.create(
            workspace_id=project.workspace_id,
            project=project,
            kind="probe",
            title={"en": "A probe", "zh": "探测"},
            idempotency_key=f"in-{state}",
            state=state.value,
            **columns,
        )

    return job_in


def test_table_names_every_state():
    assert set(MOVES) == set(JobState)


def test_every_state_can_be_reached_and_left_or_is_finished():
    reached = {target for targets in MOVES.values() for target in targets}
    assert reached == set(JobState)
    assert {JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED, JobState.STOPPED} == FINISHED


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_only_moves_of_the_table_are_made(job_in, source, target):
    job = job_in(source)
    if target in MOVES[source]:
        job_move(job, target)
        assert job.state == Job.objects.get(id=job.id).state == target.value
        return
    with pytest.raises(JobFinishedError if source in FINISHED else JobMoveError):
        job_move(job, target)
    assert Job.objects.get(id=job.id).state == source.value


def test_stale_copy_cannot_move_a_finished_job(job_in):
    job = job_in(JobState.RUNNING)
    stale = Job.objects.get(id=job.id)
    job_move(job, JobState.SUCCEEDED)
    with pytest.raises(JobFinishedError):
        job_move(stale, JobState.FAILED, changes={"stage": "late"})
    assert Job.objects.get(id=job.id).stage == ""


def test_another_holder_cannot_move_it(job_in):
    job = job_in(JobState.RUNNING, lease_owner="a")
    with pytest.raises(JobLeaseLostError):
        job_move(job, JobState.SUCCEEDED, lease="b")


FINISHED_WELL = Finished(at=timezone.now(), metrics={"accuracy": 0.5})
PRUNED = Finished(at=timezone.now(), stopped=StopReason.PRUNED)
FAILED = Failed(at=timezone.now(), code="broken", message="Broken.", hint="Mend it.")
FLAKY = Failed(at=timezone.now(), code="flaky", message="Flaky.", hint="Wait.", is_retryable=True)
KILLED = Exit(signal=signal.SIGKILL)


@pytest.mark.parametrize(
    ("last", "end", "stop", "attempts_left", "oom", "expected"),
    [
        (FINISHED_WELL, Exit(code=0), None, True, False, (JobEnded, JobState.SUCCEEDED, None)),
        (FINISHED_WELL, KILLED, StopReason.CANCELLED, True, False, (JobEnded, JobState.SUCCEEDED, None)),
        (PRUNED, Exit(code=0), StopReason.PRUNED, True, False, (JobEnded, JobState.STOPPED, None)),
        (FAILED, Exit(code=1), None, True, False, (JobEnded, JobState.FAILED, "broken")),
        (FLAKY, Exit(code=1), None, True, False, (JobRequeued, None, None)),
        (FLAKY, Exit(code=1), None, False, False, (JobEnded, JobState.FAILED, "flaky")),
        (None, KILLED, StopReason.CANCELLED, True, False, (JobEnded, JobState.CANCELLED, None)),
        (None, KILLED, None, True, False, (JobRequeued, None, None)),
        (None, KILLED, StopReason.FINISH, True, False, (JobRequeued, None, None)),
        (FLAKY, Exit(code=1), StopReason.FINISH, True, False, (JobRequeued, None, None)),
        (None, KILLED, None, False, False, (JobEnded, JobState.FAILED, "worker_crashed")),
        (None, KILLED, None, True, True, (JobEnded, JobState.FAILED, "out_of_memory")),
        (None, Exit(code=3), None, False, False, (JobEnded, JobState.FAILED, "worker_crashed")),
        (None, Exit(), None, True, False, (JobRequeued, None, None)),
    ],
)
def test_end_is_decided_from_last_word_and_exit(last, end, stop, attempts_left, oom, expected):
    outcome = outcome_of(
        last=last, exit=end, stop=stop, has_attempts_left=attempts_left, is_stalled=False, is_out_of_memory=oom
    )
    kind, state, code = expected
    assert isinstance(outcome, kind)
    if isinstance(outcome, JobEnded):
        assert outcome.state is state
        assert (outcome.error or {}).get("code") == code


NO_MEMORY = Failed(at=timezone.now(), code="out_of_memory", message="No memory.", hint="Take less.")


@pytest.mark.parametrize(
    ("last", "end", "stop", "attempts_left", "in_batches", "splits"),
    [
        (NO_MEMORY, Exit(code=1), None, True, True, True),
        (None, KILLED, None, True, True, True),
        (NO_MEMORY, Exit(code=1), StopReason.FINISH, True, True, True),
        (NO_MEMORY, Exit(code=1), None, True, False, False),
        (None, KILLED, None, False, True, False),
        (NO_MEMORY, Exit(code=1), StopReason.CANCELLED, True, True, False),
    ],
)
def test_without_memory_batches_are_learned_in_smaller_parts(last, end, stop, attempts_left, in_batches, splits):
    outcome = outcome_of(
        last=last,
        exit=end,
        stop=stop,
        has_attempts_left=attempts_left,
        is_stalled=False,
        is_out_of_memory=True,
        learns_in_batches=in_batches,
    )
    assert isinstance(outcome, JobRequeued if splits else JobEnded)
    assert not splits or outcome.splits_batches


@pytest.mark.parametrize(
    ("end", "text"), [(KILLED, "signal SIGKILL"), (Exit(code=3), "exit status 3"), (Exit(), "loss of"), (Exit(signal=63), "63")]
)
def test_end_is_named_for_people(end, text):
    assert text in end.text
