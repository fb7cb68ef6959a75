"""What waits for a person in labelling, for the overview of a project."""

from __future__ import annotations

from labeling.campaigns.models import CampaignItem, CampaignState, Outcome
from labeling.comments.models import Comment
from studio.projects.glance import WaitingOut
from studio.projects.models import Project


def project_waiting(project: Project) -> list[WaitingOut]:
    """Disputes of open campaigns, and items with open comments."""
    of_dataset = {"dataset": project.default_dataset_id}
    disputed = CampaignItem.objects.filter(
        campaign__dataset=project.default_dataset_id, campaign__state=CampaignState.OPEN, outcome=Outcome.DISPUTED
    )
    discussed = Comment.objects.filter(**of_dataset, item__deleted_at=None, resolved_at=None, deleted_at=None)
    counts = {"disputes": disputed.count(), "comments": discussed.values("item").distinct().count()}
    return [WaitingOut.model_validate({"key": key, "count": count}) for key, count in counts.items() if count]
