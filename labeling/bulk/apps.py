"""The Django app of changes to many items."""

from studio.common import app_config


class BulkConfig(app_config.StudioAppConfig):
    """One action on all items that match, with undo; its tables are those of labelling."""

    name = "labeling.bulk"
    label = "bulk"
    job_handlers = {"bulk": "labeling.bulk.handlers"}
    hooks = {"items_put_aside": "labeling.bulk.handlers"}
    routers = ("labeling.bulk.api",)
