"""A picture of a form that the tiny model for lines of text reads."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

DARK, LIGHT = (10, 10, 10), (80, 80, 80)
"""What the tiny model reads as A and as 文."""
PRINTED = {"A文A文A": (20, 20), "文A文A": (190, 20), "A文A文": (20, 200)}


def form_picture(value="A文", degrees=0.0, printed=PRINTED):
    """PNG of printed texts and a value, turned."""
    picture = Image.new("RGB", (320, 260), "white")
    draw = ImageDraw.Draw(picture)
    for text, (left, upper) in {**printed, value: (140, 100)}.items():
        for place, symbol in enumerate(text):
            draw.rectangle(
                (left + 16 * place, upper, left + 16 * place + 15, upper + 20), fill=DARK if symbol == "A" else LIGHT
            )
    file = io.BytesIO()
    picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor="white").save(file, "PNG")
    return file.getvalue()
