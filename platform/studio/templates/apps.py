"""The app of templates."""

from studio.common import app_config


class TemplatesConfig(app_config.StudioAppConfig):
    """Forms whose fields are read: reference texts and areas on one picture."""

    name = "studio.templates"
    label = "templates"
    hooks = {
        "quota_used:storage_bytes": "studio.templates.quota_use",
        "storage_by_project:templates": "studio.templates.quota_use",
        "example_files_added": "studio.templates.examples",
        "places_in": "studio.templates.places",
        "served_templates": "studio.templates.selectors",
        "attachments_now": "studio.templates.selectors",
    }
    job_handlers = {"fields": "studio.templates.handlers"}
    routers = ("studio.templates.api",)
