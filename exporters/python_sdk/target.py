"""A wheel with the model inside: ``pip install`` it, then ``Model().predict("picture.jpg")``."""

from __future__ import annotations

import keyword
import sys
import tempfile
import time
import zipfile
from collections.abc import Collection
from pathlib import Path

from automl.contracts.base import Text
from automl.contracts.family import ParamValue
from automl.contracts.target import BuildReport, CheckResult, Target, TargetSpec, TextParam
from exporters.answers import answer_kind, known_outputs
from exporters.bundle import (
    artefact_copy,
    hand_out,
    licences_text,
    manifest_read,
    runtime_copy,
    template_render,
    wheel_write,
)
from exporters.check import RUNTIME_PACKAGES, packages_for, replay_isolated, requirements
from exporters.errors import OptionInvalidError
from exporters.items import item_kind

ITEMS = Path(__file__).with_name("items")
"""What is shipped, by the kind of items that the model reads: ``<kind>/package`` and ``<kind>/dist_info``."""

SPEC = TargetSpec(
    name="python_sdk",
    title=Text(en="Python package", zh="Python 软件包"),
    summary=Text(
        en="A wheel with the model inside: install it and predict in two lines, without a server.",
        zh="内含模型的 wheel：安装后两行代码即可预测，无需服务。",
    ),
    accepts=known_outputs(),
    options=(
        TextParam(
            name="package",
            title=Text(en="Package name", zh="包名"),
            help=Text(
                en="Lower-case letters, digits and underscores, starting with a letter; the name to import.",
                zh="小写字母、数字和下划线，以字母开头；即 import 的名称。",
            ),
            pattern=r"[a-z][a-z0-9_]{0,39}",
            default="my_model",
        ),
        TextParam(
            name="version",
            title=Text(en="Version", zh="版本"),
            help=Text(en="Three numbers with dots, such as 1.0.0.", zh="以点分隔的三个数字，例如 1.0.0。"),
            pattern=r"(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})",
            default="1.0.0",
        ),
    ),
)


def build(artefact_dir: Path, out_dir: Path, options: dict[str, ParamValue], model: str | None = None) -> BuildReport:
    """Writes ``<package>-<version>-py3-none-any.whl`` and replays the golden samples from what is in it.

    Raises:
        ExportError: the name is taken, the artefact is not whole, or the product does not answer as the trained model did.
    """
    del model  # a package answers without naming it
    started_at = time.perf_counter()
    package, version = str(options["package"]), str(options["version"])
    needed = packages_for(manifest_read(artefact_dir), RUNTIME_PACKAGES)
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or package in {*needed, *needed.values()}:
        raise OptionInvalidError(f"package cannot be {package!r}: Python or a package that the model needs has that name")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "made"
        product = Path(scratch) / f"{package}-{version}-py3-none-any.whl"
        _assemble(artefact_dir, folder, package, version)
        wheel_write(folder, product, dist_info=f"{package}-{version}.dist-info")
        check = _check(product, Path(scratch) / "installed", package, needed)
        return hand_out(product, out_dir, target=SPEC.name, check=check, started_at=started_at)


def _assemble(artefact_dir: Path, folder: Path, package: str, version: str) -> None:
    manifest = manifest_read(artefact_dir)
    needed = requirements(list(packages_for(manifest, RUNTIME_PACKAGES).values()))
    values = {
        "package": package,
        "version": version,
        "licences": licences_text(manifest),
        "requires": "\n".join(f"Requires-Dist: {line}" for line in needed),
        "answer": answer_kind(manifest).example,
        **item_kind(manifest).values(manifest.decode),
    }
    template = ITEMS / manifest.decode.kind
    template_render(template / "package", folder / package, values)
    template_render(template / "dist_info", folder / f"{package}-{version}.dist-info", values)
    runtime_copy(folder / package / "runtime")
    artefact_copy(artefact_dir, folder / package / "artefact")


def _check(file: Path, place: Path, package: str, packages: Collection[str]) -> CheckResult:
    with zipfile.ZipFile(file) as wheel:
        wheel.extractall(place)
    return replay_isolated(place, package, ["--selftest"], list(packages))


TARGET = Target(spec=SPEC, build=build)
