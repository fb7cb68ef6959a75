"""Finds out how the numbers of a column are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.table.units import Units, units_guess
from runtime.cells import Decimal, bare_of, number_of

_DIGITS_SIGN_THREE = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
"""One sign before three digits: the decimal sign, or one that parts thousands."""
_SIGNS: tuple[Decimal, ...] = (".", ",")
_MANY = 20
"""So many different numbers with exactly three digits behind a comma are no accident: it parts thousands."""
_WHOLE, _POINTED = re.compile(r"[+-]?\d{1,300}"), re.compile(r"[+-]?\d{0,300}\.\d+")
"""How most numbers are written: what ``number_of`` gives for them is known without asking it."""
_POINT_THREE = re.compile(r"[+-]?\d{1,3}\.\d{3}")
"""A number by either sign."""
_BARE = re.compile(r"[^\d.,+-]")


@dataclass(frozen=True)
class Numbers:
    """How the cells of a column are read as numbers."""

    decimal: Decimal
    share: float
    """Of the cells that are there, how many are numbers."""
    is_sure: bool
    """Whether the cells themselves show which sign is the decimal one."""
    is_signed: bool
    """Whether any cell has a point or a comma at all."""
    values: Mapping[str, float]
    """The numbers by their cells."""
    odd: frozenset[str]
    """Cells that are no numbers."""
    units: Units
    """What stands beside the numbers. Where that is mixed, no cell counts as a number."""

    @property
    def other(self) -> Decimal | None:
        """The other reading, where there is one: ``1.234`` may be a thousand."""
        return None if self.is_sure or not self.is_signed else _other(self.decimal)


def numbers_guess(cells: Mapping[str, int], *, decimal: Decimal | None = None) -> Numbers:
    """Reads a column's cells as numbers, with the decimal sign that reads more of them.

    Where both read all, as of ``1.234`` alone, that sign counts which the table's other columns use (``decimal``). If these
    do not decide, a point is the decimal sign and a comma parts thousands. But ``0,125`` has a decimal comma; and a point parts
    thousands where whole numbers below a thousand stand beside it, as in ``950`` and ``1.200``.

    Args:
        cells: different cells that are not missing, with how often each occurs.
        decimal: the sign that the other columns use.
    """
    whole = sum(cells.values())
    units = units_guess(cells)
    if units.mixed:
        return Numbers(".", 0.0, False, False, {}, frozenset(cells), units)
    bare = {cell: bare_of(cell, units.spellings) for cell in cells} if units.spellings else {}
    read: dict[Decimal, dict[str, float]] = {".": {}, ",": {}}
    has_sign = False
    for cell in cells:
        if _POINTED.fullmatch(cell):
            has_sign = True
            read["."][cell] = float(cell)
            if _POINT_THREE.fullmatch(cell):
                read[","][cell] = float(cell.replace(".", ""))
            continue
        if _WHOLE.fullmatch(cell):
            read["."][cell] = read[","][cell] = float(cell)
            continue
        plain = bare.get(cell, cell)
        has_point = "." in plain or "," in plain
        has_sign |= has_point
        for sign, values in read.items():
            value = number_of(cell, sign, units.spellings) if has_point or sign == "." else read["."].get(cell)
            if value is not None:
                values[cell] = value
    counts = {sign: sum(cells[cell] for cell in values) for sign, values in read.items()}
    is_sure = True
    if not has_sign:
        chosen: Decimal = "."
    elif counts["."] != counts[","]:
        chosen = "." if counts["."] > counts[","] else ","
    else:
        sign_by_form = _sign_by_form([bare.get(cell, cell) for cell in read["."]])
        chosen, is_sure = sign_by_form or decimal or ".", sign_by_form is not None
    values = read[chosen]
    odd = frozenset(cell for cell in cells if cell not in values)
    return Numbers(chosen, counts[chosen] / whole if whole else 0.0, is_sure, has_sign, values, odd, units)


def decimal_of(columns: Iterable[Numbers]) -> Decimal | None:
    """The decimal sign that the sure columns of a table use; None where none is sure, or they differ."""
    signs = {one.decimal for one in columns if one.is_sure and one.is_signed and one.share > 0.9}
    return signs.pop() if len(signs) == 1 else None


def _sign_by_form(cells: Iterable[str]) -> Decimal | None:
    """The decimal sign by how the cells are written, although either sign reads all."""
    bare = [_BARE.sub("", cell) for cell in cells]
    for sign in _SIGNS:
        if any(one.lstrip("+-").startswith(f"0{sign}") for one in bare):
            return sign
    with_sign = [one for one in bare if "." in one or "," in one]
    without = [one for one in bare if "." not in one and "," not in one]
    signs = {sign for one in with_sign for sign in _SIGNS if sign in one}
    if signs == {","} and len(set(with_sign)) >= _MANY:
        return "."
    if len(signs) == 1 and len(with_sign) >= 3 and without and all(_DIGITS_SIGN_THREE.fullmatch(one) for one in with_sign):
        return _other(signs.pop()) if all(len(one.lstrip("+-")) <= 3 for one in without) else None
    return None


def _other(decimal: Decimal) -> Decimal:
    return "," if decimal == "." else "."
