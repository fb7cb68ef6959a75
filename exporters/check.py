"""Built means checked: the finished product answers its golden samples in a process that has nothing else of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.target import CheckResult
from exporters.errors import ExportCheckFailedError, ToolMissingError
from exporters.items import item_kind
from exporters.sbom import RUNTIME, Part

ENCODING_PACKAGES = {"numpy": "numpy", "PIL": "pillow"}
"""What reading items and writing answers import, by the name of their distribution."""
RUNTIME_PACKAGES = {"numpy": "numpy", "onnxruntime": "onnxruntime", "PIL": "pillow"}
"""What the runtime imports, by the name of its distribution."""
SERVER_PACKAGES = {
    **RUNTIME_PACKAGES,
    "uvicorn": "uvicorn",
    "click": "click",
    "h11": "h11",
    "httptools": "httptools",
    "uvloop": "uvloop",
}
OPENVINO = {"openvino": "openvino"}
"""An optional second backend of a server, which uses the faster one."""
MNN = {"MNN": "MNN", "_mnncengine": "MNN"}
"""What a model in MNN's format needs."""
NCNN = {"ncnn": "ncnn"}
"""What a model in ncnn's format needs."""
EXECUTORCH = {
    "torch": "torch",
    **dict.fromkeys(("functorch", "torchgen", "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock"), "torch"),
    "executorch": "executorch",
    **dict.fromkeys(("flatbuffers", "ruamel", "tabulate", "torchao", "typing_extensions", "tqdm"), "executorch"),
}
"""What an ExecuTorch program needs in Python; on phones its own library is enough."""
COREML = {
    **{name: place for name, place in EXECUTORCH.items() if place == "torch"},
    **dict.fromkeys(("coremltools", "google", "attr", "attrs", "cattr", "cattrs", "packaging"), "coremltools"),
    **dict.fromkeys(("yaml", "tqdm", "typing_extensions"), "coremltools"),
}
"""What a Core ML program needs in Python: where there is no Core ML, torch computes what it says."""
LITERT = {"ai_edge_litert": "ai-edge-litert"}
"""What a LiteRT file needs in Python; on phones its own library is enough."""
TESTED_VERSIONS = {
    "numpy": ">=1.26,<3",
    "onnxruntime": ">=1.19.2,<2",
    "pillow": ">=10.1,<14",
    "tokenizers": ">=0.20.2,<1",
    "uvicorn": ">=0.30,<1",
    "click": ">=8.1.3,<9",
    "h11": ">=0.14,<1",
    "httptools": ">=0.6.1,<1",
    "uvloop": ">=0.19,<1",
    "openvino": ">=2026.4,<2027",
    "MNN": ">=3.6,<4",
    "ncnn": ">=1.0.20261020,<2",
    "executorch": ">=1.5.1,<1.6",
    "coremltools": ">=9,<10",
    "ai-edge-litert": ">=2.3,<3",
    "torch": ">=2.13,<2.14",
}
"""Ranges of versions by distribution. Products of each kind replayed their golden samples on Python 3.11, 3.12 and 3.13 with
the lowest of these that have wheels there and with the newest of November 2026. Tokenizers before 0.20 fail; others were not
tried. Of OpenVINO, MNN, ncnn, ExecuTorch, Core ML Tools, LiteRT and torch one version was tried, on Python 3.11."""
LICENCES = {
    "numpy": "BSD-3-Clause",
    "onnxruntime": "MIT",
    "pillow": "MIT-CMU",
    "tokenizers": "Apache-2.0",
    "uvicorn": "BSD-3-Clause",
    "click": "BSD-3-Clause",
    "h11": "MIT",
    "httptools": "MIT",
    "uvloop": "MIT OR Apache-2.0",
    "openvino": "Apache-2.0",
    "MNN": "Apache-2.0",
    "ncnn": "BSD-3-Clause",
    "executorch": "BSD-3-Clause",
    "coremltools": "BSD-3-Clause",
    "ai-edge-litert": "Apache-2.0",
    "torch": "BSD-3-Clause",
}
"""SPDX identifiers, by distribution."""
MARKERS = {
    "uvloop": "; sys_platform != 'win32'",
    "openvino": "; platform_machine == 'x86_64' or platform_machine == 'AMD64'",
}
"""Packages that not every system has; the server does without them."""
TIMEOUT_S = 120

ISOLATED = Path(__file__).with_name("isolated.py")


def isolated_command(folder: Path, module: str, arguments: Sequence[str], packages: Sequence[str]) -> list[str]:
    """The command that runs a module of ``folder`` with these packages and no others.

    Raises:
        ToolMissingError: a package is not installed here.
    """
    places = {}
    for name in packages:
        spec = find_spec(name)
        if spec is None:
            raise ToolMissingError(f"the package {name} is not installed, so the product cannot be checked")
        places[name] = str(Path(next(iter(spec.submodule_search_locations or ()), str(spec.origin))).parent)
    return [sys.executable, "-I", "-S", "-B", str(ISOLATED), str(folder), json.dumps(places), module, *arguments]


def replay_isolated(folder: Path, module: str, arguments: Sequence[str], packages: Sequence[str]) -> CheckResult:
    """Runs a product's own selftest.

    Args:
        folder: where the product was unpacked.
        module: prints what ``selftest`` prints.
        arguments: of the module.
        packages: importable beside the product.

    Raises:
        ExportCheckFailedError: it did not run, or a score differs by more than the artefact's tolerance.
    """
    return selftest_run(isolated_command(folder, module, arguments, packages), folder)


def selftest_run(command: Sequence[str], folder: Path) -> CheckResult:
    """Runs a command that prints what a selftest showed.

    Args:
        command: the program with its arguments.
        folder: where the product was unpacked.

    Raises:
        ExportCheckFailedError: it did not run, or a score differs by more than the artefact's tolerance.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ExportCheckFailedError(f"the selftest did not end within {TIMEOUT_S} s") from error
    try:
        shown = CheckResult.model_validate_json(done.stdout.strip().rpartition("\n")[2])
    except ValidationError as error:
        raise ExportCheckFailedError(f"the selftest did not run: {(done.stdout + done.stderr).strip()[-2000:]}") from error
    if not shown.is_passed:
        raise ExportCheckFailedError(
            f"a score differs by {shown.max_difference:.2g} from the trained model, {shown.tolerance:.2g} is allowed"
        )
    return shown


def packages_for(manifest: ArtefactManifest, packages: Mapping[str, str]) -> dict[str, str]:
    """The packages that a product of this artefact needs.

    Args:
        manifest: of the artefact.
        packages: what every product of the kind needs.
    """
    return {**packages, **item_kind(manifest).packages}


def python_parts(packages: Sequence[str]) -> list[Part]:
    """The parts of a product that answers in Python: our runtime, and the distributions that it needs beside it."""
    return [
        RUNTIME,
        *(Part(name, LICENCES[name], version_range=TESTED_VERSIONS[name], purl=f"pkg:pypi/{name}") for name in packages),
    ]


def requirements(packages: Sequence[str]) -> list[str]:
    """One line a distribution for the product's list of requirements: the range of versions that products were tried with."""
    return [f"{name}{TESTED_VERSIONS[name]}{MARKERS.get(name, '')}" for name in packages]
