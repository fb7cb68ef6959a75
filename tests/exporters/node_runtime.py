"""onnxruntime-node for tests and benchmarks: too large to come with the web app, so whoever needs it first installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from studio.config.node import FRONTEND, node_folder
from tests.support.once import folder_open, made_once

PINNED = FRONTEND / "sdk" / "onnxruntime-node"
"""Its ``package.json``, lock file and npm settings."""


def runtime_modules() -> Path:
    """A ``node_modules`` folder with onnxruntime-node in it, installed once for all processes of a run."""
    folder_open()
    return made_once("onnxruntime-node", _install) / "node_modules"


def _install(folder: Path) -> None:
    shutil.copytree(PINNED, folder)
    programs = node_folder()
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    # Without scripts: its installer would fetch libraries for GPUs.
    done = subprocess.run(
        [str(programs / "npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"onnxruntime-node could not be installed from the npm registry:\n{done.stderr}"
