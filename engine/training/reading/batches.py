"""Batches of lines of about the same length, each seen a little differently every time. Shapes: B lines, H height, W width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from PIL import Image, ImageFilter
from torch import Tensor

from engine.data.augment import Policy
from engine.training.reading.data import CutLine
from runtime.pipelines.text_lines import HEIGHT_PX, LINE_STRIDE_PX

_GREY = 128
_STRENGTH = {"none": 0.0, "light": 1.0, "strong": 2.0}
_LEAST_STEPS = 2
"""For a character: a blank has to fit between two that are the same."""


@dataclass(frozen=True)
class LineBatch:
    """Lines with their symbols."""

    lines_BHWC: Tensor
    num_steps_B: Tensor
    symbols: Tensor
    """Of all lines, one behind the other."""
    num_symbols_B: Tensor


class LineBatches:
    """Cuts lines out anew for each epoch.

    Args:
        lines: of the split.
        places: of symbols, from 1; others are left out.
        batch_size: lines at most.
    """

    def __init__(self, lines: Sequence[CutLine], places: dict[str, int], batch_size: int) -> None:
        self._known = [(line, [places[each] for each in line.text if each in places]) for line in lines]
        self._known = [(line, symbols) for line, symbols in self._known if symbols]
        self._batch_size = batch_size

    def __len__(self) -> int:
        return (len(self._known) + self._batch_size - 1) // self._batch_size

    def epoch(self, generator: np.random.Generator, policy: Policy) -> Iterator[LineBatch]:
        """All lines once, in random order but for their length."""
        lengths = np.array([line.picture.width for line, _ in self._known]) * generator.uniform(0.8, 1.25, len(self._known))
        order = np.argsort(lengths)
        batches = [order[start : start + self._batch_size] for start in range(0, len(order), self._batch_size)]
        for number in generator.permutation(len(batches)):
            yield self._batch([self._known[place] for place in batches[number]], generator, _STRENGTH[policy])

    def _batch(self, known: list[tuple[CutLine, list[int]]], generator: np.random.Generator, strength: float) -> LineBatch:
        seen = [_seen(line, generator, strength, len(symbols)) for line, symbols in known]
        width = -(-max(picture.width for picture in seen) // LINE_STRIDE_PX) * LINE_STRIDE_PX
        lines = np.full((len(seen), HEIGHT_PX, width, 3), _GREY, dtype=np.uint8)
        for place, picture in enumerate(seen):
            lines[place, :, : picture.width] = np.asarray(picture)
        return LineBatch(
            torch.from_numpy(lines),
            torch.tensor([-(-picture.width // LINE_STRIDE_PX) for picture in seen]),
            torch.tensor([symbol for _, symbols in known for symbol in symbols]),
            torch.tensor([len(symbols) for _, symbols in known]),
        )


def _seen(line: CutLine, generator: np.random.Generator, strength: float, num_symbols: int) -> Image.Image:
    """A line without its margin: shifted, skewed, stretched, lit and blurred as far as the strength says."""
    picture, margin = line.picture, line.margin_px
    shift = generator.uniform(-0.8, 0.8, (4, 2)) * margin * min(strength, 1.2)
    left, right, upper, lower = margin, picture.width - margin, margin, picture.height - margin
    corners = np.array([(left, upper), (left, lower), (right, lower), (right, upper)]) + shift
    across = max(1.0, right - left) * HEIGHT_PX / max(1.0, lower - upper) * np.exp(generator.uniform(-0.12, 0.12) * strength)
    width = max(round(across), LINE_STRIDE_PX * _LEAST_STEPS * num_symbols // 2, LINE_STRIDE_PX)
    seen = picture.transform((width, HEIGHT_PX), Image.Transform.QUAD, corners.ravel().tolist(), Image.Resampling.BICUBIC)
    if not strength:
        return seen
    if generator.random() < 0.25 * strength:
        seen = seen.filter(ImageFilter.GaussianBlur(generator.uniform(0.2, 0.7) * strength))
    pixels = np.asarray(seen, dtype=np.float32)
    mean = pixels.mean()
    pixels = (pixels - mean) * np.exp(generator.uniform(-0.3, 0.2) * strength) + mean + generator.uniform(-25, 25) * strength
    noise = generator.normal(0, generator.uniform(0, 6) * strength, pixels.shape)
    return Image.fromarray(np.clip(pixels + noise, 0, 255).astype(np.uint8))
