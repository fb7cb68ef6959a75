"""The contract of an export target, run over every target found by listing folders."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from automl.contracts.target import BuildReport, TargetSpec
from automl.contracts.task import OutputKind
from exporters import build as exporters_build
from exporters.answers import known_outputs
from exporters.build import build, options_checked, target_find, target_names
from exporters.bundle import manifest_read
from exporters.errors import (
    ArtefactInvalidError,
    ExportCheckFailedError,
    ItemsNotReadError,
    OptionInvalidError,
    TargetUnknownError,
)
from exporters.items import known_items
from exporters.sbom import SBOM_FILE
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.sabotage import FAULTS, sabotaged
from tests.exporters.support import MAKERS

EXPORTERS = Path(exporters_build.__file__).parent

pytestmark = pytest.mark.parametrize("name", target_names())


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> dict[OutputKind, Path]:
    folder = tmp_path_factory.mktemp("artefacts")
    return {output: artefact_write(folder / output, output=output) for output in OutputKind}


def parts_listed(product: Path) -> set[str]:
    """Names of the parts in a product's one list, which is valid CycloneDX."""
    if zipfile.is_zipfile(product):
        with zipfile.ZipFile(product) as packed:
            (name,) = [each for each in packed.namelist() if PurePosixPath(each).name == SBOM_FILE]
            text = packed.read(name).decode()
    else:
        with tarfile.open(product) as packed:
            (name,) = [each for each in packed.getnames() if PurePosixPath(each).name == SBOM_FILE]
            text = packed.extractfile(name).read().decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    return {component["name"] for component in json.loads(text)["components"]}


def test_name_equals_folder_and_both_languages_are_there(name: str) -> None:
    spec = target_find(name).spec
    assert spec.name == name
    texts = [spec.title, spec.summary, *(text for option in spec.options for text in (option.title, option.help))]
    assert all(text.en.strip() and text.zh.strip() for text in texts)
    own = EXPORTERS / name / "items"
    if own.exists():  # else it ships the same for all kinds
        assert {path.name for path in own.iterdir()} == spec.items & known_items()


def test_spec_survives_json(name: str) -> None:
    spec = target_find(name).spec
    assert TargetSpec.model_validate_json(spec.model_dump_json()) == spec


def test_target_is_light_to_import(name: str) -> None:
    heavy = "{'torch', 'django', 'numpy', 'onnxruntime', 'PIL'}"
    code = f"import sys; from exporters.build import target_find; target_find({name!r}); print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=EXPORTERS.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_defaults_are_allowed_and_unknown_options_refused(name: str) -> None:
    spec = target_find(name).spec
    assert set(options_checked(spec, {})) == {option.name for option in spec.options}
    with pytest.raises(OptionInvalidError, match="no_such_option"):
        options_checked(spec, {"no_such_option": 1})
    for option in spec.options:
        with pytest.raises(OptionInvalidError, match=option.name):
            options_checked(spec, {option.name: object()})


def test_every_accepted_output_is_built_and_checked(name: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    spec = target_find(name).spec
    assert known_outputs() == frozenset(OutputKind)
    built = {output for output in spec.accepts if manifest_read(artefacts[output]).decode.kind in spec.items}
    assert built
    for output in built:
        report = build(name, artefacts[output], tmp_path / output, {})
        assert BuildReport.model_validate_json(report.model_dump_json()) == report
        file = tmp_path / output / report.file
        assert report.target == name
        assert report.size_bytes == file.stat().st_size > 0
        assert report.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
        assert report.check.is_passed
        assert report.check.num_samples == 3
        assert report.check.max_difference <= report.check.tolerance
        assert re.search(r"(onnxruntime(-\w+)?|openvino|MNN) \d", report.check.environment)
        assert sorted(path.name for path in file.parent.iterdir()) == [report.file]
        assert parts_listed(file) >= {licence.part for licence in manifest_read(artefacts[output]).licences}


def test_every_kind_of_items_is_built_and_checked_or_refused(name: str, tmp_path: Path) -> None:
    assert set(MAKERS) == known_items()
    for kind, make in MAKERS.items():
        artefact_dir, out_dir = make(tmp_path / kind), tmp_path / f"{kind}-built"
        if kind in target_find(name).spec.items:
            report = build(name, artefact_dir, out_dir, {})
            assert report.check.is_passed
            assert report.check.num_samples >= 2
        else:
            with pytest.raises(ItemsNotReadError, match=kind):
                build(name, artefact_dir, out_dir, {})
            assert not out_dir.exists()


def test_same_input_gives_the_same_bytes(name: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    source = artefacts[OutputKind.CLASS_SCORES]
    assert build(name, source, tmp_path / "a", {}).sha256 == build(name, source, tmp_path / "b", {}).sha256


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_sabotage_is_caught_before_anything_is_handed_out(
    name: str, fault: Callable[[Path], None], artefacts: dict[OutputKind, Path], tmp_path: Path
) -> None:
    broken = sabotaged(artefacts[OutputKind.CLASS_SCORES], tmp_path / "broken", fault)
    with pytest.raises(ExportCheckFailedError) as caught:
        build(name, broken, tmp_path / "out", {})
    assert caught.value.code == "export_check_failed"
    assert caught.value.hint
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("missing", ["model.onnx", "artefact.json", "samples/expected.json", "samples/0.png"])
def test_incomplete_artefact_is_named(name: str, missing: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    broken = sabotaged(artefacts[OutputKind.CLASS_SCORES], tmp_path / "broken", lambda copy: (copy / missing).unlink())
    with pytest.raises(ArtefactInvalidError, match=Path(missing).name):
        build(name, broken, tmp_path / "out", {})


def test_unknown_target_lists_the_known_ones(name: str) -> None:
    with pytest.raises(TargetUnknownError, match=name):
        target_find("no_such_target")
