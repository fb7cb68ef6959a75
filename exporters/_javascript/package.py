"""Puts an npm package together: the built parts, the artefact, the template."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.target import TextParam
from automl.contracts.words import Words
from exporters.answers import answer_kind
from exporters.bundle import artefact_copy, cards_copy, licences_text, template_render, text_render
from exporters.errors import PartsNotBuiltError
from exporters.items import item_kind
from exporters.sbom import Part

words = Words(__file__)

BUILT = Path(__file__).with_name("built")
MODEL_DIR = "model"
OWN = Part("modelyard-javascript", "Apache-2.0")
"""The code of ours that answers."""
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


def built_versions() -> dict[str, str]:
    """Versions of the runtimes that the parts were built with, by the name under which templates ask for them.

    Raises:
        PartsNotBuiltError: the front end was not built here.
    """
    versions: dict[str, str] = json.loads(built_folder("built.json").read_text(encoding="utf-8"))
    return versions


def built_parts(name: str) -> list[Part]:
    """What a folder of built parts is made of: our code, and the packages bundled with it.

    Raises:
        PartsNotBuiltError: the front end was not built here.
    """
    bundled = json.loads(built_folder(f"{name}.json").read_text(encoding="utf-8"))
    return [
        OWN,
        *(
            Part(each["name"], each["spdx"], version=each["version"], purl=npm_purl(each["name"], each["version"]))
            for each in bundled
        ),
    ]


def npm_purl(name: str, version: str = "") -> str:
    """The package URL of an npm package."""
    return f"pkg:npm/{name.replace('@', '%40')}{version and f'@{version}'}"


def archive_name(name: str, version: str) -> str:
    """How ``npm pack`` calls the archive."""
    return f"{name.removeprefix('@').replace('/', '-')}-{version}.tgz"


def package_values(
    manifest: ArtefactManifest, parts: Sequence[Part], *, name: str, version: str, items: Path
) -> dict[str, str]:
    """What templates ask for.

    Args:
        manifest: of the artefact.
        parts: what the package is made of besides the model.
        name: of the package.
        version: of the package.
        items: folder with ``<kind>/usage.md`` and ``<kind>/usage.zh-CN.md``.
    """
    answers = answer_kind(manifest)
    values = {
        "name": name,
        "version": version,
        "archive": archive_name(name, version),
        "licences": licences_text(manifest, parts),
        "answer": answers.example,
        "may_be_nothing": json.dumps(answers.may_be_nothing),
        **built_versions(),
        **item_kind(manifest).values(manifest.decode),
    }
    own = items / manifest.decode.kind
    return values | {
        "usage": text_render(own / "usage.md", values).strip(),
        "usage_zh": text_render(own / "usage.zh-CN.md", values).strip(),
    }


def assemble(artefact_dir: Path, folder: Path, template: Path, values: Mapping[str, str], parts: Sequence[Part]) -> None:
    """Writes what every package has: the template's files, the artefact below ``model/``, its cards and the list of parts."""
    template_render(template, folder, values)
    artefact_copy(artefact_dir, folder / MODEL_DIR, parts)
    cards_copy(artefact_dir, folder)


def model_script(model_dir: Path) -> str:
    """A model's files as a script: a page that is opened from a disk may read no files."""
    files = {
        path.relative_to(model_dir).as_posix(): base64.b64encode(path.read_bytes()).decode()
        for path in sorted(model_dir.rglob("*"))
        if path.is_file()
    }
    return f"globalThis.modelPacked = {{ ...globalThis.modelPacked, files: {json.dumps(files)} }};\n"
