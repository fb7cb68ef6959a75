"""Templates: reference texts that stand on every picture of a form, and the areas in which wanted fields stand.

A template is data. It lies beside a deployment, or in the artefact's folder ``templates/``, and turns the lines of text that a
model reads into named fields (``fields``, which most servers never need and which is not imported here). Nothing here asks
which model that was.
"""

from .errors import ReferencesNotFoundError, TemplateInvalidError, TemplateUnknownError
from .template import TEMPLATES_DIR, Field, Reference, Template, content_version, template_parse, templates_in, templates_named

__all__ = [
    "TEMPLATES_DIR",
    "Field",
    "Reference",
    "ReferencesNotFoundError",
    "Template",
    "TemplateInvalidError",
    "TemplateUnknownError",
    "content_version",
    "template_parse",
    "templates_in",
    "templates_named",
]
