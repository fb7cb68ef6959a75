"""Walks zip and tar archives entry by entry, in memory, under caps.

Nothing is unpacked to disk: an entry is read, judged and forgotten. Tar is read as a stream, so a damaged tail costs only the
tail. Opening with ``shutil.unpack_archive`` was decided against: it trusts names, links and sizes.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BufferedIOBase
from pathlib import Path
from typing import IO, cast

from studio.datasets.files.limits import LIMITS, Limits
from studio.datasets.files.safe_names import NameRefusedError, is_noise, name_clean, name_decode, name_show

_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError)
_HEADERS = {
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
}
_HEADERS_BYTES = 76
"""Of a zip's entry, where it lies and in the directory, without its name at either place: much of an archive of small files."""
_NESTED = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".gz", ".zst", ".rar", ".7z")


class ArchiveKind(StrEnum):
    """Kinds that can be walked."""

    ZIP = "zip"
    TAR = "tar"


@dataclass(frozen=True)
class Entry:
    """One file of an archive."""

    name: str
    data: bytes
    consumed_bytes: int
    """How much of the archive has been read, this entry included."""


@dataclass(frozen=True)
class Fault:
    """A file that cannot be an entry; ``code`` is a key of ``REASONS``."""

    name: str
    code: str


NameFilter = Callable[[str], bool]


def archive_kind(path: Path) -> ArchiveKind | None:
    """Recognises an archive by its bytes; None when the file is none."""
    if zipfile.is_zipfile(path):
        with path.open("rb") as stream:
            # A picture may carry a zip at its end; only a file that starts as one is taken for one.
            return ArchiveKind.ZIP if stream.read(2) == b"PK" else None
    with path.open("rb") as stream:
        if stream.read(4) == b"PK\x03\x04":
            return ArchiveKind.ZIP  # its end, where the directory stands, is missing
    try:
        with path.open("rb") as stream, _unpacked(stream) as inner:
            tarfile.TarInfo.frombuf(inner.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (*_DAMAGE, ValueError):
        return None
    return ArchiveKind.TAR


def archive_names(path: Path, kind: ArchiveKind) -> list[str]:
    """The clean names of the files in an archive, noise and refused names left out."""
    found = archive_walk(path, kind, is_needed=lambda _: False, with_skipped=True)
    return [entry.name for entry in found if isinstance(entry, Entry)]


def archive_walk(
    path: Path,
    kind: ArchiveKind,
    *,
    is_needed: NameFilter,
    title: str = "archive",
    limits: Limits = LIMITS,
    with_skipped: bool = False,
) -> Iterator[Entry | Fault]:
    """Yields files and faults in the archive's order.

    Args:
        path: the archive.
        kind: the result of ``archive_kind``.
        is_needed: whether the bytes of an entry are needed, by its clean name.
        title: what a person calls the archive, for faults of the whole.
        limits: caps.
        with_skipped: yield entries that are not needed too, without bytes.
    """
    walk = _walk_zip if kind is ArchiveKind.ZIP else _walk_tar
    seen: set[int] = set()
    try:
        for found in walk(path, is_needed, limits, with_skipped):
            if isinstance(found, Fault) or _is_first(found.name, seen):
                yield found
            else:
                yield Fault(found.name, "duplicate_entry")
    except _StoppedError as error:
        yield Fault(title, error.code)
    except _DAMAGE:
        yield Fault(title, "archive_damaged")


def _is_first(name: str, seen: set[int]) -> bool:
    """Notes a name; by its hash, for millions of names would not fit."""
    mark = hash(name)
    is_first = mark not in seen
    seen.add(mark)
    return is_first


class _StoppedError(Exception):
    """The archive goes beyond its caps; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _is_bomb(*, packed_bytes: int, unpacked_bytes: int, limits: Limits) -> bool:
    is_dense = unpacked_bytes > limits.ratio_free_bytes and unpacked_bytes > limits.max_ratio * max(packed_bytes, 1)
    return is_dense or unpacked_bytes > limits.max_unpacked_bytes


def _judge(name: str) -> str | Fault | None:
    """The clean name, a fault, or None for noise."""
    try:
        clean = name_clean(name)
    except NameRefusedError as error:
        return None if is_noise(name) and error.code != "unsafe_name" else Fault(name_show(name), error.code)
    if is_noise(clean):
        return None
    return Fault(clean, "nested_archive") if clean.lower().endswith(_NESTED) else clean


def _walk_zip(path: Path, is_needed: NameFilter, limits: Limits, with_skipped: bool) -> Iterator[Entry | Fault]:
    consumed = unpacked = 0
    size_bytes = path.stat().st_size
    if not zipfile.is_zipfile(path):
        raise _StoppedError("archive_cut_off")
    if _directory_bytes(path) > limits.max_directory_bytes:
        raise _StoppedError("too_many_entries")
    with zipfile.ZipFile(path) as archive:
        for index, info in enumerate(archive.infolist()):
            if index >= limits.max_entries:
                raise _StoppedError("too_many_entries")
            consumed = min(consumed + info.compress_size + _HEADERS_BYTES + 2 * len(info.filename), size_bytes)
            name = None if info.is_dir() else _judge(_zip_name(info))
            if name is None or isinstance(name, Fault):
                if name is not None:
                    yield name
                continue
            if not is_needed(name):
                if with_skipped:
                    yield Entry(name, b"", consumed)
                continue
            entry = _zip_entry(archive, info, name, limits, consumed)
            yield entry
            unpacked += len(entry.data) if isinstance(entry, Entry) else 0
            # Entries may share their packed bytes, so the archive counts as a whole.
            if _is_bomb(packed_bytes=size_bytes, unpacked_bytes=unpacked, limits=limits):
                raise _StoppedError("compression_bomb")


def _directory_bytes(path: Path) -> int:
    """The size of a zip's directory, read as ``zipfile`` itself reads it."""
    with path.open("rb") as stream:
        end = zipfile._EndRecData(stream)  # type: ignore[attr-defined]
    return int(end[zipfile._ECD_SIZE])  # type: ignore[attr-defined]


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The entry's name; zipfile reads names without the UTF-8 flag as cp437, which is hardly ever what they are."""
    if info.flag_bits & 0x800:
        return info.orig_filename
    return name_decode(info.orig_filename.encode("cp437", "replace")) or info.orig_filename


def _zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, limits: Limits, consumed: int) -> Entry | Fault:
    code = _zip_fault(info, limits)
    if code is not None:
        return Fault(name, code)
    try:
        with archive.open(info) as stream:
            data = stream.read(limits.max_file_bytes + 1)
    except NotImplementedError:
        return Fault(name, "compression_unknown")
    except _DAMAGE:
        return Fault(name, "entry_damaged")
    if len(data) > limits.max_file_bytes:
        return Fault(name, "file_too_large")
    return Entry(name, data, consumed)


def _zip_fault(info: zipfile.ZipInfo, limits: Limits) -> str | None:
    """Why an entry is refused by its row in the archive's directory alone."""
    if stat.S_IFMT(info.external_attr >> 16) not in {0, stat.S_IFREG}:
        return "link_entry"
    if info.flag_bits & 0x1:
        return "entry_encrypted"
    if _is_bomb(packed_bytes=info.compress_size, unpacked_bytes=info.file_size, limits=limits):
        return "compression_bomb"
    return "file_too_large" if info.file_size > limits.max_file_bytes else None


def _walk_tar(path: Path, is_needed: NameFilter, limits: Limits, with_skipped: bool) -> Iterator[Entry | Fault]:
    with path.open("rb") as raw, _unpacked(raw) as inner:
        capped = _Capped(inner, path.stat().st_size, limits)
        member_type = _member_type(limits)
        with tarfile.open(fileobj=cast(IO[bytes], capped), mode="r|", errors="surrogateescape", tarinfo=member_type) as archive:
            for index, member in enumerate(iter(archive.next, None)):
                if index >= limits.max_entries:
                    raise _StoppedError("too_many_entries")
                archive.members = []  # type: ignore[attr-defined]  # unlisted; the index of a stream would only grow
                found = _tar_entry(archive, member, is_needed, limits, raw.tell)
                if isinstance(found, Fault) or (found is not None and (with_skipped or is_needed(found.name))):
                    yield found


def _tar_entry(
    archive: tarfile.TarFile, member: tarfile.TarInfo, is_needed: NameFilter, limits: Limits, position: Callable[[], int]
) -> Entry | Fault | None:
    if member.isdir():
        return None
    raw_name = member.name.encode("utf-8", "surrogateescape")
    name = _judge(name_decode(raw_name) or member.name)
    if name is None or isinstance(name, Fault):
        return name
    if not member.isfile() or member.issparse():
        # A sparse file's few bytes would stand for gigabytes of zeros.
        return Fault(name, "compression_unknown" if member.isfile() else "link_entry")
    if not is_needed(name):
        return Entry(name, b"", position())
    if member.size > limits.max_file_bytes:
        return Fault(name, "file_too_large")
    stream = archive.extractfile(member)
    data = stream.read() if stream else b""
    if len(data) != member.size:
        raise tarfile.ReadError("the archive ends inside a file")
    return Entry(name, data, position())


def _member_type(limits: Limits) -> type[tarfile.TarInfo]:
    """``TarInfo`` that does not read a header of gigabytes into memory."""

    class Member(tarfile.TarInfo):
        def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
            if self.type in _HEADERS and self.size > limits.max_header_bytes:
                raise _StoppedError("archive_damaged")
            return super()._proc_member(archive)  # type: ignore[misc,no-any-return]

    return Member


def _unpacked(stream: IO[bytes]) -> BufferedIOBase:
    """The stream below gzip, bzip2 or xz, detected by the first bytes."""
    head = stream.read(6)
    stream.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return cast(BufferedIOBase, gzip.open(stream, "rb"))
    if head.startswith(b"BZh"):
        return bz2.open(stream, "rb")
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.open(stream, "rb")
    return cast(BufferedIOBase, stream)


class _Capped:
    """Counts what comes out of a compressed stream and stops a bomb, skipped entries included."""

    def __init__(self, inner: BufferedIOBase, packed_bytes: int, limits: Limits) -> None:
        self._inner, self._packed, self._limits = inner, packed_bytes, limits
        self._unpacked = 0

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(size)
        self._unpacked += len(data)
        if _is_bomb(packed_bytes=self._packed, unpacked_bytes=self._unpacked, limits=self._limits):
            raise _StoppedError("compression_bomb")
        return data
