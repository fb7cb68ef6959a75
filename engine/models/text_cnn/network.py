"""Convolutions of several widths over word vectors, the strongest answer of each kernel kept (Kim 2014).

Shapes: B batch, T tokens, C channels, D features.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.data.text import PAD_ID
from engine.models.text_cnn.family import CHANNELS, NUM_IDS, WIDTHS

WORD_DROPOUT_FRACTION = 0.3
"""Numbers of the word vectors that are left out while training; a phrase must not hang on one of them."""


def build(size: str, num_labels: int | None = None) -> nn.Module:
    """The network, or the network with a linear head if ``num_labels`` is given."""
    network = TextCnn(CHANNELS[size])
    return network if num_labels is None else nn.Sequential(network, nn.Linear(network.num_features, num_labels))


class TextCnn(nn.Module):
    """Tokens ``_BT`` to features ``_BD``; how far a text is padded does not matter."""

    def __init__(self, num_channels: int):
        super().__init__()
        self.num_features = num_channels * len(WIDTHS)
        self.words = nn.Embedding(NUM_IDS, num_channels, padding_idx=PAD_ID)
        self.dropout = nn.Dropout(WORD_DROPOUT_FRACTION)
        self.kernels = nn.ModuleList(nn.Conv1d(num_channels, num_channels, width) for width in WIDTHS)

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Features of texts, padded at their ends."""
        words_BCT = self.dropout(self.words(tokens_BT)).transpose(1, 2)
        is_word_B1T = (tokens_BT != PAD_ID).to(words_BCT.dtype)[:, None]
        found = []
        for width, kernel in zip(WIDTHS, self.kernels, strict=True):
            before = (width - 1) // 2
            answers_BCT = F.relu(kernel(F.pad(words_BCT, (before, width - 1 - before))))
            found.append((answers_BCT * is_word_B1T).amax(dim=2))
        return torch.cat(found, dim=1)
