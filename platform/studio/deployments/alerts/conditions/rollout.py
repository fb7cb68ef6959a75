"""A rollout has ended, by itself or by a person's word."""

from __future__ import annotations

from collections.abc import Iterator

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.deployments.alerts.conditions.kind import MomentaryCondition, Occurrence, Watch
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.alerts.recording import Figures
from studio.deployments.models import Rollout

words = Words(__file__)


class RolloutEnd(MomentaryCondition):
    """Promoted, rolled back or stopped."""

    name = "rollout"
    place = 50
    title = words("rollout.title")

    def happened(self, watch: Watch) -> Iterator[Occurrence]:
        """Rollouts that ended."""
        ended = Rollout.objects.filter(deployment=watch.deployment, ended_at__gte=watch.since).order_by("id")
        for rollout in ended.select_related("candidate", "baseline"):
            if rollout.ended_at is not None:
                candidate, baseline = rollout.candidate.number, rollout.baseline.number
                figures: dict[str, int | str] = {"state": rollout.state, "candidate": candidate, "baseline": baseline}
                yield Occurrence(rollout.id, rollout.ended_at, figures)

    def message(self, event: AlertEvent, figures: Figures) -> Text:
        """How it ended."""
        del event
        values = {"candidate": figures["candidate"], "baseline": figures["baseline"]}
        return words(f"rollout.end.{figures['state']}", **values)


KIND = RolloutEnd()
