"""Puts an npm package together: the built parts, the artefact, the template."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.target import TextParam
from automl.contracts.words import Words
from exporters.answers import answer_kind
from exporters.bundle import artefact_copy, cards_copy, licences_text, template_render, text_render
from exporters.errors import PartsNotBuiltError
from exporters.items import item_kind

words = Words(__file__)

BUILT = Path(__file__).with_name("built")
MODEL_DIR = "model"
ROOT = "package"
"""Folder in the archive, as npm wants it."""
NAME = r"(@[a-z0-9][a-z0-9-]{0,39}/)?[a-z][a-z0-9-]{0,39}"
VERSION = r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})"
NAME_OPTIONS = (
    TextParam(name="name", title=words("name.title"), help=words("name.help"), pattern=NAME, default="my-model"),
    TextParam(name="version", title=words("version.title"), help=words("version.help"), pattern=VERSION, default="1.0.0"),
)
"""The options of every package."""


def built_folder(name: str) -> Path:
    """A folder of built parts.

    Raises:
        PartsNotBuiltError: the front end was not built here.
    """
    if not (BUILT / "built.json").exists():
        raise PartsNotBuiltError("the JavaScript parts of the packages are not built here")
    return BUILT / name


def archive_name(name: str, version: str) -> str:
    """How ``npm pack`` calls the archive."""
    return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"


def package_values(manifest: ArtefactManifest, name: str, version: str, items: Path) -> dict[str, str]:
    """What templates ask for.

    Args:
        manifest: of the artefact.
        name: of the package.
        version: of the package.
        items: folder with ``<kind>/usage.md`` and ``<kind>/usage.zh-CN.md``.
    """
    answers = answer_kind(manifest)
    values = {
        "name": name,
        "version": version,
        "archive": archive_name(name, version),
        "licences": licences_text(manifest),
        "answer": answers.example,
        "may_be_nothing": json.dumps(answers.may_be_nothing),
        **{key: str(value) for key, value in json.loads((built_folder("built.json")).read_text(encoding="utf-8")).items()},
        **item_kind(manifest).values(manifest.decode),
    }
    own = items / manifest.decode.kind
    return values | {
        "usage": text_render(own / "usage.md", values).strip(),
        "usage_zh": text_render(own / "usage.zh-CN.md", values).strip(),
    }


def assemble(artefact_dir: Path, folder: Path, template: Path, values: Mapping[str, str]) -> None:
    """Writes what every package has: the template's files, the artefact below ``model/`` and its cards."""
    template_render(template, folder, values)
    artefact_copy(artefact_dir, folder / MODEL_DIR)
    cards_copy(artefact_dir, folder)


def model_script(model_dir: Path) -> str:
    """A model's files as a script: a page that is opened from a disk may read no files."""
    files = {
        path.relative_to(model_dir).as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in sorted(model_dir.rglob("*"))
        if path.is_file()
    }
    return f"globalThis.modelPacked = {{ ...globalThis.modelPacked, files: {json.dumps(files)} }};\n"
