"""The app of projects."""

from studio.common import app_config


class ProjectsConfig(app_config.StudioAppConfig):
    """Projects, their tasks and label sets."""

    name = "studio.projects"
    label = "projects"
    hooks = {
        "workspaces_used": "studio.projects.workspaces",
        "workspaces_living": "studio.projects.workspaces",
        "project_counts": "studio.projects.restrictions",
        "scope_names:project": "studio.projects.selectors",
    }
    routers = ("studio.projects.api", "studio.projects.glance_api", "studio.projects.access_api")
