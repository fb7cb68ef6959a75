"""The Django app of labelling campaigns."""

from studio.common import rooms


class CampaignsConfig(rooms.RoomConfig):
    """Work that is shared out among people."""

    name = "labeling.campaigns"
    label = "campaigns"
    routers = ("labeling.campaigns.api",)
