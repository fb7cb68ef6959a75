"""The Django app of labelling campaigns."""

from studio.common import app_config


class CampaignsConfig(app_config.StudioAppConfig):
    """Work that is shared out among people."""

    name = "labeling.campaigns"
    label = "campaigns"
    routers = ("labeling.campaigns.api",)
