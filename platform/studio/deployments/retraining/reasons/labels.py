"""Enough items have been labelled or corrected that the model in service has not learned from."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.datasets.models import Item
from studio.deployments.alerts.conditions.kind import Limit
from studio.deployments.alerts.recording import Figures
from studio.deployments.retraining.reasons.kind import Finding, Observation, Reason

words = Words(__file__)


class Labels(Reason):
    """Counts them."""

    name = "labels"
    place = 30
    title = words("labels.title")
    limit = Limit(default=100.0, least=1.0, most=1_000_000.0, label=words("labels.limit"))

    def look(self, look: Observation) -> Finding:
        """Counts the items that were labelled since."""
        dataset = look.deployment.project.default_dataset_id
        number = Item.objects.filter(dataset=dataset, deleted_at=None, annotated_at__gt=look.since).count()
        holds = number >= look.limit
        return Finding(holds, holds, {"count": number})

    def message(self, figures: Figures) -> Text:
        """How many."""
        return words("labels.found", **figures)


KIND = Labels()
