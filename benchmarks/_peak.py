"""Memory that a piece of work takes at its peak, beyond what was there before."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import torch

MB = 1_000_000


def peak_mb(work: Callable[[], object], device: torch.device, *, warm_up: Callable[[], object] | None = None) -> float:
    """Megabytes: on a GPU what torch allocated, else what a forked process took.

    Call it before the work is done here, lest freed memory be used again, and with one thread: others do not survive a fork.

    Args:
        work: what is measured.
        device: where it is done.
        warm_up: done before, so that libraries which it loads do not count.
    """
    if device.type == "cuda":
        if warm_up is not None:
            warm_up()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        work()
        torch.cuda.synchronize()
        return (torch.cuda.max_memory_allocated() - before) / MB
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_measured, args=(work, warm_up, sender))
    process.start()
    sender.close()
    try:
        return float(receiver.recv())
    finally:
        process.join()


def process_mb(name: str = "VmHWM") -> float:
    """Megabytes of this process: the most so far (``VmHWM``), or now (``VmRSS``)."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024 / MB


def _measured(work: Callable[[], object], warm_up: Callable[[], object] | None, sender: Connection) -> None:
    if warm_up is not None:
        warm_up()
    Path("/proc/self/clear_refs").write_text("5")  # forgets the most so far
    before = process_mb("VmRSS")
    work()
    sender.send(process_mb() - before)
