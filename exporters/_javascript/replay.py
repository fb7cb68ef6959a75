"""Built means checked, for JavaScript: the product answers its golden samples as the trained model did.

If Node.js is installed, the shipped code answers, with the browsers' WebAssembly runtime; a browser's own decoding, its worker
and onnxruntime-node are left to this project's tests. Without Node.js, the Python runtime answers from the files of the
package. ``CheckResult.environment`` says which it was.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from pydantic import ValidationError

from automl.contracts.target import CheckResult
from exporters._javascript.package import MODEL_DIR, built_folder
from exporters.bundle import manifest_read, runtime_copy
from exporters.check import RUNTIME_PACKAGES, TIMEOUT_S, packages_for, replay_isolated
from exporters.errors import ExportCheckFailedError

MINIMUM_NODE = 20
_STAND_IN = {"name": "onnxruntime-node", "type": "module", "exports": "./index.js"}


def package_replay(package: Path, scratch: Path) -> CheckResult:
    """Replays the golden samples of an unpacked package.

    Args:
        package: where it was unpacked.
        scratch: an empty folder.

    Raises:
        ExportCheckFailedError: it did not run, or an answer differs by more than the artefact's tolerance.
    """
    node = node_find()
    shown = _by_python(package / MODEL_DIR, scratch) if node is None else _by_node(node, package / MODEL_DIR, scratch)
    if not shown.is_passed:
        raise ExportCheckFailedError(
            f"an answer differs by {shown.max_difference:.2g} from the trained model's, {shown.tolerance:.2g} is allowed"
        )
    return shown


def node_find() -> str | None:
    """A ``node`` program that is new enough: on PATH, or beside this Python; None where there is none."""
    for folder in (os.environ.get("PATH", ""), str(Path(sys.executable).parent)):
        node = shutil.which("node", path=folder)
        if node is not None and _major(node) >= MINIMUM_NODE:
            return node
    return None


def _major(node: str) -> int:
    try:
        output = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    match = re.match(r"v(\d+)\.", output)
    return int(match[1]) if match else 0


def _by_node(node: str, model: Path, scratch: Path) -> CheckResult:
    folder = scratch / "node"
    stand_in = folder / "node_modules" / "onnxruntime-node"
    shutil.copytree(built_folder("node"), folder / "dist")
    shutil.copytree(built_folder("check"), stand_in, ignore=shutil.ignore_patterns("cells.js"))
    shutil.copyfile(built_folder("web") / "runtime.bin", stand_in / "runtime.bin")
    (stand_in / "package.json").write_text(json.dumps(_STAND_IN), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    shutil.copytree(model, folder / MODEL_DIR)
    command = [node, "dist/cli.js", "--selftest"]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise ExportCheckFailedError(f"the selftest did not end within {TIMEOUT_S} s") from error
    try:
        shown = json.loads(done.stdout.strip().rpartition("\n")[2])
        return CheckResult(
            num_samples=shown["numSamples"],
            max_difference=shown["maxDifference"],
            tolerance=shown["tolerance"],
            is_passed=shown["isPassed"],
            environment=shown["environment"],
        )
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise ExportCheckFailedError(f"the selftest did not run: {(done.stdout + done.stderr).strip()[-2000:]}") from error


def _by_python(model: Path, scratch: Path) -> CheckResult:
    folder = scratch / "python"
    runtime_copy(folder / "runtime")
    packages = list(packages_for(manifest_read(model), RUNTIME_PACKAGES))
    return replay_isolated(folder, "runtime.selftest", [str(model)], packages)
