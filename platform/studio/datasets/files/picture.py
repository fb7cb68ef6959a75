"""Looks at a picture once: is it whole, how large is it, what does it look like small.

One decode serves the check and the thumbnail. JPEG is decoded at a fraction of its size, which still walks all of its bytes and
so still finds a cut-off file; by libjpeg-turbo itself, which says when a picture ends before its time, where Pillow fills up
with grey. Pillow has the last word on JPEGs that are odd otherwise. ``Image.verify`` was decided against: for JPEG it checks
next to nothing.

Memory is bounded: pictures that need much of it are decoded one at a time, and what has to become RGB does so in strips.
"""

from __future__ import annotations

import io
import struct
import threading
import warnings
import zlib
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import simplejpeg
from PIL import Image, UnidentifiedImageError

from automl.contracts.dataset import MediaFacts
from studio.datasets.files.limits import LIMITS

THUMBNAIL_PX = 256
THUMBNAIL_SIZES_PX = (64, 128, 256, 512, 1024, 2048)

_MANY_PIXELS = 16_000_000
"""A picture that decodes to more than this is decoded alone: a hundred megapixels take 400 MB."""
_ALONE = threading.Lock()
_ENOUGH = 0.875
"""A thumbnail may be an eighth smaller than asked for: 240 px instead of 256 nobody sees, and it saves half of the work."""
_STRIP_PIXELS = 2**20
_MAX_SCANS = 200
"""Of a progressive JPEG, which has ten or so. Each is a walk over the whole picture, so a few kilobytes could cost hours."""
_SCAN = b"\xff\xda"

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF")
"""That are read, as Pillow calls them."""
_FOREIGN = (
    (4, b"ftyp"),  # HEIC, AVIF, MP4, MOV
    (0, b"%PDF"),
    (0, b"8BPS"),  # Photoshop
    (0, b"\xff\x0a"),  # JPEG XL
    (0, b"\0\0\0\x0cJXL "),
    (0, b"\0\0\0\x0cjP  "),  # JPEG 2000
    (0, b"\x1aE\xdf\xa3"),  # Matroska, WebM
    (0, b"FUJIFILMCCD-RAW"),
    (0, b"\0\0\1\0"),  # Windows icon
)
_TURBO_COLORS = ("Gray", "YCbCr", "RGB")
_TURNED = frozenset({5, 6, 7, 8})
_ORIENTATION = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# What Pillow's decoders raise on bytes that are not what their header says.
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error, zlib.error)

# Above glibc's threshold for memory of its own, so that a large picture's memory goes back to the system at once and not into
# the heap of whichever thread decoded it.
Image.core.set_block_size(64 * 2**20)  # type: ignore[attr-defined]
# The cap below is ours and is an error; Pillow's own is a warning at another number.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)


class PictureRefusedError(ValueError):
    """The bytes are no usable picture; ``code`` is a key of ``REASONS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Picture:
    """What one look found."""

    media: MediaFacts
    thumbnail: bytes
    """JPEG, at most ``THUMBNAIL_PX`` on its longer side, upright."""
    note: str | None = None
    """A note although the picture was taken: a key of ``REASONS``."""


def picture_read(data: bytes, *, thumbnail_px: int = THUMBNAIL_PX) -> Picture:
    """Decodes a picture.

    Raises:
        PictureRefusedError: the bytes are empty, no picture, cut off or more than the largest allowed size.
    """
    small, media, note = _looked_at(data, thumbnail_px)
    return Picture(media=media, thumbnail=_jpeg(small), note=note)


def picture_small(data: bytes, *, longer_px: int) -> Image.Image:
    """Decodes a picture to upright RGB pixels of at most so many on its longer side; raises as ``picture_read``."""
    return _looked_at(data, longer_px)[0]


def _looked_at(data: bytes, size_px: int) -> tuple[Image.Image, MediaFacts, str | None]:
    """The picture small and upright, its facts, and a note if there is one."""
    if not data:
        raise PictureRefusedError("empty_file")
    image = _open(data)
    try:
        width, height = image.size
        kind = "jpeg" if image.format in {"JPEG", "MPO"} else str(image.format).lower()
        if kind == "jpeg" and "progressive" in image.info and data.count(_SCAN) > _MAX_SCANS:
            raise PictureRefusedError("too_many_scans")
        with _turn(image, size_px):  # from here on: asking a PNG for its orientation loads it
            note = "first_picture_only" if _has_more(image) else None
            orientation = _orientation(image)
            small = (_turbo(data, size_px) if kind == "jpeg" else None) or _small(image, size_px)
            if small is not image:
                image.close()
        if orientation in _UPRIGHT:
            small = small.transpose(_UPRIGHT[orientation])
        if orientation in _TURNED:
            width, height = height, width
        media = MediaFacts(width=width, height=height, format=kind, size_bytes=len(data))
        return small.copy() if small is image else small, media, note
    except PictureRefusedError:
        raise
    except _BROKEN:
        raise PictureRefusedError("damaged_picture") from None
    finally:
        image.close()


def _open(data: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError:
        raise PictureRefusedError("picture_too_large") from None
    except UnidentifiedImageError:
        raise PictureRefusedError("format_unsupported" if _is_foreign(data) else "not_a_picture") from None
    except _BROKEN:
        raise PictureRefusedError("damaged_picture") from None
    if image.width * image.height > LIMITS.max_pixels:
        raise PictureRefusedError("picture_too_large")
    return image


def _is_foreign(data: bytes) -> bool:
    """Whether the bytes are of a known kind that is not taken; SVG has no signature but its tag."""
    return any(data.startswith(mark, at) for at, mark in _FOREIGN) or b"<svg" in data[:1024]


def _has_more(image: Image.Image) -> bool:
    """Whether pages or frames follow the first. A phone's JPEG brings previews along, which nobody misses."""
    try:
        return image.format != "MPO" and bool(getattr(image, "is_animated", False))
    except _BROKEN:
        return False


def _turn(image: Image.Image, size_px: int) -> AbstractContextManager[object]:
    """Waits for its turn when the picture takes much memory."""
    is_scaled = image.format in {"JPEG", "MPO"} and "progressive" not in image.info
    shrink = min(8, max(1, max(image.size) // size_px)) if is_scaled else 1
    return _ALONE if image.width * image.height > _MANY_PIXELS * shrink**2 else nullcontext()


def _orientation(image: Image.Image) -> int:
    if image.format == "TIFF":
        return 1  # Pillow turns TIFF upright by itself
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except _BROKEN:
        return 1  # a broken note about the picture is no reason to refuse the picture


def _turbo(data: bytes, size_px: int) -> Image.Image | None:
    """A small RGB picture of a usual JPEG; None when Pillow should look at it.

    Raises:
        PictureRefusedError: the picture ends before its time.
    """
    try:
        height, width, color, _ = simplejpeg.decode_jpeg_header(data)
        if color not in _TURBO_COLORS:
            return None
        scale = next((one for one in (8, 4, 2) if max(height, width) >= size_px * one * _ENOUGH), 1)
        size = {"min_height": -(-height // scale), "min_width": -(-width // scale)}
        pixels = simplejpeg.decode_jpeg(data, "RGB", fastdct=True, fastupsample=True, **size)
    except ValueError as error:
        if "premature end" in str(error).lower():
            raise PictureRefusedError("damaged_picture") from None
        return None
    small = Image.fromarray(pixels)
    small.thumbnail((size_px, size_px), Image.Resampling.BILINEAR, reducing_gap=2.0)
    return small


def _small(image: Image.Image, size_px: int) -> Image.Image:
    """Loads the first frame, brings it to RGB and shrinks it."""
    image.draft("RGB", (size_px, size_px))
    image.load()
    factor = max(image.size) // (2 * size_px)
    small = _reduced(image, factor) if factor > 1 else _rgb(image)
    small.thumbnail((size_px, size_px), Image.Resampling.BILINEAR, reducing_gap=2.0)
    return small


def _reduced(image: Image.Image, factor: int) -> Image.Image:
    """An RGB picture of one ``factor``-th each way, made in strips: a copy of the whole in another mode would not be small."""
    width, height = image.size
    small = Image.new("RGB", (-(-width // factor), -(-height // factor)))
    rows = factor * max(1, _STRIP_PIXELS // (width * factor))
    for top in range(0, height, rows):
        strip = image.crop((0, top, width, min(top + rows, height)))
        small.paste(_rgb(strip).reduce(factor), (0, top // factor))
    return small


def _rgb(image: Image.Image) -> Image.Image:
    """Any mode as 8-bit RGB: deep greys are scaled, transparency lies on white, CMYK is converted."""
    if image.mode == "RGB":
        return image
    if image.mode.startswith("I"):
        # 16-bit greys: the upper byte is the picture.
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L").convert("RGB")
    if image.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in image.info:
        rgba = image.convert("RGBA")
        ground = Image.new("RGB", image.size, (255, 255, 255))
        ground.paste(rgba, mask=rgba.getchannel("A"))
        return ground
    return image.convert("RGB")


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.info.clear()
    image.save(out, "JPEG", quality=82)
    return out.getvalue()
