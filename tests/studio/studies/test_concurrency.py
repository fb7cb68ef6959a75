"""Several workers advance one study at the same moment, each with a connection of its own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections

from automl.contracts.job import JobState
from automl.search.states import TrialState
from studio.config.celery import app
from studio.jobs.handlers import job_ended
from studio.jobs.models import Job
from studio.registry.models import Artefact
from studio.studies.advance import study_advance
from studio.studies.models import Study, StudyState
from tests.studio.studies.material import job_begin, result_keep, study_make, trials_of, version_make

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
WORKERS = 6


@pytest.fixture(autouse=True)
def _messages_wait():
    """Messages stay in the in-memory broker: these tests are the workers."""
    is_eager, app.conf.task_always_eager = app.conf.task_always_eager, False
    yield
    app.conf.task_always_eager = is_eager


def at_once(*works):
    """Runs functions in threads that start together; the first failure is raised."""
    barrier = Barrier(len(works))

    def run(work):
        try:
            barrier.wait()
            work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        for future in [pool.submit(run, work) for work in works]:
            future.result()


def job_done(job: Job, accuracy: float) -> Job:
    """The engine is done and the row says so; nobody has told the study yet."""
    job_begin(job)
    result_keep(job, accuracy=accuracy)
    Job.objects.filter(id=job.id).update(state=JobState.SUCCEEDED.value, metrics={"accuracy": accuracy})
    return Job.objects.get(id=job.id)


def test_many_advances_at_once_start_no_twin(setup):
    study = study_make(setup, version_make(setup), strategy="tpe", max_trials=20, concurrency=1)
    Study.objects.filter(id=study.id).update(concurrency=4)
    at_once(*[lambda: study_advance(study_id=study.id)] * WORKERS)
    trials = trials_of(study)
    assert [trial.number for trial in trials] == [0, 1, 2, 3]
    assert len({trial.job_id for trial in trials}) == 4
    assert Job.objects.filter(kind="train").count() == 4


def test_trials_that_end_at_once_are_each_counted_and_replaced_once(setup):
    study = study_make(setup, version_make(setup), strategy="random_search", max_trials=10, concurrency=4)
    jobs = [job_done(trial.job, 0.5 + trial.number / 10) for trial in trials_of(study)]
    at_once(*[lambda job=job: job_ended(job) for job in jobs for _ in range(2)])
    trials = trials_of(study)
    assert [trial.number for trial in trials] == list(range(8))
    assert [trial.state for trial in trials] == [TrialState.SUCCEEDED] * 4 + [TrialState.QUEUED] * 4
    assert sorted(Artefact.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_the_last_trials_end_at_once_and_the_study_ends_once(setup):
    study = study_make(setup, version_make(setup), strategy="random_search", max_trials=3, concurrency=3)
    jobs = [job_done(trial.job, 0.6) for trial in trials_of(study)]
    at_once(*[lambda job=job: job_ended(job) for job in jobs])
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert len(trials_of(study)) == 3


def test_the_same_history_is_asked_the_same_by_any_worker(setup):
    """What a worker chooses depends on rows and seed alone, not on who asks."""
    version = version_make(setup)
    chosen = []
    for _ in range(2):
        study = study_make(setup, version, strategy="tpe", max_trials=5)
        for number in range(5):
            job_ended(job_done(trials_of(study)[-1].job, 0.5 + number / 20))
        chosen.append([trial.train for trial in trials_of(study)])
    assert chosen[0] == chosen[1]


def test_a_twin_by_number_is_refused_by_the_database(setup):
    study = study_make(setup, version_make(setup))
    trial = trials_of(study)[0]
    trial.pk = "trl_twin"
    with pytest.raises(Exception, match=r"(?i)unique") as caught:
        trial.save(force_insert=True)
    assert "IntegrityError" in type(caught.value).__name__
    assert connection.vendor in {"sqlite", "postgresql"}
