"""HTTP endpoints of the audit trail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from automl.contracts.base import Text
from studio.accounts.access import principal_of, require
from studio.accounts.audit import audit_record
from studio.accounts.audit_chain import ChainCheck, Fault, audit_seal, audit_verify
from studio.accounts.audit_export import export_chunks
from studio.accounts.audit_queries import AuditFilter, audit_actors, audit_projects, audit_rows
from studio.accounts.audit_subjects import AuditSubject, project_names, rows_about
from studio.accounts.audit_words import Topic, row_sentence, row_topic
from studio.accounts.hooks import scope_names
from studio.accounts.models import AuditRow
from studio.accounts.schemas import ActorOut
from studio.common.moments import Moment
from studio.common.paging import PageOut, PageQuery, page_of

router = Router(tags=["accounts"])

_TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}


class AuditQuery(Schema):
    """Which rows; what is absent filters nothing."""

    actor: str | None = Field(None, max_length=40, description="id of the person or key that did it")
    topic: Topic | None = None
    action: str | None = Field(None, max_length=64)
    subject: str | None = Field(None, max_length=40, description="id of the thing that it was done to")
    project: str | None = Field(None, max_length=40, description="id of the project that it was done in")
    since: Moment | None = None
    until: Moment | None = Field(None, description="exclusive")

    def criteria(self) -> AuditFilter:
        """The same for the query."""
        return AuditFilter(**self.model_dump())


class FactOut(Schema):
    """A fact from a row's details, in words."""

    label: Text
    value: Text


class AuditProjectOut(Schema):
    """A project that rows of the audit trail are from."""

    id: str
    name: str
    """Empty where the project is gone for good."""
    is_deleted: bool


class AuditOut(Schema):
    """A row of the audit trail."""

    id: str
    at: datetime
    actor: ActorOut
    action: str
    subject: str
    detail: dict[str, Any]
    topic: Topic
    text: Text
    """What was done, in words."""
    thing: Text | None
    """What it was done to, by kind and name; None where that is the workspace or the person at work."""
    project: AuditProjectOut | None
    """That it was done in; None of what concerns the workspace or an account."""
    facts: list[FactOut]
    """What else the detail tells."""
    address: str
    """Of the network, where an event of security came from; empty where nobody asked."""
    seq: int | None
    """Place in the workspace's chain; None in the moment before it is sealed."""
    sha256: str


class AuditVerifiedOut(Schema):
    """Whether the trail is as it was written."""

    is_whole: bool
    num_rows: int
    num_pruned: int
    """Rows before them that were kept long enough and are gone."""
    sha256: str
    """Of the last row that is right."""
    fault: Fault | None
    seq: int | None
    """Place of the first row that is wrong."""
    row: str | None


@router.get("/workspaces/{workspace_id}/audit", response=PageOut[AuditOut], operation_id="audit_list")
def audit_list(request: HttpRequest, workspace_id: str, page: Query[PageQuery], query: Query[AuditQuery]) -> PageOut[AuditOut]:
    """Who did what, newest first."""
    workspace = require(request, "audit.read", workspace_id)
    found = page_of(audit_rows(workspace.id, query.criteria()), cursor=page.cursor, limit=page.limit)
    about, ids = rows_about(found.items), {row.project for row in found.items} - {""}
    projects = projects_out(workspace.id, dict.fromkeys(ids, "") | project_names(ids))
    rows = [audit_out(row, about[row.id], projects.get(row.project)) for row in found.items]
    return PageOut[AuditOut](items=rows, next_cursor=found.next_cursor)


@router.get("/workspaces/{workspace_id}/audit/actors", response=list[ActorOut], operation_id="audit_actors")
def audit_actors_list(request: HttpRequest, workspace_id: str) -> list[ActorOut]:
    """Everybody who is in the trail, with the newest name."""
    workspace = require(request, "audit.read", workspace_id)
    found = audit_actors(workspace.id)
    return [ActorOut.model_validate({"kind": kind, "id": actor, "name": name}) for actor, kind, name in found]


@router.get("/workspaces/{workspace_id}/audit/projects", response=list[AuditProjectOut], operation_id="audit_projects")
def audit_projects_list(request: HttpRequest, workspace_id: str) -> list[AuditProjectOut]:
    """The projects that the trail has rows from, the deleted ones too."""
    workspace = require(request, "audit.read", workspace_id)
    return list(projects_out(workspace.id, audit_projects(workspace.id)).values())


@router.get("/workspaces/{workspace_id}/audit/verify", response=AuditVerifiedOut, operation_id="audit_verify")
def audit_verify_get(request: HttpRequest, workspace_id: str) -> AuditVerifiedOut:
    """Reads the whole trail and reports whether a row was changed, added or taken away since it was written."""
    workspace = require(request, "audit.read", workspace_id)
    return verified_out(audit_verify(workspace.id))


@router.get("/workspaces/{workspace_id}/audit/export", response={200: bytes}, operation_id="audit_export")
def audit_export(
    request: HttpRequest,
    workspace_id: str,
    query: Query[AuditQuery],
    form: Literal["csv", "jsonl"] = "csv",
    language: Literal["en", "zh"] = "en",
) -> StreamingHttpResponse:
    """The trail as a file, oldest first: a table for people, or JSON lines with everything that is sealed."""
    workspace = require(request, "audit.read", workspace_id)
    audit_record(
        workspace=workspace.id,
        actor=principal_of(request),
        action="audit.exported",
        subject=workspace.id,
        detail={"form": form},
    )
    audit_seal(workspace.id)
    rows = audit_rows(workspace.id, query.criteria()).filter(seq__isnull=False).order_by("seq")
    response = StreamingHttpResponse(export_chunks(rows, form, language), content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="audit.{form}"'
    return response


def projects_out(workspace: str, names: Mapping[str, str]) -> dict[str, AuditProjectOut]:
    """Renders projects of the trail, by id."""
    known = scope_names("project", workspace, list(names))
    return {id_: AuditProjectOut(id=id_, name=name, is_deleted=id_ not in known) for id_, name in names.items()}


def audit_out(row: AuditRow, about: AuditSubject, project: AuditProjectOut | None) -> AuditOut:
    """Renders a row of the audit trail."""
    actor = ActorOut.model_validate({"kind": row.actor_kind, "id": row.actor_id, "name": row.actor_name})
    return AuditOut(
        id=row.id,
        at=row.created_at,
        actor=actor,
        action=row.action,
        subject=row.subject,
        detail=row.detail,
        topic=row_topic(row),
        text=row_sentence(row),
        thing=about.thing,
        project=project,
        facts=[FactOut(label=fact.label, value=fact.value) for fact in about.facts],
        address=row.address,
        seq=row.seq,
        sha256=row.sha256,
    )


def verified_out(verified: ChainCheck) -> AuditVerifiedOut:
    """Renders the result of checking the chain."""
    return AuditVerifiedOut(
        is_whole=verified.is_whole,
        num_rows=verified.num_rows,
        num_pruned=verified.num_pruned,
        sha256=verified.sha256,
        fault=verified.fault,
        seq=verified.seq,
        row=verified.row,
    )
