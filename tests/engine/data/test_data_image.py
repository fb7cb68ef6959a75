"""Odd pictures: whatever Pillow's users meet, decoded to the same RGB as Pillow would show."""

import io
import struct

import numpy as np
import pytest
from PIL import Image

from engine.data.image import PictureUnreadableError, decode_picture, read_picture, resize_picture
from tests.engine.data.version_factory import encoded, soft_picture

HEIGHT, WIDTH = 40, 60
SOFT = soft_picture(HEIGHT, WIDTH)
GREY = SOFT.convert("L")
TURNS = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}  # orientation -> PIL transpose that shows it upright


def _with_orientation(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encoded(SOFT, "JPEG", quality=95, exif=exif)


def _sixteen_bit_png() -> bytes:
    return encoded(Image.fromarray(np.asarray(GREY).astype(np.uint16) * 257), "PNG")


def _palette_with_transparency() -> bytes:
    palette = SOFT.quantize(8)
    return encoded(palette, "PNG", transparency=palette.getpixel((0, 0)))


ODD = {
    "jpeg": (encoded(SOFT, "JPEG", quality=95), SOFT),
    "progressive jpeg": (encoded(SOFT, "JPEG", quality=95, progressive=True), SOFT),
    "jpeg without chroma subsampling": (encoded(SOFT, "JPEG", quality=95, subsampling=0), SOFT),
    "grey jpeg": (encoded(GREY, "JPEG", quality=95), GREY.convert("RGB")),
    "cmyk jpeg": (encoded(SOFT.convert("CMYK"), "JPEG", quality=95), SOFT),
    "png": (encoded(SOFT, "PNG"), SOFT),
    "grey png": (encoded(GREY, "PNG"), GREY.convert("RGB")),
    "16 bit grey png": (_sixteen_bit_png(), GREY.convert("RGB")),
    "1 bit png": (encoded(GREY.convert("1"), "PNG"), GREY.convert("1").convert("RGB")),
    "palette png": (encoded(SOFT.quantize(64), "PNG"), SOFT.quantize(64).convert("RGB")),
    "webp": (encoded(SOFT, "WEBP", lossless=True), SOFT),
    "gif": (encoded(SOFT.quantize(64), "GIF"), SOFT.quantize(64).convert("RGB")),
    "bmp": (encoded(SOFT, "BMP"), SOFT),
    "tiff": (encoded(SOFT, "TIFF"), SOFT),
    "animated gif, first frame": (
        encoded(SOFT.quantize(64), "GIF", save_all=True, append_images=[Image.new("P", SOFT.size)]),
        SOFT.quantize(64).convert("RGB"),
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_picture_decodes_to_what_pillow_shows(name):
    data, expected = ODD[name]
    pixels = decode_picture(data)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8
    assert np.abs(pixels.astype(int) - np.asarray(expected).astype(int)).mean() < 3


@pytest.mark.parametrize("orientation", TURNS)
def test_exif_orientation_is_applied(orientation):
    upright = Image.open(io.BytesIO(_with_orientation(orientation)))
    turn = TURNS[orientation]
    expected = np.asarray(upright if turn is None else upright.transpose(Image.Transpose(turn)))
    assert np.array_equal(decode_picture(_with_orientation(orientation)), expected)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_shows_white(mode):
    clear = Image.new("RGBA", (4, 4), (200, 0, 0, 0)).convert(mode)
    assert (decode_picture(encoded(clear, "PNG")) == 255).all()


def test_half_transparent_black_shows_grey():
    half = Image.new("RGBA", (4, 4), (0, 0, 0, 128))
    assert np.abs(decode_picture(encoded(half, "PNG")).astype(int) - 127).max() <= 1


def test_transparent_palette_entry_shows_white():
    palette = SOFT.quantize(8)
    pixels = decode_picture(_palette_with_transparency())
    is_clear = np.asarray(palette) == palette.getpixel((0, 0))
    assert (pixels[is_clear] == 255).all()
    assert not (pixels[~is_clear] == 255).all()


def test_sixteen_bits_keep_their_range():
    ramp = np.linspace(0, 65535, 256).astype(np.uint16).reshape(16, 16)
    pixels = decode_picture(encoded(Image.fromarray(ramp), "PNG"))
    assert pixels[..., 0].ravel().tolist() == pytest.approx(list(range(256)), abs=1)


def _cut_png_header() -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 9, 9, 8, 2, 0, 0, 0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a picture",
        encoded(SOFT, "JPEG")[:200],
        encoded(soft_picture(200, 200), "JPEG")[:-500],
        encoded(SOFT, "PNG")[:-60],
        _cut_png_header(),
        b"\xff\xd8\xff\xe0" + bytes(50),
    ],
    ids=["empty", "text", "jpeg header", "jpeg cut", "png cut", "png header", "jpeg zeros"],
)
def test_broken_picture_is_refused(data):
    with pytest.raises(PictureUnreadableError) as caught:
        decode_picture(data)
    assert caught.value.code == "picture_unreadable"


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(PictureUnreadableError, match="No such file"):
        read_picture(tmp_path / "gone.jpg")


@pytest.mark.parametrize(
    ("min_side_px", "shape"), [(None, (400, 640, 3)), (224, (400, 640, 3)), (200, (200, 320, 3)), (50, (50, 80, 3))]
)
def test_scaled_decode_stays_above_the_smallest_side(min_side_px, shape):
    data = encoded(soft_picture(400, 640), "JPEG", quality=95)
    assert decode_picture(data, min_side_px=min_side_px).shape == shape


def test_scaled_decode_of_a_turned_picture_goes_through_pillow_and_stays_upright():
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encoded(soft_picture(400, 640), "JPEG", quality=95, exif=exif)
    assert decode_picture(data, min_side_px=100).shape == (160, 100, 3)


@pytest.mark.parametrize("size", [(10, 15), (64, 64), (33, 200)])
def test_resize_equals_pillow(size):
    height, width = size
    expected = np.asarray(SOFT.resize((width, height), Image.Resampling.BILINEAR)).astype(int)
    resized = resize_picture(np.asarray(SOFT).copy(), height_px=height, width_px=width)
    assert np.abs(resized.astype(int) - expected).max() <= 1
