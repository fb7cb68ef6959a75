"""An amount of money: a decimal as text, since no binary fraction is exact, and the currency."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ._digits import corrected, decimal_of, normal
from .kind import Problem, Reading
from .number import SEPARATORS

_SIGNS = {
    "€": "EUR", "$": "USD", "US$": "USD", "£": "GBP", "¥": "CNY", "￥": "CNY", "元": "CNY", "RMB": "CNY", "圆": "CNY",
    "円": "JPY", "₩": "KRW", "₹": "INR", "HK$": "HKD", "A$": "AUD", "C$": "CAD", "Fr.": "CHF", "Fr": "CHF",
}  # fmt: skip
_CODES = frozenset(
    {
        *(
            "AED",
            "AUD",
            "BRL",
            "CAD",
            "CHF",
            "CNY",
            "CZK",
            "DKK",
            "EUR",
            "GBP",
            "HKD",
            "HUF",
            "IDR",
            "ILS",
            "INR",
            "JPY",
            "KRW",
        ),
        *("MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "RUB", "SEK", "SGD", "THB", "TRY", "TWD", "USD", "VND", "ZAR"),
    }
)
_PARTS = re.compile(
    r"^(?P<before>[^\d+\-]*)(?P<sign>[-+]?)\s*(?P<middle>[^\d]*?)(?P<number>\d[\d.,' ]*?)[\s]*(?P<after>[^\d]*)$"
)
_CODE = re.compile(r"[A-Z]{3}")


class Amount:
    """See ``Reader``. Options: ``decimal_separator`` as of numbers; ``currency``, which is meant where none stands there."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.separator = options.get("decimal_separator")
        self.currency = options.get("currency")
        if self.separator not in (None, *SEPARATORS):
            raise ValueError("the decimal separator is . or ,")
        if self.currency is not None and not _CODE.fullmatch(self.currency):
            raise ValueError("a currency is three capital letters")

    def read(self, rows: Sequence[str]) -> Reading:
        """See ``Reader``: ``amount`` as a decimal text, ``currency`` as three letters or None."""
        text = normal(" ".join(rows)).strip()
        if (found := self._read(text)) is not None:
            return Reading(found)
        if (found := self._read(self._fixed(text))) is not None:
            return Reading(found, [Problem(code="characters_corrected")], 0.8)
        return Reading(None, [Problem(code="amount_invalid")])

    def _read(self, text: str) -> dict[str, Any] | None:
        parts = _PARTS.match(text)
        if parts is None:
            return None
        number = decimal_of(parts["number"].rstrip(".,"), self.separator)
        beside = [parts[name].strip() for name in ("before", "middle", "after")]
        currencies = {_currency(each) for each in beside if each.strip(".-,:")}
        if number is None or None in currencies:
            return None
        known = next(iter(currencies), self.currency)
        return {"amount": str(-number if parts["sign"] == "-" else number), "currency": known}

    @staticmethod
    def _fixed(text: str) -> str:
        """Letters as digits in the words that have a digit."""
        return " ".join(corrected(word) if any(map(str.isdigit, word)) else word for word in text.split(" "))


def _currency(text: str) -> str | None:
    word = text.strip(" .:-,").upper()
    signs = {sign.upper().rstrip("."): code for sign, code in _SIGNS.items()}
    return signs.get(word) or (word if word in _CODES else None)


KIND = Amount
