"""Runs the real command and kills it; for tests and for the benchmark."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from tests.support.platform_process import ROOT


def folder_make(folder: Path, count: int, *, per_folder: int = 1000, seed: int = 1) -> Path:
    """Many small pictures, each with bytes of its own, in folders that are labels."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        place = folder / f"class-{number // per_folder:03}"
        if number % per_folder == 0:
            place.mkdir(parents=True)
        pixels_HWC = rng.integers(0, 256, (24, 24, 3), dtype=np.uint8)
        out = BytesIO()
        Image.fromarray(pixels_HWC).save(out, "JPEG", quality=80)
        (place / f"{number:06}.jpg").write_bytes(out.getvalue())
    return folder


def environment(url: str, key: str) -> dict[str, str]:
    return {**os.environ, "MODELYARD_URL": url, "MODELYARD_KEY": key, "PYTHONPATH": str(ROOT / "client")}


def command_start(url: str, key: str, *words: str, log: Path) -> subprocess.Popen[bytes]:
    """``modelyard ...`` as a process of its own."""
    with log.open("ab") as out:
        command = [sys.executable, "-m", "modelyard", *words]
        return subprocess.Popen(command, env=environment(url, key), stdout=out, stderr=subprocess.STDOUT, cwd=log.parent)


def killed_upload(
    start: Callable[[], subprocess.Popen[bytes]], num_items: Callable[[], int], *, kill_at: Sequence[int]
) -> list[int]:
    """Starts an upload and kills it once each number of items is there, then lets it run to its end.

    Returns:
        Items found right after each kill.
    """
    found = []
    for threshold in kill_at:
        process = start()
        while num_items() < threshold:
            assert process.poll() is None, "the upload ended before it could be killed"
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        found.append(num_items())
    last = start()
    assert last.wait() == 0
    return found
