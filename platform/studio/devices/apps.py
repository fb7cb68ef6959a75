"""The app of devices."""

from studio.common import app_config


class DevicesConfig(app_config.StudioAppConfig):
    """Devices that joined a project: what they serve, how they are, and what models run like there."""

    name = "studio.devices"
    label = "devices"
    hooks = {"export_not_built": "studio.devices.services"}
    routers = ("studio.devices.api", "studio.devices.agent_api", "studio.devices.measurements_api")
