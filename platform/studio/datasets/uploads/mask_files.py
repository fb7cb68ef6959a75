"""Which pictures of an upload are masks of others, by their names alone: they are no pictures of the set.

As CamVid (``trainannot``), Cityscapes (``gtFine``), KITTI (``semantic``, ``instance``), PASCAL VOC (``SegmentationClass``),
MVTec (``ground_truth``) and many others lay them out.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable

MASK_FOLDERS = frozenset(
    {
        *("mask", "masks", "segmentationclass", "segmentationobject", "segmentationclassaug", "labelids", "gt", "ground_truth"),
        *("annotations", "labels", "gtfine", "gtcoarse", "semantic", "semantic_rgb", "instance", "instances"),
        *("trainannot", "valannot", "testannot"),
    }
)
PICTURE_FOLDERS = frozenset(
    {
        *("images", "image", "imgs", "img", "image_2", "image_3", "jpegimages", "pictures", "rgb", "data", "frames"),
        *("train", "training", "val", "valid", "validation", "test", "testing"),
    }
)
_MASKS = (".png", ".bmp", ".tif", ".tiff")
_PICTURES = (".jpg", ".jpeg", ".webp", *_MASKS)
_ENDS = re.compile(
    r"(_mask|_l|_label|_labelids|_gt(fine|coarse)_(color|instanceids|labelids|labeltrainids|polygons)|_leftimg8bit)$",
    re.IGNORECASE,
)


def mask_stem(name: str) -> str:
    """What a mask and its picture are both called."""
    return _ENDS.sub("", posixpath.splitext(posixpath.basename(name))[0])


def is_mask_place(name: str) -> bool:
    """Whether a file lies where masks lie."""
    return name.lower().endswith(_MASKS) and any(part in MASK_FOLDERS for part in name.lower().split("/")[:-1])


def mask_files(names: Iterable[str]) -> frozenset[str]:
    """The masks among the files of an upload: those in a folder for masks whose picture lies where pictures do.

    ``mask/1.png`` beside ``no mask/1.png`` is a picture with a label.
    """
    pictures = [name for name in names if name.lower().endswith(_PICTURES)]
    masks = [name for name in pictures if is_mask_place(name)]
    if not masks:
        return frozenset()
    others: dict[str, list[frozenset[str]]] = defaultdict(list)
    for name in pictures:
        if not is_mask_place(name):
            others[mask_stem(name)].append(_folders(name))
    return frozenset(name for name in masks if any(_belong(_folders(name), one) for one in others.get(mask_stem(name), ())))


def _folders(name: str) -> frozenset[str]:
    return frozenset(name.lower().split("/")[:-1])


def _belong(mask: frozenset[str], picture: frozenset[str]) -> bool:
    """Whether a picture's folders are those of the mask but for such as say where pictures lie."""
    return all(part in PICTURE_FOLDERS or part.startswith("leftimg8bit") for part in picture - mask)
