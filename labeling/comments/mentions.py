"""Who is meant by ``@name`` in a comment, and who gets a notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labeling.campaigns.models import CampaignItem, CampaignMember
from labeling.comments.models import Comment
from studio.accounts.access import Principal
from studio.accounts.notices import NoticeKind, excerpt, notices_add
from studio.accounts.project_roles import project_members, role_of_member
from studio.accounts.roles import role_allows
from studio.datasets.models import Item
from studio.projects.models import Project

PERSON = "person:"


@dataclass(frozen=True)
class Reader:
    """Somebody who may read the comments of an item."""

    user: str
    name: str
    reads_data: bool
    """Whether the whole project, not only the share of a campaign."""


def readers_of(item: Item) -> list[Reader]:
    """The people who may read an item's comments, by name: who reads the project, and who labels the item in a campaign."""
    project = item.dataset.project
    members = project_members(project.workspace_id, project.id).filter(user__is_active=True).exclude(name="")
    campaigns = CampaignItem.objects.filter(item=item).values("campaign")
    sharing = set(CampaignMember.objects.filter(campaign__in=campaigns).values_list("person", flat=True))
    there = [(row, role_of_member(row)) for row in members.order_by("name", "user")]
    found = [Reader(row.user_id, row.name, role_allows(role, "data.read")) for row, role in there if role is not None]
    return [one for one in found if one.reads_data or f"{PERSON}{one.user}" in sharing]


def mentioned(text: str, readers: Sequence[Reader]) -> list[Reader]:
    """The people whose names stand behind an ``@``; of names that begin alike, the longest counts.

    A first name will do where only one person has it.
    """
    found: dict[str, Reader] = {}
    lowered = text.casefold()
    called = _called(readers)
    names = sorted(called, key=len, reverse=True)
    for at in (place for place, char in enumerate(lowered) if char == "@"):
        name = next((name for name in names if lowered.startswith(name, at + 1) and _ends(lowered, at + 1 + len(name))), None)
        found |= {one.user: one for one in (called[name] if name is not None else ())}
    return list(found.values())


def _called(readers: Sequence[Reader]) -> dict[str, list[Reader]]:
    """Who is meant by each name, folded: whole names, and first names that one person alone has."""
    whole: dict[str, list[Reader]] = {}
    first: dict[str, list[Reader]] = {}
    for one in readers:
        whole.setdefault(one.name.casefold(), []).append(one)
        first.setdefault(one.name.casefold().split()[0], []).append(one)
    return {name: people for name, people in first.items() if len(people) == 1} | whole


def _ends(text: str, place: int) -> bool:
    """Whether a word ends at a place. Chinese is written without spaces: there any place will do."""
    return not (text[place - 1 : place + 1].isascii() and text[place : place + 1].isalnum())


@dataclass(frozen=True)
class NamesMentioned:
    """The names behind an ``@`` in a text."""

    there: list[str]
    """Of people who see the project."""
    not_there: list[str]
    """Of people of the workspace who do not see the project, and so get no notice."""


def names_mentioned(texts: Sequence[str], project: Project) -> list[NamesMentioned]:
    """The names behind an ``@`` in texts, of people who are in the workspace of a project now."""
    if not any("@" in text for text in texts):
        return [NamesMentioned([], []) for _ in texts]
    members = project_members(project.workspace_id, project.id).exclude(name="")
    people = [Reader(row.user_id, row.name, role_of_member(row) is not None) for row in members]
    found = [mentioned(text, people) for text in texts]
    there = [{one.name for one in named if one.reads_data} for named in found]
    return [
        NamesMentioned(sorted(seen), sorted({one.name for one in named} - seen))
        for named, seen in zip(found, there, strict=True)
    ]


def comment_notify(comment: Comment, item: Item, actor: Principal, *, before: str = "") -> None:
    """Tells the people whom a comment names, and those whose comments on the item it follows.

    Args:
        comment: what was said.
        item: of what, with its dataset and project.
        actor: who said it.
        before: what it said before it was edited: who was named there has been told.
    """
    readers = readers_of(item)
    earlier = {one.user for one in mentioned(before, readers)}
    named = [one for one in mentioned(comment.text, readers) if one.user not in earlier]
    talked = Comment.objects.filter(item=item, deleted_at=None, id__lt=comment.id).values_list("author", flat=True).distinct()
    answered = set() if before else {author.removeprefix(PERSON) for author in talked if author.startswith(PERSON)}
    values = {"text": excerpt(comment.text)}
    project = item.dataset.project
    for reader in readers:
        kind: NoticeKind | None = "mention" if reader in named else "reply" if reader.user in answered else None
        if kind is None:
            continue
        notices_add(
            users=[reader.user],
            workspace=project.workspace_id,
            project=project.id,
            kind=kind,
            subject=comment.id,
            path=f"/projects/{project.id}/labelling?item={item.id}" if reader.reads_data else "/tasks",
            by=actor,
            values=values,
        )
