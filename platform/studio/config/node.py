"""Finds Node.js and runs npm: the system's when it is new enough, else the wheel of the ``frontend`` extra."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from studio.common.errors import StudioError

# Vite 8 needs it.
MINIMUM = (20, 19)
ROOT = Path(__file__).resolve().parents[3]
FRONTEND = ROOT / "frontend"


class NodeMissingError(StudioError):
    """No Node.js that is new enough."""

    status = 500
    code = "node_missing"
    title = "Node.js is missing"


def node_version(node: str) -> tuple[int, int]:
    """Major and minor version of a ``node`` program; (0, 0) when it does not run."""
    try:
        output = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return (0, 0)
    match = re.match(r"v(\d+)\.(\d+)", output)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def node_folder() -> Path:
    """The folder that holds ``node`` and ``npm``.

    Raises:
        NodeMissingError: neither the system nor this environment has one that is new enough.
    """
    for folder in (os.environ.get("PATH", ""), str(Path(sys.executable).parent)):
        node, npm = shutil.which("node", path=folder), shutil.which("npm", path=folder)
        if node and npm and node_version(node) >= MINIMUM:
            return Path(node).parent
    raise NodeMissingError(
        f"Node.js {MINIMUM[0]}.{MINIMUM[1]} or newer was not found.",
        hint='Install it, or run `pip install -e ".[frontend]"`, which brings one.',
    )


def npm(*arguments: str, quiet: bool = False) -> int:
    """Runs npm in ``frontend/`` with the whole environment (proxies and certificates included); returns its exit status."""
    folder = node_folder()
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(
        [str(folder / "npm"), *arguments], cwd=FRONTEND, env=environment, stdout=output, check=False
    ).returncode
