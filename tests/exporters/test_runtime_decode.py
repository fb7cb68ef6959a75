"""Picture files become what the graph takes, by the rules of the artefact's decode entry."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageOps

from runtime.items.image.decode import picture_decode
from runtime.items.image.errors import PictureTooLargeError, PictureUnreadableError
from tests.exporters.artefact_factory import picture, picture_bytes

LARGE = 10_000


def file_of(image: Image.Image, suffix: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, suffix, **options)
    return file.getvalue()


@pytest.mark.parametrize("suffix", ["PNG", "BMP", "TIFF", "GIF", "WEBP", "JPEG"])
def test_known_formats_are_read(suffix: str) -> None:
    options = {"lossless": True} if suffix == "WEBP" else {}
    decoded = picture_decode(file_of(picture(1), suffix, **options), min_side_px=LARGE).pixels_HWC
    assert decoded.dtype == np.uint8
    assert decoded.shape == (40, 48, 3)
    slack = {"JPEG": 12, "GIF": 12}.get(suffix, 0)
    assert np.abs(decoded.astype(int) - np.asarray(picture(1))).mean() <= slack


def test_unlisted_format_is_refused() -> None:
    with pytest.raises(PictureUnreadableError):
        picture_decode(file_of(picture(1), "PPM"), min_side_px=1)


@pytest.mark.parametrize("suffix", ["JPEG", "PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(orientation: int, suffix: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    # Four fields of different colour show any wrong turn.
    fields = np.zeros((32, 64, 3), np.uint8)
    fields[:16, :32, 0] = fields[:16, 32:, 1] = fields[16:, :32, 2] = 255
    image = Image.fromarray(fields)
    tagged = file_of(image, suffix, exif=exif)
    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(tagged))).convert("RGB"))
    decoded = picture_decode(tagged, min_side_px=LARGE)
    assert np.array_equal(decoded.pixels_HWC, expected)
    assert (decoded.height_px, decoded.width_px) == expected.shape[:2]
    shrunk = picture_decode(tagged, min_side_px=8)
    assert (shrunk.height_px, shrunk.width_px) == expected.shape[:2]
    assert shrunk.pixels_HWC.shape[0] < expected.shape[0]


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparency_is_laid_over_white(mode: str) -> None:
    image = Image.new("RGBA", (8, 4), (0, 0, 0, 0))
    image.paste((200, 200, 200, 255), (0, 0, 4, 4))
    data = file_of(
        image.convert("P") if mode == "P" else image.convert(mode), "PNG", **({"transparency": 0} if mode == "P" else {})
    )
    decoded = picture_decode(data, min_side_px=LARGE).pixels_HWC
    assert (decoded[:, 5:] == 255).all()
    assert np.abs(decoded[:, :4].astype(int) - 200).max() <= 4


def test_half_transparent_pixel_mixes_with_white() -> None:
    data = file_of(Image.new("RGBA", (4, 4), (0, 0, 0, 128)), "PNG")
    assert np.abs(picture_decode(data, min_side_px=LARGE).pixels_HWC.astype(int) - 127).max() <= 1


@pytest.mark.parametrize("mode", ["L", "1", "CMYK", "P"])
def test_other_colour_modes_become_rgb(mode: str) -> None:
    data = file_of(picture(1).convert(mode), "TIFF")
    assert picture_decode(data, min_side_px=LARGE).pixels_HWC.shape == (40, 48, 3)


def test_sixteen_bit_grey_keeps_its_upper_half() -> None:
    values = np.linspace(0, 65535, 64).astype(np.uint16).reshape(8, 8)
    decoded = picture_decode(file_of(Image.fromarray(values), "PNG"), min_side_px=LARGE).pixels_HWC
    assert np.array_equal(decoded[..., 0], values >> 8)


@pytest.mark.parametrize("suffix", ["JPEG", "PNG"])
@pytest.mark.parametrize(
    ("size", "expected"), [((800, 600), (4, 5)), ((400, 450), (2, 4)), ((127, 500), (1, 1)), ((130, 128), (1, 1))]
)
def test_large_picture_shrinks_by_a_whole_factor_and_stays_large_enough(
    suffix: str, size: tuple[int, int], expected: tuple[int, int]
) -> None:
    data = picture_bytes(1, suffix, width=size[0], height=size[1])
    height, width, _ = picture_decode(data, min_side_px=128).pixels_HWC.shape
    assert min(height, width) >= min(128, *size)
    factor = size[0] / width
    assert expected[0] <= round(factor) <= expected[1]
    assert abs(factor - size[1] / height) < 0.1


def test_shrinking_keeps_the_picture() -> None:
    large = picture(4, width=640, height=512)
    full = np.asarray(large.resize((64, 51), Image.Resampling.BOX)).astype(int)
    for suffix in ("JPEG", "PNG"):
        small = Image.fromarray(picture_decode(file_of(large, suffix), min_side_px=64).pixels_HWC).resize(
            (64, 51), Image.Resampling.BOX
        )
        assert np.abs(np.asarray(small).astype(int) - full).mean() < 4


@pytest.mark.parametrize("suffix", ["JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP"])
def test_cut_off_file_is_refused(suffix: str) -> None:
    whole = picture_bytes(1, suffix, width=200, height=200)
    for share in (0.02, 0.5):
        with pytest.raises(PictureUnreadableError):
            picture_decode(whole[: int(len(whole) * share)], min_side_px=64)


@pytest.mark.filterwarnings("ignore::UserWarning")  # Pillow's remarks on broken TIFF tags
def test_damaged_bytes_never_end_in_another_error() -> None:
    rng = np.random.default_rng(0)
    for suffix in ("JPEG", "PNG", "WEBP", "GIF", "TIFF", "BMP"):
        whole = np.frombuffer(picture_bytes(2, suffix), np.uint8)
        for _ in range(60):
            damaged = whole.copy()
            places = rng.integers(0, len(damaged), 6)
            damaged[places] = rng.integers(0, 256, 6)
            try:
                decoded = picture_decode(damaged.tobytes(), min_side_px=32).pixels_HWC
            except (PictureUnreadableError, PictureTooLargeError):
                continue
            assert decoded.shape[2] == 3
