"""Compares the tokenizers of the C++ and Java products with the library: ``python -m tests.exporters.own_tokenizers [NUMBER]``.

For each family's tokenizer so many drawn texts of everyday scripts and of all planes; it prints how many get other ids.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from automl.contracts.artefact import TOKENIZER_FILE
from automl.contracts.modality import Modality
from engine.models import family_names, family_part, family_spec
from runtime.items.text.tokens import tokenizer_open
from tests.exporters.cpp_library import ids_program
from tests.exporters.difficult_texts import TEXTS, made, wild
from tests.exporters.java_library import ask
from tests.support.once import folder_open
from tests.support.platform_process import ASSETS

NUMBER = 10_000


def tokens_apart(file: Path, texts: list[str], program: Path) -> dict[str, tuple[str, list[int], list[int]]]:
    """Texts to which a library of ours gives other ids: its language, the right ids, its own.

    Args:
        file: a ``tokenizer.json``.
        texts: without NUL.
        program: see ``ids_program``.
    """
    encode, texts = tokenizer_open(file), list(dict.fromkeys(texts))
    expected = [encode(text) for text in texts]
    given = "\0".join([*texts, ""]).encode()
    output = subprocess.run([str(program), str(file)], input=given, capture_output=True, check=True).stdout.decode()
    (java,) = ask(("ids", file, texts))
    languages = {"C++": [[int(each) for each in line.split()] for line in output.splitlines()], "Java": java}
    return {
        text: (language, right, own)
        for language, found in languages.items()
        for text, right, own in zip(texts, expected, found, strict=True)
        if right != own
    }


def main() -> int:
    """Compares, and prints."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else NUMBER
    texts, worst = [*TEXTS, *made(number, seed=5), *wild(number, seed=6)], 0
    folder_open()
    with tempfile.TemporaryDirectory() as scratch:
        program = ids_program(Path(scratch) / "program")
        file = Path(scratch) / TOKENIZER_FILE
        for family in (each for each in map(family_spec, family_names()) if each.reads is Modality.TEXT):
            for size in family.sizes:
                build = family_part(family.name, "tokenizer").build
                learned = [*TEXTS, *made(100, seed=2)]
                file.write_text(build(size.name, learned, max_tokens=48, assets_dir=ASSETS), encoding="utf-8")
                apart = tokens_apart(file, texts, program)
                worst = max(worst, len(apart))
                sys.stdout.write(f"{family.name} {size.name}: {len(apart)} of {len(texts)} texts differ\n")
                for text, found in list(apart.items())[:3]:
                    sys.stdout.write(f"  {text!a} {found}\n")
    return int(worst > 0)


if __name__ == "__main__":
    sys.exit(main())
