"""The library for Java reads pictures as the runtime does, and no broken one ends the program."""

from __future__ import annotations

import random
import struct
import zlib

import numpy as np
from PIL import ImageCms

from tests.exporters.artefact_factory import LABELS, picture
from tests.exporters.java_library import artefact_of, ask, packed, predictor_of
from tests.exporters.javascript_items import difference
from tests.exporters.test_cpp_sdk import exact_files, file_of, lossy_files, turned

LOSSY = 0.005
"""Of a score, where a large JPEG is shrunk while it is decoded in Python, and afterwards in Java."""


def _png(image: np.ndarray, colour_type: int, extra: bytes = b"") -> bytes:
    """A PNG file with 16 bits a sample, which Pillow does not write of colours."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width = image.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in image)
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, colour_type, 0, 0, 0)), extra and chunk(b"tRNS", extra)]
    return b"".join([b"\x89PNG\r\n\x1a\n", *parts, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")])


def _more_files() -> dict[str, bytes]:
    """Files of which the JDK's readers have ideas of their own."""
    colour = picture(1, width=64, height=56)
    grey, palette = colour.convert("L"), colour.quantize(16)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    deep = np.asarray(colour).astype(np.uint16) * 257
    slope = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (56, 1))
    screens = {}
    for name, settings in {"gif-screen": {}, "gif-screen-holes": {"transparency": 3}}.items():
        screen = bytearray(file_of(palette, "GIF", **settings))
        screen[6:10] = struct.pack("<HH", 80, 70)
        screens[name] = bytes(screen)
    return {
        **screens,
        "jpeg-profile": file_of(colour, "JPEG", icc_profile=profile),
        "jpeg-profile-broken": file_of(colour, "JPEG", icc_profile=b"broken" * 40),
        "jpeg-422": file_of(colour, "JPEG", subsampling=1),
        "jpeg-rgb": file_of(colour, "JPEG", keep_rgb=True),
        "jpeg-cmyk-420": file_of(colour.convert("CMYK"), "JPEG", subsampling=2),
        "png-profile": file_of(colour, "PNG", icc_profile=profile),
        "png-grey-2": file_of(grey.quantize(4), "PNG", bits=2),
        "png-grey-key": file_of(grey, "PNG", transparency=grey.getpixel((5, 5))),
        "png-rgb-16": _png(deep, 2),
        "png-rgb-16-key": _png(deep, 2, struct.pack(">HHH", *map(int, deep[5, 5]))),
        "png-rgba-16": _png(np.dstack([deep, slope]), 6),
        "png-grey-alpha-16": _png(np.dstack([deep[..., 0], slope]), 4),
        "png-grey-16-key": _png(deep[..., 0], 0, struct.pack(">H", int(deep[5, 5, 0]))),
        "gif-grey": file_of(grey, "GIF"),
        "bmp-bits": file_of(colour.convert("1"), "BMP"),
        "bmp-grey": file_of(grey, "BMP"),
        **{f"jpeg-small-turned-{number}": file_of(colour, "JPEG", exif=turned(number)) for number in range(1, 9)},
    }


def test_pictures_are_read_as_the_runtime_reads_them(tmp_path):
    files, lossy = exact_files() | _more_files(), lossy_files()
    artefact = artefact_of("label_scores")
    predictor = predictor_of(artefact)
    for name, data in (files | lossy).items():
        (tmp_path / name).write_bytes(data)
    asked = [("predict", {"file": str(tmp_path / name)}, {"threshold": 0}) for name in files | lossy]
    _, *given = ask(("load", artefact), *asked)
    apart = {}
    for (name, data), ours in zip((files | lossy).items(), given, strict=True):
        item = predictor.decode(data)
        theirs = [dict(each) for each in predictor.encode(predictor.predict(item), item, threshold=0.0)]
        assert isinstance(ours, list), (name, ours)
        apart[name] = difference(ours, theirs)
    assert {name: each for name, each in apart.items() if each > (LOSSY if name in lossy else 0)} == {}


def test_broken_pictures_never_end_the_program():
    """What is answered all the same is answered whole."""
    drawn, broken = random.Random(3), []
    for data in (exact_files() | lossy_files() | _more_files()).values():
        for _ in range(8):
            some = bytearray(data[: drawn.randint(1, len(data))] if drawn.random() < 0.3 else data)
            for _ in range(drawn.randint(1, 6)):
                some[drawn.randrange(len(some))] = drawn.randrange(256)
            broken.append(packed(bytes(some)))
    _, *results = ask(("load", artefact_of("label_scores")), *(("predict", each, {"threshold": 0}) for each in broken))
    codes = {each["code"] for each in results if isinstance(each, dict)}
    assert codes == {"picture_unreadable", "picture_too_large"}
    assert all(len(each) == len(LABELS) for each in results if isinstance(each, list))
    assert len(results) > 300
