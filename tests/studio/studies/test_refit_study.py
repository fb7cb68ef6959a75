"""What a study ships: the best trial learned once more, and what becomes of it when that goes wrong."""

import pytest

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.dataset import Split
from automl.contracts.job import JobState, TrainConfig
from automl.contracts.report import REPORT_FILE, Judgement, Report
from automl.planning.fit import EXPORT_S, TrialEstimate
from automl.search.states import TrialState
from engine.models import family_spec
from studio.common.blobs import blobs
from studio.common.errors import InvalidInputError
from studio.jobs.endings import end_handle
from studio.jobs.handlers import job_prepare
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix
from studio.registry.errors import SplitLearnedError
from studio.registry.models import Artefact
from studio.registry.services import artefact_evaluate
from studio.studies.again import study_settings
from studio.studies.models import StudyState
from studio.studies.plan import plan_make, total_seconds
from studio.studies.present import study_out
from studio.studies.refits import refit_range
from studio.studies.selection import best_of, equals_of
from studio.studies.services import study_cancel, study_extend, study_finish
from tests.studio.studies.material import (
    job_begin,
    job_end,
    job_succeed,
    report_make,
    request_make,
    result_keep,
    study_make,
    trials_of,
)


def _searched(setup, version, *values, **options):
    """A study whose candidates have all ended well; the trial that ships waits."""
    study = study_make(setup, version, refits=True, max_trials=len(values), **options)
    for value in values:
        job_succeed(trials_of(study)[-1].job, accuracy=value)
    study.refresh_from_db()
    return study


def _rewritten(job: Job, *, learned=None, **report):
    """Changes what a job left before the platform looks at it."""
    folder = blobs().fetch_tree(result_prefix(job.id))
    manifest, old_report = ArtefactManifest.read(folder / MANIFEST_FILE), Report.read(folder / REPORT_FILE)
    if learned is not None:
        manifest.model_copy(update={"learned": learned}).write(folder / MANIFEST_FILE)
    old_report.model_copy(update=report).write(folder / REPORT_FILE)


def test_when_all_are_judged_the_best_learn_once_more(setup, version, tmp_path):
    study = _searched(setup, version, 0.6, 0.9, 0.7, max_answer_ratio=3.0)
    assert (study.state, study_out(study).shipping) == (StudyState.RUNNING, "running")
    *candidates, last = trials_of(study)
    assert last.members == [candidates[1].id, candidates[2].id, candidates[0].id]
    spec = job_prepare(last.job, tmp_path)
    assert (spec.kind, spec.train) == ("refit", None)
    assert spec.refit.members == ("members/0", "members/1", "members/2")
    assert spec.refit.learns == (Split.TRAIN, Split.VALIDATION)
    assert all((tmp_path / member / MANIFEST_FILE).is_file() for member in spec.refit.members)
    job_succeed(last.job, accuracy=0.9)
    study.refresh_from_db()
    out = study_out(study)
    assert (out.state, out.shipping, out.best_trial, out.judged_trial) == ("succeeded", "refitted", last.id, candidates[1].id)
    assert out.counts.succeeded == 3


@pytest.mark.parametrize(("state", "shipping"), [(JobState.FAILED, "failed"), (JobState.STOPPED, "unneeded")])
def test_when_that_goes_wrong_the_judged_model_is_shipped(setup, version, state, shipping):
    study = _searched(setup, version, 0.6, 0.9)
    *candidates, last = trials_of(study)
    job_begin(last.job)
    job_end(last.job, state)
    study.refresh_from_db()
    out = study_out(study)
    assert (out.state, out.shipping, out.best_trial) == ("succeeded", shipping, candidates[1].id)


def test_finish_now_ships_what_was_judged(setup, version):
    study = _searched(setup, version, 0.6, 0.9)
    last = trials_of(study)[-1]
    study_finish(study=study, actor=setup.actor)
    last.job.refresh_from_db()
    assert last.job.state == JobState.CANCELLED
    end_handle(last.job_id)
    ended = trials_of(study)
    assert ended[-1].state == TrialState.CANCELLED
    out = study_out(type(study).objects.get(id=study.id))
    assert (out.state, out.shipping, out.ended_by, out.best_trial) == (
        "succeeded",
        "cancelled",
        "finish",
        ended[1].id,
    )


def test_finish_before_the_end_starts_no_other_training(setup, version):
    study = study_make(setup, version, refits=True, max_trials=3)
    job_succeed(trials_of(study)[0].job, accuracy=0.7)
    job_begin(trials_of(study)[1].job)
    study_finish(study=study, actor=setup.actor)
    job_succeed(trials_of(study)[1].job, accuracy=0.8)
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert all(trial.is_candidate for trial in trials_of(study))


def test_cancel_while_it_learns_leaves_nothing_running(setup, version):
    study = _searched(setup, version, 0.6)
    study_cancel(study=study, actor=setup.actor)
    end_handle(trials_of(study)[-1].job_id)
    assert trials_of(study)[-1].state == TrialState.CANCELLED
    study.refresh_from_db()
    assert study.state == StudyState.CANCELLED


def test_more_trials_are_followed_by_another_model_to_ship(setup, version):
    study = _searched(setup, version, 0.6)
    job_succeed(trials_of(study)[-1].job, accuracy=0.6)
    study.refresh_from_db()
    study_extend(study=study, max_trials=2, actor=setup.actor)
    trials = trials_of(study)
    assert [trial.is_candidate for trial in trials] == [True, False, True]
    job_succeed(trials[-1].job, accuracy=0.8)
    trials = trials_of(study)
    assert [trial.is_candidate for trial in trials] == [True, False, True, False]
    assert trials[-1].members[0] == trials[2].id


def test_nothing_is_started_where_all_was_learned_and_no_mean_is_requested(setup, version):
    study = study_make(setup, version, refits=True, max_trials=1, families=["linear_probe"])
    (trial,) = trials_of(study)
    job_begin(trial.job)
    result_keep(trial.job, accuracy=0.9)
    _rewritten(trial.job, learned=(Split.TRAIN, Split.VALIDATION))
    job_end(trial.job, JobState.SUCCEEDED, metrics={"accuracy": 0.9})
    study.refresh_from_db()
    assert (study.state, study_out(study).shipping) == (StudyState.SUCCEEDED, "unneeded")
    artefact = Artefact.objects.get(trial=trial)
    with pytest.raises(SplitLearnedError):
        artefact_evaluate(artefact=artefact, version=version, split=Split.VALIDATION, actor=setup.actor)


def test_of_trials_within_the_error_the_one_that_generalises_is_kept(setup, version):
    study = study_make(setup, version, max_trials=3)
    for value in (0.90, 0.89, 0.89):  # a probe, a fine-tuned network and one from scratch; intervals are 0.1 wide
        job_succeed(trials_of(study)[-1].job, accuracy=value)
    trials = trials_of(study)
    out = study_out(type(study).objects.get(id=study.id))
    assert [trial.train.family for trial in trials] == ["linear_probe", "efficientnet_lite", "resnet"]
    assert out.judged_trial == trials[1].id
    assert out.equal_trials == [trials[1].id, trials[0].id, trials[2].id]
    assert out.best_interval == pytest.approx([0.79, 0.89])
    assert out.shipping == "judged"


def test_of_trials_within_the_error_the_one_that_answers_fastest_is_kept_where_that_is_preferred(setup, version):
    study = study_make(setup, version, max_trials=4, prefers_fast=True)
    for value, latency_ms in ((0.89, 4.0), (0.90, 6.0), (0.89, 2.0), (0.70, 1.0)):
        report = report_make(version, accuracy=value).model_copy(update={"latency_ms": latency_ms})
        job_succeed(trials_of(study)[-1].job, accuracy=value, report=report)
    trials, study = trials_of(study), type(study).objects.get(id=study.id)
    assert study_out(study).equal_trials == [trials[number].id for number in (2, 0, 1)]
    assert study_settings(study).request.prefers_fast


def test_what_was_cut_off_is_no_equal(setup, version):
    study = study_make(setup, version, max_trials=2, families=["linear_probe", "efficientnet_lite"])
    job_succeed(trials_of(study)[0].job, accuracy=0.88)
    job = trials_of(study)[1].job
    job_begin(job)
    result_keep(job, accuracy=0.89)
    judgement = Judgement(
        by="split",
        num_folds=1,
        num_items=6,
        metrics={"accuracy": 0.89},
        intervals={"accuracy": (0.79, 0.89)},
        halted="time_limit",
    )
    _rewritten(job, judgement=judgement)
    job_end(job, JobState.SUCCEEDED, metrics={"accuracy": 0.89})
    out = study_out(type(study).objects.get(id=study.id))
    assert (out.judged_trial, out.equal_trials, out.ended_by) == (
        trials_of(study)[0].id,
        [trials_of(study)[0].id],
        "time_limit",
    )


def test_another_metric_may_decide(setup, version):
    study = study_make(setup, version, max_trials=1, objective="log_loss")
    assert (study_out(study).objective.name, study_out(study).objective.is_higher_better) == ("log_loss", False)
    with pytest.raises(InvalidInputError):
        study_make(setup, version, objective="beauty")


def test_the_plan_says_what_it_costs(setup, version):
    without = plan_make(version=version, request=request_make(max_trials=3))
    alone = plan_make(version=version, request=request_make(max_trials=3, refits=True))
    several = plan_make(version=version, request=request_make(max_trials=3, refits=True, max_answer_ratio=3.0))
    assert without.refit_s == 0
    assert 0 < alone.refit_s < several.refit_s
    assert several.estimated_s == pytest.approx(without.estimated_s + several.refit_s)
    ranges = [refit_range(several.trials, version, max_answer_ratio=ratio, export_s=EXPORT_S) for ratio in (1.0, 3.0)]
    assert all(each.least_s < each.expected_s <= each.most_s for each in ranges)
    assert ranges[0].expected_s < ranges[1].expected_s < ranges[1].most_s == pytest.approx(several.refit_s)


def test_frozen_models_that_read_texts_by_other_tokens_are_shipped_as_they_are(version):
    def most_s(*families: str) -> float:
        trains = [TrainConfig(family=family, size=family_spec(family).sizes[0].name, params={}) for family in families]
        trials = [TrialEstimate(train, 9.0, memory_bytes=1, is_fitting=True) for train in trains]
        return refit_range(trials, version, max_answer_ratio=3.0, export_s=2.0).most_s

    assert most_s("tfidf_linear", "text_probe") == 0.0
    assert most_s("tfidf_linear", "text_probe", "text_probe") == 4.0


def test_of_trials_that_a_search_will_choose_each_family_is_as_likely():
    families = {"resnet": [10.0, 20.0], "linear_probe": [60.0], "vgg": [900.0]}
    *known, slow = [
        TrialEstimate(TrainConfig(family=family, size="18", params={}), seconds, memory_bytes=1, is_fitting=True)
        for family, own in families.items()
        for seconds in own
    ]
    found = [total_seconds(known, 4, 1), *(total_seconds(known, 4, 1, chosen) for chosen in (min, max))]
    assert found == [90.0 + 37.5, 90.0 + 15.0, 90.0 + 60.0]
    drawn = [total_seconds([*known, slow], 4 + num_more, 1) - 990.0 for num_more in (0, 1, 3)]
    assert drawn == [0.0, 60.0, 15.0 + 60.0 + 900.0], "one draw is most likely not the slow one"


def test_models_of_before_evidence_was_kept_are_ranked_by_value(setup, version):
    study = study_make(setup, version, max_trials=2)
    for value in (0.9, 0.89):
        job_succeed(trials_of(study)[-1].job, accuracy=value)
    trials = trials_of(study)
    type(trials[0]).objects.update(evidence=None)
    objective = study_out(study).objective
    assert best_of(study, trials_of(study), objective) == trials[0]
    assert len(equals_of(study, trials_of(study), objective)) == 1
