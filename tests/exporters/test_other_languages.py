"""The tokenizer that travels with a model gives the same ids in JavaScript and C++ as in Python: with the shipped programs."""

from __future__ import annotations

import random
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
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.platform_process import ASSETS

MAX_TOKENS = 48
TEXTS = (
    "",
    " ",
    "a",
    "Hello, world!",
    "Don't e-mail a.b@c.de: it's $100 (50%)!",
    "UPPER lower MiXeD",
    "    many    spaces    ",
    "这个地方不大，但是很好。",
    "房间很吵！！！混合 mixed 文本 123",
    "〇々「引号」『书名』《》【】",
    "簡體與繁體",
    "𠮷野家 𨋢 𡃁 𠹌",
    "Ｈｅｌｌｏ　Ｗｏｒｌｄ１２３！",
    "～ 全角波浪 ~ ～～",
    "㍿ ㎏ ① ½ ² ﬁ ﷺ Ⅷ ㊗",
    "ｶﾀｶﾅ ﾊﾟ カタカナ が か\u3099",
    "한국어 \u1112\u1161\u11ab",
    "😀😃👍🏽 great",
    "👨\u200d👩\u200d👧\u200d👦",
    "🇨🇳🇺🇸",
    "1\ufe0f\u20e3",
    "𝒜𝓑 𝟘 𝚺𝛼",
    "cafe\u0301 café CAFÉ",
    "a\u0300\u0301\u0302\u0303b",
    "Z\u0351\u036b\u0343A\u0335\u031c",
    "İstanbul ıI ß ẞ Å",
    "ΟΔΟΣ ΟΔΟΣ. Σ ςσ ΣΑΣ",
    "русский ТЕКСТ",
    "שלום עולם",
    "مرحبا بالعالم",
    "\u202eabc שלום\u202c",
    "हिन्दी में",
    "ภาษาไทย",
    "line\nline\r\nline\rline",
    "\n",
    "tab\tvertical\x0bform\x0c",
    "bell\x07 escape\x1b delete\x7f",
    "\x01\x02\x08",
    "\x03",
    "c1 \x80\x85\x8f\x9f end",
    "\x85",
    "nbsp\u00a0thin\u2009zero\u200bjoin\u200d",
    "soft\u00adhyphen \ufeff mark",
    "\u2028\u2029",
    "[CLS] [SEP] [PAD] [UNK] [MASK]",
    "<s> </s> <pad> <unk> <mask>",
    "[PAD]",
    "</s>",
    "a</s>b",
    "▁word ##ing",
    "\ufffd \ue000",
    "x" * 150,
    "好" * 700,
    "word " * 600,
    "supercalifragilisticexpialidocious" * 9,
)
"""What hurts: scripts, widths, signs of several characters, controls but NUL, special tokens spelled out, empty, too long."""
EVERYDAY = (
    "0001-007E 0080-024F 0300-036F 0386-03CE 0400-045F 05D0-05EA 0620-0652 0904-0939 0E01-0E3A 1E00-1EFF 2000-205E 20A0-20BF "
    "2100-218B 2190-27BF 3000-30FF 3200-32FE 3300-9FFF AC00-D7A3 F900-FA6D FE30-FE6B FF01-FFEE 1D400-1D7FF 1F300-1F64F "
    "20000-2A6DF"
)
"""Characters of today's writing. Signs that other scripts have got since 2016 are not in the tables of Python's library."""


def _made(number: int, seed: int) -> list[str]:
    """Texts of a few scripts each."""
    drawn = random.Random(seed)
    everyday = [tuple(int(end, 16) for end in each.split("-")) for each in EVERYDAY.split()]
    scripts = [drawn.sample(everyday, drawn.randint(1, 4)) for _ in range(number)]
    return [
        "".join(chr(drawn.randint(*drawn.choice(some))) if drawn.random() < 0.85 else " " for _ in range(drawn.randint(1, 40)))
        for some in scripts
    ]


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
    return {"JavaScript": [str(node_folder() / "node"), str(shipped / "ids.mjs")], "C++": [str(_compiled(shipped / "ids.cpp"))]}


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
    texts = [*TEXTS, *_made(400, seed=1)]
    learned = [*TEXTS, *_made(100, seed=2)]
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
