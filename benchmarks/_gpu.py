"""What rows that need a GPU share: the device, its name beside each claim, and a clock that waits for it.

Without CUDA these rows are skipped; at ``--smoke`` they take their steps on the CPU, so that nobody finds them rotten.
"""

from __future__ import annotations

import time

import torch

from benchmarks.harness import Options, SkippedError


def device_for(options: Options) -> torch.device:
    """CUDA, or at the smallest size whatever is there.

    Raises:
        SkippedError: there is no CUDA, and the row is to claim something.
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if not options.is_smoke:
        raise SkippedError("needs CUDA")
    return torch.device("cpu")


def device_name(device: torch.device) -> str:
    """As its maker calls it."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def clock() -> float:
    """Wall time when all that was ordered is done."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()
