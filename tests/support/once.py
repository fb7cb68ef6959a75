"""What many tests look at and nobody changes, made once for all processes of a run."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path

FOLDER = "MODELYARD_TEST_MADE"
"""Names the folder of the run to those whom its first process starts."""


def folder_open() -> None:
    """Makes the folder, which goes when this process ends; nothing where one who started this process has made it."""
    if FOLDER in os.environ:
        return
    folder, owner = tempfile.mkdtemp(prefix="modelyard-made-"), os.getpid()
    os.environ[FOLDER] = folder
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))


def host_cache() -> Path:
    """What a host keeps for its jobs, here for all of the run: a structure that one test exported no other needs to trace."""
    return Path(os.environ[FOLDER]) / "cache"


def share_host_cache(home: Path) -> None:
    """Lets a platform's home keep there what it keeps for the host's jobs."""
    host_cache().mkdir(exist_ok=True)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    (home / "cache").symlink_to(host_cache(), target_is_directory=True)


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name; who comes first makes it, the others wait.

    Args:
        name: of a file; the same for the same content.
        make: writes the folder, which is not there yet. What it raises comes out, and the next to ask tries again.
    """
    shared = Path(os.environ[FOLDER])
    folder, done = shared / name, shared / f"{name}.done"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            done.touch()
    return folder


class SharedBytes(MutableMapping[str, bytes]):
    """What processes of the run keep of each other's work, by a key that names all it depends on.

    Two that begin at once both do the work, and keep the same.
    """

    def __init__(self, name: str) -> None:
        self._folder = Path(os.environ[FOLDER]) / name
        self._folder.mkdir(exist_ok=True)

    def __getitem__(self, key: str) -> bytes:
        try:
            return (self._folder / key).read_bytes()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: bytes) -> None:
        partial = self._folder / f"{key}.{os.getpid()}.partial"
        partial.write_bytes(value)
        partial.replace(self._folder / key)

    def __delitem__(self, key: str) -> None:
        (self._folder / key).unlink()

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in self._folder.iterdir() if path.suffix != ".partial")

    def __len__(self) -> int:
        return sum(1 for _ in self)
