"""VGG with batch norm (Simonyan and Zisserman 2014, https://arxiv.org/abs/1409.1556) to train from scratch.

Plain 3x3 convolutions, and two layers of 4,096 on a map of 7x7 cells, which hold most of the parameters; a map of other sides
is resampled to it. With a head for 1,000 classes each size has as many parameters as torchvision's documentation says;
``tests/engine/test_published_networks.py`` has the numbers. Shapes: B batch, C channels, H height, W width, D features.
"""

from __future__ import annotations

import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_WIDTHS = (64, 128, 256, 512, 512)
_SIZES: dict[str, tuple[int, ...]] = {
    "11": (1, 1, 2, 2, 2),
    "13": (2, 2, 2, 2, 2),
    "16": (2, 2, 3, 3, 3),
    "19": (2, 2, 4, 4, 4),
}
"""Convolutions of each stage."""
_SIDE = 7
_NUM_FEATURES = 4096


class VGG(nn.Module):
    """Pictures in, one vector each out (or ``num_outputs`` numbers when it has a head)."""

    def __init__(self, depths: tuple[int, ...], num_outputs: int):
        super().__init__()
        self.num_features = _NUM_FEATURES
        layers: list[nn.Module] = []
        channels = 3
        for width, depth in zip(_WIDTHS, depths, strict=True):
            for _ in range(depth):
                layers += [nn.Conv2d(channels, width, 3, 1, 1), nn.BatchNorm2d(width), nn.ReLU()]
                channels = width
            layers.append(nn.MaxPool2d(2))
        self.layers = nn.Sequential(*layers)
        self.hidden = nn.Sequential(
            nn.Linear(channels * _SIDE**2, _NUM_FEATURES),
            nn.ReLU(),
            nn.Dropout(0.5),
            nn.Linear(_NUM_FEATURES, _NUM_FEATURES),
            nn.ReLU(),
        )
        self.head: nn.Module = nn.Linear(_NUM_FEATURES, num_outputs) if num_outputs else nn.Identity()
        for module in self.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
                nn.init.zeros_(module.bias)  # type: ignore[arg-type] # all have one

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Runs the network.

        Args:
            pictures_BCHW: sRGB 0..255 as floats.
        """
        x_BCHW = (pictures_BCHW - 127.0) / 64.0  # about zero mean and unit variance on photographs
        x_BCHW = self.layers(x_BCHW)
        if x_BCHW.shape[-2:] != (_SIDE, _SIDE):
            x_BCHW = F.interpolate(x_BCHW, size=(_SIDE, _SIDE), mode="bilinear", align_corners=False)
        return self.head(self.hidden(x_BCHW.flatten(1)))


def build(size: str, num_outputs: int = 0) -> VGG:
    """Builds the network with fresh weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: width of a linear head; 0 gives the features themselves.
    """
    return VGG(_SIZES[size], num_outputs)
