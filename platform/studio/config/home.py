"""The home belongs to one account of the host: it holds password hashes, sessions, keys and everybody's data."""

from __future__ import annotations

import logging
import os
from pathlib import Path

UMASK = 0o077
_OTHERS = 0o077
_log = logging.getLogger(__name__)


def home_close(home: Path) -> None:
    """Closes the home to other accounts, also one that an older version made, and whatever this process writes from now on."""
    os.umask(UMASK)
    home.mkdir(parents=True, exist_ok=True)
    for path in (home, *home.glob("*.sqlite3*"), *home.glob("logs/*.log"), home / "serving" / "keys.json"):
        try:
            mode = path.stat().st_mode & 0o7777
            if mode & _OTHERS:
                path.chmod(mode & ~_OTHERS)
        except FileNotFoundError:
            continue
        except PermissionError:  # on a shared volume it may belong to another account
            _log.warning("%s can be read by other accounts and is not ours to close", path)
