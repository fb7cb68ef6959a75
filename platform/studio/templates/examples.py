"""Templates that come with a quick start."""

from __future__ import annotations

import json
from pathlib import Path

from runtime.templates import template_parse
from studio.accounts.access import SYSTEM
from studio.datasets.files.picture import picture_read
from studio.projects.models import Project
from studio.templates.models import Template
from studio.templates.selectors import whole_content
from studio.templates.services import MarkedForm, template_add

_FOLDER = "templates"


def example_files_added(project: Project, folder: Path) -> None:
    """Hook: makes a template of each picture in ``templates``, marked as the file beside it says; those there are stay."""
    known = set(Template.objects.filter(project=project).values_list("slug", flat=True))
    for file in sorted((folder / _FOLDER).glob("*.json"), reverse=True):  # the list shows the newest first
        if file.stem in known:
            continue
        described = json.loads(file.read_text(encoding="utf-8"))
        data = file.with_suffix(".png").read_bytes()
        media = picture_read(data).media
        form = MarkedForm(data, media.width, media.height, described["lines"], described["content"])
        template_parse(file.stem, whole_content(form.width, form.height, form.content))
        template_add(project=project, name=described["name"], slug=file.stem, form=form, actor=SYSTEM)
