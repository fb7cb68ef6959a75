"""Vectors of pictures, by the graph of a model. Nobody loads torch for that. Shapes: N pictures, D numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from runtime.errors import RuntimeFault
from runtime.predictor import Predictor
from studio.common.blobs import blobs
from studio.datasets.files.picture import PictureRefusedError, picture_read
from studio.datasets.files.reasons import REASONS
from studio.galleries.errors import GalleryModelGoneError, GalleryPictureError
from studio.registry.models import Artefact

_DAMAGED = "damaged_picture"
VECTOR_TYPE = np.dtype("<f4")


def vector_of(artefact: Artefact | None, name: str, data: bytes) -> NDArray[np.float32]:
    """Where a model puts a picture: ``_D``, of length one.

    Args:
        artefact: the model.
        name: of the file, for the error.
        data: the file.

    Raises:
        GalleryModelGoneError: there is no model.
        GalleryPictureError: the file is no usable picture.
    """
    if artefact is None:
        raise GalleryModelGoneError
    predictor = predictor_of(artefact.tree)
    try:
        picture_read(data)
        (answer,) = predictor.predict_many(predictor.decode(data))
    except PictureRefusedError as error:
        raise GalleryPictureError(name, REASONS[error.code]) from error
    except RuntimeFault as error:
        raise GalleryPictureError(name, REASONS[_DAMAGED]) from error
    return np.asarray(answer, dtype=VECTOR_TYPE)


@lru_cache(maxsize=2)
def predictor_of(tree: str) -> Predictor:
    """The models asked last; loading one takes longer than a picture."""
    predictor = Predictor()
    predictor.setup(blobs().fetch_tree(tree))
    return predictor
