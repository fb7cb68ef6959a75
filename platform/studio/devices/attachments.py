"""What goes with a model to devices: in which state a device has it, whether that is behind, and what the device gets instead.

No kind of attachments is named here: apps bring them (``studio.deployments.hooks.attachments_now``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studio.deployments.hooks import Attachment, attachments_now
from studio.deployments.models import Export
from studio.devices.models import Device, DeviceRollout, DeviceRolloutState
from studio.devices.selectors import is_not_built, models_of
from studio.projects.models import Project
from studio.registry.models import Artefact


@dataclass(frozen=True)
class Behind:
    """Devices that have something as it was before its latest change."""

    kind: str
    attachment: Attachment
    devices: Sequence[Device]
    models: Mapping[str, Artefact]
    """What each gets with it, by the device's id: its own, or the one that the attachment needs where that is another."""

    @property
    def other_model(self) -> Artefact | None:
        """What some of the devices get in place of their own model."""
        return next((model for device in self.devices if (model := self.models[device.id]).id != device.model), None)


def serves(device: Device, update: Export) -> bool:
    """Whether what answers on a device is what a build holds, with all that goes with the model."""
    has = _had(device)
    return device.model == update.artefact_id and all(has.get(kind) == state for kind, state in update.attached.items())


def kinds_untold(device: Device, update: Export) -> list[str]:
    """Kinds in a build that would not get to a device: its bundle, which cannot tell them, sees only that it has the model.

    Another model it installs with all that goes with it. Of a device that has not said yet what it has, none.
    """
    if device.attached is None or device.model != update.artefact_id:
        return []
    has = _had(device)
    return [kind for kind, state in update.attached.items() if kind not in device.attached and has.get(kind) != state]


def num_serving(project: Project, artefact: str, update: Export | None) -> tuple[int, int]:
    """How many devices of a project serve a model, of a build where it is given, and how many devices there are."""
    devices = list(Device.objects.filter(project=project).select_related("assigned"))
    done = [each for each in devices if each.model == artefact and (update is None or serves(each, update))]
    return len(done), len(devices)


def attached_now(devices: Iterable[Device]) -> dict[str, dict[str, Attachment]]:
    """What devices of one project have, as it is now: by the device's id and the kind, of the kinds that the device tells."""
    found: dict[str, dict[str, Attachment]] = {}
    known: dict[str, dict[str, Attachment]] = {}  # mostly all have the same
    for device in devices:
        has, key = device.attached or {}, json.dumps(device.attached, sort_keys=True)
        if key not in known:
            known[key] = {kind: now for kind, now in attachments_now(device.project, has).items() if kind in has}
        found[device.id] = known[key]
    return found


def is_behind(device: Device, kind: str, now: Attachment) -> bool:
    """Whether what a device has of a kind has changed since."""
    return (device.attached or {}).get(kind) != now.state


def behind_in(project: Project) -> list[Behind]:
    """What has changed since devices got it; a device that is to get the newest state counts if that failed.

    While a rollout waits for its first device there is nothing: what the others get is decided.
    """
    if is_rolling_out(project):
        return []
    devices = list(Device.objects.filter(project=project).select_related("project", "assigned__job"))
    waiting: dict[tuple[str, str], tuple[Attachment, list[Device]]] = {}
    attached = attached_now(devices)
    for device in devices:
        for kind, now in attached[device.id].items():
            if is_behind(device, kind, now) and not _is_assigned(device, kind, now):
                waiting.setdefault((kind, now.id or ""), (now, []))[1].append(device)
    return [found for (kind, _), (now, some) in sorted(waiting.items()) if (found := _behind(project, kind, now, some)).devices]


def is_rolling_out(project: Project) -> bool:
    """Whether a device tries a model before the others."""
    return DeviceRollout.objects.filter(project=project, state=DeviceRolloutState.FIRST).exists()


def _behind(project: Project, kind: str, now: Attachment, devices: Sequence[Device]) -> Behind:
    own = models_of(project, [device.model for device in devices])
    fitting = {device.id: _fitting(own.get(device.model), now.artefact) for device in devices}
    models = {device: model for device, model in fitting.items() if model is not None}
    return Behind(kind, now, [device for device in devices if device.id in models], models)


def _had(device: Device) -> dict[str, Any]:
    """What a device tells that goes with its model; of kinds that it cannot tell, what came with the model from here."""
    given, reported = device.assigned, device.attached
    if given is None or reported is None or given.artefact_id != device.model:
        return reported or {}
    return {**given.attached, **reported}


def _is_assigned(device: Device, kind: str, now: Attachment) -> bool:
    """Whether it is to get the present state, and nothing has failed yet."""
    update = device.assigned
    if update is None or device.error is not None or is_not_built(update):
        return False
    return kind in update.attached and update.attached[kind] == now.state


def _fitting(own: Artefact | None, needed: Artefact | None) -> Artefact | None:
    """A device's own model, unless another is needed than that or the one that it was made from."""
    if needed is None or (own is not None and needed.id in {own.id, own.facts.lineage.parent}):
        return own
    return needed
