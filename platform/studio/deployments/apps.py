"""The delivery app."""

from studio.common import app_config


class DeploymentsConfig(app_config.StudioAppConfig):
    """Deployments, exports and what was predicted."""

    name = "studio.deployments"
    label = "deployments"
    job_handlers = {"export": "studio.deployments.handlers"}
    hooks = {
        "places_in": "studio.deployments.places",
        "project_counts": "studio.deployments.handlers",
        "keys_changed": "studio.deployments.handlers",
        "artefact_uses": "studio.deployments.handlers",
        "models_served": "studio.deployments.handlers",
        "thresholds_changed": "studio.deployments.handlers",
        "scope_names:deployment": "studio.deployments.selectors",
        "quota_used:predictions_per_minute": "studio.deployments.quota_use",
        "quota_used:predictions_per_day": "studio.deployments.quota_use",
    }
    routers = ("studio.deployments.api",)
