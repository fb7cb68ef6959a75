"""Every operator found below ``engine/kernels/`` has what tests and exports need of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import kernels
from engine.kernels import kernel_names, onnx_translations

FOLDER = Path(kernels.__file__).parent


def test_all_folders_are_listed():
    assert set(kernel_names()) == {path.parent.name for path in FOLDER.glob("*/__init__.py")}


@pytest.mark.parametrize("name", kernel_names())
def test_an_operator_has_a_reference_and_is_written_as_onnx(name):
    assert {"op.py", "onnx.py", "reference.py"} <= {path.name for path in (FOLDER / name).iterdir()}
    assert f"modelyard::{name}" in {operator.name() for operator in onnx_translations()}
