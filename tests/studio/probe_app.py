"""The Django app of the tests, which brings the job kinds that ``probe`` handles."""

from studio.common import rooms


class ProbeConfig(rooms.RoomConfig):
    """No tables."""

    name = "tests.studio"
    label = "probe"
    job_handlers = dict.fromkeys(("probe", "probe_engine", "probe_idle"), "tests.studio.probe")
