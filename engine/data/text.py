"""Reads text files as every runtime reads them, and turns texts into the ids of a tokenizer.

The tokenizer is a file of the library ``tokenizers``: Rust, Python, C++ and JavaScript give the same ids by it. It normalises,
splits, adds special tokens and cuts off; what is left to do by hand, here and in a runtime, is only what this module does.
Shapes: B batch, T tokens.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from engine.data.blob import DAMAGED_HINT, is_blob
from engine.data.text_alike import alike
from engine.errors import EngineError

PAD_ID = 0
"""Of the tokenizers that Modelyard learns itself; those of pretrained weights bring their own."""


_Int = TypeVar("_Int", np.int32, np.int64)


class TextUnreadableError(EngineError):
    """A file is not UTF-8."""

    code = "text_unreadable"
    hint = "Save the text as UTF-8, or remove it from the dataset."


class TextDamagedError(TextUnreadableError):
    """The stored bytes are not those that were uploaded."""

    code = "item_damaged"
    hint = DAMAGED_HINT


def decode_text(data: bytes) -> str:
    """The text of a file, without a byte order mark and without white space at its ends.

    Raises:
        TextUnreadableError: it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise TextUnreadableError(f"The file is not UTF-8: {error.reason} at byte {error.start}.") from error


def read_text(path: Path, *, sha256: str | None = None) -> str:
    """Does the same for a file on disk.

    Raises:
        TextDamagedError: its bytes do not have the hash given.
        TextUnreadableError: it is not UTF-8.
        FileNotFoundError: it is not there.
    """
    data = path.read_bytes()
    if sha256 is not None and not is_blob(data, sha256):
        raise TextDamagedError("The stored bytes are not those that were uploaded.")
    return decode_text(data)


def limited(definition: str, *, max_tokens: int, pad_id: int, pad_token: str) -> str:
    """A ``tokenizer.json`` that cuts off and pads: everything that a runtime has to know is then in the one file.

    Args:
        definition: content of a ``tokenizer.json``.
        max_tokens: most ids of a text, special ones included.
        pad_id: fills the rows of shorter texts in a batch.
        pad_token: its name.
    """
    tokenizer: Tokenizer = Tokenizer.from_str(definition)
    alike(tokenizer)
    tokenizer.enable_truncation(max_tokens)
    tokenizer.enable_padding(pad_id=pad_id, pad_token=pad_token)
    text: str = tokenizer.to_str()
    return text


class TextTokenizer:
    """A tokenizer as ``limited`` made it."""

    def __init__(self, definition: str):
        """Loads it.

        Args:
            definition: content of a ``tokenizer.json`` that says where to cut off and how to pad.

        Raises:
            ValueError: it is no tokenizer, or says neither.
        """
        try:
            self._tokenizer: Tokenizer = Tokenizer.from_str(definition)
        except Exception as error:  # the library raises nothing narrower
            raise ValueError(f"this is no tokenizer: {error}") from error
        truncation, padding = self._tokenizer.truncation, self._tokenizer.padding
        if truncation is None or padding is None:
            raise ValueError("the tokenizer does not say where it cuts off and how it pads")
        self.definition = definition
        """Content of the ``tokenizer.json`` that travels with an artefact."""
        self.max_tokens = int(truncation["max_length"])
        self.pad_id = int(padding["pad_id"])
        self._tokenizer.no_padding()  # what the library fills up, names included, is filled up faster here

    def cut(self, max_tokens: int) -> TextTokenizer:
        """The same tokenizer, which cuts off behind so many ids."""
        if max_tokens == self.max_tokens:
            return self
        definition = json.loads(self.definition)  # not by the library, which writes one name an id only
        definition["truncation"]["max_length"] = max_tokens
        return TextTokenizer(json.dumps(definition, ensure_ascii=False))

    def ids(self, text: str) -> list[int]:
        """The ids of one text, at least one: a text without tokens is one ``pad_id``."""
        # The same ids as ``encode``, which also notes where in the text each stands: half of the time.
        found: list[int] = self._tokenizer.encode_batch_fast([text])[0].ids
        return found or [self.pad_id]

    def batch(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The ids of texts ``_BT`` as a graph takes them: padded to the longest of them, at least one column."""
        found = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        return self._filled(found, length=max(1, *map(len, found)), dtype=np.int64)

    def rows(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """The ids of texts ``_BT``, every row ``max_tokens`` long, filled up with ``pad_id``."""
        found = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]
        return self._filled(found, length=self.max_tokens, dtype=np.int32)

    def _filled(self, ids: Sequence[list[int]], *, length: int, dtype: type[_Int]) -> NDArray[_Int]:
        tokens_BT = np.full((len(ids), length), self.pad_id, dtype=dtype)
        for row, of_text in enumerate(ids):
            tokens_BT[row, : len(of_text)] = of_text
        return tokens_BT


def trimmed(tokens_BT: NDArray[np.int32], pad_id: int) -> NDArray[np.int64]:
    """A batch as a graph takes it: int64, without the columns in which every text has ended; at least one column."""
    used = np.flatnonzero((tokens_BT != pad_id).any(axis=0))
    length = int(used[-1]) + 1 if len(used) else 1
    return tokens_BT[:, :length].astype(np.int64)
