"""Trains without a GPU."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_request

words = Words(__file__)

CPU = "cpu"
"""Of ``Study.device``."""
OF_GPU = "cuda"
"""Stands in what torch says when it is the GPU that has no memory left."""


class OnCpu(Cure):
    """For a GPU that cannot be used, or is too small."""

    name = "on_cpu"
    place = 30
    codes = frozenset({"device_failed", "out_of_memory"})
    title = words("on_cpu.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where no GPU was used."""
        if failure.settings.request.device == CPU or OF_GPU not in failure.message.lower():
            return None
        return CurePlan((words("on_cpu.slower"),), with_request(failure.settings, device=CPU))


KIND = OnCpu()
