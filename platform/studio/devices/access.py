"""The third way to be let in: the key of a device, good for the endpoints below ``/device`` and nothing else."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer

from studio.accounts.access import secret_sha256
from studio.common.errors import NotSignedInError
from studio.devices.models import Device
from studio.devices.services import KEY_PREFIX


class DeviceAuth(HttpBearer):
    """``Authorization: Bearer myd_...``."""

    def authenticate(self, request: HttpRequest, token: str) -> Device | None:
        """Finds the device."""
        if not token.startswith(KEY_PREFIX):
            return None
        found = Device.objects.select_related("project", "assigned__job").filter(project__deleted_at=None)
        return found.filter(secret_sha256=secret_sha256(token)).first()


def device_of(request: HttpRequest) -> Device:
    """The device that calls.

    Raises:
        NotSignedInError: none.
    """
    device = getattr(request, "auth", None)
    if not isinstance(device, Device):
        raise NotSignedInError
    return device
