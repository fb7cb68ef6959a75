"""Runs of one to three characters, each a row of one table; the rows of a text are added up.

The row of a run is found without searching: every character has a number for each place in a run, and the sum of a run's
numbers is its row (tabulation hashing, Zobrist 1970, with a sum in place of the exclusive or: one of the plainest operations
there are, in every runtime). Sums do not spread evenly, which costs a third of the table and saves a division a run. A run that
would reach beyond its text adds a number so far below zero that the sum, cut off there, is row 0, which stays zero.

The sum is divided by the root of the number of runs, as a vector of n-grams that each stand once is when its length is made
one. Plain sums and means were worse by 1 and 2 % of accuracy (docs/experiments.md).

Shapes: B batch, T tokens, I ids, N lengths of runs, D features.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.data.text import PAD_ID
from engine.models.text_bag.family import CHANNELS, LONGEST, NUM_IDS, NUM_SLOTS

_SEED = 0
"""Of the characters' numbers: the same in every model."""
_BEYOND = -(2**24)
"""Below zero even when two others are added."""
_SPREAD = 0.1
"""Of the table's numbers at first."""


def build(size: str, num_labels: int | None = None) -> nn.Module:
    """The network, or the network with a linear head if ``num_labels`` is given."""
    network = TextBag(NUM_SLOTS[size])
    return network if num_labels is None else nn.Sequential(network, nn.Linear(network.num_features, num_labels))


class TextBag(nn.Module):
    """Tokens ``_BT`` to features ``_BD``; how far a text is padded does not matter."""

    places_0_IN: Tensor
    places_1_IN: Tensor
    places_2_IN: Tensor

    def __init__(self, num_slots: int):
        super().__init__()
        self.num_features = CHANNELS
        for place, places_IN in enumerate(_places(num_slots)):
            self.register_buffer(f"places_{place}_IN", places_IN)
        self.slots = nn.Embedding(num_slots, CHANNELS, padding_idx=PAD_ID)
        nn.init.normal_(self.slots.weight, std=_SPREAD)
        with torch.no_grad():
            self.slots.weight[PAD_ID].zero_()

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Features of texts, padded at their ends."""
        sums_BD = self.slots(self.rows(tokens_BT)).sum(dim=(1, 2))
        num_words_B1 = (tokens_BT != PAD_ID).sum(dim=1, keepdim=True).clamp(min=1)
        return F.relu(sums_BD / (LONGEST * num_words_B1).sqrt())

    def rows(self, tokens_BT: Tensor) -> Tensor:
        """Rows of the table ``_BTN``, int32: of the runs that begin at each token, 0 where one reaches beyond the text."""
        padded_BT = F.pad(tokens_BT, (0, LONGEST - 1), value=PAD_ID)
        first_BTN = F.embedding(padded_BT[:, : 1 - LONGEST], self.places_0_IN)
        second_BTN = F.embedding(padded_BT[:, 1:-1], self.places_1_IN)
        third_BTN = F.embedding(padded_BT[:, LONGEST - 1 :], self.places_2_IN)
        return (first_BTN + second_BTN + third_BTN).clamp(min=0)


def _places(num_slots: int) -> list[Tensor]:
    """What an id adds to the row of a run of each length, by its place in the run."""
    generator = torch.Generator().manual_seed(_SEED)
    found = []
    for place in range(LONGEST):
        numbers_IN = torch.randint(1, num_slots // LONGEST, (NUM_IDS, LONGEST), generator=generator, dtype=torch.int32)
        numbers_IN[PAD_ID] = _BEYOND
        numbers_IN[:, :place] = 0  # shorter runs do not reach it
        found.append(numbers_IN)
    return found
