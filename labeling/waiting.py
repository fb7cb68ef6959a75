"""What waits for a person in labelling, for the overview of a project and for all projects of a workspace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Count

from labeling.campaigns.models import CampaignItem, CampaignState, Outcome
from labeling.comments.models import Comment
from studio.projects.glance import WaitingOut
from studio.projects.models import Project


def project_waiting(project: Project) -> list[WaitingOut]:
    """Disputes of open campaigns, and items with open comments."""
    return projects_waiting([project.id]).get(project.id, [])


def projects_waiting(project_ids: Sequence[str]) -> dict[str, list[WaitingOut]]:
    """The same of several projects, by two queries."""
    disputed = CampaignItem.objects.filter(
        campaign__dataset__project__in=project_ids, campaign__state=CampaignState.OPEN, outcome=Outcome.DISPUTED
    )
    discussed = Comment.objects.filter(
        dataset__project__in=project_ids, item__deleted_at=None, resolved_at=None, deleted_at=None
    )
    found: dict[str, list[WaitingOut]] = defaultdict(list)
    by_dispute = disputed.values_list("campaign__dataset__project").annotate(num=Count("id")).order_by()
    by_comment = discussed.values_list("dataset__project").annotate(num=Count("item", distinct=True)).order_by()
    for project, num in by_dispute:
        found[project].append(WaitingOut(key="disputes", count=num))
    for project, num in by_comment:
        found[project].append(WaitingOut(key="comments", count=num))
    return found
