"""A training that the retrain rule started has ended."""

from __future__ import annotations

from collections.abc import Iterator

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import MomentaryCondition, Occurrence, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.models import Retraining
from studio.deployments.retraining.models import RetrainingState

words = Words(__file__)


class RetrainingEnd(MomentaryCondition):
    """A new model is offered, or there is none."""

    name = "retraining"
    place = 60
    title = words("retraining.title")

    def happened(self, watch: Watch) -> Iterator[Occurrence]:
        """Trainings that ended."""
        ended = Retraining.objects.filter(deployment=watch.deployment, ended_at__gte=watch.since).order_by("id")
        for each in ended.select_related("artefact", "version"):
            is_gone = each.state == RetrainingState.OFFERED and each.artefact is None
            if each.ended_at is not None and not is_gone:
                model = {"model": each.artefact.number} if each.artefact is not None else {}
                yield Occurrence(each.id, each.ended_at, {"state": each.state, "version": each.version.number, **model})

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """What came of it."""
        del event
        values = {name: value for name, value in figures.items() if name != "state"}
        return words(f"retraining.end.{figures['state']}", **values)


KIND = RetrainingEnd()
