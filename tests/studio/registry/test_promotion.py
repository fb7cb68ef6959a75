"""Stages: one production model a project, who and why are kept."""

import pytest
from django.db import IntegrityError

from studio.accounts.models import AuditRow
from studio.registry.errors import ArtefactStageError
from studio.registry.models import Artefact, Stage, StageChange
from studio.registry.services import artefact_promote
from studio.registry.stages import MOVES
from tests.studio.studies.material import artefact_make


def promote(setup, artefact, stage, reason="better on the test split"):
    return artefact_promote(artefact=artefact, stage=stage, reason=reason, actor=setup.actor)


def test_a_new_production_model_replaces_the_old_one(setup, version):
    first, second = artefact_make(setup, version), artefact_make(setup, version)
    promote(setup, first, Stage.PRODUCTION)
    promote(setup, second, Stage.PRODUCTION, reason="fewer errors")
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.stage, second.stage) == (Stage.CANDIDATE, Stage.PRODUCTION)
    change = StageChange.objects.get(artefact=first, after=Stage.CANDIDATE)
    assert second.id in change.reason
    promote(setup, first, Stage.PRODUCTION)  # going back is one step
    second.refresh_from_db()
    assert second.stage == Stage.CANDIDATE


def test_who_and_why_are_kept(setup, version):
    artefact = artefact_make(setup, version)
    promote(setup, artefact, Stage.CANDIDATE, reason="looks good")
    change = StageChange.objects.get(artefact=artefact)
    assert (change.before, change.after, change.reason, change.by) == ("none", "candidate", "looks good", setup.owner.id)
    row = AuditRow.objects.get(action="artefact.promoted", subject=artefact.id)
    assert row.actor_id == setup.owner.id
    assert row.detail["reason"] == "looks good"


def test_moves_that_the_table_does_not_have_are_refused(setup, version):
    artefact = artefact_make(setup, version)
    for before in Stage:
        for after in Stage:
            Artefact.objects.filter(id=artefact.id).update(stage=before)
            if after in MOVES[before]:
                assert promote(setup, artefact, after).stage == after
            else:
                with pytest.raises(ArtefactStageError):
                    promote(setup, artefact, after)


def test_the_database_refuses_a_second_production_model(setup, version):
    first, second = artefact_make(setup, version), artefact_make(setup, version)
    promote(setup, first, Stage.PRODUCTION)
    with pytest.raises(IntegrityError):
        Artefact.objects.filter(id=second.id).update(stage=Stage.PRODUCTION)
