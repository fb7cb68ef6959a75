"""HTTP endpoints of devices, for people."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Query, Router, Status

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.common.paging import PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.devices import attachments, present, selectors, services
from studio.devices.models import Device
from studio.devices.schemas import (
    DeviceAssignIn,
    DeviceAttachmentBehindOut,
    DeviceAttachmentIn,
    DeviceOut,
    DevicePatchIn,
    DeviceRolloutIn,
    DeviceRolloutOut,
    DevicesAssignedOut,
    JoinCodeOut,
)
from studio.projects.access import project_for
from studio.registry.selectors import artefact_get

router = Router(tags=["devices"])


@router.post("/projects/{project}/devices/join-codes", response={201: JoinCodeOut}, operation_id="join_code_create")
def join_code_create(request: HttpRequest, project: str) -> Status[JoinCodeOut]:
    """Makes a code by which one device joins, within half an hour. It is shown this once."""
    found = project_for(request, project, "deployment.write")
    made, code = services.join_code_make(project=found, actor=principal_of(request))
    return Status(201, JoinCodeOut(code=code, command=services.join_command(code), expires_at=made.expires_at))


@router.get("/projects/{project}/devices", response=ReadablePageOut[DeviceOut], operation_id="devices_list")
def devices_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> ReadablePageOut[DeviceOut]:
    """Devices of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    devices = selectors.device_page(found, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(devices.items, present.devices_out)
    return ReadablePageOut[DeviceOut](items=shown.items, unreadable=shown.unreadable, next_cursor=devices.next_cursor)


@router.post("/projects/{project}/devices/rollout", response={201: DeviceRolloutOut}, operation_id="device_rollout_create")
def device_rollout_create(request: HttpRequest, project: str, body: DeviceRolloutIn) -> Status[DeviceRolloutOut]:
    """Lets all devices install a model: at once, or after one of them serves it."""
    found = project_for(request, project, "deployment.write")
    actor = principal_of(request)
    rollout = services.rollout_start(
        project=found,
        artefact=artefact_get(actor.sight, body.artefact),
        gallery=body.gallery,
        first=_device_for(request, "deployment.write", body.first) if body.first else None,
        allows_other_labels=body.allows_other_labels,
        actor=actor,
    )
    return Status(201, present.rollout_out(rollout))


@router.get("/projects/{project}/devices/rollout", response=DeviceRolloutOut | None, operation_id="device_rollout_get")
def device_rollout_get(request: HttpRequest, project: str) -> DeviceRolloutOut | None:
    """The newest rollout; null where there was none."""
    rollout = selectors.rollout_newest(project_for(request, project, "deployment.read"))
    return present.rollout_out(rollout) if rollout else None


@router.delete("/projects/{project}/devices/rollout", response={204: None}, operation_id="device_rollout_stop")
def device_rollout_stop(request: HttpRequest, project: str) -> Status[None]:
    """Stops a rollout that waits for its first device; the others keep what they have."""
    found = project_for(request, project, "deployment.write")
    services.rollout_stop(project=found, actor=principal_of(request))
    return Status(204, None)


@router.get(
    "/projects/{project}/devices/attachments",
    response=list[DeviceAttachmentBehindOut],
    operation_id="device_attachments_behind",
)
def device_attachments_behind(request: HttpRequest, project: str) -> list[DeviceAttachmentBehindOut]:
    """Galleries and templates that have changed since devices got them; none while a rollout waits for its first device."""
    found = project_for(request, project, "deployment.read")
    return [present.behind_out(each) for each in attachments.behind_in(found)]


@router.post(
    "/projects/{project}/devices/attachments", response={202: DevicesAssignedOut}, operation_id="device_attachment_update"
)
def device_attachment_update(request: HttpRequest, project: str, body: DeviceAttachmentIn) -> Status[DevicesAssignedOut]:
    """Brings a gallery, or the templates, as they are now to the devices that have an earlier state of them.

    Each keeps its model where that fits.
    """
    found = project_for(request, project, "deployment.write")
    number = services.attachment_update(project=found, kind=body.kind, attachment=body.id, actor=principal_of(request))
    return Status(202, DevicesAssignedOut(num_devices=number))


@router.post("/devices/{device}/model", response={202: DeviceOut}, operation_id="device_assign")
def device_assign(request: HttpRequest, device: str, body: DeviceAssignIn) -> Status[DeviceOut]:
    """Lets a device install a model; the same model again is another try."""
    found = _device_for(request, "deployment.write", device)
    actor = principal_of(request)
    artefact = artefact_get(actor.sight, body.artefact)
    services.device_assign(
        device=found, artefact=artefact, gallery=body.gallery, allows_other_labels=body.allows_other_labels, actor=actor
    )
    return Status(202, _out(request, device))


@router.patch("/devices/{device}", response=DeviceOut, operation_id="device_update")
def device_update(request: HttpRequest, device: str, body: DevicePatchIn) -> DeviceOut:
    """Renames a device, or switches on that inputs its model is unsure of come back."""
    found = _device_for(request, "deployment.write", device)
    services.device_update(device=found, name=body.name, sends_inputs=body.sends_inputs, actor=principal_of(request))
    return _out(request, device)


@router.delete("/devices/{device}", response={204: None}, operation_id="device_delete")
def device_delete(request: HttpRequest, device: str) -> Status[None]:
    """Removes a device: its key ends at once, and it goes on serving by itself."""
    services.device_remove(device=_device_for(request, "deployment.write", device), actor=principal_of(request))
    return Status(204, None)


def _device_for(request: HttpRequest, action: Action, device: str) -> Device:
    found = selectors.device_get(principal_of(request).sight, device)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def _out(request: HttpRequest, device: str) -> DeviceOut:
    return present.devices_out([selectors.device_get(principal_of(request).sight, device)])[0]
