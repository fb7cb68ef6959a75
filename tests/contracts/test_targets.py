"""The contract of an export target, run over every target found by listing folders."""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from automl.contracts.target import BuildReport, TargetSpec
from automl.contracts.task import OutputKind
from exporters import build as exporters_build
from exporters.answers import javascript_outputs, known_outputs
from exporters.build import build, estimate, options_checked, target_find, target_names
from exporters.bundle import known_backends, manifest_read
from exporters.errors import (
    ArtefactInvalidError,
    ExportCheckFailedError,
    ItemsNotReadError,
    OptionInvalidError,
    TargetUnknownError,
)
from exporters.items import known_items
from exporters.sbom import SBOM_FILE
from tests.contracts.test_runtime_kinds import MAKERS as ARTEFACTS
from tests.exporters.sabotage import flip_weight, sabotaged, swap_channels, swap_labels
from tests.exporters.support import MAKERS, SAME_RUNTIME, needs_extra
from tests.support.imports import heavy_imports
from tests.support.once import made_once

EXPORTERS = Path(exporters_build.__file__).parent
JAVASCRIPT = EXPORTERS.parent / "frontend" / "sdk" / "answers" / "kinds"

LEAST_DIFFERENCE_BYTES = 16_000
"""Nobody waits for less."""
_PLAIN = OutputKind.CLASS_SCORES
_FAULTS_OF_GRAPHS = (flip_weight, swap_channels)
"""Each changes what the graph answers: which of them does a target will notice or not, so they take turns."""

pytestmark = pytest.mark.parametrize("name", target_names())


@pytest.fixture(scope="module")
def artefacts() -> dict[OutputKind, Path]:
    pictures_last = sorted(ARTEFACTS.items(), key=lambda each: each[0][0] == "image")
    makers = {output: make for (_, output), make in pictures_last}

    def make(folder: Path) -> None:
        for output in OutputKind:
            makers[output](folder / output)

    folder = made_once("artefacts-of-outputs", make)
    return {output: folder / output for output in OutputKind}


def built_once(name: str, artefact_dir: Path) -> tuple[BuildReport, Path]:
    """The report of a build with the defaults, and the folder of the product; nobody changes it."""

    def make(folder: Path) -> None:
        (folder.parent / f"{folder.name}.json").write_text(build(name, artefact_dir, folder, {}).model_dump_json())

    folder = made_once(f"built-{name}-{artefact_dir.name}", make)
    return BuildReport.model_validate_json((folder.parent / f"{folder.name}.json").read_text()), folder


def is_near(estimated: int, built: int) -> bool:
    """Whether a size that was told before the build is one that people can plan with."""
    return abs(estimated - built) <= max(0.2 * built, LEAST_DIFFERENCE_BYTES)


def outputs_built(name: str, accepted: set[OutputKind]) -> list[OutputKind]:
    """All that a target accepts; those that ship the Python of ``python_sdk``, which gets all of them, take turns."""
    if name not in SAME_RUNTIME:
        return sorted(accepted)
    mine = SAME_RUNTIME.index(name)
    return [each for turn, each in enumerate(sorted(OutputKind)) if each in accepted and turn % len(SAME_RUNTIME) == mine]


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
    assert set(spec.backends) <= set(known_backends())
    own = EXPORTERS / name / "items"
    if own.exists():  # else it ships the same for all kinds
        assert {path.name for path in own.iterdir()} == spec.items & known_items()


def test_spec_survives_json(name: str) -> None:
    spec = target_find(name).spec
    assert TargetSpec.model_validate_json(spec.model_dump_json()) == spec


def test_target_is_light_to_import(name: str) -> None:
    heavy = ("torch", "django", "numpy", "onnxruntime", "PIL")
    assert heavy_imports(tuple(f"exporters.{each}.target" for each in target_names()), heavy)[f"exporters.{name}.target"] == []


def test_defaults_are_allowed_and_unknown_options_refused(name: str) -> None:
    spec = target_find(name).spec
    assert set(options_checked(spec, {})) == {option.name for option in spec.options}
    assert "file.zip" in "".join(line.format_map({**options_checked(spec, {}), "file": "file.zip"}) for line in spec.commands)
    with pytest.raises(OptionInvalidError, match="no_such_option"):
        options_checked(spec, {"no_such_option": 1})
    for option in spec.options:
        with pytest.raises(OptionInvalidError, match=option.name):
            options_checked(spec, {option.name: object()})


def test_every_accepted_output_is_built_and_checked(name: str, artefacts: dict[OutputKind, Path]) -> None:
    needs_extra(name)
    spec = target_find(name).spec
    assert known_outputs() == frozenset(OutputKind)
    assert javascript_outputs() == {path.stem for path in JAVASCRIPT.glob("*.ts")}
    accepted = {output for output in spec.accepts if manifest_read(artefacts[output]).decode.kind in spec.items}
    assert accepted
    for output in outputs_built(name, accepted):
        report, folder = built_once(name, artefacts[output])
        file = folder / report.file
        assert report.target == name
        assert report.size_bytes == file.stat().st_size > 0
        assert report.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
        assert report.check.is_passed
        assert report.check.num_samples == len(GoldenSamples.read(artefacts[output] / SAMPLES_DIR / EXPECTED_FILE).samples)
        assert report.check.max_difference <= report.check.tolerance
        assert is_near(estimate(name, artefacts[output], {}), report.size_bytes), (output, report.size_bytes)
        assert re.search(
            r"(onnxruntime(-\w+)?|openvino|MNN|ncnn|executorch|coremltools|litert|torch) \d", report.check.environment
        )
        assert sorted(path.name for path in folder.iterdir()) == [report.file]
        assert parts_listed(file) >= {licence.part for licence in manifest_read(artefacts[output]).licences}


def test_every_kind_of_items_is_built_and_checked_or_refused(
    name: str, artefacts: dict[OutputKind, Path], tmp_path: Path
) -> None:
    needs_extra(name)
    assert set(MAKERS) == known_items()
    for kind, make in MAKERS.items():
        artefact_dir = artefacts[_PLAIN] if kind == "image" else made_once(f"artefact-of-{kind}", make)
        if kind in target_find(name).spec.items:
            report, _ = built_once(name, artefact_dir)
            assert report.check.is_passed
            assert report.check.num_samples >= 2
            assert is_near(estimate(name, artefact_dir, {}), report.size_bytes), (kind, report.size_bytes)
        else:
            with pytest.raises(ItemsNotReadError, match=kind):
                build(name, artefact_dir, tmp_path / kind, {})
            assert not (tmp_path / kind).exists()


def test_same_input_gives_the_same_bytes(name: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    needs_extra(name)
    report, _ = built_once(name, artefacts[_PLAIN])
    assert build(name, artefacts[_PLAIN], tmp_path / "again", {}).sha256 == report.sha256


def test_sabotage_is_caught_before_anything_is_handed_out(name: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    needs_extra(name)
    of_graph = _FAULTS_OF_GRAPHS[target_names().index(name) % len(_FAULTS_OF_GRAPHS)]
    for fault in (of_graph, swap_labels):
        broken = sabotaged(artefacts[_PLAIN], tmp_path / f"broken-{fault.__name__}", fault)
        out_dir = tmp_path / f"out-{fault.__name__}"
        with pytest.raises(ExportCheckFailedError) as caught:
            build(name, broken, out_dir, {})
        assert caught.value.code == "export_check_failed"
        assert caught.value.hint
        assert list(out_dir.iterdir()) == []


@pytest.mark.parametrize("missing", ["model.onnx", "artefact.json", "samples/expected.json", "samples/0.png"])
def test_incomplete_artefact_is_named(name: str, missing: str, artefacts: dict[OutputKind, Path], tmp_path: Path) -> None:
    needs_extra(name)
    broken = sabotaged(artefacts[_PLAIN], tmp_path / "broken", lambda copy: (copy / missing).unlink())
    with pytest.raises(ArtefactInvalidError, match=Path(missing).name):
        build(name, broken, tmp_path / "out", {})
    with pytest.raises(ArtefactInvalidError, match=Path(missing).name):
        estimate(name, broken, {})


def test_unknown_target_lists_the_known_ones(name: str) -> None:
    with pytest.raises(TargetUnknownError, match=name):
        target_find("no_such_target")
