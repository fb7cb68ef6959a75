"""The Swift package: its Swift is parsed and held against the core, whose answers are tried with all targets."""

from __future__ import annotations

import re

import pytest

from exporters.cpp_sdk.sources import TEMPLATE as CORE
from exporters.ios_sdk.target import TEMPLATE, _assemble
from exporters.sbom import SBOM_FILE
from tests.exporters.swift_sources import faults, sources_of
from tests.exporters.text_artefact_factory import text_artefact_write

SOURCES = sources_of("ios_sdk")
HEADER = (CORE / "include" / "modelyard.h").read_text(encoding="utf-8")
C_NAME = re.compile(r"\b(?:modelyard|MODELYARD)_\w+")
READ_MES = ("README.md", "README.zh-CN.md")


def test_swift_sources_have_no_errors_of_syntax():
    assert SOURCES
    assert {path.name: found for path in SOURCES if (found := faults(path.read_bytes()))} == {}


def test_an_error_of_syntax_is_found():
    assert faults(b"let one = 1\nfunc two( { }\n") == ["line 2: "]


def test_swift_uses_what_the_core_has():
    swift = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert set(C_NAME.findall(swift)) <= set(C_NAME.findall(HEADER))
    kinds = {kind for path in CORE.rglob("*.cpp") for kind in re.findall(r'\.kind = "(\w+)"', path.read_text(encoding="utf-8"))}
    assert set(re.findall(r'Kind\(rawValue: "(\w+)"\)', swift)) == kinds
    codes = set(re.findall(r'return "(\w+)"', (CORE / "src" / "modelyard.cpp").read_text(encoding="utf-8"))) - {"ok"}
    codes = {code for code in codes if not code.startswith("update_")}  # no app may write beside the model that it came with
    for name in READ_MES:
        assert codes <= set(re.findall(r"`(\w+)`", (TEMPLATE / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("kind", ["image", "text"])
def test_package_is_whole(kind, artefact_dir, tmp_path):
    artefact = artefact_dir if kind == "image" else text_artefact_write(tmp_path / "artefact")
    folder = tmp_path / "birds-ios"
    _assemble(artefact, folder)
    package = (folder / "Package.swift").read_text(encoding="utf-8")
    core = folder / "Sources" / "CModelyard"
    named = re.findall(r'"(third_party/[^"]+)"', package)
    assert {core / name for name in named} == {
        *core.glob("third_party/*/LICENSE"),
        *map((core / "third_party").joinpath, ("onnxruntime", "stb")),
    }
    assert (core / "include" / re.findall(r'header "(.+)"', (core / "include" / "module.modulemap").read_text())[0]).is_file()
    assert not (core / "src" / "runtime_loaded.cpp").exists()
    assert (folder / "Sources" / "Modelyard" / "artefact" / "model.onnx").is_file()
    assert (folder / SBOM_FILE).is_file()
    assert list((folder / "Sample").glob("*.swift"))
    for path in [folder / "Package.swift", *(folder / name for name in READ_MES)]:
        assert "birds-ios" in path.read_text(encoding="utf-8")
        assert "{{" not in path.read_text(encoding="utf-8")
