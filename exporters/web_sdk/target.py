"""An npm package that answers in the browser, with the model inside and a page to try it: nothing is sent anywhere."""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path

from automl.contracts.family import ChoiceParam, ParamValue
from automl.contracts.target import BuildReport, Target, TargetSpec
from automl.contracts.words import Words
from exporters._javascript.build import package_build
from exporters._javascript.package import (
    MODEL_DIR,
    NAME_OPTIONS,
    assemble,
    built_folder,
    built_parts,
    model_script,
    package_values,
)
from exporters.answers import javascript_outputs
from exporters.bundle import artefact_files, manifest_read, template_render
from exporters.items import reads_of
from exporters.items.pages import has_page, page_parts
from exporters.sizes import artefact_tar_bytes, base64_bytes, fixed_tar_bytes

words = Words(__file__)

TEMPLATE = Path(__file__).with_name("template")
PAGE = Path(__file__).with_name("page")
"""The page; the option ``page`` puts it into the package."""
ITEMS = Path(__file__).with_name("items")
"""By the kind of items that the model reads: ``<kind>/usage.md``, a part of the read-me."""
LIBRARY_FILES = ("index.js", "index.d.ts", "runtime.bin")
PAGE_FILES = {"page.js": "sdk.js", "runtime.js": "runtime.js"}
"""What the page loads, by the name of the built part."""

SPEC = TargetSpec(
    name="web_sdk",
    title=words("title"),
    summary=words("summary"),
    group="library",
    accepts=javascript_outputs(),
    reads=frozenset(filter(has_page, reads_of(ITEMS))),
    options=(
        *NAME_OPTIONS,
        ChoiceParam(name="page", title=words("page.title"), help=words("page.help"), choices=(True, False), default=True),
    ),
    commands=("npm install ./{file}",),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<name>-<version>.tgz`` and replays the golden samples from what is in it.

    Raises:
        ExportError: the front end was not built, the artefact is not whole, or the product does not answer as the trained
            model did.
    """
    del model  # a package answers without naming it

    def fill(folder: Path, name: str, version: str) -> None:
        _assemble(artefact_dir, folder, name, version, has_page=bool(options["page"]))

    return package_build(fill, out_dir, options, target=SPEC.name)


def _assemble(artefact_dir: Path, folder: Path, name: str, version: str, *, has_page: bool) -> None:
    built, parts, manifest = built_folder("web"), built_parts("web"), manifest_read(artefact_dir)
    values = package_values(manifest, parts, name=name, version=version, items=ITEMS)
    assemble(artefact_dir, folder, TEMPLATE, values, parts)
    (folder / "dist").mkdir()
    for file in LIBRARY_FILES:
        shutil.copyfile(built / file, folder / "dist" / file)
    shutil.copyfile(built / "NOTICE.txt", folder / "NOTICE.txt")
    if has_page:
        template_render(PAGE, folder, values | {"title": escape(name)} | page_parts(manifest, values))
        (folder / "page").mkdir()
        for file, place in PAGE_FILES.items():
            shutil.copyfile(built / file, folder / "page" / place)
        (folder / "page" / "model.js").write_text(model_script(folder / MODEL_DIR), encoding="utf-8")


def estimate(artefact_dir: Path, options: dict[str, ParamValue]) -> int:
    """See ``Target``."""
    built = built_folder("web")
    package = artefact_tar_bytes(artefact_dir) + fixed_tar_bytes(TEMPLATE, *(built / file for file in LIBRARY_FILES))
    if not options["page"]:
        return package
    page = fixed_tar_bytes(PAGE, *(built / file for file in PAGE_FILES))
    return package + page + base64_bytes(*artefact_files(artefact_dir))


TARGET = Target(spec=SPEC, build=build, estimate=estimate)
