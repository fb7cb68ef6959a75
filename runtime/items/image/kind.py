"""Pictures as one model reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ...annotations import Bounds
from ...facts import Fact
from .._single import SingleItems
from ..kind import Feeds
from .calls import ImageCalls
from .decode import Picture, picture_array, picture_decode
from .facts import picture_facts
from .occlusion import area_around, picture_occlude, weights_of


class Images(SingleItems):
    """See ``Items``."""

    name: ClassVar[str] = "image"
    calls: ClassVar[type[ImageCalls]] = ImageCalls

    def __init__(self, decode: Mapping[str, Any], inputs: Sequence[str], artefact_dir: Path) -> None:
        del artefact_dir
        self.min_side_px = int(decode["min_side_px"])
        self.shrink: int | None = decode.get("shrink")
        self._input = inputs[0]

    @staticmethod
    def files(decode: Mapping[str, Any]) -> Sequence[str]:
        """See ``Items``."""
        del decode
        return ()

    def typical(self) -> Picture:
        """A grey picture, through a file."""
        grey = BytesIO()
        Image.new("RGB", (self.min_side_px, self.min_side_px), "grey").save(grey, "JPEG")
        return self.decode(grey.getvalue())

    def decode(self, data: bytes) -> Picture:
        """Reads a picture's file.

        Raises:
            PictureUnreadableError, PictureTooLargeError: it is none, or a broken one, or has too many pixels.
        """
        return picture_decode(data, min_side_px=self.min_side_px, shrink=self.shrink)

    def decode_image(self, picture: Image.Image) -> Picture:
        """Does the same for an open Pillow picture."""
        return picture_array(picture, min_side_px=self.min_side_px, shrink=self.shrink)

    def fed(self, feeds: Feeds) -> list[Picture]:
        """See ``Items``."""
        pixels_NHWC = feeds[self._input]  # noqa: N806 - the suffix is the shape
        height, width = pixels_NHWC.shape[1:3]
        return [Picture(pixels, width, height) for pixels in pixels_NHWC]

    def explain(self, data: bytes, score: Callable[[Picture], float], box: Bounds | None = None) -> dict[str, Any]:
        """What counts in a picture: a grid of cells over it, or over an object and what lies around it."""
        picture = self.decode(data)
        area = None if box is None else area_around(box, picture.width_px, picture.height_px)
        grid, falls = picture_occlude(picture, score, area)
        found = {"rows": grid.rows, "columns": grid.columns, "falls": falls, "weights": weights_of(falls)}
        return {"grid": found | ({} if area is None else {"area": area})}

    def feeds(self, decoded: Picture) -> dict[str, NDArray[np.uint8]]:
        """See ``Items``."""
        return {self._input: decoded.pixels_HWC[None]}

    def facts(self, decoded: Picture) -> list[Fact]:
        """See ``Items``."""
        return picture_facts(decoded)
