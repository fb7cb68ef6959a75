"""Batches of packed pictures, prepared by a thread while the network computes.

One thread is enough: the pictures are decoded already and augmentation runs outside the interpreter's lock. Processes would
cost a copy of every batch and a second import of torch. The randomness of a batch depends on (seed, epoch, batch) alone, so
that a run goes on after a crash with the very batches that it would have seen.

Shapes: N pictures, B batch, H height, W width, C colour channels (RGB).
"""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Batch = tuple[Tensor, Tensor]
Augment = Callable[[Tensor, Tensor, torch.Generator], Batch]
"""Varies a batch of pictures ``_BHWC`` and its targets."""


@dataclass(frozen=True)
class OnDevice:
    """An augmentation that works wherever pictures lie: they are moved to the device first, and the host has no work."""

    augment: Augment

    def __call__(self, pictures_BHWC: Tensor, targets: Tensor, generator: torch.Generator) -> Batch:
        """See ``Augment``."""
        return self.augment(pictures_BHWC, targets, generator)


# How often a full queue is looked at again, so that the thread does not outlive its reader.
_POLL_S = 0.1
# Handing over costs 0.1 ms, as much as a tenth of a tiny network's step: small batches are handed over in groups.
_GROUP_BYTES = 4 * 1024**2
_MAX_GROUP = 16
_CPU = torch.device("cpu")


class LoaderState(TypedDict):
    """Where a loader stands: batches handed out, not batches prepared."""

    epoch: int
    batch: int


class BatchLoader:
    """Yields ``(pictures_BHWC uint8, targets)``. One pass of ``for`` is one epoch, or what is left of it after a resume."""

    def __init__(
        self,
        pictures: NDArray[np.integer],
        indices: NDArray[np.int64],
        targets: Tensor,
        *,
        batch_size: int,
        seed: int,
        augment: Augment | None = None,
        drop_last: bool = False,
        prefetch: int = 2,
        is_shuffled: bool = True,
        weights_N: NDArray[np.float64] | None = None,
        device: torch.device = _CPU,
    ):
        """Prepares to load; nothing is read yet.

        Args:
            pictures: NHWC, e.g. ``PackedPictures.pictures_NHWC``, or what ``augment`` makes pictures of.
            indices: rows of ``pictures`` to load.
            targets: one entry for each of ``indices``, in the same order, any shape behind the first axis.
            batch_size: pictures in a batch; the last of an epoch may be smaller.
            seed: of order and augmentation.
            augment: applied to each batch; None leaves it as it is.
            drop_last: leaves out a last batch that is not full.
            prefetch: batches (groups of them where they are small) prepared ahead, at least 1.
            is_shuffled: False loads in the order of ``indices``, for evaluation.
            weights_N: how often each picture is drawn, with others in proportion; None shows each once an epoch.
            device: where batches are handed out.

        Raises:
            ValueError: lengths differ, or there is no batch in an epoch.
        """
        if len(indices) != len(targets):
            raise ValueError(f"{len(indices)} indices but {len(targets)} targets")
        self._pictures_NHWC = pictures
        self._indices_N = np.asarray(indices, dtype=np.int64)
        self._targets_N = targets
        self._batch_size = batch_size
        self._seed = seed
        self._augment = augment
        self._prefetch = prefetch
        self._is_shuffled = is_shuffled
        self._shares_N = None if weights_N is None else weights_N / weights_N.sum()
        self._device = device
        self._num_batches = len(indices) // batch_size if drop_last else -(-len(indices) // batch_size)
        if self._num_batches == 0:
            raise ValueError(f"{len(indices)} pictures make no batch of {batch_size}")
        self._epoch = 0
        self._batch = 0

    def __len__(self) -> int:
        """Batches in an epoch."""
        return self._num_batches

    @property
    def epoch(self) -> int:
        """Epochs finished."""
        return self._epoch

    @property
    def is_within_epoch(self) -> bool:
        """Whether some batches of the epoch were handed out and others were not."""
        return self._batch > 0

    def state_dict(self) -> LoaderState:
        """The place to go on from."""
        return LoaderState(epoch=self._epoch, batch=self._batch)

    def load_state_dict(self, state: LoaderState) -> None:
        """Goes on where ``state`` was taken; everything else must be as it was then."""
        self._epoch = state["epoch"]
        self._batch = state["batch"]

    def __iter__(self) -> Iterator[Batch]:
        """Yields the (rest of the) epoch. The state moves when a batch is handed out."""
        ready: queue.Queue[list[Batch] | BaseException] = queue.Queue(self._prefetch)
        is_over = threading.Event()
        arguments = (self._epoch, self._batch, ready, is_over)
        worker = threading.Thread(target=self._fill, args=arguments, name="batch-loader", daemon=True)
        worker.start()
        try:
            for _ in self._groups(self._batch):
                group = ready.get()
                if isinstance(group, BaseException):
                    raise group
                for batch in group:
                    self._batch += 1
                    if self._batch == self._num_batches:
                        self._epoch, self._batch = self._epoch + 1, 0
                    yield batch
        finally:
            is_over.set()
            worker.join()

    def _groups(self, start: int) -> list[range]:
        """The batches from ``start`` to the epoch's end, as they are handed over."""
        batch_bytes = self._batch_size * math.prod(self._pictures_NHWC.shape[1:])
        size = min(max(1, _GROUP_BYTES // batch_bytes), _MAX_GROUP)
        return [range(first, min(first + size, self._num_batches)) for first in range(start, self._num_batches, size)]

    def _fill(self, epoch: int, start: int, ready: queue.Queue[list[Batch] | BaseException], is_over: threading.Event) -> None:
        try:
            order_N = self._order(epoch)
            for numbers in self._groups(start):
                _put(ready, [self._load(epoch, number, order_N) for number in numbers], is_over)
                if is_over.is_set():
                    return
        except Exception as error:  # noqa: BLE001 - the edge of a thread: the consumer raises it
            _put(ready, error, is_over)

    def _order(self, epoch: int) -> NDArray[np.int64]:
        if not self._is_shuffled:
            return np.arange(len(self._indices_N))
        random = np.random.default_rng((self._seed, epoch))
        if self._shares_N is not None:
            return random.choice(len(self._indices_N), size=len(self._indices_N), p=self._shares_N)
        return random.permutation(len(self._indices_N))

    def _load(self, epoch: int, number: int, order_N: NDArray[np.int64]) -> Batch:
        places_B = order_N[number * self._batch_size : (number + 1) * self._batch_size]
        batch = self._rows(self._indices_N[places_B]), self._targets_N[torch.from_numpy(places_B)]
        if self._augment is None:
            return self._moved(*batch)
        seed = np.random.SeedSequence((self._seed, epoch, number)).generate_state(1, np.uint64)[0]
        # torch takes seeds below 2**63.
        generator = torch.Generator().manual_seed(int(seed >> np.uint64(1)))
        if isinstance(self._augment, OnDevice):
            return self._augment(*self._moved(*batch), generator)
        return self._moved(*self._augment(*batch, generator))

    def _rows(self, rows_B: NDArray[np.int64]) -> Tensor:
        """Copies of the pictures, for a GPU in memory that it reads by itself."""
        if self._device.type != "cuda":
            return torch.from_numpy(self._pictures_NHWC[rows_B])
        shape = (len(rows_B), *self._pictures_NHWC.shape[1:])
        rows = torch.empty(shape, dtype=torch.from_numpy(self._pictures_NHWC[:0]).dtype, pin_memory=True)
        np.take(self._pictures_NHWC, rows_B, axis=0, out=rows.numpy(), mode="clip")  # "raise" would copy once more
        return rows

    def _moved(self, items_B: Tensor, targets: Tensor) -> Batch:
        return items_B.to(self._device, non_blocking=True), targets.to(self._device, non_blocking=True)


def _put(ready: queue.Queue[list[Batch] | BaseException], group: list[Batch] | BaseException, is_over: threading.Event) -> None:
    while not is_over.is_set():
        try:
            ready.put(group, timeout=_POLL_S)
        except queue.Full:
            continue
        return
