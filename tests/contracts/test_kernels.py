"""Every operator found below ``engine/kernels/`` has what tests and exports need of it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
import torch

from engine import kernels
from engine.kernels import kernel_names, onnx_translations

FOLDER = Path(kernels.__file__).parent


def test_all_folders_are_listed():
    assert set(kernel_names()) == {path.parent.name for path in FOLDER.glob("*/__init__.py")}


@pytest.mark.parametrize("name", kernel_names())
def test_an_operator_has_a_reference_and_is_written_as_onnx_or_is_a_loss_with_gradients(name):
    files = {path.name for path in (FOLDER / name).iterdir()}
    assert {"op.py", "reference.py"} <= files
    import_module(f"engine.kernels.{name}.op")
    if "onnx.py" in files:
        assert f"modelyard::{name}" in {operator.name() for operator in onnx_translations()}
    else:
        assert hasattr(torch.ops.modelyard, f"{name}_backward")
