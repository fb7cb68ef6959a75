"""Galleries on devices: which state of one a device has, whether it is behind the gallery here, and what it gets instead."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from studio.common.errors import NotFoundError
from studio.deployments.models import Export
from studio.devices.models import Device
from studio.devices.selectors import is_not_built, models_of
from studio.galleries.models import Gallery
from studio.projects.models import Project
from studio.registry.models import Artefact

State = dict[str, Any]
"""Id and revision of a gallery; see ``automl.contracts.artefact.GalleryState``."""

TELLS_GALLERIES = 2
"""Version of agents from which on they tell galleries apart."""


@dataclass(frozen=True)
class Behind:
    """Devices that answer with the names of a gallery as it was before its latest change."""

    gallery: Gallery
    devices: Sequence[Device]
    model: Artefact | None
    """By which the gallery compares now, where some of the devices have another one and need it too."""


def state_of(update: Export) -> State | None:
    """The gallery inside a build; None where there is none, or where the build is older than such states."""
    kept = update.gallery or {}
    return {"id": kept["id"], "revision": kept["revision"]} if "revision" in kept else None


def state_now(project: Project, gallery: str) -> State:
    """The gallery as it is.

    Raises:
        NotFoundError: the project has no such gallery.
    """
    found = Gallery.objects.filter(project=project, id=gallery).first()
    if found is None:
        raise NotFoundError("There is no such gallery.")
    return _state(found)


def serves(device: Device, update: Export) -> bool:
    """Whether what answers on a device is what a build holds, the gallery included."""
    return device.model == update.artefact_id and device.gallery == state_of(update)


def takes(device: Device, update: Export) -> bool:
    """Whether the device's agent can tell when the build answers."""
    return update.gallery is None or device.version >= TELLS_GALLERIES


def num_serving(project: Project, artefact: str, update: Export | None) -> tuple[int, int]:
    """How many devices of a project serve a model, of a build where it is given, and how many devices there are."""
    devices = list(Device.objects.filter(project=project).only("model", "gallery"))
    done = [each for each in devices if each.model == artefact and (update is None or serves(each, update))]
    return len(done), len(devices)


def galleries_of(project: Project, devices: Collection[Device]) -> dict[str, Gallery]:
    """The galleries of a project that devices name, by id."""
    named = {device.gallery["id"] for device in devices if device.gallery}
    return {each.id: each for each in Gallery.objects.select_related("artefact").filter(project=project, id__in=named)}


def is_behind(device: Device, gallery: Gallery) -> bool:
    """Whether the gallery has changed since the device got it."""
    return bool(device.gallery) and device.gallery != _state(gallery)


def behind_in(project: Project) -> list[Behind]:
    """Galleries that have changed since devices got them; a device that is to get the newest state counts if that failed."""
    devices = list(Device.objects.filter(project=project, gallery__isnull=False).select_related("assigned__job"))
    galleries = galleries_of(project, devices)
    waiting: dict[str, list[Device]] = defaultdict(list)
    for device in devices:
        gallery = galleries.get((device.gallery or {}).get("id", ""))
        if gallery is not None and is_behind(device, gallery) and not _is_assigned(device, gallery):
            waiting[gallery.id].append(device)
    return [_behind(galleries[found], some) for found, some in sorted(waiting.items())]


def models_for(gallery: Gallery, devices: Sequence[Device]) -> dict[str, Artefact]:
    """The model that each device gets with a gallery, by the device's id: its own, or the gallery's where that is another.

    Devices are left out where there is neither.
    """
    known = models_of(gallery.project, [device.model for device in devices])
    chosen = {device.id: _fitting(known.get(device.model), gallery) for device in devices}
    return {device: model for device, model in chosen.items() if model is not None}


def _behind(gallery: Gallery, devices: Sequence[Device]) -> Behind:
    chosen = models_for(gallery, devices)
    others = [chosen[device.id] for device in devices if device.id in chosen and chosen[device.id].id != device.model]
    return Behind(gallery, devices, others[0] if others else None)


def _is_assigned(device: Device, gallery: Gallery) -> bool:
    """Whether it is to get the present state, and nothing has failed yet."""
    update = device.assigned
    if update is None or device.error is not None or is_not_built(update):
        return False
    return state_of(update) == _state(gallery)


def _fitting(own: Artefact | None, gallery: Gallery) -> Artefact | None:
    """A device's own model, if the gallery compares by it or by the one that it was made from."""
    if own is not None and gallery.artefact_id in {own.id, own.facts.lineage.parent}:
        return own
    return gallery.artefact


def _state(gallery: Gallery) -> State:
    return {"id": gallery.id, "revision": gallery.revision}
