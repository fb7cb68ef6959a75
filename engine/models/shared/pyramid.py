"""A classification network as the trunk of a detector or a segmenter, and the feature pyramid on top of it.

Feature pyramid: Lin et al. 2017, https://arxiv.org/abs/1612.03144. Dilation in place of strides: Chen et al. 2017,
https://arxiv.org/abs/1706.05587. Shapes: B batch, C channels, H height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import ClassVar

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

from engine.models.efficientnet_lite import network as efficientnet_lite
from engine.models.resnet import network as resnet
from engine.models.shared.layers import Convolution

STRIDES = (8, 16, 32)
"""Pixels of the picture from one cell to the next, by level."""


class LiteTrunk(nn.Module):
    """EfficientNet-Lite up to the last block whose features are asked for. Its sizes are those of the family."""

    _TAPS: ClassVar[Mapping[int, tuple[int, int]]] = {2: (0, 16), 4: (2, 24), 8: (4, 40), 16: (10, 112), 32: (15, 320)}
    """By stride the last block that has it, and its channels; of size 0."""

    def __init__(self, strides: tuple[int, ...] = STRIDES, *, coarsest: int = 32) -> None:
        """Makes the trunk with fresh weights.

        Args:
            strides: of the features that it gives: of 2, 4, 8, 16 and 32.
            coarsest: blocks of larger strides keep the cells of this one, and dilate in turn.
        """
        super().__init__()
        lite = efficientnet_lite.build("0")
        self.num_channels = tuple(self._TAPS[stride][1] for stride in strides)
        self._tapped_blocks = tuple(self._TAPS[stride][0] for stride in strides)
        self.stem, self.blocks = lite.stem, lite.blocks[: max(self._tapped_blocks) + 1]
        _dilate(self.blocks, behind=self._TAPS[coarsest][0])

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Features at its strides, 8, 16 and 32 by default, of sRGB pictures 0..255."""
        x_BCHW = F.relu6(self.stem((pictures_BCHW - 127.0) / 128.0))
        return _tapped(self.blocks, x_BCHW, self._tapped_blocks)

    def load_pretrained(self, weights: Mapping[str, Tensor]) -> None:
        """Takes the ImageNet weights of the whole network; what follows the last block is left out.

        Raises:
            RuntimeError: a tensor is missing, unknown or of another shape.
        """
        lite = efficientnet_lite.build("0")
        efficientnet_lite.load_pretrained(lite, weights)
        self.stem.load_state_dict(lite.stem.state_dict())
        self.blocks.load_state_dict(lite.blocks[: max(self._tapped_blocks) + 1].state_dict())


class ResNetTrunk(nn.Module):
    """ResNet-18 up to the last block whose features are asked for, with fresh weights."""

    _TAPS: ClassVar[Mapping[int, tuple[int, int]]] = {2: (-1, 64), 4: (1, 64), 8: (3, 128), 16: (5, 256), 32: (7, 512)}
    """By stride the last block that has it, and its channels; -1 is what comes before the first."""

    def __init__(self, strides: tuple[int, ...] = STRIDES, *, coarsest: int = 32) -> None:
        """Makes the trunk; arguments as of ``LiteTrunk``."""
        super().__init__()
        net = resnet.build("18")
        self.num_channels = tuple(self._TAPS[stride][1] for stride in strides)
        self._tapped_blocks = tuple(self._TAPS[stride][0] for stride in strides)
        self.stem, self.stem_norm, self.blocks = net.stem, net.stem_norm, net.blocks[: max(self._tapped_blocks) + 1]
        _dilate(self.blocks, behind=self._TAPS[coarsest][0])

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Features at its strides, 8, 16 and 32 by default, of sRGB pictures 0..255."""
        x_BCHW = F.relu(self.stem_norm(self.stem((pictures_BCHW - 127.0) / 64.0)))
        before = [x_BCHW] if -1 in self._tapped_blocks else []
        return [*before, *_tapped(self.blocks, F.max_pool2d(x_BCHW, 3, 2, 1), self._tapped_blocks)]


class PlainTrunk(nn.Module):
    """Two convolutions a stride, with fresh weights."""

    _CHANNELS: ClassVar[Mapping[int, int]] = {2: 32, 4: 64, 8: 96, 16: 128, 32: 160}
    """By stride."""

    def __init__(self, strides: tuple[int, ...] = STRIDES, *, coarsest: int = 32) -> None:
        """Makes the trunk; arguments as of ``LiteTrunk``."""
        super().__init__()
        channels = [number for stride, number in self._CHANNELS.items() if stride <= max(strides)]
        self.num_channels = tuple(self._CHANNELS[stride] for stride in strides)
        self._tapped_steps = tuple(list(self._CHANNELS).index(stride) for stride in strides)
        self.steps = nn.Sequential(
            *(
                nn.Sequential(Convolution(before, behind, stride=2), Convolution(behind, behind))
                for before, behind in pairwise((3, *channels))
            )
        )
        _dilate(self.steps, behind=list(self._CHANNELS).index(coarsest))

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.steps[0]

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Features at its strides, 8, 16 and 32 by default, of sRGB pictures 0..255."""
        return _tapped(self.steps, (pictures_BCHW - 127.0) / 64.0, self._tapped_steps)


Trunk = LiteTrunk | ResNetTrunk | PlainTrunk
TRUNKS: dict[str, type[LiteTrunk] | type[ResNetTrunk] | type[PlainTrunk]] = {
    "lite0": LiteTrunk,
    "resnet18": ResNetTrunk,
    "plain": PlainTrunk,
}
"""By the name that the families give to their sizes."""


class Pyramid(nn.Module):
    """A trunk and its feature pyramid: pictures in, a list of maps of equal width out."""

    def __init__(self, trunk: Trunk, num_features: int):
        super().__init__()
        self.num_features = num_features
        self.trunk = trunk
        self.lateral = nn.ModuleList(nn.Conv2d(channels, num_features, 1) for channels in trunk.num_channels)
        self.smooth = nn.ModuleList(nn.Conv2d(num_features, num_features, 3, 1, 1) for _ in trunk.num_channels)
        for module in (*self.lateral, *self.smooth):
            nn.init.kaiming_uniform_(module.weight, a=1)
            nn.init.zeros_(module.bias)

    @property
    def stem(self) -> nn.Module:
        """The first convolution, which sees the normalised picture."""
        return self.trunk.stem

    def forward(self, pictures_BCHW: Tensor) -> list[Tensor]:
        """Features at ``STRIDES``, ``_BCHW`` each, of sRGB pictures 0..255."""
        maps = [lateral(map_BCHW) for lateral, map_BCHW in zip(self.lateral, self.trunk(pictures_BCHW), strict=True)]
        for level in range(len(maps) - 2, -1, -1):
            maps[level] = maps[level] + F.interpolate(maps[level + 1], size=maps[level].shape[-2:], mode="nearest")
        return [smooth(map_BCHW) for smooth, map_BCHW in zip(self.smooth, maps, strict=True)]


def _tapped(blocks: nn.Module, x_BCHW: Tensor, taps: tuple[int, ...]) -> list[Tensor]:
    found = []
    for number, block in enumerate(blocks.children()):
        x_BCHW = block(x_BCHW)
        if number in taps:
            found.append(x_BCHW)
    return found


def _dilate(blocks: nn.Module, *, behind: int) -> None:
    """Takes the strides out of the blocks behind one; what follows them reaches as far as before, its taps further apart."""
    dilation = 1
    for block in list(blocks.children())[behind + 1 :]:
        convs = [module for module in block.modules() if isinstance(module, nn.Conv2d)]
        after = dilation * max(conv.stride[0] for conv in convs)
        for conv in convs:
            own = dilation if conv.stride[0] > 1 else after
            conv.stride = (1, 1)
            if conv.kernel_size[0] > 1:
                conv.dilation = (own, own)
                conv.padding = tuple(own * int(side) for side in conv.padding)
        dilation = after
