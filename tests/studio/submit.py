"""Submits probe jobs from a process of its own, and prints their ids.

``python -m tests.studio.submit PROJECT KIND:BEHAVIOUR...``
"""

from __future__ import annotations

import sys

import django

django.setup()

from automl.contracts.base import Text  # noqa: E402 - Django must be set up before
from studio.jobs.services import job_submit  # noqa: E402
from studio.projects.models import Project  # noqa: E402


def main(project_id: str, kinds: list[str]) -> None:
    project = Project.objects.get(id=project_id)
    for kind, behaviour in (text.split(":") for text in kinds):
        job = job_submit(
            workspace=project.workspace_id,
            project=project.id,
            kind=kind,
            title=Text(en="A probe", zh="探测"),
            subject="",
            payload={"behaviour": behaviour},
        )
        print(job.id)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
