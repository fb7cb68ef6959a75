"""What a product is made of, as a list in CycloneDX 1.6."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from automl.contracts.artefact import ArtefactManifest
from runtime.hashes import file_sha256

SBOM_FILE = "sbom.cdx.json"
SPEC_VERSION = "1.6"
ROOT = "model"
"""Reference of the model within the list."""


@dataclass(frozen=True)
class Part:
    """A component of a product, or one that must be installed beside it."""

    name: str
    spdx: str
    version: str = ""
    version_range: str = ""
    """Of a component that is installed beside the product."""
    purl: str = ""
    """Package URL, where a registry has it."""


RUNTIME = Part("modelyard-runtime", "Apache-2.0")
"""Our runtime."""


def sbom_write(folder: Path, manifest: ArtefactManifest, model_file: Path, parts: Sequence[Part] = (RUNTIME,)) -> None:
    """Writes the list of a product's parts. The same parts give the same bytes.

    Args:
        folder: where ``sbom.cdx.json`` goes.
        manifest: of the model.
        model_file: holds the model's weights.
        parts: what is in the product besides, or needed beside it.
    """
    learned = [
        _component("machine-learning-model", each.part, each.spdx, description=each.source) for each in manifest.licences
    ]
    components = [*(_of_part(part) for part in parts), *learned]
    for number, component in enumerate(components, start=1):
        component["bom-ref"] = f"part-{number}"
    sha256 = file_sha256(model_file)
    model = {
        "type": "machine-learning-model",
        "bom-ref": ROOT,
        "name": manifest.lineage.trial or manifest.lineage.job,
        "hashes": [{"alg": "SHA-256", "content": sha256}],
    }
    document: dict[str, Any] = {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPEC_VERSION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "version": 1,
        "metadata": {"tools": {"components": [{"type": "application", "name": "Modelyard"}]}, "component": model},
        "components": components,
        "dependencies": [
            {"ref": ROOT, "dependsOn": [component["bom-ref"] for component in components]},
            *({"ref": component["bom-ref"]} for component in components),
        ],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    document["serialNumber"] = f"urn:uuid:{serial}"
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    (folder / SBOM_FILE).write_text(text, encoding="utf-8", newline="\n")


def _of_part(part: Part) -> dict[str, Any]:
    named = {"version": part.version, "purl": part.purl}
    component = _component("library", part.name, part.spdx, **{key: value for key, value in named.items() if value})
    if part.version_range:
        component["properties"] = [{"name": "modelyard:version_range", "value": part.version_range}]
    return component


def _component(kind: str, name: str, spdx: str, **facts: str) -> dict[str, Any]:
    return {"type": kind, "name": name, "licenses": [_licence(spdx)], **facts}


def _licence(spdx: str) -> Mapping[str, Any]:
    """By its expression, where it has the form of one."""
    is_expression = all(sign.isalnum() or sign in "-.+() :" for sign in spdx) and bool(spdx.strip())
    return {"expression": spdx} if is_expression else {"license": {"name": spdx or "unknown"}}
