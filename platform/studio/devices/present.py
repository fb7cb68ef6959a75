"""Turns rows into the schemas of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from studio.deployments.hooks import Attachment
from studio.deployments.models import Export
from studio.devices.attachments import Behind, attached_now, is_behind, num_serving, serves
from studio.devices.models import Device, DeviceRollout, DeviceRolloutState, Measurement
from studio.devices.schemas import (
    DeviceAssignedOut,
    DeviceAttachmentBehindOut,
    DeviceAttachmentOut,
    DeviceDroppedOut,
    DeviceErrorOut,
    DeviceModelOut,
    DeviceOut,
    DeviceRolloutOut,
    DeviceUseOut,
    MeasurementOut,
)
from studio.devices.selectors import is_not_built, models_of
from studio.jobs.schemas import JobErrorOut
from studio.registry.models import Artefact
from studio.registry.present import artefact_name

OFFLINE_AFTER = timedelta(seconds=60)
"""Several beats."""
BUILD_FAILED = "device_update_not_built"

State = Literal["waiting", "online", "starting", "updating", "failed", "offline"]


def devices_out(devices: Sequence[Device]) -> list[DeviceOut]:
    """Devices of one project, as ``selectors`` finds them."""
    if not devices:
        return []
    project = devices[0].project
    known = models_of(project, [device.model for device in devices])
    attached = attached_now(devices)
    return [_device_out(device, known, attached[device.id]) for device in devices]


def behind_out(behind: Behind) -> DeviceAttachmentBehindOut:
    """Devices with an earlier state of something."""
    return DeviceAttachmentBehindOut(
        kind=behind.kind,
        id=behind.attachment.id,
        name=behind.attachment.name,
        num_devices=len(behind.devices),
        artefact=_model_out(behind.other_model) if behind.other_model else None,
    )


def rollout_out(rollout: DeviceRollout) -> DeviceRolloutOut:
    """A rollout."""
    num_done, num_devices = num_serving(rollout.project, rollout.artefact_id, rollout.update)
    has_failed = rollout.state == DeviceRolloutState.FAILED
    return DeviceRolloutOut(
        id=rollout.id,
        artefact=_model_out(rollout.artefact),
        gallery=rollout.update.gallery if rollout.update else None,
        first=rollout.first.name if rollout.first else None,
        first_id=rollout.first_id,
        allows_other_labels=rollout.allows_other_labels,
        state=DeviceRolloutState(rollout.state),
        error=DeviceErrorOut(**rollout.first.error) if has_failed and rollout.first and rollout.first.error else None,
        build_error=_build_error(rollout.update) if has_failed and rollout.update else None,
        num_done=num_done,
        num_devices=num_devices,
        created_at=rollout.created_at,
    )


def assigned_out(device: Device) -> DeviceAssignedOut | None:
    """What a device is to install; None while it is being built."""
    update = device.assigned
    if update is None or not update.blob or update.report is None:
        return None
    return DeviceAssignedOut(
        model=update.artefact_id,
        attached=update.attached,
        gallery=update.attached.get("gallery"),
        attempt=device.attempt,
        path=f"/api/device/updates/{update.id}",
        sha256=update.blob,
        size_bytes=update.report["size_bytes"],
        allows_other_labels=device.allows_other_labels,
    )


def measurement_out(row: Measurement) -> MeasurementOut:
    """What was measured."""
    return MeasurementOut(
        id=row.id,
        device=row.device_name,
        backend=row.backend,
        environment=row.environment,
        num_runs=row.num_runs,
        p50_ms=row.p50_ms,
        p95_ms=row.p95_ms,
        p99_ms=row.p99_ms,
        per_second=row.per_second,
        memory_mib=row.memory_mib,
        created_at=row.created_at,
    )


def device_state(device: Device, now: datetime) -> State:
    """The state of a device, by its last report and how old that is."""
    if device.last_seen_at is None:
        return "waiting"
    if now - device.last_seen_at > OFFLINE_AFTER:
        return "offline"
    if _error(device) is not None:
        return "failed"
    if device.assigned is not None and not serves(device, device.assigned):
        return "updating"
    return "starting" if device.state == "starting" else "online"


def _device_out(device: Device, known: Mapping[str, Artefact], attached: Mapping[str, Attachment]) -> DeviceOut:
    assigned = device.assigned
    awaited = assigned if assigned is not None and not serves(device, assigned) else None
    return DeviceOut(
        id=device.id,
        project=device.project_id,
        name=device.name,
        state=device_state(device, timezone.now()),
        last_seen_at=device.last_seen_at,
        artefact=_model_out(known[device.model]) if device.model in known else None,
        attached=_attached_out(device, attached),
        assigned=_model_out(awaited.artefact) if awaited else None,
        assigned_gallery=awaited.gallery if awaited else None,
        backend=device.backend,
        memory_mib=device.memory_mib,
        num_restarts=device.num_restarts,
        num_waiting=device.num_waiting,
        num_dropped=DeviceDroppedOut(**device.num_dropped),
        error=_error(device),
        sends_inputs=device.sends_inputs,
        facts=device.facts,
        use=DeviceUseOut(
            num_calls=device.num_calls or 0,  # type: ignore[attr-defined] # counted by the selector; so are the next ones
            num_failed=device.num_failed or 0,  # type: ignore[attr-defined]
            p50_ms=device.p50_ms,  # type: ignore[attr-defined]
            p95_ms=device.p95_ms,  # type: ignore[attr-defined]
        ),
        created_at=device.created_at,
    )


def _attached_out(device: Device, attached: Mapping[str, Attachment]) -> list[DeviceAttachmentOut]:
    shown = [
        DeviceAttachmentOut(kind=kind, id=now.id, name=now.name, is_behind=is_behind(device, kind, now))
        for kind, now in attached.items()
        if now.state is not None or is_behind(device, kind, now)
    ]
    return sorted(shown, key=lambda each: each.kind)


def _error(device: Device) -> DeviceErrorOut | None:
    if device.error is not None:
        return DeviceErrorOut(**device.error)
    if device.assigned is not None and is_not_built(device.assigned):
        return DeviceErrorOut(code=BUILD_FAILED, detail="The update could not be built; its job says why.")
    return None


def _build_error(update: Export) -> JobErrorOut | None:
    """Why an update could not be built; None where it was."""
    if not is_not_built(update):
        return None
    if update.job is not None and update.job.error is not None:
        return JobErrorOut(**update.job.error)
    return JobErrorOut(code=BUILD_FAILED, message="The build was cancelled.", hint="", items=[])


def _model_out(artefact: Artefact) -> DeviceModelOut:
    return DeviceModelOut(id=artefact.id, number=artefact.number, name=artefact_name(artefact))
