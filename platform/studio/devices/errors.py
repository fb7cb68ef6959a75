"""What people and devices can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError


class JoinCodeInvalidError(InvalidInputError):
    """The code was used, is too old, or was never made."""

    code = "join_code_invalid"
    title = "The join code is not valid"

    def __init__(self) -> None:
        super().__init__(
            "The code was used, is too old, or was mistyped.",
            hint="Make a new one on the page Devices.",
            fields={"code": ["is not valid"]},
        )


class DeviceModelError(InvalidInputError):
    """The model is another project's."""

    code = "device_model_unfit"
    title = "The model is not of this project"

    def __init__(self) -> None:
        super().__init__(
            "The model belongs to another project.",
            hint="Choose a model of the project that the device joined.",
            fields={"artefact": ["is of another project"]},
        )


class DeviceBundleOldError(ConflictError):
    """The device's bundle does not report what goes with the model."""

    code = "device_bundle_old"
    title = "The device bundle is too old for this update"
    param_names = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The bundle on {name} does not report which gallery or which templates it has.",
            hint="Export the device bundle again, with the gallery where there is one, and install it once.",
            params={"name": name},
        )


class DeviceRolloutRunningError(ConflictError):
    """One device is still trying another model."""

    code = "device_rollout_running"
    title = "A rollout is running"

    def __init__(self) -> None:
        super().__init__("A device is still trying the model of a rollout.", hint="Wait until it has ended, or stop it.")


class DevicesNoneError(ConflictError):
    """Nothing to roll out to."""

    code = "devices_none"
    title = "There is no device"

    def __init__(self) -> None:
        super().__init__("No device has joined this project.", hint="Add a device first.")


class DeviceUpdateNotReadyError(ConflictError):
    """The file is still being built, or is not meant for this device."""

    code = "device_update_not_ready"
    title = "The update is not ready"

    def __init__(self) -> None:
        super().__init__("This update is not assigned to the device, or not built yet.", hint="Ask again after the next beat.")
