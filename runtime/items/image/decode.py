"""Turns a picture file into what the graph takes: RGB, uint8, height x width x 3.

The rules are those of the artefact's ``decode`` entry: EXIF orientation applied, transparency composited over white, and
a large picture shrunk by a whole factor while both sides stay at least ``min_side_px``. Formats are listed by name, so that no
other parser ever sees foreign bytes.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# Importing a plugin registers it; otherwise Pillow loads all forty at the first file it does not know.
from PIL import BmpImagePlugin, GifImagePlugin, Image, JpegImagePlugin, PngImagePlugin, TiffImagePlugin, WebPImagePlugin

from .errors import PictureTooLargeError, PictureUnreadableError

FORMATS = [
    plugin.format
    for plugin in (
        JpegImagePlugin.JpegImageFile,
        PngImagePlugin.PngImageFile,
        WebPImagePlugin.WebPImageFile,
        BmpImagePlugin.BmpImageFile,
        GifImagePlugin.GifImageFile,
        TiffImagePlugin.TiffImageFile,
    )
]
MAX_PIXELS = 100_000_000
"""Larger than any camera's picture; a deflate bomb of a few kB may claim more."""

EXIF_ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What undoes each value of the EXIF orientation tag."""
ON_ITS_SIDE = range(5, 9)
"""Values of the tag with which width and height change places."""


class Picture(NamedTuple):
    """A decoded picture."""

    pixels_HWC: NDArray[np.uint8]  # noqa: N815 - the suffix is the shape
    """Upright; smaller than the file's picture where that was large."""
    width_px: int
    """Of the file's picture, upright."""
    height_px: int


def picture_decode(data: bytes, *, min_side_px: int, shrink: int | None = None) -> Picture:
    """Decodes one picture file.

    Args:
        data: its bytes.
        min_side_px: a large picture may be shrunk while both sides stay at least as long.
        shrink: the factor by which any picture is shrunk instead.

    Raises:
        PictureUnreadableError: no picture, a broken one, or a format that is not listed.
        PictureTooLargeError: more pixels than ``MAX_PIXELS``.
    """
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            return picture_array(picture, min_side_px=min_side_px, shrink=shrink)
    except Image.DecompressionBombError as error:
        raise PictureTooLargeError(f"the picture claims more than {MAX_PIXELS:,} pixels") from error
    # Pillow's parsers answer broken bytes with any of these.
    except (OSError, SyntaxError, ValueError, IndexError, KeyError, TypeError, EOFError, OverflowError) as error:
        raise PictureUnreadableError(f"the picture cannot be decoded: {_reason(error)}") from error


def picture_array(picture: Image.Image, *, min_side_px: int, shrink: int | None = None) -> Picture:
    """Brings a Pillow picture to an array by the same rules; arguments as of ``picture_decode``.

    Raises:
        PictureTooLargeError: more pixels than ``MAX_PIXELS``.
    """
    if picture.width * picture.height > MAX_PIXELS:
        raise PictureTooLargeError(
            f"the picture has {picture.width} x {picture.height} pixels, at most {MAX_PIXELS:,} are decoded"
        )
    width_px, height_px = picture.size
    if shrink is None:
        picture.draft("RGB", (min_side_px, min_side_px))
    flat = _rgb(picture)
    # Asked for after loading: Pillow turns a TIFF (and its size) by itself, and then forgets the tag.
    orientation = _orientation(picture)
    factor = min(flat.width, flat.height) // min_side_px if shrink is None else min(shrink, *flat.size)
    if factor > 1:
        flat = flat.reduce(factor)
    if orientation in TURNS:
        flat = flat.transpose(TURNS[orientation])
    if orientation in ON_ITS_SIDE:
        width_px, height_px = height_px, width_px
    return Picture(np.asarray(flat), width_px, height_px)


def _orientation(picture: Image.Image) -> int:
    if picture.format in ("JPEG", "WEBP") and "exif" not in picture.info:
        return 1
    orientation: Any = picture.getexif().get(EXIF_ORIENTATION, 1)
    return orientation if isinstance(orientation, int) else 1


def _rgb(picture: Image.Image) -> Image.Image:
    if picture.mode == "RGB" and "transparency" not in picture.info:
        picture.load()
        return picture
    if picture.mode.startswith("I"):
        return _from_16_bit(picture)
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(ground, layer).convert("RGB")
    return picture.convert("RGB")


def _from_16_bit(picture: Image.Image) -> Image.Image:
    """Keeps the upper eight bits; Pillow's own conversion would clip everything above 255."""
    values = np.asarray(picture)
    return Image.fromarray((np.clip(values, 0, 65535) >> 8).astype(np.uint8)).convert("RGB")


def _reason(error: Exception) -> str:
    text = str(error)
    return "not a picture of a known format" if "cannot identify" in text else (text or type(error).__name__)
