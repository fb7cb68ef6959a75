"""What the platform itself notes of a version, as text that is kept and as data that pages put into their own words.

The text is what is stored, so that old notes are read like new ones and a version's row needs no further column.
"""

from __future__ import annotations

import re

_BEFORE_RESTORE = re.compile(r"Before version (\d{1,9}) was restored")


def restore_note(number: int) -> str:
    """Of the version that keeps what was there before another, by its number, was restored."""
    return f"Before version {number} was restored"


def restored_number(note: str) -> int | None:
    """The number of the version that was restored then; None of a note that a person wrote."""
    found = _BEFORE_RESTORE.fullmatch(note)
    return None if found is None else int(found[1])
