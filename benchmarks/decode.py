"""JPEG to 224 px bytes and to thumbnails: our decoders against Pillow's, and how far the pixels are apart.

Both have to undo the same Huffman codes, so that alone bounds the ratio on a large picture; the bound is printed.
"""

from __future__ import annotations

import io
import statistics
import sys
from functools import partial

import numpy as np
import simplejpeg
from PIL import Image

from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data.image import decode_picture, resize_picture
from studio.datasets.files.picture import THUMBNAIL_PX, picture_read
from tests.support.photos import LARGE_SIZE, SMALL_SIZE, jpeg

SIDE_PX = 224


def pillow(data: bytes) -> np.ndarray:
    """What most training code does."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    return np.asarray(picture.resize((SIDE_PX, SIDE_PX), Image.Resampling.BILINEAR))


def ours(data: bytes) -> np.ndarray:
    """What the packed cache does."""
    return resize_picture(decode_picture(data, min_side_px=SIDE_PX), height_px=SIDE_PX, width_px=SIDE_PX)


def pillow_thumbnail(data: bytes) -> bytes:
    """What most upload code does."""
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    picture.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=82)
    return out.getvalue()


def our_thumbnail(data: bytes) -> bytes:
    """What an upload does: the check for a whole picture included."""
    return picture_read(data).thumbnail


def codes_only(data: bytes) -> np.ndarray:
    """An eighth of each side: the transform and the colours cost next to nothing."""
    height, width, _, _ = simplejpeg.decode_jpeg_header(data)
    return simplejpeg.decode_jpeg(data, min_height=-(-height // 8), min_width=-(-width // 8))


def measure(options: Options) -> list[Claim]:
    """One claim a size, and one for the pixels."""
    claims, differences = [], []
    sizes = options.pick(((SMALL_SIZE, 2.0, 24), (LARGE_SIZE, 5.0, 8)), smoke=((SMALL_SIZE, 2.0, 1),))
    for size, target, num_pictures in sizes:
        pictures = [jpeg(size, seed) for seed in range(num_pictures)]
        differences += [np.abs(ours(data).astype(int) - pillow(data)).mean() for data in pictures]
        decoders = {"ours": ours, "pillow": pillow, "codes": codes_only}
        decoders |= {"our thumbnail": our_thumbnail, "pillow thumbnail": pillow_thumbnail}
        contestants = {name: partial(_all, decode, pictures) for name, decode in decoders.items()}
        seconds = interleave(contestants, num_rounds=options.num_rounds)
        bound = statistics.median(seconds["pillow"]) / statistics.median(seconds["codes"])
        sys.stderr.write(f"{size[0]}x{size[1]}: undoing the codes alone would be {bound:.2f} times as fast as Pillow\n")
        kilobytes = np.mean([len(data) for data in pictures]) / 1000
        metric = f"pictures/s/core, {size[0]}x{size[1]}, {kilobytes:.0f} kB, to {SIDE_PX} px"
        claims.append(speedup("decode", metric, seconds, ours="ours", anchor="pillow", target=target))
        metric = f"thumbnails/s/core, {size[0]}x{size[1]}, checked and encoded"
        claims.append(speedup("decode", metric, seconds, ours="our thumbnail", anchor="pillow thumbnail", target=target))
    worst = float(max(differences))
    claims.append(Claim("decode", "mean difference of a pixel from Pillow's, 0..255", worst, 0.0, worst, 3.0, is_at_most=True))
    return claims


def _all(decode, pictures: list[bytes]) -> int:
    for data in pictures:
        decode(data)
    return len(pictures)


if __name__ == "__main__":
    main(measure)
