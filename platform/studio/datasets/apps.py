"""The data app."""

from studio.common import app_config


class DatasetsConfig(app_config.StudioAppConfig):
    """Uploads, items and versions."""

    name = "studio.datasets"
    label = "datasets"
    job_handlers = {
        "ingest": "studio.datasets.handlers",
        "collect": "studio.datasets.handlers",
        "examples": "studio.datasets.handlers",
        "label_rows": "studio.datasets.handlers",
        "embed": "studio.datasets.embeddings.jobs",
        "map": "studio.datasets.embeddings.jobs",
        "profile": "studio.datasets.tables.profile_jobs",
    }
    hooks = {
        "places_in": "studio.datasets.places",
        "project_created": "studio.datasets.handlers",
        "project_counts": "studio.datasets.handlers",
        "project_problems": "studio.datasets.handlers",
        "labels_used": "studio.datasets.handlers",
        "project_items": "studio.datasets.glance",
        "project_activity": "studio.datasets.glance",
        "project_waiting": "studio.datasets.glance",
        "quota_used:storage_bytes": "studio.datasets.quota_use",
        "quota_used:items": "studio.datasets.quota_use",
    }
    routers = ("studio.datasets.api", "studio.datasets.workspace_api")
