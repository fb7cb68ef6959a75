"""Points from which a killed run goes on exactly as if nothing had happened.

A file is written beside its place, flushed to the disk and renamed, so that a checkpoint is whole or not there. Only tensors
and plain values are stored, and read with ``weights_only``.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import torch

NUM_KEPT = 2
"""Checkpoints on disk: the last, and the one before it in case the disk loses the last."""


class CheckpointStore:
    """The checkpoints of one job."""

    def __init__(self, folder: Path):
        self._folder = folder

    def save(self, step: int, state: dict[str, Any]) -> None:
        """Writes the state after ``step`` steps and drops old ones.

        Raises:
            OSError: the disk is full, for example; nothing half is left.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        torch.save(state, buffer)
        partial = self._folder / "next.partial"
        try:
            with partial.open("wb") as file:
                file.write(buffer.getbuffer())
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._folder / f"step-{step:08d}.pt")
        finally:
            partial.unlink(missing_ok=True)
        for path in self._paths()[:-NUM_KEPT]:
            path.unlink()

    def load(self) -> dict[str, Any] | None:
        """The newest state that can be read; None when there is none."""
        for path in reversed(self._paths()):
            try:
                state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
            except (OSError, RuntimeError, EOFError):  # what torch raises on a file that the disk damaged
                continue
            return state
        return None

    def _paths(self) -> list[Path]:
        return sorted(self._folder.glob("step-*.pt"))
