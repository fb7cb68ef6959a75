"""Writes zip and tar while they are sent: flat memory at any number of files, the same bytes each time.

``zipfile`` was decided against: it keeps an object of about a kilobyte a file until the end, and takes ten times as long for a
small one. Files are stored as they are, since pictures are compressed already; names are UTF-8; every file has the same date.
The zip follows PKWARE's APPNOTE 6.3, with the 64-bit fields where they are needed; no data descriptors, so that every reader
can follow it from the front.
"""

from __future__ import annotations

import struct
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO

from studio.datasets.files.formats import ExportedFile

_MEMORY_BYTES = 4 * 2**20
"""Up to here pieces of unknown number are gathered in memory, beyond on disk."""
_CHUNK_BYTES = 2**20
_BATCH_BYTES = 2**17
"""Small files are sent together."""
_MAX_32 = 0xFFFFFFFF
_MAX_16 = 0xFFFF
_UTF8 = 0x800
_DATE = 33  # 1980-01-01, the first day a zip can name
_MODE = 0o100644 << 16
_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_BLOCK = 512

ReadFile = Callable[[ExportedFile], bytes]
"""Gives the bytes of a file that is a blob."""


def archive_bytes(files: Iterable[ExportedFile], *, container: str, read: ReadFile) -> Iterator[bytes]:
    """Yields the bytes of an archive.

    Args:
        files: what is in it, in order.
        container: ``zip`` or ``tar``.
        read: reads blobs; only ``len`` of what it gives matters to who only counts.
    """
    pieces = _tar(files, read) if container == "tar" else _zip(files, read)
    batch: list[bytes] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece)
        if size >= _BATCH_BYTES:
            yield b"".join(batch)
            batch, size = [], 0
    yield b"".join(batch)


def _zip(files: Iterable[ExportedFile], read: ReadFile) -> Iterator[bytes]:
    offset = num_files = 0
    with TemporaryFile(prefix="zip-directory-") as directory:
        for file in files:
            name = file.path.encode()
            if file.chunks is None:
                data = file.data if file.blob is None else read(file)
                size, crc = len(data), zlib.crc32(data)
                head = _head(name, size=size, crc=crc)
                yield head
                yield data
            else:
                with SpooledTemporaryFile(_MEMORY_BYTES) as spool:
                    _spooled(file.chunks, spool)
                    size, crc = spool.tell(), _crc(spool)
                    head = _head(name, size=size, crc=crc)
                    yield head
                    yield from _again(spool)
            directory.write(_entry(name, size=size, crc=crc, offset=offset))
            offset += len(head) + size
            num_files += 1
        size = directory.tell()
        yield from _again(directory)
    yield _ending(num_files, size=size, offset=offset)


def _head(name: bytes, *, size: int, crc: int) -> bytes:
    """What stands before a file's bytes."""
    extra = struct.pack("<2H2Q", 1, 16, size, size) if size >= _MAX_32 else b""
    short = size if size < _MAX_32 else _MAX_32
    version = 45 if extra else 20
    return _LOCAL.pack(b"PK\3\4", version, _UTF8, 0, 0, _DATE, crc, short, short, len(name), len(extra)) + name + extra


def _entry(name: bytes, *, size: int, crc: int, offset: int) -> bytes:
    """A file's row in the directory at the end."""
    wide = [size, size] if size >= _MAX_32 else []
    wide += [offset] if offset >= _MAX_32 else []
    extra = struct.pack(f"<2H{len(wide)}Q", 1, 8 * len(wide), *wide) if wide else b""
    version = 45 if wide else 20
    short = min(size, _MAX_32)
    head = (3 << 8 | version, version, _UTF8, 0, 0, _DATE, crc, short, short, len(name), len(extra), 0, 0, 0)
    return _CENTRAL.pack(b"PK\1\2", *head, _MODE, min(offset, _MAX_32)) + name + extra


def _ending(num_files: int, *, size: int, offset: int) -> bytes:
    is_wide = num_files >= _MAX_16 or size >= _MAX_32 or offset >= _MAX_32
    wide = b""
    if is_wide:
        wide = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 3 << 8 | 45, 45, 0, 0, num_files, num_files, size, offset)
        wide += struct.pack("<4sLQL", b"PK\6\7", 0, offset + size, 1)
    count = min(num_files, _MAX_16)
    return wide + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, min(size, _MAX_32), min(offset, _MAX_32), 0)


def _tar(files: Iterable[ExportedFile], read: ReadFile) -> Iterator[bytes]:
    for file in files:
        with SpooledTemporaryFile(_MEMORY_BYTES) as spool:
            data = _content(file, read, spool)
            info = tarfile.TarInfo(file.path)
            info.size = len(data) if data is not None else spool.tell()
            yield info.tobuf(tarfile.PAX_FORMAT, "utf-8")
            yield from (data,) if data is not None else _again(spool)
            yield bytes(-info.size % _BLOCK)
    yield bytes(2 * _BLOCK)


def _content(file: ExportedFile, read: ReadFile, spool: SpooledTemporaryFile[bytes]) -> bytes | None:
    """A file's bytes; those of pieces go to the spool, since the head holds their number."""
    if file.chunks is not None:
        _spooled(file.chunks, spool)
        return None
    return file.data if file.blob is None else read(file)


def _spooled(chunks: Iterable[bytes], spool: SpooledTemporaryFile[bytes]) -> None:
    for chunk in chunks:
        spool.write(chunk)


def _crc(stream: IO[bytes]) -> int:
    crc = 0
    for chunk in _again(stream):
        crc = zlib.crc32(chunk, crc)
    return crc


def _again(stream: IO[bytes]) -> Iterator[bytes]:
    stream.seek(0)
    while chunk := stream.read(_CHUNK_BYTES):
        yield chunk
