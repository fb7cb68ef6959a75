"""PP-OCRv6 (PaddleOCR, Apache-2.0) in PyTorch: PPLCNetV4 backbones, one that finds lines of text and one that reads them.

Detection is DB (Liao et al. 2020, https://arxiv.org/abs/1911.08947): a map of how likely each pixel lies in the core of a line.
Recognition is SVTR-like with CTC. Networks are in the form in which they are shipped: branches that training has in parallel
are one convolution, norms behind convolutions are part of these. Networks from scratch keep their norms. Sizes of pictures and
lines (``STRIDE_PX``, ``HEIGHT_PX``, ``LINE_STRIDE_PX``) are those of ``runtime.pipelines.text_lines``, which prepares both.

Shapes: B batch, C channels, H height, W width, T steps along a line, V symbols and the blank, which is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor, nn

_MID = 127.5
_REDUCTION = 4
_DETECTOR_SLOPE = 0.2
"""Of the hard sigmoid in the detector's neck; elsewhere it is a sixth."""


@dataclass(frozen=True)
class Plan:
    """Widths of a size: of the stem, then of each stage, with whether its blocks weigh channels."""

    stem: tuple[int, int]
    detector: tuple[tuple[int, tuple[bool, ...]], ...]
    recogniser: tuple[tuple[int, tuple[bool, ...]], ...]
    neck: int
    """Channels of the detector's pyramid."""
    reader_stem: tuple[int, int]
    width: int
    """Of the recogniser's neck."""
    is_normed: bool
    """Whether convolutions have norms behind them, as learning from nothing needs."""


PLANS = {
    "small": Plan(
        stem=(24, 48),
        detector=(
            (48, (True, False)),
            (96, (False, True, False)),
            (192, (False, True, False, True, False)),
            (384, (False, True, False)),
        ),
        recogniser=(
            (96, (True, False, False)),
            (192, (False, True, False, True, False, True, False)),
            (384, (False, True, False)),
        ),
        neck=96,
        reader_stem=(48, 96),
        width=120,
        is_normed=False,
    ),
    "scratch": Plan(
        stem=(8, 16),
        detector=((16, (False,)), (24, (False, True)), (32, (False, True)), (48, (False, True))),
        recogniser=((32, (True, False)), (48, (False, True)), (64, (False, True))),
        neck=32,
        reader_stem=(16, 32),
        width=64,
        is_normed=True,
    ),
}


class Conv(nn.Sequential):
    """A convolution, with a norm behind it or a bias."""

    def __init__(
        self,
        num_in: int,
        num_out: int,
        kernel: int | tuple[int, int] = 1,
        *,
        stride: int | tuple[int, int] = 1,
        groups: int = 1,
        is_normed: bool = False,
        has_bias: bool = True,
    ):
        sides = (kernel, kernel) if isinstance(kernel, int) else kernel
        down, across = (side // 2 if side % 2 else 0 for side in sides)
        super().__init__(
            nn.Conv2d(num_in, num_out, sides, stride, (down, across), groups=groups, bias=has_bias and not is_normed)
        )
        if is_normed:
            self.append(nn.BatchNorm2d(num_out))


class Stem(nn.Module):
    """A quarter of each side, by two ways that are joined."""

    def __init__(self, middle: int, num_out: int, *, is_normed: bool):
        super().__init__()
        self.first = Conv(3, middle, 3, stride=2, is_normed=is_normed)
        self.second = Conv(middle, middle // 2, 2, is_normed=is_normed)
        self.third = Conv(middle // 2, middle, 2, is_normed=is_normed)
        self.joined = Conv(2 * middle, middle, 3, stride=2, is_normed=is_normed)
        self.last = Conv(middle, num_out, is_normed=is_normed)

    def forward(self, pixels_BCHW: Tensor) -> Tensor:
        """Features ``_BCHW``."""
        first = F.relu(self.first(pixels_BCHW))
        second = F.relu(self.second(_padded(first)))
        third = F.relu(self.third(_padded(second)))
        pooled = F.max_pool2d(_padded(first), 2, 1)
        return F.relu(self.last(F.relu(self.joined(torch.cat([pooled, third], dim=1)))))


def _padded(features_BCHW: Tensor) -> Tensor:
    """With a column and a row of zeros more, so that a kernel of two keeps the size."""
    return F.pad(features_BCHW, (0, 1, 0, 1))


class Squeeze(nn.Module):
    """Weighs channels by their means."""

    def __init__(self, num_channels: int, *, slope: float = 1 / 6, is_added: bool = False):
        super().__init__()
        self.fewer = nn.Conv2d(num_channels, num_channels // _REDUCTION, 1)
        self.weights = nn.Conv2d(num_channels // _REDUCTION, num_channels, 1)
        self._slope, self._is_added = slope, is_added

    def forward(self, features_BCHW: Tensor) -> Tensor:
        """Features ``_BCHW``."""
        means = features_BCHW.mean(dim=(2, 3), keepdim=True)
        weights = (self.weights(F.relu(self.fewer(means))) * self._slope + 0.5).clamp(0.0, 1.0)
        weighted = features_BCHW * weights
        return features_BCHW + weighted if self._is_added else weighted


class Block(nn.Module):
    """Mixes places by a depthwise convolution, then channels."""

    def __init__(self, num_in: int, num_out: int, stride: int | tuple[int, int], *, is_squeezed: bool, is_normed: bool):
        super().__init__()
        self.places = Conv(num_in, num_in, 3, stride=stride, groups=num_in, is_normed=is_normed)
        self.squeeze = Squeeze(num_in) if is_squeezed else nn.Identity()
        self.wider = Conv(num_in, 2 * num_in, is_normed=is_normed)
        self.narrower = Conv(2 * num_in, num_out, is_normed=is_normed)
        self._is_added = num_in == num_out and stride == 1

    def forward(self, features_BCHW: Tensor) -> Tensor:
        """Features ``_BCHW``."""
        mixed = self.squeeze(self.places(features_BCHW))
        changed = self.narrower(F.gelu(self.wider(mixed)))
        return mixed + changed if self._is_added else changed


def _stage(
    num_in: int, num_out: int, squeezed: tuple[bool, ...], stride: int | tuple[int, int], *, is_normed: bool
) -> nn.Sequential:
    """Blocks of which the first changes the size."""
    first, *others = (
        Block(num_out if number else num_in, num_out, 1 if number else stride, is_squeezed=each, is_normed=is_normed)
        for number, each in enumerate(squeezed)
    )
    return nn.Sequential(first, *others)


class MapHead(nn.Module):
    """Features to one number a pixel."""

    def __init__(self, num_in: int, *, is_normed: bool):
        super().__init__()
        self.first = Conv(num_in, num_in // 4, 3, is_normed=is_normed)
        self.larger = nn.ConvTranspose2d(num_in // 4, num_in // 4, 2, 2)
        self.largest = nn.ConvTranspose2d(num_in // 4, 1, 2, 2)

    def forward(self, features_BCHW: Tensor) -> Tensor:
        """Logits ``_BHW`` at four times the features' sides."""
        logits: Tensor = self.largest(F.relu(self.larger(F.relu(self.first(features_BCHW)))))
        return logits[:, 0]


class Detector(nn.Module):
    """Pictures to how likely each pixel lies in the core of a line of text."""

    def __init__(self, plan: Plan):
        super().__init__()
        is_normed, num_in = plan.is_normed, plan.stem[1]
        self.stem = Stem(*plan.stem, is_normed=is_normed)
        stages = []
        for number, (width, squeezed) in enumerate(plan.detector):
            stages.append(_stage(num_in, width, squeezed, 1 if number == 0 else 2, is_normed=is_normed))
            num_in = width
        self.stages = nn.ModuleList(stages)
        widths = [width for width, _ in plan.detector]
        self.laterals = nn.ModuleList(
            nn.Sequential(
                Conv(width, plan.neck, has_bias=False),
                Squeeze(plan.neck, slope=_DETECTOR_SLOPE, is_added=True),
            )
            for width in reversed(widths)
        )
        part = plan.neck // 4
        self.levels = nn.ModuleList(
            nn.Sequential(
                Conv(plan.neck, plan.neck, 7, groups=plan.neck, is_normed=is_normed),
                Conv(plan.neck, part, has_bias=False),
                Squeeze(part, slope=_DETECTOR_SLOPE, is_added=True),
            )
            for _ in widths
        )
        self.head = MapHead(plan.neck, is_normed=is_normed)
        self._plan = plan

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        """Logits ``_BHW`` of sRGB pictures 0..255 whose sides are multiples of ``STRIDE_PX``."""
        logits: Tensor = self.head(self.features(pictures_BCHW))
        return logits

    def border_head(self) -> MapHead:
        """A head for the borders of lines, which training needs besides."""
        return MapHead(self._plan.neck, is_normed=self._plan.is_normed)

    def features(self, pictures_BCHW: Tensor) -> Tensor:
        """What heads see, at a quarter of each side."""
        features, found = self.stem(_scaled(pictures_BCHW)), []
        for stage in self.stages:
            features = stage(features)
            found.append(features)
        above, merged = None, []
        for lateral, features in zip(self.laterals, reversed(found), strict=True):
            own = lateral(features)
            above = own if above is None else own + F.interpolate(above, scale_factor=2.0, mode="nearest")
            merged.append(above)
        factors = (8.0, 4.0, 2.0)
        levels = [level(features) for level, features in zip(self.levels, merged, strict=True)]
        enlarged = [
            F.interpolate(level, scale_factor=by, mode="nearest") for level, by in zip(levels[:-1], factors, strict=True)
        ]
        return torch.cat([*enlarged, levels[-1]], dim=1)


class Attention(nn.Module):
    """A block of a transformer along the line, with norms before."""

    def __init__(self, width: int, num_heads: int = 8):
        super().__init__()
        self.norm_1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.joined = nn.Linear(width, width)
        self.norm_2 = nn.LayerNorm(width)
        self.wider = nn.Linear(width, 2 * width)
        self.narrower = nn.Linear(2 * width, width)
        self._num_heads = num_heads

    def forward(self, steps_BTC: Tensor) -> Tensor:
        """Steps ``_BTC``."""
        num_lines, num_steps, width = steps_BTC.shape
        size = width // self._num_heads
        parts = self.qkv(self.norm_1(steps_BTC)).reshape(num_lines, num_steps, 3, self._num_heads, size)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax((queries * size**-0.5) @ keys.transpose(2, 3), dim=-1)
        mixed = (weights @ values).transpose(1, 2).reshape(num_lines, num_steps, width)
        steps_BTC = steps_BTC + self.joined(mixed)
        wider = F.silu(self.wider(self.norm_2(steps_BTC)))
        changed: Tensor = steps_BTC + self.narrower(wider)
        return changed


class Recogniser(nn.Module):
    """Lines of text, ``HEIGHT_PX`` high, to symbols along them."""

    def __init__(self, plan: Plan, num_symbols: int):
        super().__init__()
        is_normed, num_in = plan.is_normed, plan.reader_stem[1]
        self.stem = Stem(*plan.reader_stem, is_normed=is_normed)
        stages: list[nn.Module] = []
        for number, (width, squeezed) in enumerate(plan.recogniser):
            stride: int | tuple[int, int] = 1 if number == 0 else (2, 1)
            stages.append(_stage(num_in, width, squeezed, stride, is_normed=is_normed))
            num_in = width
        self.stages = nn.Sequential(*stages)
        self.shortcut = Conv(num_in, plan.width, is_normed=True)
        self.fewer = Conv(num_in, plan.width, is_normed=True)
        self.near = Conv(plan.width, plan.width, (1, 7), groups=plan.width, is_normed=True)
        self.attention = nn.Sequential(Attention(plan.width), Attention(plan.width))
        self.norm = nn.LayerNorm(plan.width, eps=1e-6)
        self.symbols = nn.Linear(plan.width, num_symbols + 1)

    def forward(self, lines_BCHW: Tensor) -> Tensor:
        """Logits ``_BTV`` of sRGB lines 0..255 whose width is a multiple of ``LINE_STRIDE_PX``."""
        features = self.stages(self.stem(_scaled(lines_BCHW)))
        features = F.avg_pool2d(features, (3, 2), (3, 2))
        shortcut, fewer = F.silu(self.shortcut(features)), F.silu(self.fewer(features))
        near = fewer + F.silu(self.near(fewer))
        steps_BTC = self.norm(self.attention(near[:, :, 0].transpose(1, 2)))
        logits: Tensor = self.symbols(steps_BTC + shortcut[:, :, 0].transpose(1, 2))
        return logits


class TextReader(nn.Module):
    """Both networks: what is trained and stored."""

    def __init__(self, plan: Plan, num_symbols: int):
        super().__init__()
        self.detector = Detector(plan)
        self.recogniser = Recogniser(plan, num_symbols)
        self.keeps_statistics = not plan.is_normed

    def train(self, mode: bool = True) -> TextReader:
        """Small batches would spoil the statistics that a pretrained network's norms have."""
        super().train(mode)
        for module in self.modules() if self.keeps_statistics else ():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()
        return self


def _scaled(pixels_BCHW: Tensor) -> Tensor:
    """As the networks were trained: -1..1, blue first."""
    return pixels_BCHW.to(torch.float32).flip(1) / _MID - 1.0


def build(size: str, num_outputs: int = 0) -> TextReader:
    """Builds the networks with random weights.

    Args:
        size: name of one of the family's sizes.
        num_outputs: symbols that can be read.
    """
    return TextReader(PLANS[size], num_outputs)


def load_pretrained(network: Detector | Recogniser, weights: Mapping[str, Tensor]) -> None:
    """Takes over converted weights, which stand in the order in which the network computes."""
    own = [(name, tensor) for name, tensor in network.state_dict().items() if not name.endswith("num_batches_tracked")]
    given = [weights[name] for name in sorted(weights) if name.isdigit()]
    network.load_state_dict(
        {name: value.reshape(tensor.shape) for (name, tensor), value in zip(own, given, strict=True)}, strict=False
    )


def extend(reader: TextReader, num_more: int) -> None:
    """Makes room for symbols that the recogniser has never seen, behind those that it knows."""
    old = reader.recogniser.symbols
    new = nn.Linear(old.in_features, old.out_features + num_more)
    with torch.no_grad():
        new.weight.zero_()
        new.weight[: old.out_features] = old.weight
        new.bias.fill_(float(old.bias.mean()))
        new.bias[: old.out_features] = old.bias
    reader.recogniser.symbols = new


def symbols_of(weights: Mapping[str, Tensor]) -> Sequence[str]:
    """What the recogniser reads, in the order of its outputs behind the blank."""
    return bytes(weights["symbols"].tolist()).decode().split("\n")
