"""The tokenizer that travels with a model gives the same ids in JavaScript, C++ and Java as in Python: with what is shipped."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from automl.contracts.artefact import TOKENIZER_FILE
from automl.contracts.modality import Modality
from engine.models import family_names, family_part, family_spec
from exporters.build import build
from runtime.items.text.tokens import tokenizer_open
from studio.config.node import FRONTEND, node_folder
from tests.exporters.cpp_library import ids_program
from tests.exporters.difficult_texts import TEXTS, made, wild
from tests.exporters.own_tokenizers import tokens_apart
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.platform_process import ASSETS

MAX_TOKENS = 48


def _ways() -> list[tuple[str, str]]:
    """Every way of making a tokenizer: family and size."""
    readers = [family for family in map(family_spec, family_names()) if family.reads is Modality.TEXT]
    ways = {
        (family_part(family.name, "tokenizer").build, size.asset): (family.name, size.name)
        for family in readers
        for size in family.sizes
    }
    return list(ways.values())


@pytest.fixture(scope="module")
def programs(tmp_path_factory) -> dict[str, list[str]]:
    """The commands of the shipped programs, but for the tokenizer, by language."""
    folder = tmp_path_factory.mktemp("product")
    report = build("onprem_server", text_artefact_write(folder / "artefact"), folder, {"name": "reviews"})
    with tarfile.open(folder / report.file) as tar:
        tar.extractall(folder, filter="data")
    shipped = folder / "reviews-server" / "tokenizer"
    (folder / "node_modules").symlink_to(FRONTEND / "node_modules")
    return {
        "JavaScript": [str(node_folder() / "node"), str(shipped / "ids.mjs")],
        "C++": [str(_compiled(shipped / "ids.cpp"))],
    }


@pytest.fixture(scope="module")
def own_program(tmp_path_factory) -> Path:
    """The program with the tokenizer of the C++ product."""
    return ids_program(tmp_path_factory.mktemp("own"))


def _compiled(source: Path) -> Path:
    compiler, wheel = shutil.which("g++"), find_spec("litert_lm")
    assert compiler is not None, "g++ is needed: install a C++ compiler"
    assert wheel is not None, "the package litert-lm-api is needed: it has tokenizers-cpp built in"
    (folder,) = wheel.submodule_search_locations or ()
    program = source.with_name("ids")
    strict = ("-std=c++17", "-Wall", "-Wextra", "-Werror")
    linked = (f"{folder}/liblitert-lm.so", f"-Wl,-rpath,{folder}")
    subprocess.run([compiler, *strict, str(source), "-o", str(program), *linked], check=True)
    return program


@pytest.mark.skipif(sys.platform != "linux", reason="the package that has tokenizers-cpp built in is installed on Linux")
@pytest.mark.parametrize(("family", "size"), _ways())
def test_ids_are_those_of_python(family, size, programs, tmp_path):
    texts = [*TEXTS, *made(400, seed=1)]
    learned = [*TEXTS, *made(100, seed=2)]
    definition = family_part(family, "tokenizer").build(size, learned, max_tokens=MAX_TOKENS, assets_dir=ASSETS)
    file = tmp_path / TOKENIZER_FILE
    file.write_text(definition, encoding="utf-8")
    encode = tokenizer_open(file)
    expected = {text: encode(text) for text in texts}
    assert max(map(len, expected.values())) == MAX_TOKENS
    given = "\0".join([*expected, ""]).encode()
    for language, command in programs.items():
        output = subprocess.run([*command, str(file)], input=given, capture_output=True, check=True).stdout.decode()
        found = dict(zip(expected, ([int(each) for each in line.split()] for line in output.splitlines()), strict=True))
        assert {text: (ids, found[text]) for text, ids in expected.items() if found[text] != ids} == {}, language


@pytest.mark.parametrize(("family", "size"), _ways())
def test_tokenizers_of_our_own_give_the_ids_of_the_library(family, size, own_program, tmp_path):
    """Those of the C++ product and of the Java product: of all planes."""
    definition = family_part(family, "tokenizer").build(
        size, [*TEXTS, *made(100, seed=2)], max_tokens=MAX_TOKENS, assets_dir=ASSETS
    )
    (tmp_path / TOKENIZER_FILE).write_text(definition, encoding="utf-8")
    assert tokens_apart(tmp_path / TOKENIZER_FILE, [*TEXTS, *made(300, seed=1), *wild(300, seed=1)], own_program) == {}
