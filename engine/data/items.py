"""What training asks of the items of a version, whatever they are made of: pictures (``cache``) or texts (``text_tokens``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import torch
from numpy.typing import NDArray
from torch import Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.tiling import Tiling

ASKED_AT_ONCE = 8
"""Batches of eight ran no faster than single pictures on a CPU; larger ones only need memory."""


class PackedItems(Protocol):
    """All items of a version as rows of one array, in the order of ``DatasetVersion.records()``. B stands for a batch."""

    @property
    def array(self) -> NDArray[Any]:
        """Memory-mapped, read-only; one row an item, all of one shape."""

    @property
    def tiling(self) -> Tiling | None:
        """How the network sees parts of items; None where it sees the whole."""

    @property
    def asked_at_once(self) -> int:
        """How many items the graph that is shipped is asked about at once."""

    @property
    def has_one_shape(self) -> bool:
        """Whether the network takes rows of ``array`` as they are; else ``network_input`` cuts them on the host."""

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[Any]:
        """The rows of these items, in the order given."""

    def batches(self, rows_N: NDArray[Any], most: int) -> list[NDArray[Any]]:
        """How these rows are best computed in batches, places among ``rows_N``: at most so many each, fewer of large items."""

    def graph_input(self, rows_B: NDArray[Any]) -> NDArray[Any]:
        """A batch of items as the shipped graph takes it."""

    def network_input(self, items_B: Tensor, device: torch.device) -> Tensor:
        """A batch of rows of ``array`` as the network takes it, on the device."""

    def blank(self, batch_size: int) -> Tensor:
        """A batch like one of ``array`` with nothing on it, to measure a step with."""
