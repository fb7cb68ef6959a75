"""A target to stop at, the pruner by its name, what a search gained, and the history as files."""

import csv
import io
import struct
import zipfile

import optuna
import pytest
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from tensorboardX.proto.event_pb2 import Event

from automl.contracts.task import MetricSpec
from automl.search.ranges import ParamRange
from studio.common.errors import InvalidInputError
from studio.studies.advance import objective_of
from studio.studies.again import study_again, study_settings
from studio.studies.cures.kind import with_families, with_request
from studio.studies.gain import gain_of
from studio.studies.history_files import HISTORY_FILES
from studio.studies.models import Study, StudyState
from studio.studies.selectors import ended_by_of
from studio.studies.services import study_extend, study_start
from tests.studio.studies.material import job_succeed, request_make, study_make, trials_of


def _with_target(setup, version, target):
    request = request_make(strategy="random_search", families=["linear_probe"], max_trials=5)
    return study_start(version=version, request=request, pruner="none", actor=setup.actor, target=target)


def test_a_trial_that_reaches_the_target_ends_the_study_and_extending_goes_past_it(setup, version):
    study = _with_target(setup, version, 0.8)
    job_succeed(trials_of(study)[0].job, accuracy=0.7)
    assert len(trials_of(study)) == 2
    job_succeed(trials_of(study)[1].job, accuracy=0.8)
    study.refresh_from_db()
    assert (study.state, len(trials_of(study))) == (StudyState.SUCCEEDED, 2)
    assert ended_by_of(study, trials_of(study), objective_of(study)) == "target"
    study = study_extend(study=study, max_trials=6, actor=setup.actor)
    assert (study.state, study.target, len(trials_of(study))) == (StudyState.RUNNING, None, 3)


def test_an_unknown_pruner_is_refused_with_those_that_there_are(setup, version):
    with pytest.raises(InvalidInputError) as refused:
        study_start(version=version, request=request_make(), pruner="psychic", actor=setup.actor)
    assert refused.value.fields == {"pruner": ["known: none, asha, hyperband, median"]}


def test_what_the_search_gained_is_said_beside_the_trials_that_needed_none(setup, version):
    study = study_make(setup, version, families=["linear_probe"], max_trials=3, concurrency=1)
    objective: MetricSpec = objective_of(study)
    assert gain_of(study, trials_of(study), objective) is None
    job_succeed(trials_of(study)[0].job, accuracy=0.5)
    first = gain_of(study, trials_of(study), objective)
    assert (first.default, first.value, first.interval) == (trials_of(study)[0], 0.0, None)
    for accuracy in (0.6, 0.9):
        job_succeed(trials_of(study)[-1].job, accuracy=accuracy)
    gain = gain_of(study, trials_of(study), objective)
    assert gain.best.value == 0.9
    assert gain.value == pytest.approx(0.9 - gain.default.value)


def test_the_history_is_a_table_and_a_storage_that_optuna_opens(setup, version, tmp_path):
    study = study_make(setup, version, strategy="random_search", families=["linear_probe"], max_trials=2)
    for accuracy in (0.6, 0.7):
        job_succeed(trials_of(study)[-1].job, accuracy=accuracy)
    study = Study.objects.get(id=study.id)
    rows = list(csv.DictReader(io.StringIO(HISTORY_FILES["csv"].write(study).decode())))
    assert [(row["number"], row["state"], row["value"]) for row in rows] == [
        ("1", "succeeded", "0.6"),
        ("2", "succeeded", "0.7"),
    ]
    assert float(rows[0]["metric.accuracy"]) == 0.6
    path = tmp_path / "study.log"
    path.write_bytes(HISTORY_FILES["optuna"].write(study))
    loaded = optuna.load_study(study_name=study.name, storage=JournalStorage(JournalFileBackend(str(path))))
    assert [trial.value for trial in loaded.trials] == [0.6, 0.7]
    assert loaded.best_trial.params["family"] == "linear_probe"


def test_the_history_is_logs_that_tensorboard_reads(setup, version):
    study = study_make(setup, version, strategy="random_search", families=["linear_probe"], max_trials=2)
    job_succeed(trials_of(study)[0].job, accuracy=0.6)
    for step, value in ((10, 0.5), (20, 0.625)):
        trials_of(study)[0].points.create(split="validation", step=step, epoch=step / 10, values={"accuracy": value})
    with zipfile.ZipFile(io.BytesIO(HISTORY_FILES["tensorboard"].write(Study.objects.get(id=study.id)))) as archive:
        (name,) = archive.namelist()  # the other trial has measured nothing
        log = archive.read(name)
    assert name.startswith("trial-001-linear_probe/events.out.tfevents.")
    events = []
    while log:  # TFRecord: length, its checksum, the event, its checksum
        (length,) = struct.unpack("<Q", log[:8])
        events.append(Event.FromString(log[12 : 12 + length]))
        log = log[16 + length :]
    scalars = [
        (each.tag, event.step, each.simple_value) for event in events for each in event.summary.value if each.simple_value
    ]
    assert scalars == [("accuracy/validation", 10, 0.5), ("accuracy/validation", 20, 0.625)]


def test_no_trial_leaves_the_ranges_that_a_person_sets_and_starting_again_keeps_them(setup, version):
    ranges = {"linear_probe": {"size": ParamRange(choices=("2",)), "resolution_px": ParamRange(choices=(160,))}}
    study = study_make(setup, version, families=["linear_probe"], max_trials=4, ranges=ranges)
    for accuracy in (0.5, 0.6, 0.7):
        job_succeed(trials_of(study)[-1].job, accuracy=accuracy)
    tried = [(trial.train.size, trial.train.params["resolution_px"]) for trial in trials_of(study)]
    assert len(tried) > 2
    assert set(tried) == {("2", 160)}
    assert study_settings(study).request.ranges == ranges


def test_ranges_of_families_that_are_left_out_do_not_hinder_starting_again(setup, version):
    ranges = {name: {"resolution_px": ParamRange(choices=(160,))} for name in ("linear_probe", "resnet")}
    study = study_make(setup, version, families=["linear_probe", "resnet"], max_trials=2, ranges=ranges)
    study.families = [each for each in study.families if each[0] == "linear_probe"]
    study.save(update_fields=["families"])
    settings = study_settings(study)
    assert set(settings.request.ranges) == {"linear_probe"}
    study_again(settings, version=version, actor=setup.actor)
    other = with_families(with_request(settings, families=["linear_probe", "resnet"], ranges=ranges), ["resnet"])
    assert set(other.request.ranges) == {"resnet"}


def test_a_range_that_fits_nothing_is_refused_by_name(setup, version):
    ranges = {"linear_probe": {"resolution_px": ParamRange(low=1)}, "resnet": {"lr": ParamRange(low=1)}}
    with pytest.raises(InvalidInputError) as refused:
        study_make(setup, version, families=["linear_probe"], ranges=ranges)
    assert set(refused.value.fields) == {"ranges.linear_probe.resolution_px", "ranges.resnet"}
    with pytest.raises(InvalidInputError) as refused:
        study_make(setup, version, strategy="single", families=["linear_probe"], ranges=ranges)
    assert "ranges" in refused.value.fields
