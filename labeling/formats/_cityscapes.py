"""Cityscapes' masks: which of a picture's files hold the ids of labels, and what the ids mean.

The table is that of cityscapesScripts (``labels.py``): a label with ``ignoreInEval`` does not count.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass

from automl.contracts.annotation import IGNORED_LABEL
from studio.datasets.uploads.mask_files import mask_stem

_NAMES = {
    7: "road",
    8: "sidewalk",
    11: "building",
    12: "wall",
    13: "fence",
    17: "pole",
    19: "traffic light",
    20: "traffic sign",
    21: "vegetation",
    22: "terrain",
    23: "sky",
    24: "person",
    25: "rider",
    26: "car",
    27: "truck",
    28: "bus",
    31: "train",
    32: "motorcycle",
    33: "bicycle",
}
"""Labels that are evaluated, by id, in the order of their train ids."""
_NUM_IDS = 34
_PICTURES, _FOLDERS = "leftImg8bit", frozenset({"gtFine", "gtCoarse"})
_LICENCE_PLATE = 255
"""Its id is -1."""
_IDS, _TRAIN_IDS = "_labelids.png", "_labeltrainids.png"
_BY_ID = dict.fromkeys([*range(_NUM_IDS), _LICENCE_PLATE], IGNORED_LABEL) | _NAMES
_BY_TRAIN_ID = {_LICENCE_PLATE: IGNORED_LABEL} | dict(enumerate(_NAMES.values()))


@dataclass(frozen=True)
class IdFiles:
    """Masks of ids."""

    places: list[str]
    labels: dict[int, str]
    """By the value of a pixel."""

    @staticmethod
    def picture(place: str) -> str:
        """The picture of a mask, without its suffix."""
        folders = [_PICTURES if part in _FOLDERS else part for part in posixpath.dirname(place).split("/")]
        return posixpath.join(*folders, mask_stem(place) + "_leftImg8bit")


def id_files(places: Sequence[str]) -> IdFiles | None:
    """The masks of ids among the masks of a set, which has others of the same pictures beside them; None of other sets."""
    for ending, labels in ((_IDS, _BY_ID), (_TRAIN_IDS, _BY_TRAIN_ID)):
        found = [place for place in places if place.lower().endswith(ending)]
        if found:
            return IdFiles(found, labels)
    return None
