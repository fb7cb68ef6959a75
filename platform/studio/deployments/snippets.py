"""Programs that call a deployment, ready to paste. They use nothing but what comes with each language.

They stand as files in ``items/<kind>/snippets/``, with ``{{name}}`` for what differs from deployment to deployment.
"""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.artefact import ArtefactManifest
from exporters.answers import answer_kind
from exporters.bundle import text_render
from studio.deployments import items


@dataclass(frozen=True)
class Snippets:
    """One program a language; each reads the key from the environment variable ``MODELYARD_KEY``."""

    curl: str
    python: str
    javascript: str


def snippets_of(url: str, manifest: ArtefactManifest) -> Snippets:
    """The programs for an address.

    Args:
        url: the address.
        manifest: of the model; a row in a program has its columns, with cells that are typical of them.
    """
    fields = answer_kind(manifest).fields
    values = {
        "url": url,
        "python_fields": ", ".join(f'annotation["{field}"]' for field in fields),
        "javascript_fields": ", ".join(f"annotation.{field}" for field in fields),
        **items.deployed_items(manifest).snippet_values(manifest),
    }
    folder = items.FOLDER / manifest.decode.kind / "snippets"

    def program(ending: str) -> str:
        return text_render(folder / f"call.{ending}", values).removesuffix("\n")

    return Snippets(curl=program("sh"), python=program("py"), javascript=program("mjs"))
