"""The lines of text in a picture, by the graphs of a model. Nobody loads torch for that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from runtime.errors import RuntimeFault
from runtime.predictor import Predictor
from runtime.templates.area import Pixels
from runtime.templates.lines import Line, lines_of
from studio.common.blobs import blobs
from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.reasons import REASONS
from studio.registry.models import Artefact
from studio.templates.errors import TemplatePictureError

_DAMAGED = "damaged_picture"


@dataclass(frozen=True)
class PictureRead:
    """A picture, and the lines of text in it."""

    width: int
    """In pixels, as it is seen upright; so is the height."""
    height: int
    lines: list[Line]
    pixels: Pixels


def picture_lines(artefact: Artefact, name: str, data: bytes) -> PictureRead:
    """Reads the lines of a picture.

    Args:
        artefact: the model.
        name: of the file, for the error.
        data: the file.

    Raises:
        TemplatePictureError: the file is no usable picture.
    """
    predictor = _predictor_of(artefact.tree)
    try:
        picture_read(data)
        decoded = predictor.decode(data)
        answer = predictor.predict(decoded)
    except PictureRefusedError as error:
        raise TemplatePictureError(name, REASONS[error.code]) from error
    except RuntimeFault as error:
        raise TemplatePictureError(name, REASONS[_DAMAGED]) from error
    found = predictor.encode(answer, decoded, thresholds=artefact.answers_from)
    return PictureRead(decoded.width_px, decoded.height_px, lines_of(found), decoded)


@lru_cache(maxsize=1)
def _predictor_of(tree: str) -> Predictor:
    """The model asked last; loading one takes longer than a picture."""
    predictor = Predictor()
    predictor.setup(blobs().fetch_tree(tree))
    return predictor
