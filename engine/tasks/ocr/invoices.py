"""Invoices and receipts made by code, of several layouts and in two languages. Same generator, same picture.

What is written in each field and each cell is known, and so are the corners and the text of every line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.tasks.ocr.layouts import Column, FieldPlace, Layout
from engine.tasks.ocr.scenes import SceneLine

Fonts = Callable[[int], ImageFont.FreeTypeFont | ImageFont.ImageFont]
"""The font of a size in pixels."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_GOODS = {
    "en": ("Steel brackets", "Bearing rings", "Copper wire", "Hinges, brass", "Filter paper", "Sealing tape", "Oak shelf",
           "Desk lamp", "Paint, white", "Garden hose", "Apple juice", "Rye bread", "Olive oil", "Green tea"),
    "zh": ("不锈钢支架", "轴承套圈", "铜芯电线", "滤纸", "密封胶带", "办公椅", "台灯", "打印纸", "苹果汁", "全麦面包", "橄榄油",
           "绿茶", "矿泉水", "牛奶"),
}  # fmt: skip
_UNITS = {"en": ("pcs", "box", "m", "kg"), "zh": ("件", "箱", "米", "千克")}
_BUYERS = {
    "en": ("North Bakery", "Harbour Printing", "Green Logistics", "Silver Optics", "Old Mill Garden Shop", "River Bicycles"),
    "zh": ("北辰食品有限公司", "海港印刷厂", "绿洲物流有限公司", "银河光学仪器公司", "江南园艺商店", "长风自行车行"),
}
_STREETS = {
    "en": ("High Street", "Station Road", "Mill Lane", "Park Avenue", "Church Street"),
    "zh": ("人民路", "解放大道", "中山东路", "文化街", "科技园南路"),
}
_INK, _RULE = (30, 32, 40), (70, 70, 78)


class Invoice(NamedTuple):
    """A filled form, flat and upright."""

    picture: Image.Image
    values: Mapping[str, Any]
    """Of each field, and of the table, as their kinds give them."""
    lines: tuple[SceneLine, ...]
    """All that is written, a cell a line."""


class _Row(NamedTuple):
    goods: str
    unit: str
    quantity: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return self.quantity * self.price


class _Pen:
    """Draws texts and remembers where."""

    def __init__(self, picture: Image.Image, fonts: Fonts) -> None:
        self._draw = ImageDraw.Draw(picture)
        self._fonts = fonts
        self.lines: list[SceneLine] = []

    def write(self, text: str, left: float, upper: float, size: int) -> None:
        font = self._fonts(size)
        self._draw.text((left, upper), text, _INK, font)
        x, y, right, lower = self._draw.textbbox((left, upper), text, font)
        # As people draw them, and detectors answer: with the room that a line of any letters would take.
        beside, over = 0.25 * size, max(2.0, 0.65 * size - (lower - y) / 2)
        x, y, right, lower = x - beside, y - over, right + beside, lower + over
        self.lines.append(SceneLine(((x, y), (right, y), (right, lower), (x, lower)), text))

    def width(self, text: str, size: int) -> float:
        return self._draw.textlength(text, self._fonts(size))

    def rule(self, ends: tuple[float, float, float, float]) -> None:
        self._draw.line(ends, _RULE, 2)


def invoice(layout: Layout, generator: np.random.Generator, fonts: Fonts) -> Invoice:
    """A form of a layout, filled in by chance.

    Args:
        layout: of the form.
        generator: of what is written.
        fonts: with all characters of the layout's language.
    """
    picture = Image.new("RGB", (layout.width, layout.height), (252, 252, 250))
    pen = _Pen(picture, fonts)
    for text, left, upper, size in layout.printed:
        pen.write(text, left, upper, size)
    rows = [_row(layout, generator) for _ in range(int(generator.integers(2, layout.table.most_rows + 1)))]
    written, values = _fields(layout, rows, generator)
    for place in layout.fields:
        _fill(pen, place, written[place.name], is_right=layout.is_right)
    values[layout.table.name] = _tabulate(pen, layout, rows, generator)
    return Invoice(picture, values, tuple(pen.lines))


def template_content(layout: Layout, lines: Sequence[SceneLine]) -> dict[str, Any]:
    """What a person would mark on a form of a layout: texts that are printed, and fields with their checks.

    Args:
        layout: of the form.
        lines: of one filled form.
    """
    printed = {each.text for each in layout.printed} | {each.name for each in layout.table.columns}
    references = [
        {"text": each.text, "points": [list(point) for point in each.corners]} for each in lines if each.text in printed
    ]
    fields = [_field(each.name, each.kind, each.box, each.options) for each in layout.fields]
    columns = [{"name": each.name, "kind": each.kind, "options": dict(each.options)} for each in layout.table.columns]
    table = _field(layout.table.name, "table", layout.table.box, {"columns": columns, "has_header": True})
    return {"references": references, "fields": [*fields, table]}


def _field(name: str, kind: str, box: Sequence[int], options: Mapping[str, Any]) -> dict[str, Any]:
    sides = dict(zip(("x", "y", "width", "height"), box, strict=True))
    return {"name": name, "kind": kind, "is_required": True, "box": sides, "options": dict(options)}


def _fill(pen: _Pen, place: FieldPlace, rows: Sequence[str], *, is_right: bool) -> None:
    left, upper, width, _ = place.box
    for number, row in enumerate(rows):
        x = left + width - 12 - pen.width(row, 22) if is_right and place.kind == "amount" else left + 10
        pen.write(row, x, upper + 10 + 34 * number, 22)


def _tabulate(pen: _Pen, layout: Layout, rows: Sequence[_Row], generator: np.random.Generator) -> list[dict[str, Any]]:
    """Draws the table; gives its rows as they are read."""
    table = layout.table
    lower = table.upper + table.row_height * (len(rows) + 1)
    for number in range(len(rows) + 2):
        y = table.upper + table.row_height * number
        pen.rule((table.left, y, table.left + table.width, y))
    x = table.left
    found: list[dict[str, Any]] = [{} for _ in rows]
    for column in table.columns:
        pen.rule((x, table.upper, x, lower))
        pen.write(column.name, x + 10, table.upper + 10, 20)
        for number, row in enumerate(rows):
            text, found[number][column.name] = _cell(layout, column, row, generator)
            if text:
                is_right = layout.is_right and column.kind in ("amount", "number")
                inner = x + column.width - 10 - pen.width(text, 20) if is_right else x + 10
                pen.write(text, inner, table.upper + table.row_height * (number + 1) + 10, 20)
        x += column.width
    pen.rule((x, table.upper, x, lower))
    return found


def _cell(layout: Layout, column: Column, row: _Row, generator: np.random.Generator) -> tuple[str, Any]:
    """What is written, and what that means; an empty cell means nothing."""
    content = getattr(row, column.content)
    if isinstance(content, Decimal):
        return f"{content:,.2f}", {"amount": f"{content:.2f}", "currency": column.options.get("currency")}
    if column.content == "unit" and generator.random() < 0.3:
        return "", None
    return (f"{content:,}", content) if isinstance(content, int) else (content, content)


def _row(layout: Layout, generator: np.random.Generator) -> _Row:
    language = layout.language
    price = Decimal(int(generator.integers(120, 19_999 if layout.tax_percent else 4_000))) / 100
    quantity = int(generator.integers(2, 400 if layout.tax_percent else 12))
    return _Row(_pick(generator, _GOODS[language]), _pick(generator, _UNITS[language]), quantity, price)


def _fields(
    layout: Layout, rows: Sequence[_Row], generator: np.random.Generator
) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """What is written in each field, line by line, and what that means."""
    subtotal = sum((row.amount for row in rows), Decimal(0))
    tax = (subtotal * layout.tax_percent / 100).quantize(Decimal("0.01"))
    day = f"{generator.integers(2020, 2030)}-{generator.integers(1, 13):02}-{generator.integers(1, 29):02}"
    number = f"{'RE' if layout.language == 'en' else 'No'}-{day[:4]}-{generator.integers(0, 100_000):05}"
    language = layout.language
    street = f"{generator.integers(2, 190)} {_pick(generator, _STREETS[language])}"
    if language == "zh":
        street = f"{_pick(generator, _STREETS[language])}{generator.integers(2, 190)}号"
    texts: dict[str, tuple[list[str], Any]] = {
        "number": ([number], number),
        "date": ([_date(layout, day, generator)], day),
        "customer": (customer := [_pick(generator, _BUYERS[language]), street], "\n".join(customer)),
        "payment": ([paid := _pick(generator, layout.payments)], paid),
    }
    written, values = {}, {}
    amounts = {"subtotal": subtotal, "tax": tax, "total": subtotal + tax}
    for place in layout.fields:
        if place.content in amounts:
            amount, currency = amounts[place.content], place.options["currency"]
            written[place.name] = [_money(amount, currency, generator)]
            values[place.name] = {"amount": f"{amount:.2f}", "currency": currency}
        else:
            written[place.name], values[place.name] = texts[place.content]
    return written, values


def _date(layout: Layout, day: str, generator: np.random.Generator) -> str:
    year, month, number = day.split("-")
    if layout.language == "zh":
        return str(generator.choice([day, f"{year}年{month}月{number}日"]))
    written = [day, f"{number} {_MONTHS[int(month) - 1]} {year}"]
    order = next(each.options["order"] for each in layout.fields if each.content == "date")
    return str(generator.choice([*written, f"{number}.{month}.{year}" if order == "dmy" else f"{month}/{number}/{year}"]))


def _money(amount: Decimal, currency: str, generator: np.random.Generator) -> str:
    text = f"{amount:,.2f}"
    signs = {"EUR": f"{text} EUR", "USD": f"${text}", "CNY": f"¥{text}"}
    return text if generator.random() < 0.5 else signs[currency]


def _pick(generator: np.random.Generator, texts: Sequence[str]) -> str:
    return texts[int(generator.integers(len(texts)))]
