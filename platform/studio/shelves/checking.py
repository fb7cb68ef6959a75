"""From a photo to named packs: the detector's answer, a crop of each box, and the gallery's name of it."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from runtime.errors import RuntimeFault
from runtime.items.image.decode import MAX_PIXELS, picture_decode
from studio.datasets.files.reasons import REASONS
from studio.deployments.models import Deployment
from studio.deployments.tryout import Answer, server_ask
from studio.galleries.errors import GalleryModelGoneError, GalleryPictureError
from studio.galleries.models import Gallery
from studio.galleries.selectors import Match, gallery_names, gallery_search, limit_of
from studio.shelves.errors import ShelfBoxError
from studio.shelves.report import Box, Place, ShelfReport, shelf_report

MOST_PACKS = 300
"""In one photo; each is looked at by the gallery's model."""
_DAMAGED = "damaged_picture"


@dataclass(frozen=True)
class FoundPack:
    """A pack in the photo."""

    box: Box
    label: str
    """That the detector gave it."""
    score: float
    match: Match | None
    """The most similar entry of the gallery, whether or not it is similar enough; None where the gallery is empty."""
    place: Place

    @property
    def name(self) -> str | None:
        """Of the product; None where nothing in the gallery is similar enough."""
        return self.match.name if self.match is not None and self.match.is_same else None


@dataclass(frozen=True)
class Checked:
    """A photo that was checked."""

    width: int
    """Of the photo, in pixels, as it is seen upright; so is the height."""
    height: int
    limit: float
    """The gallery's."""
    packs: list[FoundPack]
    report: ShelfReport


def detector_asked(deployment: Deployment, name: str, data: bytes) -> Answer:
    """The prediction server's answer to a photo, unchanged; it counts as a call of the deployment.

    Raises:
        PredictionServerError: the server does not answer.
    """
    return server_ask(deployment, MOST_PACKS, files=[("file", (name, data))])


def packs_named(
    gallery: Gallery, name: str, data: bytes, annotations: Sequence[Mapping[str, Any]], plan: Mapping[str, int]
) -> Checked:
    """Names what the detector found, and counts it.

    Args:
        gallery: that names.
        name: of the file, for the error.
        data: the photo.
        annotations: the detector's answer.
        plan: how many packs of a product should be there.

    Raises:
        GalleryModelGoneError: the gallery's model was deleted.
        GalleryPictureError: the file is no usable picture.
    """
    limit = limit_of(gallery)
    if limit is None:
        raise GalleryModelGoneError
    photo = photo_open(name, data)
    found = [(each, box) for each in annotations if (box := _inside(each, photo)) is not None]
    matches = [_match(gallery, crop_encoded(photo, box)) for _, box in found]
    names = [each.name if each is not None and each.is_same else None for each in matches]
    report, places = shelf_report([box for _, box in found], names, known=gallery_names(gallery), plan=plan)
    packs = [
        FoundPack(box, each["label"], each["score"], match, place)
        for (each, box), match, place in zip(found, matches, places, strict=True)
    ]
    return Checked(photo.width, photo.height, limit, packs, report)


def photo_open(name: str, data: bytes) -> Image.Image:
    """A photo upright and in its own size, by the rules by which models see pictures.

    Raises:
        GalleryPictureError: the file is no usable picture.
    """
    try:
        return Image.fromarray(picture_decode(data, min_side_px=MAX_PIXELS).pixels_HWC)
    except RuntimeFault as error:
        raise GalleryPictureError(name, REASONS[_DAMAGED]) from error


def crop_encoded(photo: Image.Image, box: Box) -> bytes:
    """A pack by itself, as PNG: what is searched and what is added to a gallery are the same bytes.

    Raises:
        ShelfBoxError: nothing of the box lies in the photo.
    """
    sides = (max(0, round(box.x)), max(0, round(box.y)), round(box.x + box.width), round(box.y + box.height))
    left, top, right, end = sides[0], sides[1], min(photo.width, sides[2]), min(photo.height, sides[3])
    if right <= left or end <= top:
        raise ShelfBoxError(photo.width, photo.height)
    out = io.BytesIO()
    photo.crop((left, top, right, end)).save(out, "PNG", compress_level=1)
    return out.getvalue()


def _inside(annotation: Mapping[str, Any], photo: Image.Image) -> Box | None:
    """The part of a box that lies in the photo; None where that is less than a pixel."""
    left, top = max(0.0, annotation["x"]), max(0.0, annotation["y"])
    right = min(float(photo.width), annotation["x"] + annotation["width"])
    end = min(float(photo.height), annotation["y"] + annotation["height"])
    box = Box(left, top, right - left, end - top)
    return box if round(right) > round(left) and round(end) > round(top) else None


def _match(gallery: Gallery, crop: bytes) -> Match | None:
    found = gallery_search(gallery, "pack.png", crop, top=1)
    return found[0] if found else None
