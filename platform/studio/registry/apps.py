"""The model app."""

from studio.common import app_config


class RegistryConfig(app_config.StudioAppConfig):
    """Artefacts, evaluations, promotion."""

    name = "studio.registry"
    label = "registry"
    job_handlers = {
        "evaluate": "studio.registry.handlers",
        "robustness": "studio.registry.robustness",
        "advice": "studio.registry.advice",
        "compress": "studio.registry.compressions.handlers",
    }
    hooks = {
        "project_counts": "studio.registry.handlers",
        "project_figures": "studio.registry.figures",
        "places_in": "studio.registry.places",
    }
    routers = ("studio.registry.api", "studio.registry.compressions.api")
