"""Pictures of serial plates and displays, made by code: dot matrix and seven segments, which recognisers of print read badly.

Same generator, same picture.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

DOTS = {
    "0": ("01110", "10001", "10011", "10101", "11001", "10001", "01110"),
    "1": ("00100", "01100", "00100", "00100", "00100", "00100", "01110"),
    "2": ("01110", "10001", "00001", "00110", "01000", "10000", "11111"),
    "3": ("11111", "00010", "00100", "00010", "00001", "10001", "01110"),
    "4": ("00010", "00110", "01010", "10010", "11111", "00010", "00010"),
    "5": ("11111", "10000", "11110", "00001", "00001", "10001", "01110"),
    "6": ("00110", "01000", "10000", "11110", "10001", "10001", "01110"),
    "7": ("11111", "00001", "00010", "00100", "01000", "01000", "01000"),
    "8": ("01110", "10001", "10001", "01110", "10001", "10001", "01110"),
    "9": ("01110", "10001", "10001", "01111", "00001", "00010", "01100"),
    "A": ("01110", "10001", "10001", "11111", "10001", "10001", "10001"),
    "B": ("11110", "10001", "10001", "11110", "10001", "10001", "11110"),
    "C": ("01110", "10001", "10000", "10000", "10000", "10001", "01110"),
    "E": ("11111", "10000", "10000", "11110", "10000", "10000", "11111"),
    "H": ("10001", "10001", "10001", "11111", "10001", "10001", "10001"),
    "K": ("10001", "10010", "10100", "11000", "10100", "10010", "10001"),
    "L": ("10000", "10000", "10000", "10000", "10000", "10000", "11111"),
    "M": ("10001", "11011", "10101", "10101", "10001", "10001", "10001"),
    "P": ("11110", "10001", "10001", "11110", "10000", "10000", "10000"),
    "S": ("01111", "10000", "10000", "01110", "00001", "00001", "11110"),
    "T": ("11111", "00100", "00100", "00100", "00100", "00100", "00100"),
    "X": ("10001", "10001", "01010", "00100", "01010", "10001", "10001"),
    "Z": ("11111", "00001", "00010", "00100", "01000", "10000", "11111"),
    "-": ("00000", "00000", "00000", "11111", "00000", "00000", "00000"),
    "/": ("00000", "00001", "00010", "00100", "01000", "10000", "00000"),
}
"""Characters of five by seven dots."""
SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
    "-": "g",
}
"""Digits by the segments that are lit."""
_LETTERS = "ABCEHKLMPSTXZ"
_SCALE = 3
"""Pictures are drawn so many times as large, and shrunk."""


class SceneLine(NamedTuple):
    """A line of a picture."""

    corners: tuple[tuple[float, float], ...]
    """In pixels, from where the text begins."""
    text: str


def scene(generator: np.random.Generator, *, width: int, height: int) -> tuple[Image.Image, list[SceneLine]]:
    """A plate with one to three lines, or a display with one or two, somewhat turned, unevenly lit and blurred."""
    is_display = generator.random() < 0.4
    dark, light = generator.integers(8, 60, 3), generator.integers(140, 256, 3)
    ground, ink = (dark, light) if is_display or generator.random() < 0.3 else (light, dark)
    picture = Image.new("RGB", (width * _SCALE, height * _SCALE), tuple(int(value) for value in ground))
    num_lines = int(generator.integers(1, 3 if is_display else 4))
    step = height / (num_lines + 0.4)
    lines = []
    for number in range(num_lines):
        text = _number(generator) if is_display else _serial(generator)
        size = min(step * generator.uniform(0.5, 0.68), width * 0.85 / (0.85 * len(text)))
        shape = _segments(text, size, generator) if is_display else _dots(text, size, generator)
        left = generator.uniform(0.03, max(0.04, 0.95 - shape.width / _SCALE / width)) * width
        upper = (number + 0.35) * step
        picture.paste(
            Image.new("RGB", shape.size, tuple(int(value) for value in ink)),
            (round(left * _SCALE), round(upper * _SCALE)),
            shape,
        )
        right, lower = left + shape.width / _SCALE, upper + shape.height / _SCALE
        lines.append((text, np.array([(left, upper), (right, upper), (right, lower), (left, lower)])))
    turned, angle = _turned(picture, generator, tuple(int(value) for value in ground))
    made = _lit(turned.resize((width, height), Image.Resampling.LANCZOS), generator)
    middle = np.array([width / 2, height / 2])
    return made, [
        SceneLine(tuple(map(tuple, ((corners - middle) @ angle + middle).round(2).tolist())), text) for text, corners in lines
    ]


def _serial(generator: np.random.Generator) -> str:
    letters = "".join(generator.choice(list(_LETTERS), int(generator.integers(1, 4))))
    digits = "".join(map(str, generator.integers(0, 10, int(generator.integers(3, 7)))))
    more = "".join(map(str, generator.integers(0, 10, 2)))
    return str(generator.choice([f"{letters}{digits}", f"{letters}-{digits}", f"{digits}/{more}", f"{letters}{digits}-{more}"]))


def _number(generator: np.random.Generator) -> str:
    digits = "".join(map(str, generator.integers(0, 10, int(generator.integers(3, 8)))))
    return f"-{digits}" if generator.random() < 0.15 else digits


def _dots(text: str, size: float, generator: np.random.Generator) -> Image.Image:
    """A mask of dots, as jets and punches print."""
    cell = size * _SCALE / 7
    radius = cell * generator.uniform(0.28, 0.46)
    mask = Image.new("L", (round(cell * (6 * len(text) - 1)), round(cell * 7)))
    draw = ImageDraw.Draw(mask)
    for place, character in enumerate(text):
        for row, dots in enumerate(DOTS[character]):
            for column, dot in enumerate(dots):
                if dot == "1" and generator.random() > 0.02:
                    x, y = (place * 6 + column + 0.5) * cell, (row + 0.5) * cell
                    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return mask


def _segments(text: str, size: float, generator: np.random.Generator) -> Image.Image:
    """A mask of seven segments, slanted as displays have them."""
    high = size * _SCALE
    wide, thick, gap = high * 0.5, high * generator.uniform(0.1, 0.15), high * 0.02
    advance = wide + thick + high * 0.14
    mask = Image.new("L", (round(advance * len(text)), round(high)))
    draw = ImageDraw.Draw(mask)
    half = high / 2
    for place, character in enumerate(text):
        left = place * advance
        bars = {
            "a": (left + gap, 0, left + wide - gap, thick),
            "g": (left + gap, half - thick / 2, left + wide - gap, half + thick / 2),
            "d": (left + gap, high - thick, left + wide - gap, high),
            "f": (left - thick / 2, gap + thick / 2, left + thick / 2, half - gap),
            "b": (left + wide - thick / 2, gap + thick / 2, left + wide + thick / 2, half - gap),
            "e": (left - thick / 2, half + gap, left + thick / 2, high - gap - thick / 2),
            "c": (left + wide - thick / 2, half + gap, left + wide + thick / 2, high - gap - thick / 2),
        }
        for name in SEGMENTS[character]:
            x, y, to_x, to_y = bars[name]
            draw.rectangle((x + thick / 2, y, to_x + thick / 2, to_y), fill=255)
    slant = generator.uniform(0.0, 0.12)
    wider = (mask.width + round(slant * high), mask.height)
    return mask.transform(wider, Image.Transform.AFFINE, (1, slant, -slant * high, 0, 1, 0), Image.Resampling.BILINEAR)


def _turned(
    picture: Image.Image, generator: np.random.Generator, ground: tuple[int, ...]
) -> tuple[Image.Image, NDArray[np.float64]]:
    """The picture turned about its middle, and what points about it are multiplied with."""
    degrees = generator.uniform(-5, 5)
    turn = np.radians(degrees)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=ground), matrix


def _lit(picture: Image.Image, generator: np.random.Generator) -> Image.Image:
    """With uneven light, blur and noise."""
    soft = picture.filter(ImageFilter.GaussianBlur(generator.uniform(0.0, 0.9)))
    across = np.linspace(generator.uniform(0.75, 1.0), generator.uniform(0.75, 1.0), picture.width)[None, :, None]
    lit_HWC = np.asarray(soft, dtype=np.float64) * across + generator.normal(0, generator.uniform(2, 9), (*soft.size[::-1], 3))
    return Image.fromarray(np.clip(lit_HWC, 0, 255).astype(np.uint8))
