"""The last layer: a vector of features to one logit a label. Shapes: B batch, D features, L labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from torch import Tensor, nn

DROPOUT_FRACTION = 0.2


class Classifier(nn.Module):
    """A backbone and a linear head; what is trained, checkpointed and exported."""

    label_layers: ClassVar[Mapping[str, tuple[int, int, int]]] = {"head": (1, 0, 0)}
    """Layers with an output a label, by their names or that of the module that holds them: groups of outputs, and in each group
    how many stand before those of the labels and how many behind (``engine.training.start``)."""

    def __init__(self, backbone: nn.Module, num_features: int, num_labels: int):
        super().__init__()
        self.backbone = backbone
        self.dropout = nn.Dropout(DROPOUT_FRACTION)
        self.head = nn.Linear(num_features, num_labels)
        nn.init.zeros_(self.head.weight)  # every label is equally likely at first, whatever the features' scale
        nn.init.zeros_(self.head.bias)

    def forward(self, items_B: Tensor) -> Tensor:
        """Logits ``_BL`` of items as the backbone takes them: sRGB pictures 0..255 ``_BCHW``, or tokens ``_BT``."""
        return self.head(self.dropout(self.backbone(items_B)))


def build(backbone: nn.Module, num_features: int, num_labels: int) -> Classifier:
    """Puts a fresh head on a backbone that yields ``num_features`` numbers an item."""
    return Classifier(backbone, num_features, num_labels)
