"""The training loss: as for every classification."""

from engine.tasks.shared.classification.loss import answers, build, draw_weights, label_weights, scores

__all__ = ["answers", "build", "draw_weights", "label_weights", "scores"]
