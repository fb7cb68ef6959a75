"""Looks at a picture once: is it whole, how large is it, what does it look like small.

One decode serves the check and the thumbnail. JPEG is decoded at a fraction of its size (``draft``), which still walks all of
its bytes and so still finds a cut-off file. ``Image.verify`` was decided against: for JPEG it checks next to nothing.
"""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from automl.contracts.dataset import MediaFacts
from studio.datasets.limits import LIMITS

THUMBNAIL_PX = 256
THUMBNAIL_SIZES_PX = (64, 128, 256, 512, 1024, 2048)
THUMBNAIL_TYPE = "image/jpeg"

_FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF")
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


def picture_read(data: bytes, *, thumbnail_px: int = THUMBNAIL_PX) -> Picture:
    """Decodes a picture.

    Raises:
        PictureRefusedError: the bytes are empty, no picture, cut off or more than the largest allowed size.
    """
    if not data:
        raise PictureRefusedError("empty_file")
    image = _open(data)
    try:
        width, height = image.size
        kind = "jpeg" if image.format in {"JPEG", "MPO"} else str(image.format).lower()
        orientation = _orientation(image)
        small = _small(image, thumbnail_px)
        if orientation in _UPRIGHT:
            small = small.transpose(_UPRIGHT[orientation])
        if orientation in _TURNED:
            width, height = height, width
        media = MediaFacts(width=width, height=height, format=kind, size_bytes=len(data))
        return Picture(media=media, thumbnail=_jpeg(small))
    except _BROKEN:
        raise PictureRefusedError("damaged_picture") from None
    finally:
        image.close()


def _open(data: bytes) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise PictureRefusedError("picture_too_large") from None
    except UnidentifiedImageError:
        raise PictureRefusedError("not_a_picture") from None
    except _BROKEN:
        raise PictureRefusedError("damaged_picture") from None
    if image.width * image.height > LIMITS.max_pixels:
        raise PictureRefusedError("picture_too_large")
    return image


def _orientation(image: Image.Image) -> int:
    if image.format == "TIFF":
        return 1  # Pillow turns TIFF upright by itself
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except _BROKEN:
        return 1  # a broken note about the picture is no reason to refuse the picture


def _small(image: Image.Image, size_px: int) -> Image.Image:
    """Loads the first frame, brings it to RGB and shrinks it."""
    image.draft("RGB", (size_px, size_px))
    image.load()
    small = _rgb(image)
    small.thumbnail((size_px, size_px), Image.Resampling.BILINEAR, reducing_gap=2.0)
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
