"""A transformer that reads a text both ways (Devlin et al. 2018, https://arxiv.org/abs/1810.04805) and gives its mean.

A text that is longer than a window is read in windows, each by itself, and its features are the mean of all tokens read: what
a window costs does not grow with the text, and how long texts may be is not bound to the positions that were trained. A text
longer than all windows together shows parts at even distances, the first at its beginning and the last at its end, so that an
answer takes no longer however long a text is. While training each text shows one of its windows, another each time, so that a
step costs no more than one of short texts.

The word vectors stay as they were trained: they are most of the numbers, a text touches few of them, and they can stay packed.
Shapes: B batch, T tokens, K windows, W tokens of a window, D features, H heads, I ids, P positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.text_encoder.family import MOST_WINDOWS, NUM_WORDS, WIDTH, WIDTHS_WIDE, WINDOW

_BLOCK = 32
_ZERO = 8
_INIT_STD = 0.02  # as BERT


@dataclass(frozen=True)
class Shape:
    """The dimensions of one size."""

    num_layers: int
    num_ids: int
    pad_id: int
    is_packed: bool
    """Whether the word vectors are stored in four bits."""
    eps: float = 1e-12
    num_heads: int = 12
    num_positions: int = 512
    window: int = 512
    """Tokens that are read at once, the first of the text among them each time."""
    most_windows: int = 1
    """Of a text."""


SHAPES: Mapping[str, Shape] = {
    "multilingual": Shape(num_layers=12, num_ids=NUM_WORDS["multilingual"], pad_id=1, is_packed=True),
    "english": Shape(num_layers=6, num_ids=NUM_WORDS["english"], pad_id=0, is_packed=False),
}


def build(size: str, num_labels: int | None = None, *, window: int = WINDOW, most_windows: int = MOST_WINDOWS) -> nn.Module:
    """The encoder, which reads long texts in windows, or the encoder with a linear head if ``num_labels`` is given."""
    encoder = TextEncoder(replace(SHAPES[size], window=window, most_windows=most_windows))
    return encoder if num_labels is None else nn.Sequential(encoder, nn.Linear(encoder.num_features, num_labels))


def load_pretrained(model: nn.Module, weights: dict[str, Tensor]) -> None:
    """Puts the weights of a card into the encoder.

    Raises:
        RuntimeError: tensors are missing or of another shape.
    """
    model.load_state_dict(weights)


class TextEncoder(nn.Module):
    """Tokens ``_BT`` to features ``_BD`` whose mean square is one; how far a text is padded does not matter."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.num_features = WIDTH
        self.pad_id = shape.pad_id
        self.window, self.most_windows = shape.window, shape.most_windows
        self.words = PackedWords(shape.num_ids) if shape.is_packed else PlainWords(shape.num_ids)
        self.positions_PD = nn.Parameter(torch.randn(shape.num_positions, WIDTH) * _INIT_STD)
        self.norm = nn.LayerNorm(WIDTH, eps=shape.eps)
        self.layers = nn.ModuleList(Layer(shape.num_heads, shape.eps) for _ in range(shape.num_layers))

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Features of texts, padded at their ends."""
        windows_BKW, is_counted_BKW = self._windows(tokens_BT)
        num_texts, num_windows = tokens_BT.shape[0], windows_BKW.shape[1]
        if self.training and num_windows > 1:
            windows_BKW, is_counted_BKW = _drawn(windows_BKW, is_counted_BKW)
        tokens_NW = windows_BKW.flatten(0, 1)
        hidden_NWD = self.norm(self.words(tokens_NW) + self.positions_PD[: tokens_NW.shape[1]])
        bias_N11W = torch.where(tokens_NW != self.pad_id, 0.0, torch.finfo(torch.float32).min)[:, None, None]
        for layer in self.layers:
            hidden_NWD = layer(hidden_NWD, bias_N11W)
        weight_NW1 = is_counted_BKW.flatten(0, 1).to(torch.float32)[..., None]
        sum_BD = (hidden_NWD.float() * weight_NW1).sum(dim=1).reshape(num_texts, -1, WIDTH).sum(dim=1)
        mean_BD = sum_BD / weight_NW1.reshape(num_texts, -1).sum(dim=1, keepdim=True).clamp(min=1.0)
        return F.normalize(mean_BD, dim=1) * math.sqrt(WIDTH)

    def extra_repr(self) -> str:
        """Says what features depend on besides the weights."""
        return f"window={self.window}, most_windows={self.most_windows}"

    def _windows(self, tokens_BT: Tensor) -> tuple[Tensor, Tensor]:
        """Windows ``_BKW``, each with the text's first token in front, and whether a place counts: a token does once."""
        length, step = tokens_BT.shape[1], self.window - 1
        num_windows = torch.sym_min(self.most_windows, torch.sym_max(1, (length + step - 2) // step))
        number_K = torch.arange(num_windows, device=tokens_BT.device)
        start_BK = number_K[None] * step + self._skipped(tokens_BT)[:, None] * number_K // max(1, self.most_windows - 1)
        place_W = torch.arange(torch.sym_min(length, self.window), device=tokens_BT.device)
        source_BKW = torch.where(place_W == 0, 0, start_BK[..., None] + place_W)
        padded_BT = F.pad(tokens_BT, (0, step), value=self.pad_id)
        windows_BKW = padded_BT.gather(1, source_BKW.flatten(1)).unflatten(1, (num_windows, -1))
        return windows_BKW, ((place_W > 0) | (number_K[:, None] == 0)) & (windows_BKW != self.pad_id)

    def _skipped(self, tokens_BT: Tensor) -> Tensor:
        """Tokens of each text ``_B`` that no window reads."""
        length_B = (tokens_BT != self.pad_id).sum(dim=1)
        return (length_B - 1 - self.most_windows * (self.window - 1)).clamp(min=0)


def _drawn(windows_BKW: Tensor, is_counted_BKW: Tensor) -> tuple[Tensor, Tensor]:
    """One window of each text, of those that hold some of it."""
    num_windows_B = is_counted_BKW.any(dim=2).sum(dim=1)
    random_B = torch.rand(len(windows_BKW)).to(windows_BKW.device)
    drawn_B = (random_B * num_windows_B).long().clamp(max=windows_BKW.shape[1] - 1)
    row_B = torch.arange(len(drawn_B), device=drawn_B.device)
    return windows_BKW[row_B, drawn_B][:, None], is_counted_BKW[row_B, drawn_B][:, None]


class Layer(nn.Module):
    """Attention, then two layers for each token; a norm behind each."""

    def __init__(self, num_heads: int, eps: float):
        super().__init__()
        self.num_heads = num_heads
        self.query, self.key, self.value, self.mixed = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm = nn.LayerNorm(WIDTH, eps=eps)
        self.wide, self.narrow = nn.Linear(WIDTH, WIDTHS_WIDE), nn.Linear(WIDTHS_WIDE, WIDTH)
        self.norm_out = nn.LayerNorm(WIDTH, eps=eps)
        for linear in (self.query, self.key, self.value, self.mixed, self.wide, self.narrow):
            nn.init.normal_(linear.weight, std=_INIT_STD)
            nn.init.zeros_(linear.bias)

    def forward(self, hidden_BTD: Tensor, bias_B11T: Tensor) -> Tensor:
        """One step of all tokens.

        Args:
            hidden_BTD: the tokens.
            bias_B11T: added to the attention paid to each; the lowest number where there is no token.
        """
        query_BHTd, key_BHTd, value_BHTd = (self._heads(part(hidden_BTD)) for part in (self.query, self.key, self.value))
        scores_BHTT = query_BHTd @ key_BHTd.transpose(2, 3) / math.sqrt(WIDTH // self.num_heads)
        weights_BHTT = torch.softmax(scores_BHTT.float() + bias_B11T, dim=3).to(value_BHTd.dtype)
        seen_BTD = (weights_BHTT @ value_BHTd).transpose(1, 2).flatten(2)
        hidden_BTD = self.norm(hidden_BTD + self.mixed(seen_BTD))
        return self.norm_out(hidden_BTD + self.narrow(F.gelu(self.wide(hidden_BTD))))

    def _heads(self, hidden_BTD: Tensor) -> Tensor:
        return hidden_BTD.unflatten(2, (self.num_heads, WIDTH // self.num_heads)).transpose(1, 2)


class PlainWords(nn.Module):
    """Word vectors as they are; not trained."""

    vectors_ID: Tensor

    def __init__(self, num_ids: int):
        super().__init__()
        self.register_buffer("vectors_ID", torch.randn(num_ids, WIDTH) * _INIT_STD)

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Vectors ``_BTD``."""
        return self.vectors_ID[tokens_BT]


class PackedWords(nn.Module):
    """Word vectors in four bits: a quarter of a gigabyte less than fp32, the very numbers of the pretrained file."""

    codes_IG: Tensor
    scales_IB: Tensor

    def __init__(self, num_ids: int):
        super().__init__()
        self.register_buffer("codes_IG", torch.randint(0, 256, (num_ids, WIDTH // 2), dtype=torch.uint8))
        self.register_buffer("scales_IB", torch.full((num_ids, WIDTH // _BLOCK), _INIT_STD / 4, dtype=torch.float16))

    def forward(self, tokens_BT: Tensor) -> Tensor:
        """Vectors ``_BTD``."""
        pairs = self.codes_IG[tokens_BT].unflatten(2, (-1, _BLOCK // 2)).float()
        high = torch.floor(pairs / 16)  # plain arithmetic: every runtime has it, few have shifts of bytes
        blocks = torch.cat([pairs - 16 * high, high], dim=3) - _ZERO
        return (blocks * self.scales_IB[tokens_BT].float()[..., None]).flatten(2)
