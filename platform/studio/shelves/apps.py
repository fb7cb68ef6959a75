"""The app of shelves."""

from studio.common import app_config


class ShelvesConfig(app_config.StudioAppConfig):
    """Photos of shelves whose packs are found by a detector and named by a gallery."""

    name = "studio.shelves"
    label = "shelves"
    hooks = {"places_in": "studio.shelves.places"}
    routers = ("studio.shelves.api",)
