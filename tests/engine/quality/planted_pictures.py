"""Pictures for planted sets: scenes of an object over a background, copies of them, spoiled ones, and pictures of other worlds.

Objects and backgrounds are real where the caller has real ones (stamps, photographs), drawn in the test suite.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from automl.contracts.quality import FindingKind
from tests.support.photos import photo

Rng = np.random.Generator
Cutout = tuple[str, Image.Image]
"""A label and an RGBA picture."""
_FLIP, _TURN = Image.Transpose, Image.Transpose


def drawn_cutouts(rng: Rng, num: int) -> list[Cutout]:
    """Simple figures of five kinds."""
    out = []
    for index in range(num):
        label = ("disc", "square", "triangle", "cross", "ring")[index % 5]
        picture = Image.new("RGBA", (120, 120), (0, 0, 0, 0))
        draw = ImageDraw.Draw(picture)
        colour = (*(int(c) for c in rng.integers(0, 255, 3)), 255)
        match label:
            case "disc":
                draw.ellipse((10, 10, 110, 110), fill=colour)
            case "square":
                draw.rectangle((15, 15, 105, 105), fill=colour)
            case "triangle":
                draw.polygon([(60, 8), (112, 110), (8, 110)], fill=colour)
            case "cross":
                draw.rectangle((48, 8, 72, 112), fill=colour)
                draw.rectangle((8, 48, 112, 72), fill=colour)
            case _:
                draw.ellipse((10, 10, 110, 110), outline=colour, width=18)
        out.append((label, picture.rotate(float(rng.uniform(-15, 15)))))
    return out


def drawn_backgrounds(rng: Rng, num: int) -> list[Image.Image]:
    """Pictures with detail at every scale."""
    return [photo((420, 420), int(rng.integers(1 << 30))) for _ in range(num)]


def scene(cutout: Image.Image, background: Image.Image, rng: Rng) -> Image.Image:
    """An object somewhere on a piece of a background."""
    side_w, side_h = int(rng.integers(230, 300)), int(rng.integers(230, 300))
    scale = float(rng.uniform(1.0, 2.2)) * max(side_w / background.width, side_h / background.height, 0.55)
    piece_w, piece_h = min(background.width, int(side_w / scale)), min(background.height, int(side_h / scale))
    left = int(rng.integers(0, background.width - piece_w + 1))
    top = int(rng.integers(0, background.height - piece_h + 1))
    piece = background.crop((left, top, left + piece_w, top + piece_h)).resize((side_w, side_h), Image.Resampling.BICUBIC)
    if rng.random() < 0.5:
        piece = piece.transpose(_FLIP.FLIP_LEFT_RIGHT)
    piece = ImageEnhance.Color(piece).enhance(float(rng.uniform(0.4, 1.4)))
    figure = cutout.copy()
    figure.thumbnail((int(side_w * 0.75), int(side_h * 0.75)))
    place = (int(rng.integers(0, side_w - figure.width + 1)), int(rng.integers(0, side_h - figure.height + 1)))
    piece.paste(figure, place, figure)
    return piece


def jpeg(picture: Image.Image, quality: int = 92) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def png(picture: Image.Image, level: int = 6) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()


def _turned(picture: Image.Image, rng: Rng) -> Image.Image:
    moves = (
        _TURN.ROTATE_90,
        _TURN.ROTATE_180,
        _TURN.ROTATE_270,
        _FLIP.FLIP_LEFT_RIGHT,
        _FLIP.FLIP_TOP_BOTTOM,
        _TURN.TRANSPOSE,
        _TURN.TRANSVERSE,
    )
    return picture.transpose(moves[int(rng.integers(len(moves)))])


def _resized(picture: Image.Image, rng: Rng) -> Image.Image:
    scale = float(rng.choice([0.5, 0.7, 1.5]))
    return picture.resize((int(picture.width * scale), int(picture.height * scale)), Image.Resampling.LANCZOS)


def _cropped(picture: Image.Image, rng: Rng) -> Image.Image:
    """A tenth of width and height goes, anywhere."""
    width, height = int(picture.width * 0.9), int(picture.height * 0.9)
    left, top = int(rng.integers(0, picture.width - width + 1)), int(rng.integers(0, picture.height - height + 1))
    return picture.crop((left, top, left + width, top + height))


COPIES: dict[str, Callable[[Image.Image, Rng], bytes]] = {
    "turned": lambda picture, rng: jpeg(_turned(picture, rng), 88),
    "resized": lambda picture, rng: jpeg(_resized(picture, rng), 90),
    "recompressed": lambda picture, rng: jpeg(picture, int(rng.integers(30, 70))),
    "cropped": lambda picture, rng: jpeg(_cropped(picture, rng), 90),
}


def _dark(picture: Image.Image, rng: Rng) -> Image.Image:
    return ImageEnhance.Brightness(picture).enhance(float(rng.uniform(0.06, 0.16)))


def _bright(picture: Image.Image, rng: Rng) -> Image.Image:
    pixels = np.asarray(picture, dtype=np.float32) * rng.uniform(0.8, 1.6) + rng.uniform(165, 200)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def _blurred(picture: Image.Image, rng: Rng) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(min(picture.size) * float(rng.uniform(0.014, 0.03))))


def _empty(picture: Image.Image, rng: Rng) -> Image.Image:
    pixels = np.full((picture.height, picture.width, 3), rng.integers(20, 235, 3), dtype=np.float32)
    if rng.random() < 0.6:
        pixels += rng.normal(0, 2, pixels.shape)
    if rng.random() < 0.3:
        pixels[4:9, 5:11] = 128
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def _strip(picture: Image.Image, rng: Rng) -> Image.Image:
    if rng.random() < 0.5:
        return picture.crop((0, 0, picture.width, picture.height // int(rng.integers(5, 8))))
    return picture.crop((0, 0, picture.width // int(rng.integers(5, 8)), picture.height))


def _odd_size(picture: Image.Image, rng: Rng) -> Image.Image:
    scale = float(rng.choice([0.11, 0.16, 6.0]))
    return picture.resize((int(picture.width * scale), int(picture.height * scale)), Image.Resampling.BICUBIC)


def _grey(picture: Image.Image, rng: Rng) -> Image.Image:
    del rng
    return picture.convert("L")


SPOILED: dict[FindingKind, Callable[[Image.Image, Rng], Image.Image]] = {
    FindingKind.DARK: _dark,
    FindingKind.BRIGHT: _bright,
    FindingKind.BLURRED: _blurred,
    FindingKind.LOW_INFORMATION: _empty,
    FindingKind.ODD_ASPECT: _strip,
    FindingKind.ODD_SIZE: _odd_size,
    FindingKind.ODD_COLOUR: _grey,
}


def foreign(rng: Rng, index: int) -> Image.Image:
    """A picture of another world than the scenes, each of a world of its own."""
    size = 260
    y, x = np.mgrid[:size, :size].astype(np.float32)
    match index % 6:
        case 0:  # a page of text-like strokes
            picture = Image.new("RGB", (size, size), "white")
            draw = ImageDraw.Draw(picture)
            for line in range(10, size - 10, int(rng.integers(9, 15))):
                at = 10
                while at < size - 20:
                    long = int(rng.integers(3, 22))
                    draw.line((at, line, at + long, line), fill="black", width=3)
                    at += long + 6
            return picture
        case 1:
            waves = np.sign(np.sin(x / rng.uniform(2, 6)) * np.sin(y / rng.uniform(2, 6)))
            return Image.fromarray((127 + 120 * np.stack([waves, -waves, waves * 0.5], -1)).astype(np.uint8))
        case 2:
            cells = rng.integers(0, 255, (13, 13, 3)).astype(np.uint8)
            return Image.fromarray(cells).resize((size, size), Image.Resampling.NEAREST)
        case 3:
            rings = np.sign(np.sin(np.hypot(x - rng.uniform(60, 200), y - rng.uniform(60, 200)) / rng.uniform(2, 5)))
            return Image.fromarray((127 + 120 * np.stack([rings, rings * 0, -rings], -1)).astype(np.uint8))
        case 4:
            return Image.fromarray(rng.integers(0, 255, (size, size, 3)).astype(np.uint8))
        case _:
            picture = Image.new("RGB", (size, size), "black")
            draw = ImageDraw.Draw(picture)
            for _ in range(300):
                at = rng.integers(0, size, 2)
                draw.point((int(at[0]), int(at[1])), fill="white")
                draw.line((*(int(v) for v in rng.integers(0, size, 4)),), fill=(0, 255, 120))
            return picture
