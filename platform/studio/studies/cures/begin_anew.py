"""Trains new models in place of going on from an earlier one."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_request

words = Words(__file__)


class BeginAnew(Cure):
    """For a model that training cannot go on from."""

    name = "begin_anew"
    place = 10
    codes = frozenset({"start_unsuitable", "start_weights_missing"})
    title = words("begin_anew.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where nothing is gone on from."""
        request = failure.settings.request
        if request.start is None:
            return None
        single = None if request.single is None else request.single.model_copy(update={"start_from": None})
        changes = (words("begin_anew.start", number=request.start.number),)
        return CurePlan(changes, with_request(failure.settings, start=None, single=single))


KIND = BeginAnew()
