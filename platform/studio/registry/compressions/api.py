"""HTTP endpoints of compressions."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from studio.accounts.access import principal_of, require
from studio.accounts.roles import Action
from studio.common.errors import NotFoundError
from studio.common.paging import PageOut, PageQuery, page_of
from studio.registry.compressions import present, services
from studio.registry.compressions.schemas import BudgetIn, CandidateIn, CompressionOut
from studio.registry.models import Artefact, Compression
from studio.registry.present import artefact_out
from studio.registry.schemas import ArtefactOut
from studio.registry.selectors import artefact_get

router = Router(tags=["registry"])


@router.post("/artefacts/{artefact_id}/compressions", response={202: CompressionOut}, operation_id="compression_start")
def compression_start(request: HttpRequest, artefact_id: str, body: BudgetIn) -> Status[CompressionOut]:
    """Tries to make a model smaller, in a job; while one runs, asking again gives that one."""
    artefact = _artefact_for(request, artefact_id, "model.write")
    actor = principal_of(request)
    started = services.compression_start(artefact=artefact, budget=body.budget, trains=body.trains, actor=actor)
    return Status(202, present.compression_out(started))


@router.get("/artefacts/{artefact_id}/compressions", response=PageOut[CompressionOut], operation_id="compressions_list")
def compressions_list(request: HttpRequest, artefact_id: str, page: Query[PageQuery]) -> PageOut[CompressionOut]:
    """Tries to make a model smaller, newest first."""
    artefact = _artefact_for(request, artefact_id, "model.read")
    rows = Compression.objects.filter(artefact=artefact).select_related("job")
    found = page_of(rows, cursor=page.cursor, limit=page.limit)
    items = [present.compression_out(each) for each in found.items]
    return PageOut[CompressionOut](items=items, next_cursor=found.next_cursor)


@router.get("/compressions/{compression_id}", response=CompressionOut, operation_id="compression_get")
def compression_get(request: HttpRequest, compression_id: str) -> CompressionOut:
    """One try, with what was measured once its job has succeeded."""
    return present.compression_out(_compression_for(request, compression_id, "model.read"))


@router.post("/compressions/{compression_id}/keep", response=ArtefactOut, operation_id="compression_keep")
def compression_keep(request: HttpRequest, compression_id: str, body: CandidateIn) -> ArtefactOut:
    """Makes a candidate a model of the project, unless it is over budget; a second time gives the same model."""
    compression = _compression_for(request, compression_id, "model.write")
    actor = principal_of(request)
    artefact = services.candidate_keep(compression=compression, method=body.method, actor=actor)
    return artefact_out(artefact_get(actor.sight, artefact.id))


def _artefact_for(request: HttpRequest, artefact_id: str, action: Action) -> Artefact:
    artefact = artefact_get(principal_of(request).sight, artefact_id)
    require(request, action, artefact.project.workspace_id, project=artefact.project_id)
    return artefact


def _compression_for(request: HttpRequest, compression_id: str, action: Action) -> Compression:
    rows = Compression.objects.select_related("artefact__project", "artefact__version", "job")
    seen = rows.filter(principal_of(request).sight.of("artefact__project"), artefact__project__deleted_at=None)
    found = seen.filter(id=compression_id).first()
    if found is None:
        raise NotFoundError("There is no such compression.")
    project = found.artefact.project
    require(request, action, project.workspace_id, project=project.id)
    return found
