"""Writes ``unicode.txt``: ``python -m exporters._text_tables.make``, whenever the version of ``tokenizers`` changes.

Every table is what the library itself does to each character alone, so that its versions of Unicode, of which it has three, are
those of the file. Only what characters do to each other comes from Python's tables, and is kept where the library agrees: the
classes by which accents are ordered, and the pairs that are composed. Syllables of Hangul are left out: a formula gives them.

A line holds the name of a table and its entries: ``41-5A`` is a range, ``41-5A+20`` a range with what is added to each (``~``:
taken off), ``C0=41,300`` a character and those it becomes, ``300-314=E6`` a range and its number. All numbers are hexadecimal.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from tokenizers import Regex, normalizers, pre_tokenizers

from exporters._text_tables import TABLES_FILE

HANGUL = range(0xAC00, 0xD7A4)
SURROGATES = range(0xD800, 0xE000)
LOWEST, HIGHER = "\u0334", "\u0316"
"""Accents of the classes 1 and 220."""

Rewrite = Callable[[str], str]


def _signs() -> Iterator[str]:
    return (chr(code) for code in range(sys.maxunicode + 1) if code not in SURROGATES)


def _changed(rewrite: Rewrite) -> dict[str, str]:
    return {sign: text for sign in _signs() if ord(sign) not in HANGUL and (text := rewrite(sign)) != sign}


def _number(sign: str) -> str:
    return f"{ord(sign):X}"


def _ranges(codes: Iterable[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def _span(first: int, last: int) -> str:
    return f"{first:X}" if first == last else f"{first:X}-{last:X}"


def _set(signs: Iterable[str]) -> list[str]:
    return [_span(*each) for each in _ranges(map(ord, signs))]


def _map(texts: Mapping[str, str]) -> list[str]:
    return [f"{_number(sign)}={','.join(map(_number, text))}" for sign, text in texts.items()]


def _shifts(texts: Mapping[str, str]) -> list[str]:
    """The same where one character becomes another one, as ranges with a difference."""
    shifts: dict[int, list[int]] = {}
    for sign, text in texts.items():
        shifts.setdefault(ord(text) - ord(sign), []).append(ord(sign))
    spans = [(first, last, shift) for shift, codes in shifts.items() for first, last in _ranges(codes)]
    return [f"{_span(first, last)}{'~' if shift < 0 else '+'}{abs(shift):X}" for first, last, shift in sorted(spans)]


def _classes() -> list[str]:
    decompose = normalizers.NFD().normalize_str
    classes: dict[int, list[int]] = {}
    for sign in _signs():
        number = unicodedata.combining(sign)
        probe = f"a{sign}{LOWEST}" if number > 1 else f"a{HIGHER}{sign}"
        if number and decompose(probe) != probe:
            classes.setdefault(number, []).append(ord(sign))
    spans = [(first, last, number) for number, codes in classes.items() for first, last in _ranges(codes)]
    return [f"{_span(first, last)}={number:X}" for first, last, number in sorted(spans)]


def _pairs() -> list[str]:
    compose = normalizers.NFC().normalize_str
    pairs = []
    for sign in _signs():
        parts = unicodedata.decomposition(sign).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)
            if compose(pair) == sign:
                pairs.append(f"{_number(sign)}={','.join(map(_number, pair))}")
    return pairs


def tables() -> dict[str, list[str]]:
    """The entries of each table, as they are written."""
    cleaned = _changed(normalizers.BertNormalizer(True, False, False, False).normalize_str)
    lowered = _changed(normalizers.Lowercase().normalize_str)
    canonical = _changed(normalizers.NFD().normalize_str)
    compatible = _changed(normalizers.NFKD().normalize_str)
    spaced = normalizers.Replace(Regex(r"\s"), "").normalize_str
    set_apart = normalizers.BertNormalizer(False, True, False, False).normalize_str
    bare = normalizers.BertNormalizer(False, False, True, False).normalize_str
    whole = pre_tokenizers.WhitespaceSplit().pre_tokenize_str
    pieces = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    return {
        "ends": _set(sign for sign in _signs() if sign.isspace()),
        "white": _set(sign for sign in _signs() if not whole(sign)),
        "pattern_white": _set(sign for sign in _signs() if not spaced(sign)),
        "removed": _set(sign for sign, text in cleaned.items() if not text),
        "blank": _set(sign for sign, text in cleaned.items() if text == " "),
        "ideograph": _set(sign for sign in _signs() if set_apart(sign) != sign),
        "mark": _set(sign for sign in _signs() if sign not in canonical and not bare(sign)),
        "punctuation": _set(sign for sign in _signs() if len(pieces(f"a{sign}a")) == 3),
        "lower": _shifts({sign: text for sign, text in lowered.items() if len(text) == 1}),
        "lower_long": _map({sign: text for sign, text in lowered.items() if len(text) > 1}),
        "canonical": _map(canonical),
        "compatible": _map({sign: text for sign, text in compatible.items() if text != canonical.get(sign)}),
        "class": _classes(),
        "pair": _pairs(),
    }


def main() -> None:
    """Writes the file."""
    lines = [" ".join([name, *entries]) for name, entries in tables().items()]
    TABLES_FILE.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
