"""Two rows of gated units, one from each end of a text; their outputs are pooled by maximum and mean.

Padding stands at the ends of texts. The row from the left meets it when all words are read; the row from the right gets each
text turned round within its own length, so that both read words first. Both are thus plain rows from left to right, which
every runtime has as one operator. Pooling by both: Howard and Ruder 2018
(https://arxiv.org/abs/1801.06146, concat pooling). Shapes: B batch, T tokens, C channels, D features.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from engine.data.text import PAD_ID
from engine.kernels.gru import op as gru
from engine.models.text_gru.family import CHANNELS, DIRECTIONS, NUM_IDS

WORD_DROPOUT_FRACTION = 0.3
"""Numbers of the word vectors that are left out while training; a phrase must not hang on one of them."""
_LOWEST = -1.0
"""Below it no unit goes."""


def build(size: str, num_labels: int | None = None) -> nn.Module:
    """The network, or the network with a linear head if ``num_labels`` is given."""
    network = TextGru(CHANNELS[size])
    return network if num_labels is None else nn.Sequential(network, nn.Linear(network.num_features, num_labels))


class TextGru(nn.Module):
    """Tokens ``_BT`` to features ``_BD``; how far a text is padded does not matter."""

    def __init__(self, num_channels: int):
        super().__init__()
        self.num_features = 2 * DIRECTIONS * num_channels
        self.words = nn.Embedding(NUM_IDS, num_channels, padding_idx=PAD_ID)
        self.dropout = nn.Dropout(WORD_DROPOUT_FRACTION)
        self.from_left = nn.GRU(num_channels, num_channels, batch_first=True)
        self.from_right = nn.GRU(num_channels, num_channels, batch_first=True)

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Features of texts, padded at their ends."""
        is_word_BT1 = (tokens_BT != PAD_ID)[:, :, None]
        words_BTC = self.dropout(self.words(tokens_BT))
        turned_BTC = self.dropout(self.words(_turned(tokens_BT)))
        states_BTC = torch.cat([gru.forward(self.from_left, words_BTC), gru.forward(self.from_right, turned_BTC)], dim=2)
        strongest_BC = states_BTC.masked_fill(~is_word_BT1, _LOWEST).amax(dim=1)
        num_words_B1 = is_word_BT1.sum(dim=1).clamp(min=1)
        mean_BC = (states_BTC * is_word_BT1).sum(dim=1) / num_words_B1
        return torch.cat([strongest_BC, mean_BC], dim=1)


def _turned(tokens_BT: Tensor) -> Tensor:
    """Texts from their last token to their first; padding stays at their ends."""
    places_1T = torch.arange(tokens_BT.shape[1], device=tokens_BT.device)[None]
    last_B1 = (tokens_BT != PAD_ID).sum(dim=1, keepdim=True) - 1
    from_BT = last_B1 - places_1T
    return torch.where(from_BT >= 0, tokens_BT.gather(1, from_BT.clamp(min=0)), PAD_ID)
