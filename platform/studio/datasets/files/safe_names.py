"""Names inside uploads: what is safe, what is noise, what is refused.

Nothing is ever unpacked to a path, so a hostile name cannot reach the disk here. Names are still refused, because they come
back as file names in downloads.
"""

from __future__ import annotations

import re

from studio.datasets.files.limits import LIMITS

_DRIVE = re.compile(r"^[A-Za-z]:")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?", re.IGNORECASE)
"""Windows opens a device under these names, whatever the ending."""
_UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, line ends, and the marks that turn the reading direction and so disguise an ending."""
_NOISE = frozenset({"thumbs.db", "desktop.ini", "__macosx", "@eadir"})


class NameRefusedError(ValueError):
    """The name cannot be kept; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def name_clean(name: str) -> str:
    """Brings a path to forward slashes without empty or dot parts.

    Raises:
        NameRefusedError: the name leaves its folder, is too long or holds characters that no file system wants.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        raise NameRefusedError("bad_name") from None
    if _UNSEEN.search(name):
        raise NameRefusedError("bad_name")
    path = name.replace("\\", "/")
    if path.startswith("/") or _DRIVE.match(path) or ".." in path.split("/"):
        raise NameRefusedError("unsafe_name")
    clean = "/".join(part for part in path.split("/") if part not in {"", "."})
    if not clean or len(clean) > LIMITS.max_name_chars:
        raise NameRefusedError("bad_name")
    if any(_RESERVED.fullmatch(part.rstrip(" ")) for part in clean.split("/")):
        raise NameRefusedError("reserved_name")
    return clean


def is_noise(name: str) -> bool:
    """Whether a file is an operating system's litter, which nobody meant to upload."""
    return any((part.startswith(".") and part != "..") or part.lower() in _NOISE for part in name.replace("\\", "/").split("/"))


def name_show(name: str) -> str:
    """A name that can be stored and shown, whatever it held."""
    text = name.encode("utf-8", "backslashreplace").decode()
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return shown[: LIMITS.max_name_chars] or "?"


def name_decode(raw: bytes) -> str | None:
    """Decodes a name that carries no encoding: UTF-8, else GB 18030, which Chinese Windows writes."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None
