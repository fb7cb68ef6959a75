"""Notes on versions. Those of the platform have a code and values, which pages put into words, beside an English sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from automl.contracts.words import Words

BEFORE_RESTORE = "before_restore"

words = Words(__file__)


@dataclass(frozen=True)
class VersionNote:
    """What a version's row keeps. ``code`` is empty where a person wrote ``text``."""

    text: str = ""
    code: str = ""
    params: dict[str, int] = field(default_factory=dict)


NO_NOTE = VersionNote()


def restore_note(number: int) -> VersionNote:
    """Of the version that keeps what was there before another, by its number, was restored."""
    return VersionNote(
        text=words("version_note.before_restore", number=number).en, code=BEFORE_RESTORE, params={"number": number}
    )
