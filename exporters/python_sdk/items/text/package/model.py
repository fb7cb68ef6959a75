"""The model as one class."""

from __future__ import annotations

from pathlib import Path

from .runtime.annotations import Annotation, Answer
from .runtime.predictor import Predictor
from .runtime.updates import InstalledModels

MODELS = InstalledModels(Path(__file__).resolve().parent)


class Model:
    """The trained model, loaded and warm. May be used from several threads at once."""

    def __init__(self) -> None:
        self._predictor = Predictor()
        self._predictor.setup(MODELS.current().artefact_dir)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the order of the model's outputs."""
        return self._predictor.labels

    def predict(self, text: str | bytes, *, top: int | None = None, threshold: float | None = None) -> list[Annotation]:
        """Says what a text is about, best first.

        Args:
            text: the text itself, or its bytes in UTF-8.
            top: at most so many annotations; None takes 5.
            threshold: lowest score, 0..1; None takes the model's own.

        Raises:
            ValueError: top or threshold is not allowed.
            runtime.errors.RuntimeFault: there is no text, or its bytes are not UTF-8.
        """
        return self.answer(text, top=top, threshold=threshold)["annotations"]

    def answer(self, text: str | bytes, *, top: int | None = None, threshold: float | None = None) -> Answer:
        """As ``predict``, with what stands beside the annotations where an error rate was chosen for the model."""
        if top is not None and top < 1:
            raise ValueError(f"top must be at least 1, not {top}")
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must lie between 0 and 1, not {threshold}")
        decoded = self._predictor.decode(text.encode() if isinstance(text, str) else text)
        return self._predictor.answer(self._predictor.predict(decoded), decoded, top=top, threshold=threshold)
