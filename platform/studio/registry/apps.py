"""The model app."""

from studio.common import rooms


class RegistryConfig(rooms.RoomConfig):
    """Artefacts, evaluations, promotion."""

    name = "studio.registry"
    label = "registry"
    job_handlers = {"evaluate": "studio.registry.handlers"}
    hooks = {"project_counts": "studio.registry.handlers"}
    routers = ("studio.registry.api",)
