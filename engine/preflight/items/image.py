"""Pictures: whether their bytes are there and are pictures to their end, what modes they have, and copies among splits."""

from __future__ import annotations

import hashlib
import time
from io import BytesIO

import numpy as np
from PIL import Image

from engine.data.blob import DAMAGED_HINT, is_blob
from engine.data.image import PictureDamagedError, PictureUnreadableError, decode_picture, resize_picture
from engine.errors import EngineError
from engine.job import Job
from engine.preflight.items._found import Found
from engine.preflight.items.kind import Looked
from engine.preflight.part import VersionItems

HUGE_PX = 40_000_000
"""Pixels, from which on reading one picture takes as long as learning from several."""
_LOOK_PX = 64
_SAME_LEVELS = 2.0
"""Levels of each colour around its mean, below which a picture shows nothing."""
_USUAL_MODES = frozenset({"RGB", "L", "RGBA", "P", "1", "LA"})


class Images:
    """See ``FaultKind``."""

    def look(self, items: VersionItems, job: Job, *, time_s: float) -> Looked:
        """See ``FaultKind``."""
        found, ends_s = Found(), time.monotonic() + time_s
        blobs, names, splits = (items.table[name] for name in ("blob", "name", "split"))
        seen: dict[bytes, tuple[str, str]] = {}
        for place in items.unusual(np.arange(len(items))):
            if time.monotonic() > ends_s:
                break
            job.control.raise_if_stopped()
            item, name, blob = items.ids[place], names[place].as_py(), blobs[place].as_py()
            try:
                pixels_HWC, is_odd, num_pixels = _opened(items, blob, name)
            except EngineError as error:
                found.refuse(item, name, error)
            else:
                if is_odd:
                    found.advise("mode_odd", item, name)
                if num_pixels > HUGE_PX:
                    found.advise("picture_huge", item, name)
                if pixels_HWC.std(axis=(0, 1)).max() < _SAME_LEVELS:
                    found.advise("picture_blank", item, name)
                key, split = hashlib.blake2b(pixels_HWC.tobytes(), digest_size=16).digest(), splits[place].as_py()
                other = seen.setdefault(key, (split, blob))
                if other[0] != split and other[1] != blob:
                    found.advise("picture_in_two_splits", item, name)
            found.num_read += 1
        return found.looked()


def _opened(items: VersionItems, blob: str, name: str) -> tuple[np.ndarray, bool, int]:
    """A small copy of a picture, whether its mode is unusual, and its pixels."""
    try:
        data = items.version.blob_path(blob).read_bytes()
    except OSError as error:
        raise PictureUnreadableError(f"{name} cannot be read: {error.strerror}.") from error
    if not is_blob(data, blob):
        raise PictureDamagedError(f"The stored bytes of {name} changed.", hint=DAMAGED_HINT)
    pixels_HWC = decode_picture(data, min_side_px=_LOOK_PX)
    with Image.open(BytesIO(data)) as header:
        is_odd, num_pixels = header.mode not in _USUAL_MODES, header.width * header.height
    return resize_picture(pixels_HWC, height_px=_LOOK_PX, width_px=_LOOK_PX), is_odd, num_pixels


KIND = Images()
