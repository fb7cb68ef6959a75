"""What can be wrong with the settings of alerts, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class AlertSettingsInvalidError(InvalidInputError):
    """The settings cannot be kept like this."""

    code = "alert_settings_invalid"
    title = "The alerts cannot be set like this"
    param_names = ("reason",)


class AlertAddressRefusedError(InvalidInputError):
    """The webhook lies in a network that the platform does not call."""

    code = "alert_address_refused"
    title = "The webhook's host is not on the public network"
    param_names = ("host",)

    def __init__(self, *, host: str) -> None:
        super().__init__(
            f"{host} has an address in a private network.",
            hint="Choose a public host, or ask the operator to allow its network with MODELYARD_SOURCE_NETWORKS.",
            fields={"webhook_url": ["not on the public network"]},
            params={"host": host},
        )


class AlertTargetMissingError(ConflictError):
    """There is no receiver to send to."""

    code = "alert_target_missing"
    title = "Alerts are sent nowhere"

    def __init__(self, message: str) -> None:
        super().__init__(message, hint="Save a webhook or a mail address first.")
