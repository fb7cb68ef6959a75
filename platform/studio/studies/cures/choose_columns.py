"""Shows the columns of a table, so that a person can choose those to learn from."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure

words = Words(__file__)


class ChooseColumns(Cure):
    """For a table without columns that anything can be learned from."""

    name = "choose_columns"
    place = 10
    codes = frozenset({"no_feature_columns", "nothing_trained"})
    title = words("choose_columns.title")
    page = "columns"

    def plan(self, failure: Failure) -> CurePlan | None:
        """Always."""
        return CurePlan((words("choose_columns.what"),), failure.settings)


KIND = ChooseColumns()
