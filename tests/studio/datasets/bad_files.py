"""Malformed and odd pictures and archives, made by code: one row a case, with what has to become of it."""

from __future__ import annotations

import gzip
import io
import random
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import Image, PngImagePlugin

from tests.support.project_setup import picture, tar_of, zip_of


@dataclass(frozen=True)
class Case:
    """A file in an archive between two good ones."""

    name: str
    data: Callable[[], bytes]
    code: str | None = None
    """The reason that a person is told; None when there is nothing to tell."""
    size: tuple[int, int] | None = None
    """Width and height of the item that comes of it, upright; None when none does."""
    id: str = ""


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_claiming(width: int, height: int) -> bytes:
    """A small PNG whose header promises a picture of any size."""
    head = struct.pack(">II", width, height) + bytes([8, 2, 0, 0, 0])
    body = zlib.compress(bytes(100))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", body) + png_chunk(b"IEND", b"")


def jpeg_claiming(width: int, height: int) -> bytes:
    data = bytearray(picture(3, form="JPEG"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_claiming(width: int, height: int) -> bytes:
    """An extended WebP header; the canvas is what is claimed."""
    canvas = bytes(4) + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    return b"RIFF" + struct.pack("<I", 22) + b"WEBPVP8X" + struct.pack("<I", 10) + canvas


def flat(width: int, height: int, *, form: str = "PNG", mode: str = "RGB", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height), 7 if mode in {"L", "P", "1"} else (7,) * len(mode)).save(out, form, **options)
    return out.getvalue()


def turned(orientation: int, form: str = "JPEG") -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return picture(30, form=form, exif=exif.tobytes())


def turned_in_words() -> bytes:
    """An orientation that is a text."""
    entry = struct.pack("<HHI", 0x0112, 2, 4) + b"six\0"
    return picture(30, form="JPEG", exif=b"Exif\0\0II*\0" + struct.pack("<IH", 8, 1) + entry + bytes(4))


def broken_exif() -> bytes:
    return picture(31, form="JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff" + bytes(range(60)))


def frames(form: str, count: int = 3) -> bytes:
    pictures = [Image.frombytes("RGB", (40, 30), random.Random(seed).randbytes(3600)) for seed in range(count)]
    out = io.BytesIO()
    pictures[0].save(out, form, save_all=True, append_images=pictures[1:])
    return out.getvalue()


def ycck() -> bytes:
    """A four-channel JPEG as Photoshop writes it: inverted, with Adobe's mark saying YCCK."""
    data = bytearray(picture(32, form="JPEG", mode="CMYK"))
    at = data.find(b"Adobe")
    assert at > 0
    data[at + 11] = 2
    return bytes(data)


def palette_with_alpha() -> bytes:
    return picture(33, form="PNG", mode="P", transparency=bytes(range(256)))


def broken_icc(form: str) -> bytes:
    return picture(34, form=form, icc_profile=b"not a profile at all" * 9)


def text_bomb() -> bytes:
    """A PNG whose comment unpacks to 64 MiB."""
    info = PngImagePlugin.PngInfo()
    info.add(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(2**26), 9))
    return picture(35, form="PNG", pnginfo=info)


def many_scans() -> bytes:
    """A progressive JPEG that goes over the picture again and again."""
    data = picture(36, form="JPEG", progressive=True)
    at = data.rindex(b"\xff\xda")
    return data[:at] + data[at:-2] * 400 + data[-2:]


def deep_tiff() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.linspace(-1e9, 1e9, 1200, dtype=np.float32).reshape(30, 40)).save(out, "TIFF")
    return out.getvalue()


def nan_tiff() -> bytes:
    out = io.BytesIO()
    values = np.full((30, 40), np.nan, dtype=np.float32)
    values[::2] = np.inf
    Image.fromarray(values).save(out, "TIFF")
    return out.getvalue()


def tiff_of_circles() -> bytes:
    """A TIFF whose directory names itself as the next one."""
    data = bytearray(picture(37, form="TIFF"))
    (first,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, first)
    struct.pack_into("<I", data, first + 2 + 12 * count, first)
    return bytes(data)


CUT_OFF = [
    Case(f"cut.{form.lower()}", lambda form=form: picture(40, size=(200, 200), form=form)[:3000], "damaged_picture")
    for form in ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
]
UNREADABLE = [
    Case("empty.jpg", lambda: b"", "empty_file"),
    Case("words.jpg", lambda: b"these are words", "not_a_picture"),
    Case("page.jpg", lambda: b"<!doctype html><title>404</title>", "not_a_picture"),
    Case("header-only.jpg", lambda: picture(1, form="JPEG")[:20], "not_a_picture"),
    Case("header-only.png", lambda: picture(1)[:16], "damaged_picture"),
    Case("zeros.bmp", lambda: bytes(5000), "not_a_picture"),
    Case("photo.heic", lambda: b"\0\0\0\x18ftypheic" + bytes(200), "format_unsupported"),
    Case("photo.avif", lambda: b"\0\0\0\x1cftypavif" + bytes(200), "format_unsupported"),
    Case("video.jpg", lambda: b"\0\0\0\x18ftypmp42" + bytes(200), "format_unsupported"),
    Case("drawing.svg", lambda: b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "format_unsupported"),
    Case("page.pdf", lambda: b"%PDF-1.7\n" + bytes(100), "format_unsupported"),
    Case("layers.psd", lambda: b"8BPS\0\1" + bytes(100), "format_unsupported"),
    Case("huge.png", lambda: png_claiming(200_000, 200_000), "picture_too_large"),
    Case("over.png", lambda: png_claiming(10_001, 10_000), "picture_too_large"),
    Case("huge.jpg", lambda: jpeg_claiming(65_000, 65_000), "picture_too_large"),
    Case("huge.webp", lambda: webp_claiming(16_383, 16_383), "picture_too_large"),
    Case("no-size.png", lambda: png_claiming(0, 10), "not_a_picture"),
    Case("small-claim.jpg", lambda: jpeg_claiming(9_000, 9_000), "damaged_picture"),
    Case("comment.png", text_bomb, "damaged_picture"),
    Case("scans.jpg", many_scans, "too_many_scans"),
]
NAMES = [
    Case("../outside.png", lambda: picture(50), "unsafe_name"),
    Case("a/../../outside.png", lambda: picture(51), "unsafe_name"),
    Case("..\\outside.png", lambda: picture(52), "unsafe_name"),
    Case("/etc/outside.png", lambda: picture(53), "unsafe_name"),
    Case("C:\\outside.png", lambda: picture(54), "unsafe_name"),
    Case("\\\\server\\share\\a.png", lambda: picture(55), "unsafe_name"),
    Case("new\nline.png", lambda: picture(56), "bad_name"),
    Case("bell\x07.png", lambda: picture(57), "bad_name"),
    Case("c1\x85.png", lambda: picture(58), "bad_name"),
    Case("exe\u202egnp.png", lambda: picture(59), "bad_name"),
    Case("long/" + "x" * 600 + ".png", lambda: picture(60), "bad_name"),
    Case("CON.png", lambda: picture(61), "reserved_name"),
    Case("aux/1.png", lambda: picture(62), "reserved_name"),
    Case("a/lpt1.tar.png", lambda: picture(63), "reserved_name"),
    Case("inner.zip", lambda: zip_of({"a.png": picture(64)}), "nested_archive"),
    Case("inner.tar.gz", lambda: tar_of({"a.png": picture(65)}), "nested_archive"),
    Case("inner.7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(60), "nested_archive"),
    Case("inner.tar.zst", lambda: b"\x28\xb5\x2f\xfd" + bytes(60), "nested_archive"),
    Case("console/con1.png", lambda: picture(66), size=(40, 30)),
    Case("12:30:00 名前 ✓.png", lambda: picture(67), size=(40, 30)),
]
ODD = [
    *(
        Case("turned.jpg", lambda n=n: turned(n), size=(30, 40) if 5 <= n <= 8 else (40, 30), id=f"orientation-{n}")
        for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65_535)
    ),
    Case("turned.png", lambda: turned(6, "PNG"), size=(30, 40), id="orientation-png"),
    Case("turned.webp", lambda: turned(6, "WEBP"), size=(30, 40), id="orientation-webp"),
    Case("turned.tif", lambda: turned(6, "TIFF"), size=(30, 40), id="orientation-tiff"),
    Case("words.jpg", turned_in_words, size=(40, 30), id="orientation-in-words"),
    Case("exif.jpg", broken_exif, size=(40, 30)),
    Case("icc.jpg", lambda: broken_icc("JPEG"), size=(40, 30)),
    Case("icc.png", lambda: broken_icc("PNG"), size=(40, 30)),
    Case("cmyk.jpg", lambda: picture(70, form="JPEG", mode="CMYK"), size=(40, 30)),
    Case("ycck.jpg", ycck, size=(40, 30)),
    Case("grey16.png", lambda: picture(71, mode="I;16"), size=(40, 30)),
    Case("float.tif", deep_tiff, size=(40, 30)),
    Case("nan.tif", nan_tiff, size=(40, 30)),
    Case("cmyk.tif", lambda: picture(72, form="TIFF", mode="CMYK"), size=(40, 30)),
    Case("lab.tif", lambda: flat(40, 30, form="TIFF", mode="LAB"), size=(40, 30)),
    Case("palette.png", palette_with_alpha, size=(40, 30)),
    Case("bits.png", lambda: picture(73, mode="1"), size=(40, 30)),
    Case("animated.gif", lambda: frames("GIF"), "first_picture_only", (40, 30)),
    Case("animated.webp", lambda: frames("WEBP"), "first_picture_only", (40, 30)),
    Case("animated.png", lambda: frames("PNG"), "first_picture_only", (40, 30)),
    Case("pages.tif", lambda: frames("TIFF"), "first_picture_only", (40, 30)),
    Case("circle.tif", tiff_of_circles, size=(40, 30)),
    Case("phone.jpg", lambda: frames("MPO"), size=(40, 30)),
    Case("wrong-ending.png", lambda: picture(74, form="JPEG"), size=(40, 30)),
    Case("no-ending", lambda: picture(75, form="WEBP"), size=(40, 30)),
    Case("tail.jpg", lambda: picture(76, form="JPEG") + zip_of({"x.png": picture(77)}), size=(40, 30)),
    Case("dot.png", lambda: flat(1, 1), size=(1, 1)),
    Case("tall.png", lambda: flat(1, 65_535), size=(1, 65_535)),
    Case("wide.gif", lambda: flat(65_535, 1, form="GIF", mode="P"), size=(65_535, 1)),
    Case("hundred-megapixels.png", lambda: flat(10_000, 10_000, mode="L"), size=(10_000, 10_000)),
]
FILES = [*CUT_OFF, *UNREADABLE, *NAMES, *ODD]


def zip_with(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def tar_with(*entries: tuple[tarfile.TarInfo, bytes], compression: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=f"w:{compression}", format=tarfile.GNU_FORMAT) as archive:
        for info, data in entries:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tar_entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


GOOD = ("good.png", picture(1))


def tar_of_specials() -> bytes:
    kinds = {"soft": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "pipe": tarfile.FIFOTYPE, "tty": tarfile.CHRTYPE}
    specials = [(tar_entry(f"{name}.png", kind, "/etc/passwd"), b"") for name, kind in kinds.items()]
    return tar_with(*specials, (tar_entry("disk.png", tarfile.BLKTYPE), b""), (tar_entry(GOOD[0]), GOOD[1]))


def zip_link() -> bytes:
    link = zipfile.ZipInfo("link.png")
    link.external_attr = 0o120777 << 16
    return zip_with((link, b"/etc/passwd"), GOOD)


def zip_of_a_name(raw: bytes) -> bytes:
    """A zip whose entry has these bytes for a name, without saying in which encoding."""
    mark = ("?" * len(raw)).encode()
    return zip_with((mark.decode(), picture(2)), GOOD).replace(mark, raw)


def zip_patched(name: bytes, *, offset: int, value: bytes) -> bytes:
    """Changes a field of an entry's record in the central directory and beside the entry itself."""
    data = bytearray(zip_with((name.decode(), picture(2)), GOOD))
    for signature, before, shift in ((b"PK\x01\x02", 46, 0), (b"PK\x03\x04", 30, -2)):
        at = data.index(name, data.index(signature)) - before
        assert data[at : at + 4] == signature
        data[at + offset + shift : at + offset + shift + len(value)] = value
    return bytes(data)


def zip_damaged() -> bytes:
    data = bytearray(zip_with(("damaged.png", picture(2)), GOOD))
    at = data.index(b"damaged.png") + 500
    data[at : at + 50] = bytes(50)
    return bytes(data)


def sparse_bomb() -> bytes:
    """An old GNU sparse entry: 512 bytes that stand for 200 MiB of zeros."""
    block = bytearray(tar_entry("sparse.bmp").tobuf(tarfile.GNU_FORMAT))
    block[156:157] = tarfile.GNUTYPE_SPARSE
    block[483:495] = b"%011o\0" % (200 * 2**20)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + tar_with((tar_entry(GOOD[0]), GOOD[1]))


def header_bomb() -> bytes:
    """A long name of 60 MiB, packed to almost nothing."""
    long_name = (tar_entry("n", tarfile.GNUTYPE_LONGNAME), bytes(60 * 2**20))
    return gzip.compress(tar_with((tar_entry(GOOD[0]), GOOD[1]), long_name))


@dataclass(frozen=True)
class Archive:
    """A whole archive and what has to be told of it: name -> code. All of them hold ``good.png``, if it can be reached."""

    name: str
    data: Callable[[], bytes]
    rejects: dict[str, str]
    items: tuple[str, ...] = ("good.png",)


ARCHIVES = [
    Archive("links.zip", zip_link, {"link.png": "link_entry"}),
    Archive(
        "specials.tar",
        tar_of_specials,
        dict.fromkeys(("soft.png", "hard.png", "pipe.png", "tty.png", "disk.png"), "link_entry"),
    ),
    Archive(
        "twice.zip",
        lambda: zip_with(("a.png", picture(2)), ("a.png", picture(3)), GOOD),
        {"a.png": "duplicate_entry"},
        ("a.png", "good.png"),
    ),
    Archive(
        "twice.tar",
        lambda: tar_with((tar_entry("a.png"), picture(2)), (tar_entry("./a.png"), picture(3)), (tar_entry(GOOD[0]), GOOD[1])),
        {"a.png": "duplicate_entry"},
        ("a.png", "good.png"),
    ),
    Archive("locked.zip", lambda: zip_patched(b"secret.png", offset=8, value=b"\x01\x00"), {"secret.png": "entry_encrypted"}),
    Archive(
        "odd-method.zip", lambda: zip_patched(b"odd.png", offset=10, value=b"\x61\x00"), {"odd.png": "compression_unknown"}
    ),
    Archive("damaged.zip", zip_damaged, {"damaged.png": "entry_damaged"}),
    Archive("cut.zip", lambda: zip_with(GOOD, ("b.png", picture(2)))[:-40], {"cut.zip": "archive_cut_off"}, ()),
    Archive(
        "cut.tar.gz",
        lambda: tar_of({GOOD[0]: GOOD[1], "b.png": picture(2, size=(300, 300))})[:-2000],
        {"cut.tar.gz": "archive_damaged"},
    ),
    Archive(
        "cut.tar.xz",
        lambda: tar_of({GOOD[0]: GOOD[1], "b.png": picture(2, size=(600, 600))}, compression="xz")[:-400],
        {"cut.tar.xz": "archive_damaged"},
    ),
    Archive("zeros.zip", lambda: bytes(3000), {"zeros.zip": "archive_unknown"}, ()),
    Archive("empty.zip", lambda: b"", {"empty.zip": "archive_unknown"}, ()),
    Archive("nothing-in.zip", zip_with, {}, ()),
    Archive("album.rar", lambda: b"Rar!\x1a\x07\x01\x00" + bytes(100), {"album.rar": "archive_unknown"}, ()),
    Archive("album.7z", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100), {"album.7z": "archive_unknown"}, ()),
    Archive("album.tar.zst", lambda: b"\x28\xb5\x2f\xfd" + bytes(100), {"album.tar.zst": "archive_unknown"}, ()),
    Archive("one.gz", lambda: gzip.compress(picture(2)), {"one.gz": "archive_unknown"}, ()),
    Archive(
        "litter.zip",
        lambda: zip_with(("__MACOSX/._a.png", b"x"), (".DS_Store", b"x"), ("a/.hidden.png", b"x"), ("Thumbs.db", b"x"), GOOD),
        {},
    ),
    Archive("gbk.zip", lambda: zip_of_a_name("照片.png".encode("gb18030")), {}, ("good.png", "照片.png")),
    Archive("no-encoding.zip", lambda: zip_of_a_name(b"\xff\xff\xff.png"), {}, ("good.png", "\xa0\xa0\xa0.png")),
    Archive("nul.zip", lambda: zip_of_a_name(b"a.exe\0.png"), {"a.exe\\x00.png": "bad_name"}),
    Archive("sparse.tar", sparse_bomb, {"sparse.bmp": "compression_unknown"}),
    Archive("long-header.tar.gz", header_bomb, {"long-header.tar.gz": "archive_damaged"}),
    Archive("bomb.zip", lambda: zip_with(GOOD, ("zeros.bmp", bytes(100 * 2**20))), {"zeros.bmp": "compression_bomb"}),
    Archive(
        "bomb.tar.gz", lambda: tar_of({GOOD[0]: GOOD[1], "zeros.bmp": bytes(100 * 2**20)}), {"bomb.tar.gz": "compression_bomb"}
    ),
]
