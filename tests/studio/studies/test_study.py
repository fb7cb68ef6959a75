"""A study from start to end: which trials run, what is kept of them, how it ends."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, JobState, StopReason, TrainConfig
from automl.planning.fit import EXPORT_S
from automl.search.states import TrialState
from studio.accounts.access import principal_of_key
from studio.accounts.errors import JobsQuotaError
from studio.accounts.key_rules import keys_alive
from studio.accounts.keys import key_create
from studio.accounts.models import AuditRow
from studio.accounts.quotas import Quota, quota_set
from studio.accounts.roles import Role
from studio.common.models import Event
from studio.jobs.handlers import job_ended, job_prepare
from studio.jobs.models import Job
from studio.jobs.states import JobFinishedError
from studio.projects.services import project_delete, project_restore
from studio.registry.models import Artefact, Evaluation
from studio.studies.advance import history_of, objective_of, study_advance
from studio.studies.errors import StudyBlockedError, StudyEndedError, StudyPausedError
from studio.studies.handlers import LEAST_TIME_S
from studio.studies.models import Study, StudyState, Trial, TrialPoint
from studio.studies.selection import best_of
from studio.studies.selectors import study_remaining_s
from studio.studies.services import study_cancel, study_extend, study_finish, study_pause, study_resume, study_start
from studio.studies.states import TrialMoveError, trial_move
from tests.studio.studies.material import (
    job_begin,
    job_end,
    job_measure,
    job_succeed,
    request_make,
    result_keep,
    study_make,
    trials_of,
    version_make,
)


def test_the_proven_trials_run_first_and_one_after_the_other(setup, version):
    study = study_make(setup, version)
    for number in range(3):
        trials = trials_of(study)
        assert [trial.number for trial in trials] == list(range(number + 1))
        job_succeed(trials[-1].job, accuracy=0.5 + number / 10)
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert study.ended_at is not None
    assert [trial.train.family for trial in trials_of(study)] == ["linear_probe", "efficientnet_lite", "resnet"]
    assert best_of(study, trials_of(study), objective_of(study)) == trials_of(study)[2]


def test_after_the_portfolio_the_sampler_goes_on(setup, version):
    study = study_make(setup, version, families=["linear_probe"], max_trials=4)
    for _ in range(4):
        job_succeed(trials_of(study)[-1].job)
    assert len(trials_of(study)) == 4
    assert all(trial.train.family == "linear_probe" for trial in trials_of(study))


def test_concurrency_is_the_number_of_open_trials(setup, version):
    study = study_make(setup, version, strategy="random_search", max_trials=5, concurrency=3)
    assert len(trials_of(study)) == 3
    job_succeed(trials_of(study)[1].job)
    assert len(trials_of(study)) == 4
    assert sum(not TrialState(trial.state).is_final for trial in trials_of(study)) == 3


def test_advancing_again_gives_no_twin(setup, version):
    study = study_make(setup, version, concurrency=2)
    before = [trial.id for trial in trials_of(study)]
    for _ in range(3):
        study_advance(study_id=study.id)
    assert [trial.id for trial in trials_of(study)] == before
    assert Job.objects.filter(kind="train").count() == 2


def test_the_end_of_a_job_reported_twice_changes_nothing(setup, version):
    study = study_make(setup, version, max_trials=2)
    job = job_succeed(trials_of(study)[0].job)
    before = [(trial.id, trial.state, trial.value) for trial in trials_of(study)]
    job_ended(job)
    assert [(trial.id, trial.state, trial.value) for trial in trials_of(study)] == before
    assert Artefact.objects.count() == 1


def test_one_configuration_is_trained_and_no_more(setup, version):
    train = TrainConfig(family="linear_probe", size="2", params={"is_balanced": True})
    study = study_make(setup, version, strategy="single", max_trials=9, single=train)
    job_succeed(trials_of(study)[0].job)
    study.refresh_from_db()
    assert (study.state, study.max_trials) == (StudyState.SUCCEEDED, 1)
    assert trials_of(study)[0].train == train
    with pytest.raises(StudyEndedError):
        study_extend(study=study, max_trials=3, actor=setup.actor)


def test_the_engine_is_given_what_to_train_on_what(setup, version, tmp_path):
    study = study_make(setup, version)
    (trial,) = trials_of(study)
    spec = job_prepare(trial.job, tmp_path)
    assert isinstance(spec, JobSpec)
    assert spec.train == trial.train
    assert spec.lineage == {"project": setup.project.id, "study": study.id, "trial": trial.id}
    assert spec.seed == study.seed
    assert (tmp_path / "data" / "version.json").is_file()


def test_curves_become_rows_and_a_point_reported_twice_is_one(setup, version):
    study = study_make(setup, version)
    (trial,) = trials_of(study)
    job = job_begin(trial.job)
    for accuracy in (0.1, 0.2):
        assert job_measure(job, epoch=1, accuracy=accuracy) is None
    job_measure(job, epoch=2, accuracy=0.4)
    points = list(TrialPoint.objects.filter(trial=trial).order_by("step").values_list("split", "epoch", "values"))
    assert points == [(Split.VALIDATION, 1.0, {"accuracy": 0.2}), (Split.VALIDATION, 2.0, {"accuracy": 0.4})]
    assert trials_of(study)[0].state == TrialState.RUNNING
    assert Event.objects.filter(type="trial.reported", subject=trial.id).count() == 3
    assert history_of(study)[0].curve == {1: 0.2, 2: 0.4}


def test_a_finished_trial_refuses_new_values(setup, version):
    study = study_make(setup, version)
    (trial,) = trials_of(study)
    job_succeed(trial.job, accuracy=0.7)
    trial = trials_of(study)[0]
    with pytest.raises(TrialMoveError):
        trial_move(trial, TrialState.FAILED, changes={"value": 0.1})
    trial.refresh_from_db()
    assert (trial.state, trial.value) == (TrialState.SUCCEEDED, 0.7)


def _with_history(setup, version, **options):
    """A study of one family with three finished trials and a running one."""
    study = study_make(setup, version, strategy="random_search", families=["resnet"], max_trials=5, pruner="median", **options)
    for final in (0.7, 0.8, 0.9):
        job = job_begin(trials_of(study)[-1].job)
        for epoch in (1, 2, 3):
            assert job_measure(job, epoch=epoch, accuracy=final * epoch / 3) is None
        job_succeed(job, accuracy=final)
    return study, job_begin(trials_of(study)[-1].job)


def test_a_trial_below_the_median_is_stopped_and_the_study_goes_on(setup, version):
    study, job = _with_history(setup, version)
    assert job_measure(job, epoch=1, accuracy=0.0) is None
    assert job_measure(job, epoch=2, accuracy=0.1) is StopReason.PRUNED
    job_end(job, JobState.STOPPED)
    trials = trials_of(study)
    assert trials[3].state == TrialState.PRUNED
    assert len(trials) == 5


def test_a_good_trial_is_left_alone(setup, version):
    _, job = _with_history(setup, version)
    assert job_measure(job, epoch=2, accuracy=0.85) is None


def test_without_a_pruner_nobody_is_stopped(setup, version):
    study, job = _with_history(setup, version)
    type(study).objects.filter(id=study.id).update(pruner="none")
    assert job_measure(job, epoch=2, accuracy=0.0) is None


def test_a_failed_trial_keeps_its_error_and_the_study_succeeds_with_another(setup, version):
    study = study_make(setup, version, max_trials=2)
    job_end(trials_of(study)[0].job, JobState.FAILED, code="out_of_memory")
    job_succeed(trials_of(study)[1].job)
    study.refresh_from_db()
    assert trials_of(study)[0].error["code"] == "out_of_memory"
    assert study.state == StudyState.SUCCEEDED


def test_a_study_whose_trials_all_fail_gives_up_with_the_reason(setup, version):
    study = study_make(setup, version, max_trials=50)
    for _ in range(3):
        job_end(trials_of(study)[-1].job, JobState.FAILED, code="data_invalid")
    study.refresh_from_db()
    assert study.state == StudyState.FAILED
    assert study.error["code"] == "data_invalid"
    assert len(trials_of(study)) == 3


def test_a_result_that_is_no_artefact_fails_the_trial(setup, version):
    study = study_make(setup, version, max_trials=1)
    (trial,) = trials_of(study)
    job_begin(trial.job)
    job_end(trial.job, JobState.SUCCEEDED, metrics={"accuracy": 1.0})
    study.refresh_from_db()
    assert trials_of(study)[0].error["code"] == "result_invalid"
    assert study.state == StudyState.FAILED


def test_success_enters_the_artefact_and_its_evaluation_on_the_test_split(setup, version):
    study = study_make(setup, version, max_trials=1)
    (trial,) = trials_of(study)
    job_succeed(trial.job, accuracy=0.75)
    artefact = Artefact.objects.get(trial=trial)
    assert (artefact.number, artefact.version_id) == (1, version.id)
    rows = Evaluation.objects.filter(artefact=artefact).values_list("split", "metrics")
    assert dict(rows) == {"validation": {"accuracy": 0.75}, "test": {"accuracy": 0.75}}


def test_finishing_keeps_what_runs_and_starts_no_more(setup, version):
    study = study_make(setup, version, strategy="random_search", max_trials=9, concurrency=2)
    running = job_begin(trials_of(study)[0].job)
    study = study_finish(study=study, actor=setup.actor)
    assert study.state == StudyState.RUNNING
    assert study.is_finishing
    running.refresh_from_db()
    assert running.stop_requested == StopReason.FINISH
    waiting = trials_of(study)[1]
    assert waiting.job.state == JobState.CANCELLED.value  # it has nothing to finish with
    job_ended(waiting.job)
    job_succeed(running, accuracy=0.75)
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert [trial.state for trial in trials_of(study)] == ["succeeded", "cancelled"]
    with pytest.raises(StudyEndedError):
        study_finish(study=study, actor=setup.actor)
    study = study_extend(study=study, max_trials=10, actor=setup.actor)
    assert not study.is_finishing
    assert len(trials_of(study)) > 2


def operation_of(setup) -> tuple[int, int, bool]:
    """Jobs that wait and run, and whether any is paused."""
    found = setup.client().get(f"/api/workspaces/{setup.workspace.id}/operation").json()
    return found["num_waiting"], found["num_running"], any(job["is_paused"] for job in found["jobs"])


def test_a_pause_starts_nothing_and_costs_no_time(setup, version):
    others = Job.objects.filter(state="queued").count()
    study = study_start(version=version, request=request_make(max_trials=2), pruner="none", actor=setup.actor, time_limit_s=600)
    job = job_begin(trials_of(study)[0].job)
    study = study_pause(study=study, actor=setup.actor)
    assert study.paused_at is not None
    job.refresh_from_db()
    assert job.is_paused
    assert operation_of(setup) == (others, 1, False), "its process has not ended"
    Job.objects.filter(id=job.id).update(state="queued")
    assert operation_of(setup) == (others, 0, True)
    Job.objects.filter(id=job.id).update(state="running")
    hour = timedelta(hours=1)
    paused_at, clock, begun = study.paused_at - hour, study.clock_started_at - hour, trials_of(study)[0].started_at - hour
    Study.objects.filter(id=study.id).update(paused_at=paused_at, clock_started_at=clock)
    Trial.objects.filter(study=study).update(started_at=begun)
    assert Study.objects.get(id=study.id).left_s(timezone.now()) > 590
    assert study_pause(study=study, actor=setup.actor).paused_at == paused_at
    assert study_remaining_s(Study.objects.get(id=study.id), trials_of(study)) is None
    with pytest.raises(StudyPausedError):
        study_finish(study=study, actor=setup.actor)
    job_succeed(job)  # it had ended before anybody could put it back
    assert len(trials_of(study)) == 1
    study = study_resume(study=study, actor=setup.actor)
    assert study.paused_at is None
    assert study.left_s(timezone.now()) > 590
    assert len(trials_of(study)) == 2
    assert study_resume(study=study, actor=setup.actor).paused_at is None
    assert AuditRow.objects.filter(subject=study.id, action__in=("study.paused", "study.resumed")).count() == 2


def test_a_paused_trial_goes_on_and_keeps_the_time_it_took(setup, version):
    study = study_make(setup, version, max_trials=1)
    trial = trials_of(study)[0]
    job_begin(trial.job)
    study_pause(study=study, actor=setup.actor)
    Study.objects.filter(id=study.id).update(paused_at=timezone.now() - timedelta(hours=1))
    begun = trials_of(study)[0].started_at
    study_resume(study=study, actor=setup.actor)
    (trial,) = trials_of(study)
    assert trial.started_at - begun > timedelta(minutes=59)
    assert not trial.job.is_paused
    study_pause(study=study, actor=setup.actor)
    assert study_cancel(study=study, actor=setup.actor).paused_at is None


def test_a_paused_study_leaves_room_for_another_and_needs_it_again_to_go_on(setup, version):
    Job.objects.all().delete()
    quota_set(workspace=setup.workspace, quota=Quota.JOBS, limit=1)
    paused = study_pause(study=study_make(setup, version, max_trials=1), actor=setup.actor)
    other = study_make(setup, version, max_trials=1)
    with pytest.raises(JobsQuotaError):
        study_resume(study=paused, actor=setup.actor)
    study_cancel(study=other, actor=setup.actor)
    assert study_resume(study=paused, actor=setup.actor).paused_at is None


def test_cancelling_overrides_finishing(setup, version):
    study = study_make(setup, version, strategy="random_search", max_trials=9, concurrency=1)
    running = job_begin(trials_of(study)[0].job)
    study_finish(study=study, actor=setup.actor)
    study_cancel(study=study, actor=setup.actor)
    running.refresh_from_db()
    assert running.stop_requested == StopReason.CANCELLED


def test_cancelling_ends_the_trials_and_keeps_what_was_found(setup, version):
    study = study_make(setup, version, strategy="random_search", max_trials=9, concurrency=2)
    job_succeed(trials_of(study)[0].job)
    running = job_begin(trials_of(study)[1].job)
    study = study_cancel(study=study, actor=setup.actor)
    assert study.state == StudyState.CANCELLED
    running.refresh_from_db()
    assert running.stop_requested == StopReason.CANCELLED
    job_end(running, JobState.CANCELLED)
    waiting = trials_of(study)[2]
    assert waiting.job.state == JobState.CANCELLED.value  # nobody had taken it
    job_ended(waiting.job)
    assert [trial.state for trial in trials_of(study)] == ["succeeded", "cancelled", "cancelled"]
    study.refresh_from_db()
    assert study.state == StudyState.CANCELLED
    assert AuditRow.objects.filter(action="study.cancelled", subject=study.id).count() == 1
    with pytest.raises(StudyEndedError):
        study_cancel(study=study, actor=setup.actor)


def test_a_trial_cancelled_by_hand_lets_the_next_start(setup, version):
    study = study_make(setup, version, max_trials=2)
    job_end(trials_of(study)[0].job, JobState.CANCELLED)
    assert [trial.state for trial in trials_of(study)] == ["cancelled", "queued"]


def test_an_ended_study_can_be_extended(setup, version):
    study = study_make(setup, version, max_trials=1)
    job_succeed(trials_of(study)[0].job)
    study = study_extend(study=study, max_trials=2, actor=setup.actor)
    assert study.state == StudyState.RUNNING
    assert study.ended_at is None
    job_succeed(trials_of(study)[1].job)
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert Artefact.objects.filter(trial__study=study).count() == 2


def test_no_trial_is_started_after_the_time_limit(setup, version):
    study = study_start(
        version=version, request=request_make(max_trials=9), pruner="none", actor=setup.actor, time_limit_s=1e-6
    )
    study.refresh_from_db()
    assert trials_of(study) == []
    assert (study.state, study.error["code"]) == (StudyState.FAILED, "no_trial_started")


def test_the_time_left_follows_how_long_the_ended_trials_took(setup, version):
    study = study_make(setup, version, max_trials=2)
    first = trials_of(study)[0]
    job_succeed(first.job)
    first.refresh_from_db()
    took = timedelta(seconds=10 * first.estimated_s)
    Trial.objects.filter(id=first.id).update(started_at=first.ended_at - took)
    trials = trials_of(study)
    assert study_remaining_s(Study.objects.get(id=study.id), trials) == pytest.approx(10 * trials[1].estimated_s)

    began = datetime.now(UTC) - 2 * took
    Trial.objects.filter(id=trials[1].id).update(started_at=began, estimated_s=first.estimated_s, state=TrialState.RUNNING)
    late = trials_of(study)
    assert study_remaining_s(Study.objects.get(id=study.id), late) is None
    Job.objects.filter(id=late[1].job_id).update(progress_fraction=0.01)
    assert study_remaining_s(Study.objects.get(id=study.id), late) is None
    Job.objects.filter(id=late[1].job_id).update(progress_fraction=0.8)
    assert study_remaining_s(Study.objects.get(id=study.id), late) == pytest.approx(took.total_seconds() / 2, rel=0.1)


def test_a_study_without_a_name_is_called_by_its_number_in_the_starters_language(setup, version):
    assert study_make(setup, version).name == "Study 1"
    setup.owner.language = "zh"
    assert study_make(setup, version).name == "训练 2"
    setup.owner.save()
    key, _ = key_create(workspace=setup.workspace, name="script", role=Role.OWNER, actor=setup.actor)
    program = principal_of_key(keys_alive().get(id=key.id))
    assert study_start(version=version, request=request_make(), pruner="none", actor=program).name == "训练 3"


def test_a_running_trial_gets_what_is_left_of_the_time(setup, version, tmp_path):
    study = study_start(version=version, request=request_make(), pruner="none", actor=setup.actor, time_limit_s=600)
    (trial,) = trials_of(study)
    job = trial.job
    (tmp_path / "work").mkdir()

    def prepared() -> float | None:
        return job_prepare(job, tmp_path / "work").limits.time_s

    Study.objects.filter(id=study.id).update(clock_started_at=study.clock_started_at - timedelta(seconds=500))
    assert 590 < prepared() <= 600, "waiting for a place has cost nothing"
    trial_move(trial, TrialState.RUNNING)
    begun = Study.objects.get(id=study.id).clock_started_at
    Study.objects.filter(id=study.id).update(clock_started_at=begun - timedelta(seconds=500))
    assert 90 < prepared() <= 100
    assert study_remaining_s(Study.objects.get(id=study.id), trials_of(study)) <= 100 + EXPORT_S
    Study.objects.filter(id=study.id).update(clock_started_at=begun - timedelta(seconds=700))
    assert prepared() == LEAST_TIME_S
    Study.objects.filter(id=study.id).update(time_limit_s=None)
    assert prepared() is None


def test_a_version_without_validation_items_is_refused(setup):
    version = version_make(setup, num_items=1)
    with pytest.raises(StudyBlockedError) as caught:
        study_make(setup, version)
    assert "validation_split_empty" in {problem["code"] for problem in caught.value.extra["problems"]}


def test_a_restart_in_mid_study_loses_nothing(setup, version):
    """The job has ended and its worker died before anybody heard of it: whoever comes next goes on from the rows."""
    study = study_make(setup, version, max_trials=2)
    (trial,) = trials_of(study)
    job_begin(trial.job)
    result_keep(trial.job, accuracy=0.8)
    Job.objects.filter(id=trial.job_id).update(state="succeeded", metrics={"accuracy": 0.8})
    assert trials_of(study)[0].state == TrialState.RUNNING
    job_ended(Job.objects.get(id=trial.job_id))
    assert [each.state for each in trials_of(study)] == ["succeeded", "queued"]


def test_a_finished_job_is_not_cancelled_with_its_study(setup, version):
    study = study_make(setup, version, concurrency=1, max_trials=2)
    job = trials_of(study)[0].job
    job_begin(job)
    result_keep(job, accuracy=0.5)
    Job.objects.filter(id=job.id).update(state="succeeded", metrics={"accuracy": 0.5})
    try:
        study_cancel(study=study, actor=setup.actor)
    except JobFinishedError:
        pytest.fail("a study must be cancellable while one of its jobs ends")
    job_ended(Job.objects.get(id=job.id))
    assert trials_of(study)[0].state == TrialState.SUCCEEDED


@pytest.mark.parametrize("is_restorable", [True, False])
def test_trainings_of_a_deleted_project_do_not_go_on(setup, version, is_restorable):
    study = study_make(setup, version, strategy="random_search", max_trials=9)
    project_delete(project=setup.project, actor=setup.actor, is_restorable=is_restorable)
    study.refresh_from_db()
    job = trials_of(study)[0].job
    if not is_restorable:
        assert (study.state, job.state) == ("cancelled", "cancelled")
        return
    assert (study.paused_at is None, job.is_paused) == (False, True)
    project_restore(project=setup.project, actor=setup.actor)
    study.refresh_from_db()
    assert study_resume(study=study, actor=setup.actor).paused_at is None
