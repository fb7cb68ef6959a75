"""The cells of one column for counting: each different cell is kept and read once.

Shapes: N rows, K different cells.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from automl.contracts.table import Column, ColumnKind
from runtime.cells import ISO, MISSING_TIME, MISSING_WORDS, moments_of, numbers_of

_PLAIN_NUMBER = {
    ".": r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$",
    ",": r"^-?([0-9]+,?[0-9]*|,[0-9]+)([eE][+-]?[0-9]+)?$",
}
_FIELDS = {"Y": "[0-9]{4}", **dict.fromkeys("mdHMS", "[0-9]{1,2}")}
_ISO_FIELDS = (
    r"^(?P<Y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"
    r"(?:[T ](?P<H>[0-9]{2}):(?P<M>[0-9]{2})(?::(?P<S>[0-9]{2})(?:\.[0-9]{3}|\.[0-9]{6})?)?Z?)?$"
)
_MANY_NUMBERS = 20
_FEW_CELLS = 2_000
"""So many cells are read one by one in no time."""


@dataclass(frozen=True)
class CodedColumn:
    """One column: its different cells, and which each row has."""

    words: pa.LargeStringArray
    """``_K``, in the order in which they first occur; none means that the value is missing."""
    codes_N: NDArray[np.int32]
    """-1 where missing."""

    @property
    def num_rows(self) -> int:
        """Of the table."""
        return len(self.codes_N)

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each cell occurs, ``_K``."""
        return np.bincount(self.codes_N + 1, minlength=len(self.words) + 1)[1:].astype(np.int64)

    @property
    def num_missing(self) -> int:
        """Rows without a value."""
        return self.num_rows - int(self.counts.sum())

    @property
    def num_distinct(self) -> int:
        """Different cells that are not missing."""
        return len(self.words)

    def words_at(self, places: NDArray[np.intp]) -> list[str]:
        """Some of the different cells."""
        found: list[str] = self.words.take(pa.array(places)).to_pylist()
        return found


def coded(cells: pa.ChunkedArray) -> CodedColumn:
    """Reads a column of strings, null or empty where a cell is missing."""
    whole = cells.cast(pa.large_string())
    array = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    if isinstance(array, pa.ChunkedArray):  # of no chunks
        array = pa.array([], pa.large_string())
    encoded = array.dictionary_encode()
    words = encoded.dictionary
    codes_N = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(words))
    missing_K = pc.is_in(plain, value_set=pa.array(sorted(MISSING_WORDS), pa.large_string())).to_numpy(zero_copy_only=False)
    if missing_K.any():
        replaced = np.append(np.where(missing_K, -1, np.cumsum(~missing_K) - 1), -1).astype(np.int32)
        words, codes_N = words.filter(pa.array(~missing_K)), replaced[codes_N]
    return CodedColumn(words, codes_N)


def values_of(column: Column, cells: CodedColumn) -> NDArray[np.float64]:
    """The numbers, or the seconds since 1970, of the different cells ``_K``; NaN of those that cannot be read.

    It gives what ``runtime.cells`` gives: what is written plainly is read by Arrow, the rest there.
    """
    if column.kind is ColumnKind.NUMBER:
        values_K, is_left_K = _plain_numbers(cells.words, column.decimal)
    else:
        values_K, is_left_K = _plain_moments(cells.words, column.datetime_format or ISO)
    left = np.flatnonzero(is_left_K)
    if len(left):
        words = cells.words_at(left)
        if column.kind is ColumnKind.NUMBER:
            values_K[left] = numbers_of(words, column.decimal, column.units)[0]
        else:
            seconds = moments_of(words, column.datetime_format)[0]
            values_K[left] = np.where(seconds == MISSING_TIME, np.nan, seconds.astype(np.float64))
    return values_K


def odd_share(cells: CodedColumn) -> float | None:
    """Of cells that are words: the share of numbers or of words, whichever is smaller.

    Returns:
        None where fewer than a twentieth are of the other kind, or the numbers are few different ones: codes and sizes.
    """
    num_there = int(cells.counts.sum())
    is_number_K = pc.match_substring_regex(cells.words, _PLAIN_NUMBER["."]).to_numpy(zero_copy_only=False)
    if not num_there or int(is_number_K.sum()) <= _MANY_NUMBERS:
        return None
    share = float(cells.counts[is_number_K].sum()) / num_there
    return min(share, 1 - share) if 0.05 <= share <= 0.95 else None


def _plain_numbers(words: pa.LargeStringArray, decimal: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Numbers, and which cells are left to be read otherwise."""
    is_plain = pc.match_substring_regex(words, _PLAIN_NUMBER[decimal])
    is_plain_K = is_plain.to_numpy(zero_copy_only=False)
    values_K = np.full(len(words), np.nan)
    plain = words.filter(is_plain)
    if decimal == ",":
        plain = pc.replace_substring(plain, ",", ".")
    values_K[is_plain_K] = plain.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.where(np.isfinite(values_K), values_K, np.nan), ~np.isfinite(values_K)


def _plain_moments(words: pa.LargeStringArray, datetime_format: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Seconds, and which cells are left to be read otherwise."""
    values_K, is_left_K = np.full(len(words), np.nan), np.ones(len(words), dtype=bool)
    pattern = _fields_pattern(datetime_format)
    if pattern is None or len(words) <= _FEW_CELLS:
        return values_K, is_left_K
    is_plain = pc.match_substring_regex(words, pattern)
    is_plain_K = is_plain.to_numpy(zero_copy_only=False)
    parts = pc.extract_regex(words.filter(is_plain), pattern)
    fields = {name: _whole_numbers(parts.field(place)) for place, name in enumerate(field.name for field in parts.type)}
    nothing = np.zeros(int(is_plain_K.sum()), dtype=np.int64)
    year, month, day = fields["Y"], fields["m"], fields.get("d", nothing + 1)
    hour, minute, second = (fields.get(name, nothing) for name in "HMS")
    months = (year - 1970) * 12 + month - 1
    first = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    length = (months + 1).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) - first
    is_real = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= length)
    is_real &= (hour < 24) & (minute < 60) & (second < 60)
    seconds = ((first + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second).astype(np.float64)
    values_K[is_plain_K] = np.where(is_real, seconds, np.nan)
    is_left_K[is_plain_K] = ~is_real
    return values_K, is_left_K


def _fields_pattern(datetime_format: str) -> str | None:
    """A pattern that takes a moment apart; None where the format has more than plain numbers in it."""
    if datetime_format == ISO:
        return _ISO_FIELDS
    pattern = ""
    letters = re.findall(r"%(.)", datetime_format)
    parts = re.split(r"%(.)", datetime_format)
    is_parted = all(parts[place] for place in range(2, len(parts) - 1, 2))  # else where does one number end?
    if not is_parted or not {"Y", "m"} <= set(letters) <= set(_FIELDS) or len(set(letters)) < len(letters):
        return None
    for place, part in enumerate(parts):
        pattern += f"(?P<{part}>{_FIELDS[part]})" if place % 2 else re.escape(part)
    return f"^{pattern}$"


def _whole_numbers(texts: pa.Array) -> NDArray[np.int64]:
    """Of texts of digits; 0 of an empty one."""
    filled = pc.if_else(pc.equal(texts, ""), "0", texts)
    found: NDArray[np.int64] = filled.cast(pa.int64()).to_numpy(zero_copy_only=False)
    return found
