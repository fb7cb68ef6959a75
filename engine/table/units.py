"""Units and currencies that stand in cells beside their numbers: ``12 kg``, ``USD 12``, ``-$5``, ``35%``.

A column has a unit when all its numbers have the same one, whichever way it is spelled. ``12 kg`` beside ``5 lb``, or ``€ 3M``
beside ``€ 500K``, would be numbers of different sizes under one name: such a column has none, and is reported (``mixed``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

_CURRENCIES = (
    "$ US$ USD dollar dollars",
    "€ EUR euro euros",
    "£ GBP",
    "¥ ￥ CNY RMB CN¥ 元 人民币",
    "¥ ￥ JPY JP¥ 円 yen",
    "₹ INR Rs Rs. rupees",
    "₩ KRW 원",
    "₽ RUB руб руб. ₽.",
    "₺ TRY TL",
    "₫ VND đ",
    "₪ ILS",
    "₴ UAH",
    "₦ NGN",
    "฿ THB",
    "₱ PHP",
    "R$ BRL",
    "A$ AU$ AUD",
    "C$ CA$ CAD",
    "NZ$ NZD",
    "HK$ HKD",
    "S$ SGD",
    "NT$ TWD",
    "MX$ MXN",
    "CHF Fr. SFr.",
    "kr kr. SEK",
    "kr kr. NOK",
    "kr kr. DKK",
    "zł PLN",
    "Kč CZK",
    "Ft HUF",
    "lei RON",
    "ZAR",
    "AED",
    "SAR",
    "IDR Rp",
    "MYR RM",
    "ARS",
    "CLP",
    "COP",
    "EGP",
    "PKR",
    "BTC",
    "ETH",
    "万元",
    "亿元",
)
"""They stand before a number or behind it. One a line, the spellings that mean the same; a sign may be of several."""
_UNITS = (
    "% ％ percent pct per_cent",
    "‰",
    "bps bp",
    *(
        "kg KG Kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "g gr gram grams 克",
        "mg milligram milligrams 毫克",
        "µg μg ug mcg",
    ),
    *(
        "t ton tons tonne tonnes 吨",
        "lb lbs lb. lbs. pound pounds 磅",
        "oz oz. ounce ounces 盎司",
        "斤",
        "ct carat carats 克拉",
    ),
    *("km KM Km kms kilometre kilometres kilometer kilometers 公里 千米", "m mtr metre metres meter meters 米"),
    *("cm CM centimetre centimetres centimeter centimeters 厘米", "mm MM millimetre millimetres millimeter millimeters 毫米"),
    *("µm μm um", "nm", "mi mile miles 英里", "ft ft. foot feet 英尺", "in in. inch inches 英寸", "yd yds yard yards"),
    *("m² m2 m^2 sqm sq_m sq._m. ㎡ 平方米 平米 平", "km² km2 km^2 sq_km 平方公里", "cm² cm2 cm^2"),
    *("ft² ft2 sqft sq_ft sq._ft. sq.ft. sf", "ac acre acres 英亩", "ha hectare hectares 公顷", "亩"),
    *("l L lt ltr litre litres liter liters 升", "ml mL ML millilitre millilitres milliliter milliliters 毫升", "cl cL"),
    *("m³ m3 m^3 立方米", "gal gallon gallons 加仑", "cc CC", "fl_oz fl._oz."),
    *("km/h kmh kph KM/H", "mph MPH", "m/s", "kn kt knot knots"),
    *("°C ℃ °_C ºC degC", "°F ℉ °_F ºF degF", "° º deg degree degrees 度"),
    *("ms msec millisecond milliseconds 毫秒", "s sec sec. secs second seconds 秒", "min min. mins minute minutes 分钟"),
    *("h hr hr. hrs hour hours 小时", "d day days 天 日", "wk wks week weeks 周"),
    *("mo mo. mos month months mth mths 个月 月", "y yr yr. yrs year years 年", "years_old yrs_old 岁"),
    *("Hz", "kHz KHz", "MHz", "GHz", "V volt volts", "mV", "kV", "mA", "amp amps", "mAh", "Ah", "ohm ohms Ω"),
    *("W watt watts 瓦", "kW KW 千瓦", "MW", "GW", "Wh", "kWh KWh", "MWh", "GWh", "hp HP bhp", "PS", "kcal Kcal", "cal", "kJ"),
    *("Nm", "rpm RPM", "Pa", "hPa", "kPa", "MPa", "bar", "psi PSI", "mmHg", "bpm", "dB", "dBm", "ppm", "ppb", "lm", "lux"),
    *("byte bytes 字节", "kB KB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB", "kbps Kbps", "Mbps", "Gbps", "px pixel pixels"),
    *("kmpl", "mpg MPG", "km/l", "km/kg", "l/100km L/100km l/100_km", "mg/dL mg/dl", "g/L g/l", "mmol/L mmol/l", "g/km"),
    *(
        "pcs pcs. pc pc. piece pieces 个 件 只",
        "unit units",
        "item items",
        "人 位 名",
        "次",
        "辆",
        "台",
        "套",
        "张",
        "层",
        "分",
        "倍",
    ),
    *("people persons person", "page pages 页", "point points pts pt", "star stars 星"),
    *("k K thousand 千", "M mn mln mio million 百万", "bn bln billion 十亿", "万", "亿"),
)
"""They stand behind a number; ``_`` is a blank."""
_PLAIN = re.compile(r"[+-]?\d[\d.,]*")
_SHAPE = re.compile(
    r"[+-]?\s*(?P<before>[^\d\s.,+-][^\d+-]{0,5}?)?\s*[+-]?\s*"
    r"(?:\d[\d.,\s'’]*|[.,]\d+)(?:[eE][+-]?\d+)?"
    r"\s*(?P<behind>[^\d\s.,+-].{0,15})?"
)
_ANY_CASE_CHARS = 3
"""As in ``cells``."""
_LOOKED_AT = 200
_NEARLY_ALL = 0.98
"""So many of the cells with digits must have the one unit, or none: ``10+ years`` is not to be lost among ``3 years``."""
_MOST_SPELLINGS = 20
_MOST_NAMED = 4


class Units(NamedTuple):
    """What stands beside the numbers of a column."""

    spellings: tuple[str, ...] = ()
    """Of its one unit, the commonest first; none where cells are bare numbers, or no numbers."""
    mixed: tuple[str, ...] = ()
    """Units of different sizes, or two that stand together (``$ M``), the commonest first, at most four; then there are no
    spellings."""


def units_guess(cells: Mapping[str, int]) -> Units:
    """Finds the unit of a column.

    Args:
        cells: different cells that are not missing, with how often each occurs.
    """
    marks: Counter[tuple[str, str]] = Counter()
    num_unread = num_odd = 0
    for place, (cell, count) in enumerate(cells.items()):
        found = _marks(cell)
        if found is not None:
            marks[found] += count
        elif any(map(str.isdigit, cell)):
            num_unread += count
        num_odd += found is None
        if place == _LOOKED_AT and num_odd > place / 2:
            return Units()  # words
    num_bare = marks.pop(("", ""), 0)
    num = num_bare + sum(marks.values())
    if not marks or num_unread > (1 - _NEARLY_ALL) * (num + num_unread):
        return Units()
    counts: Counter[int] = Counter()
    for mark, count in marks.items():
        counts.update(dict.fromkeys(_groups(mark), count))
    most = max(counts.values(), default=0)
    if num_bare + most < _NEARLY_ALL * num:
        named = [" ".join(filter(None, mark)) for mark, _ in marks.most_common(_MOST_NAMED)]
        return Units(mixed=tuple(named))
    return Units(spellings=_spellings({group for group, count in counts.items() if count == most}, marks))


def _marks(cell: str) -> tuple[str, str] | None:
    """What stands before and behind a number; None where that is no unit that is known."""
    if _PLAIN.fullmatch(cell):
        return "", ""
    text = " ".join(cell.replace("\u2212", "-").split())
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    found = _SHAPE.fullmatch(text)
    if found is None:
        return None
    before, behind = ((found[name] or "").strip() for name in ("before", "behind"))
    is_known = (not before or _known(before, _BEFORE)) and (not behind or _known(behind, _BEHIND))
    return (before, behind) if is_known else None


def _groups(mark: tuple[str, str]) -> frozenset[int]:
    """The units that marks may mean: ``$`` and ``USD`` the same; none of ``€ 3M``, which is millions of another."""
    before, behind = mark
    if not before:
        return _known(behind, _BEHIND)
    return _known(before, _BEFORE) & _known(behind, _BEHIND) if behind else _known(before, _BEFORE)


def _spellings(groups: set[int], marks: Counter[tuple[str, str]]) -> tuple[str, ...]:
    """Those of the cells, then others that mean the same in each of the groups."""
    seen = [each for mark, _ in marks.most_common() if _groups(mark) & groups for each in mark if each]
    all_of = [_spelled(_EVERY[group]) for group in sorted(groups)]
    others = [each for each in all_of[0] if all(each in some for some in all_of)]
    found: dict[str, str] = {}
    for each in (*seen, *others):
        found.setdefault(each.lower() if len(each) >= _ANY_CASE_CHARS else each, each)
    return tuple(found.values())[:_MOST_SPELLINGS]


def _spelled(group: str) -> list[str]:
    return [each.replace("_", " ") for each in group.split()]


def _known(text: str, table: Mapping[str, frozenset[int]]) -> frozenset[int]:
    found = table.get(text)
    if found is None and len(text) >= _ANY_CASE_CHARS:
        found = table.get(text.lower())
    return found or frozenset()


def _table(groups: Mapping[int, str]) -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, group in groups.items():
        for each in _spelled(group):
            for key in {each, each.lower() if len(each) >= _ANY_CASE_CHARS else each}:
                found[key] = found.get(key, frozenset()) | {number}
    return found


_EVERY = dict(enumerate((*_CURRENCIES, *_UNITS)))
_BEFORE = _table({number: group for number, group in _EVERY.items() if number < len(_CURRENCIES)} | {len(_CURRENCIES): "%"})
_BEHIND = _table(_EVERY)
