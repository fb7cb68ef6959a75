"""What annotations are made of."""

from __future__ import annotations

from automl.contracts.annotation import Annotations


def test_minus_zero_is_zero():
    boxes = Annotations.validate_python(
        [
            {"kind": "box", "label": "a", "x": -0.0, "y": -0.0, "width": 1.0, "height": 1.0},
            {"kind": "polygon", "label": "a", "points": [[-0.0, 1.0], [2.0, -0.0], [2.0, 2.0]]},
        ]
    )
    assert b"-0" not in Annotations.dump_json(boxes)
