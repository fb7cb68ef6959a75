"""Pages on which a model is tried: what those of several products share, and a part for each kind of items.

``<kind>.html`` asks for an item and draws its answer. It is a ``<style>``, a form, and a script with ``inputOf(language)``; the
page around it has ``ask`` and ``showCall``, and all of ``script.js``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.modality import Modality
from exporters.bundle import text_render

PAGES = Path(__file__).parent


def has_page(modality: Modality) -> bool:
    """Whether models that read items of it can be tried on a page."""
    return (PAGES / f"{modality.items}.html").is_file()


def page_parts(manifest: ArtefactManifest, values: Mapping[str, str]) -> dict[str, str]:
    """What a template of a page asks for.

    Args:
        manifest: of the artefact.
        values: of the item's kind, and ``may_be_nothing`` as JSON.
    """
    return {
        "page_script": (PAGES / "script.js").read_text(encoding="utf-8").strip(),
        "page_style": (PAGES / "style.css").read_text(encoding="utf-8").strip(),
        "page_input": text_render(PAGES / f"{manifest.decode.kind}.html", values),
    }
