"""The Django app of the tests, which brings the job kinds that ``probe`` handles."""

from studio.common import app_config


class ProbeConfig(app_config.StudioAppConfig):
    """No tables."""

    name = "tests.studio"
    label = "probe"
    job_handlers = dict.fromkeys(("probe", "probe_engine", "probe_idle"), "tests.studio.probe")
