"""Numbers as people print them: separators of thousands, of decimals, and letters that stand for digits."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

_LETTERS = str.maketrans(
    {"O": "0", "o": "0", "D": "0", "Q": "0", "l": "1", "I": "1", "|": "1", "Z": "2", "S": "5", "s": "5", "B": "8"}
)
_AMOUNT = re.compile(r"[-+]?\d[\d.,' ]*")
MAX_DIGITS = 40


def normal(text: str) -> str:
    """Digits and signs of all scripts and widths in their plain form."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace("\u2013", "-").replace("\u2019", "'")
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in plain)


def corrected(text: str) -> str:
    """The same with digits in place of letters that look like them."""
    return text.translate(_LETTERS)


def decimal_of(text: str, separator: str | None = None) -> Decimal | None:
    """The number that a text is, without anything beside it; None where it is none.

    Args:
        text: digits with separators.
        separator: of the decimals: ``.`` or ``,``. None takes the last one that stands there, if it cannot part thousands.
    """
    compact = text.replace(" ", "").replace("'", "")
    if not _AMOUNT.fullmatch(compact) or len(compact) > MAX_DIGITS:
        return None
    point = separator or _decimal_separator(compact)
    other = "," if point == "." else "."
    whole, _, decimals = compact.partition(point)
    if not _is_grouped(whole, other) or (not decimals.isdigit() and decimals):
        return None
    try:
        return Decimal(whole.replace(other, "") + (f".{decimals}" if decimals else ""))
    except InvalidOperation:
        return None


def _decimal_separator(text: str) -> str:
    """By what stands there: of two kinds the last; a single one with three digits behind it parts thousands."""
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return "."
    mark = text[last]
    other = "," if mark == "." else "."
    parts_thousands = text.count(mark) > 1 or (other not in text and len(text) - last == 4 and text[0] != "0")
    return other if parts_thousands else mark


def _is_grouped(whole: str, mark: str) -> bool:
    """Whether marks part groups of digits as anybody writes them: the last of three, others of two or three."""
    first, *groups = whole.lstrip("+-").split(mark)
    return not groups or (bool(first) and len(groups[-1]) == 3 and all(len(each) in (2, 3) for each in groups))
