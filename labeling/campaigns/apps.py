"""The Django app of labelling campaigns."""

from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Work that is shared out among people."""

    name = "labeling.campaigns"
    label = "campaigns"
