"""HTTP endpoints for devices: each acts on the device whose key is given, and on no other thing."""

from __future__ import annotations

import re
from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Form, Router, Status, UploadedFile

from studio.accounts.rates import Rate, rate_check
from studio.common.blobs import blob_checked
from studio.common.errors import InvalidInputError, NotFoundError
from studio.datasets.files.limits import LIMITS
from studio.devices import present, services
from studio.devices.access import DeviceAuth, device_of
from studio.devices.errors import DeviceUpdateNotReadyError
from studio.devices.hooks import DeviceInput, device_input_taken
from studio.devices.models import Device
from studio.devices.schemas import (
    DeviceBeatIn,
    DeviceBeatOut,
    DeviceItemIn,
    DeviceJoinIn,
    DeviceJoinOut,
    DeviceMeasurementIn,
    DeviceUsageIn,
    MeasurementOut,
    ReceivedOut,
)
from studio.devices.selectors import models_of

POLL_S = 10
COLLECT_S = 60
_BYTES = "application/octet-stream"

router = Router(tags=["devices"])
AUTH = DeviceAuth()


@router.post("/device/join", response={201: DeviceJoinOut}, auth=None, operation_id="device_join")
def device_join(request: HttpRequest, body: DeviceJoinIn) -> Status[DeviceJoinOut]:
    """Exchanges a join code for the device's own key, which is shown this once."""
    rate_check(request, Rate.JOINS)
    device, key = services.device_join(body)
    return Status(201, DeviceJoinOut(device=device.id, name=device.name, key=key))


@router.post("/device/beat", response=DeviceBeatOut, auth=AUTH, operation_id="device_beat")
def device_beat(request: HttpRequest, body: DeviceBeatIn) -> DeviceBeatOut:
    """Reports the state of the device; returns its settings and the assigned model."""
    device = _device(request)
    services.device_heard(device, body)
    return DeviceBeatOut(
        assigned=present.assigned_out(device), sends_inputs=device.sends_inputs, poll_s=POLL_S, collect_s=COLLECT_S
    )


@router.get("/device/updates/{update}", response={200: bytes}, auth=AUTH, operation_id="device_update_download")
def device_update_download(request: HttpRequest, update: str) -> HttpResponseBase:
    """The model update that is assigned to the device; from a byte on where a ``Range`` asks for that."""
    assigned = _device(request).assigned
    if assigned is None or assigned.id != update or not assigned.blob:
        raise DeviceUpdateNotReadyError
    return _part_of(blob_checked(assigned.blob, is_often=True), request.headers.get("Range", ""))


@router.post("/device/usage", response=ReceivedOut, auth=AUTH, operation_id="device_usage")
def device_usage(request: HttpRequest, body: DeviceUsageIn) -> ReceivedOut:
    """Counts of calls; what is sent twice counts once."""
    return ReceivedOut(is_new=services.usage_take(_device(request), body))


@router.post("/device/items", response=ReceivedOut, auth=AUTH, operation_id="device_item")
def device_item(request: HttpRequest, about: Form[str], file: File[UploadedFile]) -> ReceivedOut:
    """An input that the model was unsure of, for labelling. Refused unless a person switched that on for the device."""
    device = _device(request)
    try:
        report = DeviceItemIn.model_validate_json(about)
    except ValueError as error:
        raise InvalidInputError("The field about is not as it should be.", fields={"about": [str(error)[:500]]}) from error
    if not device.sends_inputs:
        raise NotFoundError("This device sends no inputs.")
    sent = DeviceInput(
        device=device.id,
        device_name=device.name,
        name=f"device/{report.id[:16]}",
        data=file.read(LIMITS.max_file_bytes + 1),
        artefact=report.artefact,
        held=report.held or (),
        uncertainty=report.uncertainty,
    )
    return ReceivedOut(is_new=device_input_taken(device.project, sent))


@router.post("/device/measurements", response={201: MeasurementOut}, auth=AUTH, operation_id="device_measurement")
def device_measurement(request: HttpRequest, body: DeviceMeasurementIn) -> Status[MeasurementOut]:
    """What the device measured of a model of its project."""
    device = _device(request)
    artefact = models_of(device.project, [body.model]).get(body.model)
    if artefact is None:
        raise NotFoundError("There is no such model.")
    row = services.measurement_add(artefact=artefact, body=body, created_by=device.id)
    return Status(201, present.measurement_out(row))


def _device(request: HttpRequest) -> Device:
    device = device_of(request)
    rate_check(request, Rate.DEVICES)
    return device


def _part_of(path: Path, asked: str) -> HttpResponseBase:
    """The file, or what a ``Range`` asks for of it: all from a byte on."""
    size = path.stat().st_size
    found = re.fullmatch(r"bytes=(\d+)-", asked)
    if found is None:
        return FileResponse(path.open("rb"), content_type=_BYTES)
    first = int(found[1])
    if first >= size:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    file = path.open("rb")
    file.seek(first)
    headers = {"Content-Range": f"bytes {first}-{size - 1}/{size}", "Content-Length": str(size - first)}
    return FileResponse(file, content_type=_BYTES, status=206, headers=headers)
