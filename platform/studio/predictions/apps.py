"""The app of batch predictions."""

from studio.common import app_config


class PredictionsConfig(app_config.StudioAppConfig):
    """Predictions of many items at once, in a job."""

    name = "studio.predictions"
    label = "predictions"
    job_handlers = {"predict": "studio.predictions.handlers", "suggest": "studio.predictions.handlers"}
    hooks = {
        "quota_used:storage_bytes": "studio.predictions.quota_use",
        "storage_by_project:predictions": "studio.predictions.quota_use",
    }
    routers = ("studio.predictions.api",)
