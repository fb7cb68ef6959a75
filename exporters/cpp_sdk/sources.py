"""The library's own sources, as products hold them that are built from them."""

from __future__ import annotations

import shutil
from pathlib import Path

from exporters._text_tables import LICENCE_FILE, TABLES_FILE, UNICODE
from exporters.bundle import text_render
from exporters.sbom import Part

TEMPLATE = Path(__file__).with_name("template")
FOLDERS = ("include", "src", "third_party")
"""Of the template: what is compiled."""
RENDERED = ("src/kinds.hpp", "src/sign_tables.hpp")
LOADER = "runtime_loaded.cpp"
"""Loads ONNX Runtime when the program runs; where it is linked, another file has the function."""
KINDS = {"items": "items", "answers": "kinds", "pipelines": "pipelines"}
"""Folders of the sources, with the name by which their list is rendered."""

PARTS = (
    Part("modelyard-cpp", "Apache-2.0"),
    Part("stb_image", "MIT OR Unlicense", version="2.30", purl="pkg:github/nothings/stb"),
    UNICODE,
    Part("onnxruntime headers", "MIT", version="1.29", purl="pkg:github/microsoft/onnxruntime@v1.29"),
)
"""Ours, and of others two headers and tables."""


def listed(folder: str) -> list[str]:
    """What the library finds by its name: each has a file of that name."""
    return sorted(path.stem for path in TEMPLATE.glob(f"src/{folder}/*.cpp"))


def sources_write(folder: Path, *, without: str = "") -> None:
    """Writes ``include``, ``src`` and ``third_party`` with their licences.

    Args:
        folder: may hold other things.
        without: name of a file that is left out.
    """
    values = {"sign_tables": _literals(TABLES_FILE)}
    values |= {key: " ".join(f"each({each})" for each in listed(place)) for place, key in KINDS.items()}
    for name in FOLDERS:
        shutil.copytree(TEMPLATE / name, folder / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns(without))
    for name in RENDERED:
        (folder / name).write_text(text_render(TEMPLATE / name, values), encoding="utf-8", newline="\n")
    (folder / "third_party" / "unicode").mkdir()
    shutil.copyfile(LICENCE_FILE, folder / "third_party" / "unicode" / "LICENSE")


def _literals(file: Path) -> str:
    """The lines of a file as texts of C++, each in parts."""
    lines = file.read_text(encoding="ascii").splitlines()
    return ",\n".join("\n".join(f'    "{line[at : at + 120]}"' for at in range(0, len(line), 120)) for line in lines)
