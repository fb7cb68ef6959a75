"""Packs of made-up products, drawn: no set of real packs may be shipped, so examples of shelves are made.

Every product has a face of its own: the shape of the pack, a brand, colours and a motif. Some differ only in colour and words,
as flavours of one brand do. Shapes: H height, W width; four channels are RGBA.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from automl.contracts.words import Words
from engine.data.image import Pixels

words = Words(__file__)

Colour = tuple[int, int, int]
_FACE_WIDTH_PX = 160
_LETTERS_PX = 40.0
_CONTRAST = 250
"""Least difference of the sums of two colours that can be told apart as letter and ground."""
_CREAM, _WHITE, _INK = (246, 238, 214), (250, 250, 250), (34, 34, 40)


@dataclass(frozen=True)
class Shape:
    """How packs of one form look from the front."""

    aspect: float
    """Height by width."""
    corner: float
    """Radius of the corners, of the width."""
    neck: float = 0.0
    """Height of a neck or lid above the body, of the whole height."""
    neck_width: float = 1.0
    is_round: bool = False
    """Darker towards both sides."""


SHAPES: Mapping[str, Shape] = {
    "carton": Shape(1.75, 0.03, neck=0.12, neck_width=0.9),
    "box": Shape(1.3, 0.01),
    "bottle": Shape(2.7, 0.16, neck=0.3, neck_width=0.36, is_round=True),
    "can": Shape(1.7, 0.12, neck=0.05, neck_width=0.86, is_round=True),
    "jar": Shape(1.3, 0.12, neck=0.17, neck_width=0.88, is_round=True),
    "bag": Shape(1.35, 0.08),
    "tub": Shape(0.85, 0.08, neck=0.12, neck_width=1.0, is_round=True),
}


@dataclass(frozen=True)
class Product:
    """What its pack looks like."""

    shape: str
    brand: str
    main: Colour
    second: Colour
    motif: str
    band: tuple[float, float]
    """From where to where the band in the second colour reaches, of the height of the body."""


_JUICE, _CAN, _TEA, _CHIPS, _JAR, _CEREAL = (0.62, 0.86), (0.28, 0.4), (0.0, 0.3), (0.7, 1.0), (0.2, 0.8), (0.78, 0.95)
PRODUCTS: Mapping[str, Product] = {
    "orange_juice": Product("carton", "SOLIS", (240, 140, 30), _WHITE, "discs", _JUICE),
    "apple_juice": Product("carton", "SOLIS", (120, 180, 60), _WHITE, "discs", _JUICE),
    "grape_juice": Product("carton", "SOLIS", (110, 60, 140), _WHITE, "discs", _JUICE),
    "tomato_juice": Product("carton", "SOLIS", (205, 50, 40), _WHITE, "discs", _JUICE),
    "whole_milk": Product("carton", "NORDA", (40, 90, 180), _WHITE, "drop", (0.0, 0.45)),
    "skimmed_milk": Product("carton", "NORDA", (120, 190, 230), _WHITE, "drop", (0.0, 0.45)),
    "oat_drink": Product("carton", "NORDA", (205, 180, 130), _CREAM, "leaf", (0.3, 0.7)),
    "yogurt": Product("tub", "NORDA", _WHITE, (220, 90, 140), "heart", (0.72, 1.0)),
    "butter": Product("box", "NORDA", (240, 215, 90), (40, 90, 180), "sun", (0.0, 0.25)),
    "cola": Product("can", "LUMO", (190, 30, 45), _WHITE, "wave", _CAN),
    "cola_zero": Product("can", "LUMO", (45, 45, 50), (200, 40, 50), "wave", _CAN),
    "lemonade": Product("can", "LUMO", (245, 220, 70), (60, 150, 70), "wave", _CAN),
    "ginger_ale": Product("can", "LUMO", (190, 150, 70), (40, 90, 60), "wave", _CAN),
    "energy_drink": Product("can", "LUMO", (30, 60, 150), (230, 210, 40), "bolt", (0.0, 0.2)),
    "green_tea": Product("box", "VERDE", (60, 140, 80), _CREAM, "leaf", _TEA),
    "black_tea": Product("box", "VERDE", (70, 50, 45), (200, 160, 70), "leaf", _TEA),
    "instant_coffee": Product("jar", "VERDE", (95, 60, 40), _CREAM, "bean", (0.25, 0.75)),
    "mineral_water": Product("bottle", "VERDE", (150, 205, 235), _WHITE, "mountain", (0.3, 0.7)),
    "iced_tea": Product("bottle", "VERDE", (200, 120, 50), (250, 220, 120), "leaf", (0.3, 0.7)),
    "potato_chips": Product("bag", "KOYA", (245, 205, 60), (190, 40, 40), "discs", _CHIPS),
    "paprika_chips": Product("bag", "KOYA", (215, 70, 40), (245, 205, 60), "discs", _CHIPS),
    "crackers": Product("box", "KOYA", (40, 110, 160), (240, 190, 80), "checks", (0.0, 0.2)),
    "cookies": Product("box", "KOYA", (130, 80, 50), (245, 225, 190), "discs", (0.0, 0.35)),
    "chocolate": Product("box", "KOYA", (75, 40, 110), (215, 180, 90), "checks", (0.4, 0.6)),
    "noodles": Product("bag", "KOYA", (200, 45, 50), (250, 225, 130), "wave", (0.3, 0.7)),
    "olive_oil": Product("bottle", "ALMA", (110, 125, 45), (225, 205, 120), "leaf", (0.25, 0.75)),
    "ketchup": Product("bottle", "ALMA", (200, 35, 30), _WHITE, "drop", (0.35, 0.65)),
    "honey": Product("jar", "ALMA", (225, 160, 40), _CREAM, "checks", _JAR),
    "jam": Product("jar", "ALMA", (165, 30, 70), _CREAM, "heart", _JAR),
    "pasta_sauce": Product("jar", "ALMA", (190, 60, 35), (60, 110, 60), "leaf", _JAR),
    "muesli": Product("box", "ALMA", (170, 125, 75), (235, 225, 205), "leaf", _CEREAL),
    "corn_flakes": Product("box", "ALMA", (60, 150, 200), (240, 180, 60), "sun", _CEREAL),
}
"""By what they are called in ``words``, as ``product.<key>``."""
NEW = ("tomato_juice", "ginger_ale", "iced_tea", "paprika_chips", "jam", "muesli")
"""Products that stand on shelves and that no model and no gallery has seen."""
KNOWN = tuple(key for key in PRODUCTS if key not in NEW)
NAMES = {key: words(f"product.{key}") for key in PRODUCTS}


@cache
def face(key: str) -> Pixels:
    """The front of a product's pack: ``_HW4``, transparent around it.

    Args:
        key: of ``PRODUCTS``.
    """
    product = PRODUCTS[key]
    shape = SHAPES[product.shape]
    width, height = _FACE_WIDTH_PX, round(_FACE_WIDTH_PX * shape.aspect)
    top = round(height * shape.neck)
    picture = Image.new("RGB", (width, height), product.main)
    pen = ImageDraw.Draw(picture)
    band_top, band_end = (top + (height - top) * part for part in product.band)
    pen.rectangle((0, band_top, width, band_end), fill=product.second)
    pen.rectangle((0, 0, width, top), fill=product.second if sum(product.second) < 600 else product.main)
    body = height - top
    side = min(0.5 * width, 0.34 * body)
    middle = (width / 2, top + 0.5 * body)
    is_on_band = band_top <= middle[1] <= band_end
    _MOTIFS[product.motif](pen, middle, side / 2, product.main if is_on_band else product.second)
    _written(picture, product.brand, (width / 2, top + 0.14 * body), product.main)
    _written(picture, NAMES[key].in_language("en"), (width / 2, top + 0.86 * body), product.second)
    alpha = _outline(shape, width, height, top)
    pixels = np.asarray(picture, dtype=np.float32)
    if shape.is_round:
        across = np.linspace(-1, 1, width, dtype=np.float32)
        pixels = pixels * (1.08 - 0.5 * across**4 - 0.16 * (across + 0.3) ** 2)[None, :, None]
    return np.dstack([np.clip(pixels, 0, 255).astype(np.uint8), alpha])


def lit(pixels_HWC: Pixels, generator: np.random.Generator, *, blur_px: float = 0.8) -> Pixels:
    """A drawing as a phone's camera would take it: lamps, a little blur, noise.

    Args:
        pixels_HWC: RGB.
        generator: of chance.
        blur_px: standard deviation of the blur, at most.
    """
    height, width = pixels_HWC.shape[:2]
    slope_x, slope_y = generator.uniform(-0.18, 0.18, 2)
    light_HW = 1 + slope_x * np.linspace(-1, 1, width)[None, :] + slope_y * np.linspace(-1, 1, height)[:, None]
    colour = generator.uniform(0.93, 1.07, 3) * generator.uniform(0.72, 1.12)
    seen = pixels_HWC * light_HW[..., None] * colour
    seen = cv2.GaussianBlur(seen, (0, 0), max(0.2, generator.uniform(0.2, blur_px)))
    return np.clip(seen + generator.normal(0, generator.uniform(2, 6), seen.shape), 0, 255).astype(np.uint8)


def laid(ground_HWC: Pixels, face_HW4: Pixels, left: int, top: int) -> None:
    """Lays a pack over a picture, in place; what hangs over the picture's edge is cut off."""
    height, width = ground_HWC.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + face_HW4.shape[1]), min(height, top + face_HW4.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = face_HW4[y0 - top : y1 - top, x0 - left : x1 - left]
    alpha = part[..., 3:].astype(np.float32) / 255
    under = ground_HWC[y0:y1, x0:x1]
    ground_HWC[y0:y1, x0:x1] = (part[..., :3] * alpha + under * (1 - alpha)).astype(np.uint8)


def resized(face_HW4: Pixels, height_px: int) -> Pixels:
    """A pack of this height."""
    width_px = max(2, round(face_HW4.shape[1] * height_px / face_HW4.shape[0]))
    small: Pixels = cv2.resize(face_HW4, (width_px, height_px), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return small


def _outline(shape: Shape, width: int, height: int, top: int) -> Pixels:
    mask = Image.new("L", (width, height), 0)
    pen = ImageDraw.Draw(mask)
    radius = shape.corner * width
    pen.rounded_rectangle((0, top, width - 1, height - 1), radius, fill=255)
    if top:
        margin = width * (1 - shape.neck_width) / 2
        pen.rectangle((margin, 0, width - 1 - margin, top + radius), fill=255)
    return np.asarray(mask)


def _written(picture: Image.Image, text: str, middle: tuple[float, float], colour: Colour) -> None:
    """Text around a place; in black or white where the colour could not be read there."""
    pen = ImageDraw.Draw(picture)
    wide = pen.textlength(text, ImageFont.load_default(_LETTERS_PX))
    font = ImageFont.load_default(min(_LETTERS_PX, _LETTERS_PX * 0.84 * picture.width / wide))
    ground = int(np.asarray(picture)[round(middle[1]), round(middle[0])].sum())
    if abs(sum(colour) - ground) <= _CONTRAST:
        colour = _INK if ground > sum(_WHITE) / 2 else _WHITE
    pen.text(middle, text, fill=colour, font=font, anchor="mm")


Pen = ImageDraw.ImageDraw
Place = tuple[float, float]


def _discs(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    for x, y in ((-0.45, 0.35), (0.45, 0.35), (0.0, -0.4)):
        pen.ellipse(_around(middle, half, x, y, 0.5), fill=colour)


def _drop(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.ellipse(_around(middle, half, 0, 0.3, 0.6), fill=colour)
    pen.polygon(_points(middle, half, (-0.55, 0.1), (0, -1), (0.55, 0.1)), fill=colour)


def _leaf(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.polygon(_points(middle, half, (-0.9, 0.7), (-0.5, -0.5), (0.9, -0.8), (0.5, 0.5)), fill=colour)
    pen.line(_points(middle, half, (-1, 0.9), (0.6, -0.5)), fill=_INK, width=3)


def _heart(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    for x in (-0.4, 0.4):
        pen.ellipse(_around(middle, half, x, -0.3, 0.48), fill=colour)
    pen.polygon(_points(middle, half, (-0.85, -0.1), (0.85, -0.1), (0, 0.95)), fill=colour)


def _sun(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.ellipse(_around(middle, half, 0, 0, 0.5), fill=colour)
    for turn in np.linspace(0, 2 * np.pi, 10, endpoint=False):
        x, y = float(np.cos(turn)), float(np.sin(turn))
        pen.line(_points(middle, half, (0.62 * x, 0.62 * y), (x, y)), fill=colour, width=5)


def _wave(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    for shift in (-0.5, 0.1, 0.7):
        places = [(x, shift + 0.25 * float(np.sin(4 * x))) for x in np.linspace(-1, 1, 24).tolist()]
        pen.line(_points(middle, half, *places), fill=colour, width=8)


def _bolt(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.polygon(
        _points(middle, half, (0.3, -1), (-0.6, 0.15), (-0.05, 0.15), (-0.3, 1), (0.6, -0.2), (0.05, -0.2)), fill=colour
    )


def _bean(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.ellipse(_around(middle, half, 0, 0, 0.8), fill=colour)
    pen.arc(_around(middle, half, 0.5, 0, 0.9), 120, 240, fill=_CREAM, width=5)


def _mountain(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    pen.polygon(_points(middle, half, (-1, 0.8), (-0.3, -0.7), (0.1, 0.1), (0.4, -0.3), (1, 0.8)), fill=colour)


def _checks(pen: Pen, middle: Place, half: float, colour: Colour) -> None:
    for row in range(4):
        for column in range(4):
            if (row + column) % 2:
                pen.rectangle(_around(middle, half, -0.75 + 0.5 * column, -0.75 + 0.5 * row, 0.25), fill=colour)


def _around(middle: Place, half: float, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    left, top = middle[0] + half * (x - radius), middle[1] + half * (y - radius)
    return left, top, left + 2 * half * radius, top + 2 * half * radius


def _points(middle: Place, half: float, *places: Place) -> list[Place]:
    return [(middle[0] + half * x, middle[1] + half * y) for x, y in places]


_MOTIFS: Mapping[str, Callable[[Pen, Place, float, Colour], None]] = {
    "discs": _discs,
    "drop": _drop,
    "leaf": _leaf,
    "heart": _heart,
    "sun": _sun,
    "wave": _wave,
    "bolt": _bolt,
    "bean": _bean,
    "mountain": _mountain,
    "checks": _checks,
}
