"""The Django app of archives."""

from studio.common import app_config


class TransferConfig(app_config.StudioAppConfig):
    """A whole project as one file, out and in; it has no tables."""

    name = "labeling.transfer"
    label = "transfer"
    job_handlers = {"archive_export": "labeling.transfer.handlers", "archive_import": "labeling.transfer.handlers"}
    routers = ("labeling.transfer.api",)
