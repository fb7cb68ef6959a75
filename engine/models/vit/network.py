"""Vision transformer (Dosovitskiy et al. 2020, https://arxiv.org/abs/2010.11929) to train from scratch.

The widths of *tiny* and *small* are those of DeiT (Touvron et al. 2020, https://arxiv.org/abs/2012.12877), without its token
that learns from a teacher. A picture of other sides than 224 pixels has another number of patches: the learned places are
resampled to their grid. With a head for 1,000 classes each size has as many parameters as published: with patches of 16 pixels
by the repository of DeiT, with patches of 32 by timm's table of models; ``tests/engine/test_published_networks.py`` has the
numbers.

Shapes: B batch, C channels, H height, W width, T tokens: the class's own, then the patches; D width, h heads, d width
of a head.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_SIDE_PX = 224
"""Of the pictures that the places are learned for."""
_DEPTH = 12
_EPSILON = 1e-6
_INIT_STD = 0.02


@dataclass(frozen=True)
class _Shape:
    """What tells the sizes apart."""

    width: int
    num_heads: int
    patch_px: int = 16


_SIZES: dict[str, _Shape] = {
    "tiny_16": _Shape(192, 3),
    "small_32": _Shape(384, 6, patch_px=32),
    "small_16": _Shape(384, 6),
}


class _Layer(nn.Module):
    """Attention, then two layers for each token; a norm before each."""

    def __init__(self, width: int, num_heads: int):
        super().__init__()
        self._num_heads = num_heads
        self.norm = nn.LayerNorm(width, eps=_EPSILON)
        self.query, self.key, self.value, self.mixed = (nn.Linear(width, width) for _ in range(4))
        self.norm_wide = nn.LayerNorm(width, eps=_EPSILON)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x_BTD: Tensor) -> Tensor:
        y_BTD = self.norm(x_BTD)
        query_BhTd, key_BhTd, value_BhTd = (self._heads(part(y_BTD)) for part in (self.query, self.key, self.value))
        scores_BhTT = query_BhTd @ key_BhTd.transpose(2, 3) / math.sqrt(query_BhTd.shape[-1])
        weights_BhTT = torch.softmax(scores_BhTT.float(), dim=3).to(value_BhTd.dtype)
        x_BTD = x_BTD + self.mixed((weights_BhTT @ value_BhTd).transpose(1, 2).flatten(2))
        return x_BTD + self.narrow(F.gelu(self.widen(self.norm_wide(x_BTD))))

    def _heads(self, x_BTD: Tensor) -> Tensor:
        return x_BTD.unflatten(2, (self._num_heads, -1)).transpose(1, 2)


class VisionTransformer(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, shape: _Shape, num_outputs: int):
        super().__init__()
        width, grid = shape.width, _SIDE_PX // shape.patch_px
        self.num_features = width
        self.stem = nn.Conv2d(3, width, shape.patch_px, shape.patch_px)
        self.class_11D = nn.Parameter(torch.zeros(1, 1, width))
        self.class_place_11D = nn.Parameter(torch.empty(1, 1, width))
        self.places_1DHW = nn.Parameter(torch.empty(1, width, grid, grid))
        self.layers = nn.Sequential(*(_Layer(width, shape.num_heads) for _ in range(_DEPTH)))
        self.last_norm = nn.LayerNorm(width, eps=_EPSILON)
        self.head: nn.Module = nn.Linear(width, num_outputs) if num_outputs else nn.Identity()
        for parameter in (self.class_place_11D, self.places_1DHW):
            nn.init.trunc_normal_(parameter, std=_INIT_STD)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.trunc_normal_(module.weight, std=_INIT_STD)
                nn.init.zeros_(module.bias)

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        patches_BDHW = self.stem((pictures_BCHW - 127.0) / 64.0)  # about zero mean and unit variance on photographs
        places_1DHW: Tensor = self.places_1DHW
        if places_1DHW.shape[-2:] != patches_BDHW.shape[-2:]:
            places_1DHW = F.interpolate(places_1DHW, size=patches_BDHW.shape[-2:], mode="bicubic", align_corners=False)
        patches_BTD = (patches_BDHW + places_1DHW).flatten(2).transpose(1, 2)
        class_B1D = (self.class_11D + self.class_place_11D).expand(patches_BTD.shape[0], -1, -1)
        x_BTD = self.layers(torch.cat([class_B1D, patches_BTD], dim=1))
        return self.head(self.last_norm(x_BTD[:, 0]))


def build(size: str, num_outputs: int = 0) -> VisionTransformer:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    return VisionTransformer(_SIZES[size], num_outputs)
