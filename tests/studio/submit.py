"""Submits probe jobs from a process of its own, as the web server does.

``python -m tests.studio.submit``: for each line ``PROJECT KIND:BEHAVIOUR...`` that comes, a line with the ids of the jobs goes.
"""

from __future__ import annotations

import sys

import django

django.setup()

from automl.contracts.base import Text  # noqa: E402 - Django must be set up before
from studio.jobs.services import job_submit  # noqa: E402
from studio.projects.models import Project  # noqa: E402


def submit(project_id: str, kinds: list[str]) -> list[str]:
    project = Project.objects.get(id=project_id)
    jobs = [
        job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind=kind,
            title=Text(en="A probe", zh="探测"),
            subject="",
            payload={"behaviour": behaviour},
        )
        for kind, behaviour in (text.split(":") for text in kinds)
    ]
    return [job.id for job in jobs]


if __name__ == "__main__":
    for line in sys.stdin:
        project_id, *kinds = line.split()
        print(*submit(project_id, kinds), flush=True)
