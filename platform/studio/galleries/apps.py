"""The app of galleries."""

from studio.common import app_config


class GalleriesConfig(app_config.StudioAppConfig):
    """Named pictures that a model of similarity recognises new ones by."""

    name = "studio.galleries"
    label = "galleries"
    job_handlers = {"gallery": "studio.galleries.handlers"}
    hooks = {
        "quota_used:storage_bytes": "studio.galleries.quota_use",
        "storage_by_project:galleries": "studio.galleries.quota_use",
        "places_in": "studio.galleries.places",
        "attachments_now": "studio.galleries.exported",
        "exported_gallery": "studio.galleries.exported",
    }
    routers = ("studio.galleries.api",)
