"""Whether a picture is like the normal ones."""

from __future__ import annotations

from studio.predictions.answers.class_scores import ClassScores


class HeatMaps(ClassScores):
    """See ``AnswerColumns``: the label, its score, and what is left of one for the other. Heat maps are not stored."""


KIND = HeatMaps()
