"""Writes of devices: codes, joining, assignments, rollouts, and what a device reports."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from studio.accounts.access import Principal, may_still, secret_sha256
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.deployments.exports import attachment_states, export_create
from studio.deployments.models import Export
from studio.devices.attachments import behind_in, is_rolling_out, kinds_untold, serves
from studio.devices.errors import (
    DeviceBundleOldError,
    DeviceModelError,
    DeviceRolloutRunningError,
    DevicesNoneError,
    JoinCodeInvalidError,
)
from studio.devices.models import Device, DeviceRollout, DeviceRolloutState, DeviceUsage, JoinCode, Measurement
from studio.devices.schemas import DeviceBeatIn, DeviceJoinIn, DeviceUsageIn, MeasurementIn
from studio.devices.selectors import is_not_built
from studio.jobs.states import job_is_finished
from studio.projects.models import Project
from studio.registry.models import Artefact

CODE_LIFE = timedelta(minutes=30)
CODE_LENGTH = 24
"""Letters and digits, so that no code begins like an option of a command: 142 bits."""
KEY_PREFIX = "myd_"
"""What all keys of devices start with."""
UPDATE_TARGET = "model_update"
BUNDLE_OLD = "update_too_new"
"""Of a device that was to get with its model what its bundle cannot tell."""
USAGE_KEPT = timedelta(days=30)
MOST_MEASUREMENTS = 200
"""Of a model; older ones go."""
_HEARD = (
    *("last_seen_at", "state", "model", "attached", "version", "backend", "memory_mib"),
    *("num_restarts", "num_waiting", "num_dropped", "error"),
)
"""Fields of a device that its reports fill."""


def join_code_make(*, project: Project, actor: Principal) -> tuple[JoinCode, str]:
    """Makes a code for one device.

    Returns:
        The code's row and the code, which is not kept and cannot be shown again.
    """
    code = get_random_string(CODE_LENGTH)
    with transaction.atomic():
        JoinCode.objects.filter(expires_at__lt=timezone.now()).delete()
        made = JoinCode.objects.create(
            project=project,
            secret_sha256=secret_sha256(code),
            expires_at=timezone.now() + CODE_LIFE,
            created_by=actor.id,
        )
        audit_record(
            workspace=project.workspace_id, project=project.id, actor=actor, action="device.code_made", subject=made.id
        )
    return made, code


def join_command(code: str) -> str:
    """What to run on the device."""
    return f"./modelyard-edge join {settings.PUBLIC_URL} {code}"


def device_join(body: DeviceJoinIn) -> tuple[Device, str]:
    """Exchanges a code for a device with a key of its own.

    Raises:
        JoinCodeInvalidError: the code is used up, too old, was never made, or by somebody who may not let devices in any more.
    """
    key = KEY_PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        good = JoinCode.objects.filter(expires_at__gt=timezone.now(), project__deleted_at=None)
        code = good.select_for_update().select_related("project").filter(secret_sha256=secret_sha256(body.code)).first()
        if code is None or not may_still(code.created_by, "deployment.write", code.project.workspace_id, code.project_id):
            raise JoinCodeInvalidError
        if not JoinCode.objects.filter(id=code.id).delete()[0]:  # another device was faster
            raise JoinCodeInvalidError
        device = Device.objects.create(
            project=code.project,
            name=body.name.strip(),
            secret_sha256=secret_sha256(key),
            facts=body.facts,
            model=body.model,
            version=body.version,
            created_by=code.created_by,
        )
        audit_record(
            workspace=code.project.workspace_id,
            project=code.project_id,
            actor=device_actor(device),
            action="device.joined",
            subject=device.id,
        )
        _changed(device.project)
    return device, key


def device_actor(device: Device) -> Principal:
    """The device as the one who does something."""
    return Principal(kind="key", id=device.id, name=device.name)


def device_update(*, device: Device, name: str | None, sends_inputs: bool | None, actor: Principal) -> None:
    """Renames a device, or switches on whether inputs come back."""
    device.name = device.name if name is None else name.strip()
    device.sends_inputs = device.sends_inputs if sends_inputs is None else sends_inputs
    with transaction.atomic():
        device.save(update_fields=["name", "sends_inputs"])
        detail = {"name": device.name, "sends_inputs": device.sends_inputs}
        _audit(device.project, actor, "device.changed", device.id, detail)


def device_remove(*, device: Device, actor: Principal) -> None:
    """Forgets a device; its key is worthless from now on. It goes on serving what it has. A rollout that waits for it stops."""
    with transaction.atomic():
        _audit(device.project, actor, "device.removed", device.id, {"name": device.name})
        DeviceRollout.objects.filter(first=device, state=DeviceRolloutState.FIRST).update(state=DeviceRolloutState.STOPPED)
        device.delete()


def device_assign(
    *, device: Device, artefact: Artefact, allows_other_labels: bool, actor: Principal, gallery: str | None = None
) -> None:
    """Lets a device install a model; the update is built if there is none yet. The same again is another try.

    Args:
        device: which.
        artefact: the model.
        allows_other_labels: whether it may answer with other labels than what is on the device.
        actor: who says so.
        gallery: with whose names it is to answer there, as they are now; None: with what the model answers.

    Raises:
        DeviceModelError: the model is another project's.
        DeviceBundleOldError: the device has the model, and its bundle cannot tell what would change with it.
        StudioError: the model cannot be built for devices, or has no such gallery.
    """
    if artefact.project_id != device.project_id:
        raise DeviceModelError
    update = _update_of(artefact, gallery, actor)
    _expect_taken(device, update)
    _assign([device], update, allows_other_labels=allows_other_labels, actor=actor)


def attachment_update(*, project: Project, kind: str, attachment: str | None, actor: Principal) -> int:
    """Lets the devices that have an earlier state of something install the present one; returns how many they are.

    Each keeps its model, unless another one is needed by now. Other names of a gallery are what this is for: they are allowed.

    Args:
        project: whose devices.
        kind: of what has changed.
        attachment: which one, of kinds of which a project has several.
        actor: who says so.

    Raises:
        DeviceRolloutRunningError: a device is still trying another model.
        StudioError: an update cannot be built.
    """
    _expect_no_rollout(project)
    found = next((each for each in behind_in(project) if (each.kind, each.attachment.id) == (kind, attachment)), None)
    if found is None:
        return 0
    for device in found.devices:
        update = _update_of(found.models[device.id], device.gallery, actor)
        _assign([device], update, allows_other_labels=True, actor=actor)
    return len(found.devices)


def rollout_start(
    *,
    project: Project,
    artefact: Artefact,
    first: Device | None,
    allows_other_labels: bool,
    actor: Principal,
    gallery: str | None = None,
) -> DeviceRollout:
    """Lets all devices of a project install a model, or one of them before the others, who get the very same update.

    See ``device_assign`` for the gallery.

    Raises:
        DeviceModelError: the model, or the first device, is another project's.
        DeviceRolloutRunningError: a device is still trying another model.
        DevicesNoneError: there is nothing to roll out to.
        DeviceBundleOldError: as ``device_assign``, of the first device.
        StudioError: as ``device_assign``.
    """
    if artefact.project_id != project.id or (first is not None and first.project_id != project.id):
        raise DeviceModelError
    _expect_no_rollout(project)
    devices = [first] if first is not None else list(Device.objects.filter(project=project))
    if not devices:
        raise DevicesNoneError
    update = _update_of(artefact, gallery, actor)
    if first is not None:
        _expect_taken(first, update)
    _assign(devices, update, allows_other_labels=allows_other_labels, actor=actor)
    return DeviceRollout.objects.create(
        project=project,
        artefact=artefact,
        update=update,
        first=first,
        allows_other_labels=allows_other_labels,
        state=DeviceRolloutState.EVERYWHERE if first is None else DeviceRolloutState.FIRST,
        created_by=actor.id,
    )


def rollout_stop(*, project: Project, actor: Principal) -> None:
    """Leaves the other devices as they are."""
    with transaction.atomic():
        rollout = DeviceRollout.objects.filter(project=project, state=DeviceRolloutState.FIRST).first()
        if rollout is not None:
            _rollout_end(rollout, DeviceRolloutState.STOPPED)
            _audit(project, actor, "device.rollout_stopped", rollout.id, {})


def export_not_built(export: Export) -> None:
    """A build has ended without a product: a rollout of it has failed."""
    waiting = [DeviceRolloutState.FIRST, DeviceRolloutState.EVERYWHERE]
    with transaction.atomic():
        if DeviceRollout.objects.filter(update=export, state__in=waiting).update(state=DeviceRolloutState.FAILED):
            _changed(export.project)


def device_heard(device: Device, report: DeviceBeatIn) -> None:
    """Notes how a device is, and lets a rollout that waits for it go on."""
    device.last_seen_at = timezone.now()
    device.state, device.backend = report.state, report.backend
    device.version = report.version
    is_new_bundle = False
    if report.model:  # while its server starts nothing answers yet
        attached = report.states()
        is_new_bundle = device.attached is None or device.attached.keys() != attached.keys()
        device.model, device.attached = report.model, attached
    device.memory_mib, device.num_restarts = report.memory_mib, report.num_restarts
    device.num_waiting, device.num_dropped = report.num_waiting, report.num_dropped.model_dump()
    before = device.error
    if report.error is not None and report.attempt == device.attempt:
        device.error = report.error.model_dump()
    elif is_new_bundle or (before or {}).get("code") != BUNDLE_OLD:
        device.error = None
    with transaction.atomic():
        if is_new_bundle and report.attempt != device.attempt and device.assigned is not None:
            update, device.assigned = device.assigned, None  # it has nothing of what an earlier bundle was given
            _give(device, update)
            device.save(update_fields=["assigned"])
        device.save(update_fields=_HEARD)
        if device.error is not None and before is None:
            _audit(device.project, device_actor(device), "device.update_failed", device.id, {"code": device.error["code"]})
        waiting = DeviceRollout.objects.filter(project=device.project, first=device, state=DeviceRolloutState.FIRST)
        rollout = waiting.select_related("update__job").first()
        if rollout is not None:
            _rollout_advance(rollout, device)


def usage_take(device: Device, report: DeviceUsageIn) -> bool:
    """Stores counts of calls; returns whether they are new."""
    values = report.model_dump(exclude={"id"})
    _, is_new = DeviceUsage.objects.get_or_create(device=device, key=report.id, defaults=values)
    DeviceUsage.objects.filter(device=device, ends_at__lt=timezone.now() - USAGE_KEPT).delete()
    return is_new


def measurement_add(*, artefact: Artefact, body: MeasurementIn, created_by: str) -> Measurement:
    """Keeps what was measured on a machine."""
    made = Measurement.objects.create(
        artefact=artefact,
        device_name=body.device.strip(),
        created_by=created_by,
        **body.model_dump(
            include={"backend", "environment", "num_runs", "p50_ms", "p95_ms", "p99_ms", "per_second", "memory_mib"}
        ),
    )
    kept = Measurement.objects.filter(artefact=artefact).order_by("-id").values_list("id", flat=True)[:MOST_MEASUREMENTS]
    Measurement.objects.filter(artefact=artefact).exclude(id__in=list(kept)).delete()
    return made


def _rollout_advance(rollout: DeviceRollout, first: Device) -> None:
    if first.error is not None or (rollout.update is not None and is_not_built(rollout.update)):
        _rollout_end(rollout, DeviceRolloutState.FAILED)
    elif first.state == "serving" and first.model == rollout.artefact_id:
        actor = Principal(kind="system", id=rollout.created_by, name=first.name)
        update = rollout.update or _update_of(rollout.artefact, None, actor)
        if not serves(first, update):
            return
        others = list(Device.objects.filter(project=rollout.project).exclude(id=first.id))
        _assign(others, update, allows_other_labels=rollout.allows_other_labels, actor=actor)
        _rollout_end(rollout, DeviceRolloutState.EVERYWHERE)


def _rollout_end(rollout: DeviceRollout, state: DeviceRolloutState) -> None:
    rollout.state = state
    rollout.save(update_fields=["state"])


def _expect_no_rollout(project: Project) -> None:
    if is_rolling_out(project):
        raise DeviceRolloutRunningError


def _expect_taken(device: Device, update: Export) -> None:
    if kinds_untold(device, update):
        raise DeviceBundleOldError(device.name)


def _assign(devices: Sequence[Device], update: Export, *, allows_other_labels: bool, actor: Principal) -> None:
    detail = {"artefact": update.artefact_id, **({"gallery": update.gallery} if update.gallery else {})}
    with transaction.atomic():
        for device in devices:
            device.attempt, device.allows_other_labels = device.attempt + 1, allows_other_labels
            _give(device, update)
            device.save(update_fields=["assigned", "attempt", "allows_other_labels", "error"])
            _audit(update.project, actor, "device.assigned", device.id, detail)


def _give(device: Device, update: Export) -> None:
    """Assigns an update, or notes why it would not get to the device, which then keeps what it has."""
    untold = kinds_untold(device, update)
    device.assigned, device.error = update, None
    if untold:
        device.assigned = None
        device.error = {"code": BUNDLE_OLD, "detail": f"The device bundle is older than updates with: {', '.join(untold)}."}


def _update_of(artefact: Artefact, gallery: str | None, actor: Principal) -> Export:
    """The newest update of the model, with all that goes with it as it is now, that is built or being built; else a new one."""
    states = attachment_states(artefact, gallery)
    updates = Export.objects.filter(artefact=artefact, target=UPDATE_TARGET).select_related("job", "project")
    for export in updates.order_by("-id"):
        if export.attached == states and (export.blob or (export.job is not None and not job_is_finished(export.job))):
            return export
    return export_create(artefact=artefact, target=UPDATE_TARGET, options={}, actor=actor, gallery=gallery)


def _audit(project: Project, actor: Principal, action: str, subject: str, detail: dict[str, Any]) -> None:
    audit_record(workspace=project.workspace_id, project=project.id, actor=actor, action=action, subject=subject, detail=detail)
    _changed(project)


def _changed(project: Project) -> None:
    event_record(workspace=project.workspace_id, project=project.id, type="device.changed", subject=project.id, data={})
