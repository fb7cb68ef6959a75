"""Texts of a version as rows of token ids, made once per tokenizer and shared by all trials of a host.

Shapes: N items, B batch, T tokens.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from automl.contracts.dataset import ItemRecord
from engine.data.items import ASKED_AT_ONCE
from engine.data.packed import Progress, packed_array
from engine.data.text import TextTokenizer, TextUnreadableError, read_text, trimmed
from engine.data.version import DatasetVersion

_CHUNK_TEXTS = 1024
_NAMED_TEXTS = 20
_LONG_TOKENS = 512
"""From this length on fewer texts go into a batch, so that its memory does not grow with them."""
_BLANK_TOKENS = 64
"""Length of the made-up texts that a trial measures its step with: most reviews and messages are shorter."""


@dataclass(frozen=True)
class PackedTokens:
    """All texts of a version as rows of one array, in the order of ``DatasetVersion.records()``."""

    tokens_NT: NDArray[np.int32]
    """Memory-mapped, read-only; padded to the tokenizer's ``max_tokens``."""
    tokenizer: TextTokenizer
    _rows: dict[str, int]

    @classmethod
    def open_or_build(
        cls,
        version: DatasetVersion,
        cache_dir: Path,
        tokenizer: TextTokenizer,
        *,
        on_progress: Progress | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> PackedTokens:
        """Opens the rows, building them first when this host has none yet.

        Args:
            version: the version whose texts are read, all splits.
            cache_dir: folder shared by the jobs of a host.
            tokenizer: gives the ids.
            on_progress: called with (texts done, texts in all) while this call builds.
            should_stop: asked between chunks and while waiting for another process.

        Raises:
            TextUnreadableError: texts cannot be read; ``items`` names them.
            BuildStoppedError: ``should_stop`` returned true.
        """
        records = version.records()
        key = tokenizer_key(tokenizer)
        tokens_NT = packed_array(
            cache_dir / "tokens" / f"{version.id}-{key}",
            num_rows=len(records),
            rows=lambda places: tokenizer.rows(version_texts(version, [records[row] for row in places])),
            chunk_rows=_CHUNK_TEXTS,
            on_progress=on_progress,
            should_stop=should_stop,
        )
        return cls(tokens_NT, tokenizer, {record.item: row for row, record in enumerate(records)})

    @property
    def array(self) -> NDArray[np.int32]:
        """``tokens_NT``: one row an item."""
        return self.tokens_NT

    def joined(self, items: Sequence[str], texts: Sequence[str]) -> PackedTokens:
        """These rows and behind them those of more texts, in memory.

        Args:
            items: ids of the new items.
            texts: of each.
        """
        tokens_NT = np.concatenate([self.tokens_NT, self.tokenizer.rows(texts)])
        more = {item: len(self.tokens_NT) + row for row, item in enumerate(items)}
        return PackedTokens(tokens_NT, self.tokenizer, {**self._rows, **more})

    tiling = None
    """The network sees texts as a whole."""
    asked_at_once = ASKED_AT_ONCE

    @property
    def has_one_shape(self) -> bool:
        """A batch is no longer than its longest text."""
        return False

    def batches(self, rows_N: NDArray[np.int64], most: int) -> list[NDArray[np.int64]]:
        """The shortest texts first: those of like length go together, so that little padding is computed."""
        lengths_N = (self.tokens_NT[rows_N] != self.tokenizer.pad_id).sum(axis=1)
        order_N = np.argsort(lengths_N, kind="stable")
        ends: list[int] = []
        for place, length in enumerate(lengths_N[order_N].tolist()):
            size = place - (ends[-1] if ends else 0)
            if size and (size == most or (size + 1) * length > most * _LONG_TOKENS):
                ends.append(place)
        return np.split(order_N, ends)

    def indices(self, records: Iterable[ItemRecord]) -> NDArray[np.int64]:
        """The rows of these items' texts, in the order given."""
        return np.array([self._rows[record.item] for record in records], dtype=np.int64)

    def graph_input(self, rows_B: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tokens ``_BT`` of the rows, as the shipped graph takes them: no longer than the longest."""
        return trimmed(self.tokens_NT[rows_B], self.tokenizer.pad_id)

    def network_input(self, tokens_BT: Tensor, device: torch.device) -> Tensor:
        """A batch of ``array`` as the network takes it: int64 on the device, no longer than the longest."""
        return torch.from_numpy(trimmed(tokens_BT.numpy(), self.tokenizer.pad_id)).to(device, non_blocking=True)

    def blank(self, batch_size: int) -> Tensor:
        """A batch of common length, to measure a step with."""
        length = min(_BLANK_TOKENS, self.tokenizer.max_tokens)
        return torch.full((batch_size, length), self.tokenizer.pad_id + 1, dtype=torch.int32)


def tokenizer_key(tokenizer: TextTokenizer) -> str:
    """Names a tokenizer by its content."""
    return hashlib.sha256(tokenizer.definition.encode()).hexdigest()[:20]


def version_texts(version: DatasetVersion, records: Sequence[ItemRecord]) -> list[str]:
    """The texts of items.

    Raises:
        TextUnreadableError: some cannot be read; ``items`` names them, and those of the rest of the version.
    """
    found = [_text_or_error(version, record) for record in records]
    texts = [text for text in found if isinstance(text, str)]
    if len(texts) < len(found):
        _raise_unreadable(version)
    return texts


def _text_or_error(version: DatasetVersion, record: ItemRecord) -> str | TextUnreadableError:
    try:
        return read_text(version.blob_path(record.blob), sha256=record.blob)
    except TextUnreadableError as error:
        return error
    except FileNotFoundError as error:
        return TextUnreadableError(str(error))


def _raise_unreadable(version: DatasetVersion) -> None:
    """Looks at all of the version, so that the error names everything that has to be mended."""
    found = [(record, _text_or_error(version, record)) for record in version.records()]
    failed = [(record, error) for record, error in found if isinstance(error, TextUnreadableError)]
    if not failed:
        raise TextUnreadableError("A text could not be read at first.")
    names = ", ".join(record.name for record, _ in failed[:_NAMED_TEXTS])
    message = f"{len(failed)} of the texts cannot be read: {names}. {failed[0][1].message}"
    raise type(failed[0][1])(message, items=tuple(record.item for record, _ in failed))
