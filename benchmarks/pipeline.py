"""From JPEG files to training batches: decode, random crop, mirror, colours. Ours leaves bytes for the network to normalise.

Both sides do the same: crops, mirrors and colour maps are drawn from one seed, and Pillow does each in its cheapest way. The
cached row reads what ``PackedPictures`` keeps.
"""

from __future__ import annotations

import io
from functools import partial

import numpy as np
import torch
from PIL import Image

from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data.augment import Augmenter, Draws, apply_on_cpu, draw
from engine.data.image import decode_picture, resize_picture
from engine.data.loader import BatchLoader
from tests.support.photos import SMALL_SIZE, jpeg

SIDE_PX = 224
BATCH = 32
# ImageNet's, as most training code has them.
MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)


def pillow_and_torch(pictures: list[bytes], draws: Draws) -> int:
    """Picture by picture, each normalised in floats."""
    tensors = []
    colors = [tuple(map_34.flatten().tolist()) for map_34 in draws.colors_B34]
    drawn = zip(draws.crops_B4.tolist(), draws.is_flipped_B.tolist(), colors, strict=True)
    for data, (crop, is_flipped, color) in zip(pictures, drawn, strict=True):
        picture = Image.open(io.BytesIO(data)).convert("RGB")
        left, top, width, height = (part * side for part, side in zip(crop, picture.size * 2, strict=True))
        box = (left, top, left + width, top + height)
        picture = picture.resize((SIDE_PX, SIDE_PX), Image.Resampling.BILINEAR, box=box)
        if is_flipped:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        picture = picture.convert("RGB", color)
        floats_CHW = torch.from_numpy(np.array(picture)).permute(2, 0, 1).float() / 255
        tensors.append((floats_CHW - MEAN) / STD)
    return len(torch.stack(tensors))


def ours(pictures: list[bytes], draws: Draws) -> int:
    """Decoded and resized to bytes, then augmented as a batch."""
    squares = [decode_picture(data, min_side_px=SIDE_PX) for data in pictures]
    squares = [resize_picture(pixels, height_px=SIDE_PX, width_px=SIDE_PX) for pixels in squares]
    return len(apply_on_cpu(torch.from_numpy(np.stack(squares)), draws))


def cached(loader: BatchLoader) -> int:
    """An epoch of packed pictures through the loader and its thread."""
    return sum(len(targets) for _, targets in loader)


def measure(options: Options) -> list[Claim]:
    """Without and with the cache."""
    batch = options.pick(BATCH, smoke=2)
    pictures = [jpeg(SMALL_SIZE, seed) for seed in range(batch)]
    draws = draw("light", batch, torch.Generator().manual_seed(0))
    packed_NHWC = np.stack([resize_picture(decode_picture(d), height_px=SIDE_PX, width_px=SIDE_PX) for d in pictures] * 4)
    rows = np.arange(len(packed_NHWC))
    loader = BatchLoader(packed_NHWC, rows, torch.from_numpy(rows), batch_size=batch, seed=0, augment=Augmenter("light").batch)
    contestants = {
        "pillow": partial(pillow_and_torch, pictures, draws),
        "ours": partial(ours, pictures, draws),
        "cached": partial(cached, loader),
    }
    seconds = interleave(contestants, num_rounds=options.num_rounds)
    return [
        speedup("pipeline", "pictures/s/core from JPEG", seconds, ours="ours", anchor="pillow", target=2.8),
        speedup("pipeline", "pictures/s/core from the cache", seconds, ours="cached", anchor="pillow", target=10.0),
    ]


if __name__ == "__main__":
    main(measure)
