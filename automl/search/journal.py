"""A study as a file that Optuna opens by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend

from automl.search.objectives import SideObjective
from automl.search.space import SearchSpace
from automl.search.study import TrialRecord, rebuild


def journal_write(
    path: Path,
    *,
    name: str,
    history: Sequence[TrialRecord],
    space: SearchSpace,
    is_higher_better: bool,
    also_improves: Sequence[SideObjective] = (),
) -> None:
    """Writes a journal with one study.

    ``optuna.load_study(study_name=name, storage=JournalStorage(JournalFileBackend(path)))`` reads it, and goes on from there.

    Args:
        path: a file that does not exist yet.
        name: of the study in it.
        history: as of ``automl.search.study.ask``.
        space: trials outside of it are left out.
        is_higher_better: direction of the objective.
        also_improves: further values, as logarithms.
    """
    study = rebuild(history=history, space=space, is_higher_better=is_higher_better, also_improves=also_improves)
    storage = JournalStorage(JournalFileBackend(str(path)))
    written = optuna.create_study(storage=storage, study_name=name, directions=study.directions)
    written.add_trials(study.trials)
