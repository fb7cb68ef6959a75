"""The contract of a strategy of studies, run over every file of ``studio/studies/strategies`` and every sampler."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from automl.contracts.job import JobSpec, TrainConfig
from automl.search.ranges import ParamRange
from automl.search.samplers import sampler_names
from automl.search.space import train_problems
from engine.models import families_for, family_names
from engine.tasks import task_spec
from studio.common.errors import InvalidInputError
from studio.jobs.handlers import job_prepare
from studio.registry.models import Artefact
from studio.studies import strategies
from studio.studies.errors import StudyEndedError, StudyStrategyUnknownError
from studio.studies.models import Study, StudyState
from studio.studies.plan import plan_make
from studio.studies.schemas import StudyPlanIn
from studio.studies.services import study_extend, study_start
from studio.studies.strategies import strategy_names, strategy_of
from studio.studies.strategy import Scope, StudyRequest
from tests.studio.studies.material import job_succeed, study_make, text_version_make, trials_of
from tests.support.project_setup import home, setup_make

__all__ = ["home"]

ROOT = Path(__file__).parents[2]
SAMPLER = sampler_names()[0]
"""Another strategy, of those that take nothing of their own."""


@pytest.fixture(params=strategy_names())
def strategy(request):
    return strategy_of(request.param)


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def version(setup):
    return text_version_make(setup)


@pytest.fixture
def own(setup, version):
    """What a strategy may take, by the name of the field."""
    (trial,) = trials_of(study_make(setup, version, families=["text_probe"], max_trials=1))
    job_succeed(trial.job)
    artefact = Artefact.objects.get(trial=trial)
    return {
        "train": ("single", trial.train),
        "teacher": ("teacher", artefact),
        "start_from": ("start", artefact),
        "ranges": ("ranges", {"text_probe": {"is_balanced": ParamRange(choices=(False,))}}),
        "warm_start": ("warm_start", True),
    }


def request_of(strategy, own, **options):
    """A request with what the strategy cannot do without; where trials start from, ``tests/studio/studies`` tries."""
    fields = dict(own[field] for field in strategy.takes - {"start_from"})
    return StudyRequest(**{"strategy": strategy.name, "max_trials": 3, "concurrency": 1, **fields, **options})


def scope_of(strategy, version, request):
    return Scope(version=version, families=strategy.families(request, version), single=request.single)


def test_every_file_of_the_folder_is_found():
    files = {path.stem for path in Path(strategies.__path__[0]).glob("*.py") if not path.stem.startswith("_")}
    assert files
    assert set(strategy_names()) == files | set(sampler_names())


def test_it_is_called_as_its_file(strategy):
    assert strategy.name in strategy_names()
    assert strategy_of(strategy.name).name == strategy.name


@pytest.mark.parametrize("name", ["psychic", "", "_sampler", "../single"])
def test_an_unknown_one_is_named_with_those_there_are(name):
    with pytest.raises(StudyStrategyUnknownError) as caught:
        strategy_of(name)
    assert repr(name) in caught.value.message
    assert all(known in caught.value.hint for known in strategy_names())


def test_it_searches_with_a_sampler_that_is_there(strategy):
    assert strategy.searches is None or strategy.searches in sampler_names()


def test_what_it_takes_are_fields_of_a_request_that_may_be_absent(strategy):
    assert all(StudyPlanIn.model_fields[field].default is None for field in strategy.takes)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_person_reads_its_name(strategy, language):
    words = (ROOT / f"frontend/src/i18n/{language}/studies.ts").read_text(encoding="utf-8")
    (block,) = re.findall(r"\n  strategy: \{(.*?)\n  \}", words, re.S)
    assert re.search(rf"\n    {strategy.name}: '[^']+'", block), (
        f"no strategy.{strategy.name} in the {language} words of studies"
    )


def test_it_trains_families_of_the_task_as_they_can_be_trained(strategy, version, own):
    scope = scope_of(strategy, version, request_of(strategy, own))
    families = {family.name: family for family in scope.families}
    assert families
    assert set(families) <= {family.name for family in families_for(task_spec(version.project.task))}
    trials = strategy.first_trials(scope)
    examples = strategy.examples(scope)
    assert examples
    assert trials or strategy.searches
    for train in (*trials, *examples):
        assert isinstance(train, TrainConfig)
        assert not train_problems(families[train.family], train)


def test_the_same_question_has_the_same_answer(strategy, version, own):
    """A restart in the midst of a study asks again."""
    one, other = (strategy.first_trials(scope_of(strategy, version, request_of(strategy, own))) for _ in range(2))
    assert one == other


def test_a_plan_says_how_long_it_takes(strategy, version, own):
    plan = plan_make(version=version, request=request_of(strategy, own))
    assert plan.blocking == ()
    assert plan.estimated_s > 0
    assert len(plan.trials) == plan.num_trials or strategy.searches
    assert strategy.searches is None or plan.num_trials == 3


def test_its_order_is_one_that_the_engine_takes(strategy, setup, version, own, tmp_path):
    study = study_start(version=version, request=request_of(strategy, own), pruner="none", actor=setup.actor)
    spec = job_prepare(trials_of(study)[0].job, tmp_path)
    assert isinstance(spec, JobSpec)
    assert {"project", "study", "trial"} <= spec.lineage.keys()
    assert spec.train.family in family_names()


def test_a_study_of_it_runs_to_its_end_and_goes_on_only_where_it_searches(strategy, setup, version, own):
    started = study_start(version=version, request=request_of(strategy, own, max_trials=2), pruner="none", actor=setup.actor)
    for _ in range(started.max_trials):
        job_succeed(trials_of(started)[-1].job)
    study = Study.objects.get(id=started.id)
    assert (study.state, len(trials_of(study))) == (StudyState.SUCCEEDED, study.max_trials)
    if strategy.searches:
        again = study_extend(study=study, max_trials=study.max_trials + 1, actor=setup.actor)
        assert (again.state, len(trials_of(again))) == (StudyState.RUNNING, study.max_trials + 1)
    else:
        with pytest.raises(StudyEndedError):
            study_extend(study=study, max_trials=study.max_trials + 1, actor=setup.actor)


def test_what_it_does_not_take_is_refused(strategy, version, own):
    for field in own.keys() - strategy.takes:
        name, value = own[field]
        with pytest.raises(InvalidInputError) as caught:
            plan_make(version=version, request=request_of(strategy, own, **{name: value}))
        assert field in caught.value.fields


def test_a_stored_study_whose_strategy_is_gone_reports_it(setup, version):
    study = study_make(setup, version, strategy=SAMPLER, max_trials=1)
    job_succeed(trials_of(study)[0].job)
    Study.objects.filter(id=study.id).update(strategy="psychic")
    reply = setup.client().get(f"/api/studies/{study.id}")
    assert (reply.status_code, reply.json()["strategy"]) == (200, "psychic")
    reply = setup.client().post(f"/api/studies/{study.id}/extend", {"max_trials": 5}, content_type="application/json")
    assert (reply.status_code, reply.json()["code"]) == (422, "study_strategy_unknown")
    assert "psychic" in reply.json()["detail"]
