"""Single objects with their pixels: counted as boxes are, and drawn as areas."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation
from studio.registry.answers import Side
from studio.registry.answers.boxes import Boxes
from studio.registry.answers.mask import areas_drawn


class Instances(Boxes):
    """See ``JudgedAnswers``."""

    are_boxes = False

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Areas, half translucent."""
        return areas_drawn(annotations, side)


KIND = Instances()
