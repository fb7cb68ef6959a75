"""The model as one class."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .runtime.annotations import Annotation, Answer
from .runtime.items.image.decode import Picture as Decoded
from .runtime.items.image.kind import Images
from .runtime.predictor import Predictor
from .runtime.templates import templates_named
from .runtime.templates.fields import FieldsAnswer, fields_of_best
from .runtime.templates.lines import lines_of
from .runtime.updates import InstalledModels

MODELS = InstalledModels(Path(__file__).resolve().parent)

Picture = str | os.PathLike[str] | bytes | Image.Image | NDArray[np.uint8]


class Model:
    """The trained model, loaded and warm. May be used from several threads at once."""

    def __init__(self) -> None:
        self._predictor = Predictor()
        self._predictor.setup(MODELS.current().artefact_dir)
        assert isinstance(self._predictor.items, Images)  # the artefact reads pictures
        self._items = self._predictor.items

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the order of the model's outputs."""
        return self._predictor.labels

    def predict(self, picture: Picture, *, top: int | None = None, threshold: float | None = None) -> list[Annotation]:
        """Says what is in a picture, best first.

        Args:
            picture: a path, a file's bytes, a Pillow picture, or an array of height x width x 3 in uint8 RGB.
            top: at most so many annotations; None takes 5 labels, or 100 boxes or masks.
            threshold: lowest score, 0..1; None takes the model's own.

        Raises:
            ValueError: top, threshold or the array's shape is not allowed.
            runtime.errors.RuntimeFault: the picture cannot be decoded.
        """
        return self.answer(picture, top=top, threshold=threshold)["annotations"]

    def answer(self, picture: Picture, *, top: int | None = None, threshold: float | None = None) -> Answer:
        """As ``predict``, with what stands beside the annotations where an error rate was chosen for the model."""
        if top is not None and top < 1:
            raise ValueError(f"top must be at least 1, not {top}")
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must lie between 0 and 1, not {threshold}")
        decoded = self._decode(picture)
        return self._predictor.answer(self._predictor.predict(decoded), decoded, top=top, threshold=threshold)

    def fields(self, picture: Picture, template: str | None = None) -> FieldsAnswer:
        """Reads the fields of a form by a template that came with the model.

        Args:
            picture: as of ``predict``.
            template: its name; None takes the one of which most reference texts are found.

        Raises:
            runtime.errors.RuntimeFault: there is no such template, the picture does not show the form, or it cannot be decoded.
        """
        chosen = templates_named(self._predictor.templates, template)
        decoded = self._decode(picture)
        answer = self._predictor.answer(self._predictor.predict(decoded), decoded)
        return fields_of_best(chosen, lines_of(answer["annotations"]), decoded)

    def _decode(self, picture: Picture) -> Decoded:
        if isinstance(picture, np.ndarray):
            if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
                raise ValueError(f"an array must be height x width x 3 in uint8, not {picture.shape} in {picture.dtype}")
            return Decoded(picture, picture.shape[1], picture.shape[0])
        if isinstance(picture, Image.Image):
            return self._items.decode_image(picture)
        return self._predictor.decode(picture if isinstance(picture, bytes) else Path(picture).read_bytes())
