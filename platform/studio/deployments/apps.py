"""The delivery app."""

from django.apps import AppConfig


class DeploymentsConfig(AppConfig):
    """Deployments, exports and what was predicted."""

    name = "studio.deployments"
    label = "deployments"
