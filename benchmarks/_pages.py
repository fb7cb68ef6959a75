"""Printed pages made by code, so that what they say is known: lines of English and Chinese of different lengths and sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
WIDTH_PX, HEIGHT_PX = 900, 1_200
_MARGIN_PX = 60
_SIZES_PX = (17, 24)
_ENGLISH = """
the of delivery note number invoice address customer total quantity price unit order date warehouse please check goods on
arrival and report any damage within three days to our office in writing returns are accepted only with prior consent payment is
due thirty days from receipt of this document VAT included serial model weight height box 12 7.50 2024-03-18 A-4471 EUR 1,980.00
+49 6221
""".split()  # noqa: SIM905 - a list of a hundred strings is no easier to read
_CHINESE = (
    "本单据所列货物请在收到后三日内验收如有破损或数量不符应以书面形式通知我方逾期视为合格付款期限自开票之日起三十天账户名称"
    "开户银行税号地址电话传真合计金额大写人民币壹仟贰佰元整规格型号单位数量单价备注仓库经办审核签字盖章"
)


class Page(NamedTuple):
    """A page, and what it says line by line."""

    picture: Image.Image
    lines: tuple[str, ...]
    boxes: tuple[tuple[float, float, float, float], ...]
    """Left, upper, right and lower side of each line."""


def page(generator: np.random.Generator, fonts: Callable[[int], Font], *, num_lines: int, has_chinese: bool = True) -> Page:
    """A white page with dark lines, a seventh to the whole of its width each.

    Args:
        generator: same state, same page.
        fonts: the font of a size in pixels.
        num_lines: of the page.
        has_chinese: whether every second line, on average, is Chinese; else all are English.
    """
    picture = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), "white")
    draw = ImageDraw.Draw(picture)
    step = (HEIGHT_PX - _MARGIN_PX) / num_lines
    lines, boxes = [], []
    for number in range(num_lines):
        own = fonts(int(generator.integers(*_SIZES_PX)))
        width_px = generator.uniform(0.15, 1.0) * (WIDTH_PX - 2 * _MARGIN_PX)
        is_chinese = has_chinese and generator.random() < 0.5
        pieces = _chinese(generator) if is_chinese else [f"{word} " for word in generator.choice(_ENGLISH, 40)]
        text = pieces[0]
        for piece in pieces[1:]:
            if draw.textlength(text + piece, own) > width_px:
                break
            text += piece
        lines.append(text.strip())
        place = _MARGIN_PX, _MARGIN_PX / 2 + number * step
        draw.text(place, lines[-1], (25, 25, 30), own)
        boxes.append(draw.textbbox(place, lines[-1], own))
    return Page(picture, tuple(lines), tuple(boxes))


def _chinese(generator: np.random.Generator) -> list[str]:
    """Pieces of two to five characters, some with a comma."""
    starts, lengths = generator.integers(0, len(_CHINESE) - 5, 40), generator.integers(2, 6, 40)
    commas = generator.random(40) < 0.1
    return [
        _CHINESE[start : start + length] + "，" * bool(comma)
        for start, length, comma in zip(starts, lengths, commas, strict=True)
    ]
