"""What a product says of its parts, and which licences keep it from being built."""

from __future__ import annotations

import json

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, ArtefactManifest, Licence
from exporters.build import build, target_names
from exporters.bundle import manifest_read
from exporters.check import LICENCES, TESTED_VERSIONS, python_parts
from exporters.cpp_sdk.target import PARTS
from exporters.errors import LicenceRefusedError
from exporters.licences import is_allowed
from exporters.sbom import SBOM_FILE, Part, sbom_write
from runtime.hashes import file_sha256
from tests.exporters.artefact_factory import artefact_write

LICENSED = (
    ("MIT", True),
    ("MIT-CMU", True),
    ("CC-BY-4.0", True),
    ("LGPL-2.1-or-later", True),
    ("Apache-2.0 AND BSD-3-Clause", True),
    ("GPL-3.0-only OR MIT", True),
    ("(AGPL-3.0-only OR MIT) AND (BSD-3-Clause OR GPL-2.0)", True),
    ("", True),
    ("NCSA", True),
    ("GPL-3.0-only", False),
    ("gpl-2.0", False),
    ("GPLv3", False),
    ("GNU GPL v3", False),
    ("AGPL-3.0-or-later", False),
    ("GPL-2.0-only WITH Classpath-exception-2.0", False),
    ("MIT AND AGPL-3.0-only", False),
    ("MIT AND (GPL-2.0-only OR CC-BY-NC-4.0)", False),
    ("CC-BY-NC-SA-4.0", False),
    ("PolyForm-Noncommercial-1.0.0", False),
    ("LicenseRef-Weights-Non-Commercial", False),
    ("for non-commercial research, (c) somebody", False),
    ("(MIT OR", True),
)


def licensed(folder, *licences: Licence):
    """The artefact with these licences of its parts."""
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
    manifest.model_copy(update={"licences": licences}).write(folder / MANIFEST_FILE)
    return folder


@pytest.mark.parametrize(("expression", "expected"), LICENSED)
def test_licences_that_may_be_shipped(expression, expected):
    assert is_allowed(expression) is expected


def test_what_products_bring_has_a_known_licence_that_may_be_shipped():
    assert LICENCES.keys() == TESTED_VERSIONS.keys()
    assert all(is_allowed(part.spdx) for part in (*PARTS, *python_parts(list(TESTED_VERSIONS))))


@pytest.mark.parametrize("target", target_names(reads="image"))
def test_a_part_that_may_not_be_shipped_blocks_the_build(target, tmp_path):
    parts = (
        Licence(part="head", spdx="MIT", source="ours"),
        Licence(part="weights of X", spdx="AGPL-3.0-only", source="there"),
    )
    artefact = licensed(artefact_write(tmp_path / "artefact"), *parts)
    with pytest.raises(LicenceRefusedError, match=r"weights of X.*AGPL") as caught:
        build(target, artefact, tmp_path / "out", {})
    assert caught.value.code == "licence_refused"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "parts", [PARTS, python_parts(list(TESTED_VERSIONS)), (Part('odd "name" 零件', "my own licence, 2026"),)]
)
def test_list_is_valid_and_holds_every_part(parts, tmp_path):
    odd = Licence(part="weights", spdx="Apache-2.0 AND BSD-3-Clause", source="a source, https://example.org")
    artefact = licensed(artefact_write(tmp_path / "artefact"), odd, Licence(part="data", spdx="", source=""))
    manifest = manifest_read(artefact)
    sbom_write(tmp_path, manifest, artefact / MODEL_FILE, parts)
    text = (tmp_path / SBOM_FILE).read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    document = json.loads(text)
    assert [each["name"] for each in document["components"]] == [*(part.name for part in parts), "weights", "data"]
    model = document["metadata"]["component"]
    assert model["hashes"] == [{"alg": "SHA-256", "content": file_sha256(artefact / "model.onnx")}]
    sbom_write(tmp_path, manifest, artefact / MODEL_FILE, parts)
    assert (tmp_path / SBOM_FILE).read_text(encoding="utf-8") == text
    sbom_write(tmp_path, manifest, artefact / MODEL_FILE, parts[:-1])
    assert json.loads((tmp_path / SBOM_FILE).read_bytes())["serialNumber"] != document["serialNumber"]
