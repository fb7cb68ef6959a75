"""HTTP endpoints of comments."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from labeling.comments import selectors, services
from labeling.comments.mentions import readers_of
from labeling.comments.models import Comment
from labeling.comments.schemas import (
    CommentCountsOut,
    CommentIn,
    CommentOut,
    CommentResolvedIn,
    CommentTextIn,
    MentionableOut,
    OpenCommentOut,
)
from labeling.journals import journal_check
from labeling.services import provenance_of
from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action, role_allows
from studio.common.paging import PageOut, PageQuery
from studio.datasets.items.http import dataset_for, project_dataset_for, sight_of
from studio.datasets.items.selectors import item_get
from studio.datasets.models import Item

router = Router(tags=["labeling"])


@router.get("/labeling/comments", response=list[CommentOut], operation_id="comments_list")
def comments_list(request: HttpRequest, item: str) -> list[CommentOut]:
    """Comments on an item, oldest first."""
    found = item_get(sight_of(request), item)
    _let_in(request, "data.read", found)
    return selectors.comments_of(found)


@router.post("/labeling/comments", response={201: CommentOut}, operation_id="comment_add")
def comment_add(request: HttpRequest, body: CommentIn) -> Status[CommentOut]:
    """Says something about an item; sending it again changes nothing."""
    journal_check(principal_of(request), body.person)
    item = item_get(sight_of(request), body.item)
    _let_in(request, "label.write", item)
    made = services.comment_add(item=item, text=body.text, operation=body.operation, actor=principal_of(request))
    return Status(201, selectors.comments_out([made])[0])


@router.get("/labeling/comments/people", response=list[MentionableOut], operation_id="comments_people")
def comments_people(request: HttpRequest, item: str) -> list[MentionableOut]:
    """Whom a comment on an item can name by ``@name``: the people who may read it."""
    found = item_get(sight_of(request), item)
    _let_in(request, "data.read", found)
    return [MentionableOut(user=one.user, name=one.name) for one in readers_of(found)]


@router.get("/labeling/comments/open", response=PageOut[OpenCommentOut], operation_id="comments_open_list")
def comments_open_list(request: HttpRequest, project: str, query: Query[PageQuery]) -> PageOut[OpenCommentOut]:
    """The open comments of a project, newest first."""
    page = selectors.open_page(project_dataset_for(request, "data.read", project), cursor=query.cursor, limit=query.limit)
    return PageOut(items=selectors.open_out(page.items), next_cursor=page.next_cursor)


@router.get("/datasets/{dataset}/comments/open", response=CommentCountsOut, operation_id="comments_open")
def comments_open(request: HttpRequest, dataset: str, first: str, last: str) -> CommentCountsOut:
    """How many open comments the items between two ids have."""
    found = dataset_for(request, "data.read", dataset)
    return CommentCountsOut(num_open=selectors.open_counts(found, first=first, last=last))


@router.patch("/labeling/comments/{comment}", response=CommentOut, operation_id="comment_edit")
def comment_edit(request: HttpRequest, comment: str, body: CommentTextIn) -> CommentOut:
    """Changes a comment of the caller."""
    found = _comment_for(request, comment)
    changed = services.comment_edit(comment=found, text=body.text, actor=principal_of(request))
    return selectors.comments_out([changed])[0]


@router.put("/labeling/comments/{comment}/resolved", response=CommentOut, operation_id="comment_resolve")
def comment_resolve(request: HttpRequest, comment: str, body: CommentResolvedIn) -> CommentOut:
    """Settles a comment, or opens it again."""
    found = _comment_for(request, comment)
    changed = services.comment_resolve(comment=found, is_resolved=body.is_resolved, actor=principal_of(request))
    return selectors.comments_out([changed])[0]


@router.delete("/labeling/comments/{comment}", response={204: None}, operation_id="comment_delete")
def comment_delete(request: HttpRequest, comment: str) -> Status[None]:
    """Deletes a comment of the caller."""
    services.comment_delete(comment=_comment_for(request, comment), actor=principal_of(request))
    return Status(204, None)


@router.post("/labeling/comments/{comment}/restore", response=CommentOut, operation_id="comment_restore")
def comment_restore(request: HttpRequest, comment: str) -> CommentOut:
    """Says again what the caller took back."""
    restored = services.comment_restore(comment=_comment_for(request, comment), actor=principal_of(request))
    return selectors.comments_out([restored])[0]


def _comment_for(request: HttpRequest, comment: str) -> Comment:
    found = selectors.comment_get(sight_of(request), comment)
    _let_in(request, "label.write", found.item)
    return found


def _let_in(request: HttpRequest, action: Action, item: Item) -> None:
    """Lets those in whose role allows it, and those who label the item in a campaign."""
    workspace, actor = item.dataset.project.workspace_id, principal_of(request)
    role = actor.access.role_in(workspace, item.dataset.project_id)
    is_annotator = role is not None and not role_allows(role, action) and role_allows(role, "campaign.label")
    if not (is_annotator and selectors.is_of_share(item, provenance_of(actor))):
        allow(request, action, workspace, project=item.dataset.project_id)
