"""Which licences a product may hold: none that forbids commercial use, and neither the GPL nor the AGPL."""

from __future__ import annotations

import re
from collections.abc import Iterable

from automl.contracts.artefact import Licence
from exporters.errors import LicenceRefusedError

REFUSED = re.compile(r"^(GNU[ -])?A?GPL|(^|[-_ ])NC([-_ ]|$)|non-?commercial", re.IGNORECASE)
"""Identifiers of such licences, as SPDX and people write them."""
_TOKEN = re.compile(r"[()]|[^\s()]+")


def licences_check(parts: Iterable[Licence]) -> None:
    """Looks at the licences of what a product would hold.

    Raises:
        LicenceRefusedError: one may not be shipped; the message names the part.
    """
    for part in parts:
        if not is_allowed(part.spdx):
            raise LicenceRefusedError(f"{part.part} is licensed under {part.spdx}")


def is_allowed(expression: str) -> bool:
    """Whether a part with this licence may be shipped.

    Args:
        expression: of SPDX. Of several licences to choose from (OR), one that is allowed is enough; what is no expression is
            taken as the name of one licence.
    """
    tokens = _TOKEN.findall(expression)
    allowed, rest = _either(tokens)
    return not REFUSED.search(expression) if allowed is None or rest else allowed


def _either(tokens: list[str]) -> tuple[bool | None, list[str]]:
    """Whether one of several is allowed, None where there is no expression; and what follows."""
    allowed, rest = _all(tokens)
    while allowed is not None and rest and rest[0].upper() == "OR":
        other, rest = _all(rest[1:])
        allowed = None if other is None else allowed or other
    return allowed, rest


def _all(tokens: list[str]) -> tuple[bool | None, list[str]]:
    allowed, rest = _one(tokens)
    while allowed is not None and rest and rest[0].upper() == "AND":
        other, rest = _one(rest[1:])
        allowed = None if other is None else allowed and other
    return allowed, rest


def _one(tokens: list[str]) -> tuple[bool | None, list[str]]:
    if not tokens or tokens[0] == ")":
        return None, tokens
    if tokens[0] != "(":
        rest = tokens[3:] if len(tokens) > 2 and tokens[1].upper() == "WITH" else tokens[1:]
        return not REFUSED.search(tokens[0]), rest
    allowed, rest = _either(tokens[1:])
    return (allowed, rest[1:]) if rest and rest[0] == ")" else (None, rest)
