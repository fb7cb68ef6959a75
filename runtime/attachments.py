"""What goes with a model to where it answers, and changes without it: the names of a gallery, the templates of forms.

Each kind has a state by which a product and a platform tell whether they have the same: JSON that nobody between them reads.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .predictor import MANIFEST_FILE
from .templates import content_version, templates_in

States = dict[str, dict[str, Any] | None]
"""The state of each kind; None where there is nothing of it."""


def attached_states(manifest: Mapping[str, Any], templates: Mapping[str, str]) -> States:
    """What goes with a model.

    Args:
        manifest: of the artefact.
        templates: the version of each, by slug.
    """
    return {"gallery": manifest.get("gallery"), "templates": templates_state(templates)}


def templates_state(templates: Mapping[str, str]) -> dict[str, Any] | None:
    """The state of templates whose versions are given by slug."""
    return {"version": content_version(templates)} if templates else None


def attached_in(artefact_dir: Path) -> States:
    """What lies with an artefact.

    Raises:
        TemplateInvalidError: a template is not by the contract.
        OSError, ValueError: a file cannot be read.
    """
    templates = templates_in(artefact_dir)
    manifest = json.loads((artefact_dir / MANIFEST_FILE).read_bytes())
    return attached_states(manifest, {slug: template.version for slug, template in templates.items()})
