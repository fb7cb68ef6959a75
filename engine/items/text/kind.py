"""Texts: the network reads the ids of a tokenizer, which travels beside the graph. Shapes: B batch, T tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import nn

from automl.contracts.artefact import TOKENIZER_FILE, TextDecode
from automl.contracts.dataset import ItemRecord
from automl.contracts.family import ParamValue
from engine import frozen
from engine.artefact.write import Example, Sample
from engine.data.backend import FrozenBackbone
from engine.data.items import PackedItems
from engine.data.packed import Progress
from engine.data.text import TextTokenizer, read_text
from engine.data.text_tokens import PackedTokens, tokenizer_key, version_texts
from engine.data.version import DatasetVersion
from engine.errors import JobInvalidError
from engine.items.kind import FrozenFeatures, Trial
from engine.models import family_part
from engine.models.shared.params import max_tokens_of

_EXAMPLE_TOKENS = (2, 11)
"""Batch, length."""


@dataclass(frozen=True)
class TextReader:
    """See ``ItemReader``."""

    tokenizer: TextTokenizer

    @property
    def files(self) -> Mapping[str, str]:
        """The tokenizer's."""
        return {TOKENIZER_FILE: self.tokenizer.definition}

    pipeline: ClassVar[str | None] = None
    """See ``ItemReader``."""

    @property
    def target_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {}

    @property
    def decode_values(self) -> Mapping[str, int]:
        """See ``ItemReader``."""
        return {"max_tokens": self.tokenizer.max_tokens, "pad_id": self.tokenizer.pad_id}

    @property
    def graph_values(self) -> Mapping[str, int]:
        """None: the graph takes what the tokenizer gives."""
        return {}

    def packed(
        self, version: DatasetVersion, cache_dir: Path, *, on_progress: Progress, should_stop: Callable[[], bool]
    ) -> PackedTokens:
        """See ``ItemReader``."""
        return PackedTokens.open_or_build(version, cache_dir, self.tokenizer, on_progress=on_progress, should_stop=should_stop)

    def frozen(self, weights: str) -> FrozenFeatures:
        """See ``ItemReader``."""
        name = frozen.reader_name(weights)
        return FrozenFeatures(f"{name}-{tokenizer_key(self.tokenizer)}", partial(_exported, name))

    def example(self) -> Example:
        """See ``GraphItems``."""
        return Example(torch.ones(_EXAMPLE_TOKENS, dtype=torch.int64), "tokens", {1: "length"})

    def sample(self, path: Path, sha256: str) -> Sample:
        """UTF-8 with the line ends that it has."""
        text = read_text(path, sha256=sha256)
        return Sample("txt", text.encode(), np.array(self.tokenizer.ids(text), dtype=np.int64))


class Texts:
    """See ``ItemKind``."""

    def reader(self, trial: Trial) -> TextReader:
        """See ``ItemKind``."""
        return reader_of(trial, version_texts(trial.version, trial.records))

    def continued(self, trial: Trial, decode: TextDecode, folder: Path) -> TextReader:
        """The artefact's tokenizer, cut off where this model cuts off."""
        return TextReader(self.opened(decode, folder).tokenizer.cut(max_tokens_of(trial.size, trial.params)))

    def settled(
        self,
        params: Mapping[str, ParamValue],
        items: PackedItems,
        records: Sequence[ItemRecord],
        targets: np.ndarray,
        task: str,
    ) -> Mapping[str, ParamValue]:
        """None: what texts decide, their families decide while they count."""
        del params, items, records, targets, task
        return {}

    def opened(self, decode: TextDecode, folder: Path) -> TextReader:
        """See ``ItemKind``."""
        try:
            return TextReader(TextTokenizer((folder / decode.tokenizer).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise JobInvalidError(f"The artefact's tokenizer cannot be read: {error}") from error

    def is_alike(self, first: tuple[TextDecode, Path], second: tuple[TextDecode, Path]) -> bool:
        """Where both have the same tokenizer."""
        (decode, folder), (other, other_folder) = first, second
        if decode != other:
            return False
        return (folder / decode.tokenizer).read_bytes() == (other_folder / other.tokenizer).read_bytes()

    def joined(self, readers: Sequence[TextReader]) -> TextReader:
        """Any of them: they are alike."""
        return readers[0]


def reader_of(trial: Trial, texts: Sequence[str]) -> TextReader:
    """A reader with the family's tokenizer: that of its pretrained weights, or one learned from texts.

    Args:
        trial: the model that is to be trained.
        texts: to learn from.

    Raises:
        AssetMissingError: the one of pretrained weights is not in the store and cannot be had.
    """
    build = family_part(trial.family.name, "tokenizer").build
    max_tokens = max_tokens_of(trial.size, trial.params)
    return TextReader(TextTokenizer(build(trial.size.name, texts, max_tokens=max_tokens, assets_dir=trial.assets_dir)))


def _exported(name: str, backbone: nn.Module, cache_dir: Path, num_threads: int) -> FrozenBackbone:
    return frozen.exported_reader(backbone, name=name, cache_dir=cache_dir, num_threads=num_threads)
