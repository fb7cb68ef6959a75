"""HTTP endpoints of what was measured of a model on the machines where it runs."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.common.paging import PageOut, PageQuery
from studio.devices import present, selectors, services
from studio.devices.schemas import MeasurementIn, MeasurementOut
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_get

router = Router(tags=["models"])


@router.get("/artefacts/{artefact_id}/measurements", response=PageOut[MeasurementOut], operation_id="measurements_list")
def measurements_list(request: HttpRequest, artefact_id: str, page: Query[PageQuery]) -> PageOut[MeasurementOut]:
    """What a model took on machines, newest first."""
    found = _artefact_for(request, "model.read", artefact_id)
    rows = selectors.measurement_page(found, cursor=page.cursor, limit=page.limit)
    return PageOut[MeasurementOut](items=[present.measurement_out(row) for row in rows.items], next_cursor=rows.next_cursor)


@router.post("/artefacts/{artefact_id}/measurements", response={201: MeasurementOut}, operation_id="measurement_create")
def measurement_create(request: HttpRequest, artefact_id: str, body: MeasurementIn) -> Status[MeasurementOut]:
    """Keeps what ``bench`` of a package measured."""
    found = _artefact_for(request, "model.write", artefact_id)
    row = services.measurement_add(artefact=found, body=body, created_by=principal_of(request).id)
    return Status(201, present.measurement_out(row))


def _artefact_for(request: HttpRequest, action: Action, artefact: str) -> Artefact:
    found = artefact_get(principal_of(request).sight, artefact)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found
