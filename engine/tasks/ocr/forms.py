"""Invoices made by code: the same form each time, filled in anew, and photographed askew. Same generator, same picture.

What stands on each form is known: the texts that are printed on every one, and the value of each field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDTH_PX, HEIGHT_PX = 900, 1_200
Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of the form."""
PRINTED = {
    "INVOICE": (70, 70, 40),
    "Modelyard Supplies Ltd.": (520, 78, 24),
    "Invoice number": (70, 190, 22),
    "Invoice date": (70, 240, 22),
    "Delivery note": (70, 290, 22),
    "Bill to": (520, 190, 22),
    "Quantity": (70, 470, 22),
    "Description": (260, 470, 22),
    "Amount": (700, 470, 22),
    "Subtotal": (520, 760, 22),
    "Tax 19 %": (520, 810, 22),
    "Total due": (520, 870, 26),
    "Payment by": (70, 960, 22),
    "Thank you for your business.": (70, 1_090, 20),
    "Page 1 of 1": (700, 1_090, 20),
}
"""Texts that are printed on every form: left, top and size in pixels."""
CHOICES = ("bank transfer", "direct debit", "credit card", "cash")
FIELDS: Mapping[str, tuple[str, Box, dict[str, Any]]] = {
    "number": ("text", (270, 180, 220, 44), {}),
    "date": ("date", (270, 230, 220, 44), {"order": "dmy"}),
    "delivery_note": ("number", (270, 280, 220, 44), {}),
    "customer": ("text", (510, 220, 350, 120), {}),
    "quantity": ("number", (60, 510, 150, 50), {}),
    "description": ("text", (250, 510, 420, 50), {}),
    "subtotal": ("amount", (680, 750, 190, 44), {"currency": "EUR"}),
    "tax": ("amount", (680, 800, 190, 44), {"currency": "EUR"}),
    "total": ("amount", (680, 858, 190, 54), {"currency": "EUR"}),
    "payment": ("choice", (230, 950, 270, 44), {"choices": list(CHOICES)}),
}
"""Fields of the form: kind of value, area and options."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_FIRST = ("North", "Harbour", "Green", "Silver", "Old Mill", "River", "Stone", "Bright")
_SECOND = ("Bakery", "Printing", "Logistics", "Garden Shop", "Instruments", "Bicycles", "Optics")
_STREETS = ("High Street", "Station Road", "Mill Lane", "Park Avenue", "Church Street")
_GOODS = ("Steel brackets", "Bearing rings", "Copper wire", "Hinges, brass", "Filter paper", "Sealing tape")
_INK = (30, 32, 40)


class Form(NamedTuple):
    """A filled form."""

    picture: Image.Image
    values: Mapping[str, Any]
    """Of each field, as its kind gives them."""


class Photograph(NamedTuple):
    """A form as it was photographed."""

    picture: Image.Image
    projection: NDArray[np.float64]
    """``_33``: homogeneous coordinates of the form to those of the picture."""


def form(generator: np.random.Generator) -> Form:
    """A form, flat and upright."""
    texts, values = _filled(generator)
    picture = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), (252, 252, 250))
    draw = ImageDraw.Draw(picture)
    for text, (left, upper, size) in PRINTED.items():
        draw.text((left, upper), text, _INK, ImageFont.load_default(size))
    for upper in (150, 455, 505, 735, 850):
        draw.line((60, upper, WIDTH_PX - 60, upper), (120, 120, 128), 2)
    for name, rows in texts.items():
        kind, (left, upper, width, _), _ = FIELDS[name]
        for number, row in enumerate(rows):
            font = ImageFont.load_default(22)
            is_right = kind == "amount"
            x = left + width - 12 - draw.textlength(row, font) if is_right else left + 10
            draw.text((x, upper + 10 + 34 * number), row, _INK, font)
    return Form(picture, values)


def photographed(
    picture: Image.Image, generator: np.random.Generator, *, degrees: float, perspective: float = 0.0, margin: float = 1.25
) -> Photograph:
    """A form on a table: turned, somewhat smaller and off the middle, in uneven light.

    Args:
        picture: of the form.
        generator: of what is left to chance.
        degrees: how far it is turned clockwise.
        perspective: how far its corners are off at most, as a fraction of its width.
        margin: side of the square photograph, as a multiple of the form's longer side.
    """
    side = round(margin * max(picture.size))
    corners = np.array([(0, 0), (picture.width, 0), (picture.width, picture.height), (0, picture.height)], dtype=np.float64)
    turn = np.radians(degrees)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    scale = generator.uniform(0.85, 1.0)
    middle = np.array([picture.width, picture.height]) / 2
    there = (corners - middle) @ matrix * scale + side / 2 + generator.uniform(-25, 25, 2)
    there += generator.uniform(-perspective, perspective, (4, 2)) * picture.width
    projection = _projection(corners, there)
    back = np.linalg.inv(projection)
    ground = tuple(int(each) for each in generator.integers(60, 140, 3))
    shown = picture.convert("RGBA").transform(
        (side, side), Image.Transform.PERSPECTIVE, (back / back[2, 2]).ravel()[:8].tolist(), Image.Resampling.BICUBIC
    )
    made = Image.new("RGB", (side, side), ground)
    made.paste(shown, (0, 0), shown)
    return Photograph(_lit(made, generator), projection)


def _filled(generator: np.random.Generator) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """What is written into each field, row by row, and what that means."""
    subtotal = Decimal(int(generator.integers(2_000, 999_999))) / 100
    tax = (subtotal * 19 / 100).quantize(Decimal("0.01"))
    year, month, day = int(generator.integers(2020, 2030)), int(generator.integers(1, 13)), int(generator.integers(1, 29))
    written = [f"{day:02}.{month:02}.{year}", f"{year}-{month:02}-{day:02}", f"{day} {_MONTHS[month - 1]} {year}"]
    number = f"RE-{year}-{generator.integers(0, 100_000):05}"
    note, quantity = int(generator.integers(10_000, 99_999)), int(generator.integers(2, 4_000))
    customer = [
        f"{_pick(generator, _FIRST)} {_pick(generator, _SECOND)}",
        f"{generator.integers(1, 190)} {_pick(generator, _STREETS)}",
    ]
    goods, payment = _pick(generator, _GOODS), _pick(generator, CHOICES)
    amounts = {"subtotal": subtotal, "tax": tax, "total": subtotal + tax}
    texts = {
        "number": [number],
        "date": [_pick(generator, written)],
        "delivery_note": [str(note)],
        "customer": customer,
        "quantity": [f"{quantity:,}"],
        "description": [goods],
        "payment": [payment],
        **{name: [f"{amount:,.2f} EUR" if generator.random() < 0.5 else f"{amount:,.2f}"] for name, amount in amounts.items()},
    }
    values = {
        "number": number,
        "date": f"{year}-{month:02}-{day:02}",
        "delivery_note": note,
        "customer": "\n".join(customer),
        "quantity": quantity,
        "description": goods,
        "payment": payment,
        **{name: {"amount": f"{amount:.2f}", "currency": "EUR"} for name, amount in amounts.items()},
    }
    return texts, values


def _pick(generator: np.random.Generator, texts: Sequence[str]) -> str:
    return texts[int(generator.integers(len(texts)))]


def _projection(source: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Takes four points to four others, ``_33``."""
    left, right = [], []
    for (x, y), (u, v) in zip(source.tolist(), target.tolist(), strict=True):
        left += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    solved = np.linalg.solve(np.array(left, dtype=np.float64), np.array(right))
    return np.append(solved, 1.0).reshape(3, 3)


def _lit(picture: Image.Image, generator: np.random.Generator) -> Image.Image:
    """With uneven light, blur and noise."""
    soft = picture.filter(ImageFilter.GaussianBlur(generator.uniform(0.0, 0.7)))
    across = np.linspace(generator.uniform(0.8, 1.0), generator.uniform(0.8, 1.0), picture.width)[None, :, None]
    lit_HWC = np.asarray(soft, dtype=np.float64) * across + generator.normal(0, generator.uniform(1, 6), (*soft.size[::-1], 3))
    return Image.fromarray(np.clip(lit_HWC, 0, 255).astype(np.uint8))
