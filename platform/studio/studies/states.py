"""The written tables of moves of studies and trials, and the functions that alone write a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from automl.search.states import TrialState
from studio.common.errors import ConflictError
from studio.studies.models import Study, StudyState, Trial

STUDY_MOVES: dict[StudyState, frozenset[StudyState]] = {
    StudyState.RUNNING: frozenset({StudyState.SUCCEEDED, StudyState.FAILED, StudyState.CANCELLED}),
    StudyState.SUCCEEDED: frozenset({StudyState.RUNNING}),  # extended
    StudyState.FAILED: frozenset({StudyState.RUNNING}),
    StudyState.CANCELLED: frozenset(),
}
TRIAL_MOVES: dict[TrialState, frozenset[TrialState]] = {
    TrialState.QUEUED: frozenset(set(TrialState) - {TrialState.QUEUED}),
    TrialState.RUNNING: frozenset(state for state in TrialState if state.is_final),
    TrialState.SUCCEEDED: frozenset(),
    TrialState.FAILED: frozenset(),
    TrialState.PRUNED: frozenset(),
    TrialState.CANCELLED: frozenset(),
}
FINAL = frozenset(state for state in TrialState if state.is_final)
OPEN = frozenset(TrialState) - FINAL


class StudyMoveError(ConflictError):
    """The table has no such move."""

    code = "study_move_not_allowed"
    title = "The study cannot do this now"


class TrialMoveError(ConflictError):
    """The table has no such move; in particular, a finished trial takes no new values."""

    code = "trial_move_not_allowed"
    title = "The trial cannot do this now"


def study_move(study: Study, to: StudyState, *, error: Mapping[str, Any] | None = None) -> None:
    """Moves a study whose row the caller has locked.

    Raises:
        StudyMoveError: the table has no such move.
    """
    sources = [state.value for state, moves in STUDY_MOVES.items() if to in moves]
    changes = {"state": to.value, "error": error, "ended_at": None if to is StudyState.RUNNING else timezone.now()}
    if not Study.objects.filter(id=study.id, state__in=sources).update(**changes):
        raise StudyMoveError(f"The study cannot become {to.value}.")
    study.refresh_from_db()


def trial_move(trial: Trial, to: TrialState, *, changes: Mapping[str, Any] | None = None) -> None:
    """Moves a trial in one guarded statement and reads its row anew.

    Raises:
        TrialMoveError: the table has no such move.
    """
    sources = [state.value for state, moves in TRIAL_MOVES.items() if to in moves]
    fields: dict[str, Any] = {**(changes or {}), "state": to.value}
    fields["ended_at" if to.is_final else "started_at"] = timezone.now()
    if not Trial.objects.filter(id=trial.id, state__in=sources).update(**fields):
        raise TrialMoveError(f"Trial {trial.id} cannot become {to.value}.")
    trial.refresh_from_db()
