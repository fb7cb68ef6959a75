"""The search app."""

from studio.common import app_config


class StudiesConfig(app_config.StudioAppConfig):
    """Studies and trials."""

    name = "studio.studies"
    label = "studies"
    job_handlers = {
        "train": "studio.studies.handlers",
        "preflight": "studio.studies.preflights",
        "cure": "studio.studies.cure_jobs",
    }
    hooks = {
        "project_counts": "studio.studies.handlers",
        "project_deleted": "studio.studies.handlers",
        "places_in": "studio.studies.places",
        "trials_shipped": "studio.studies.handlers",
    }
    routers = ("studio.studies.api", "studio.studies.preflight_api")
