"""torch to ONNX: the only place where it happens.

Two exports of the same weights give the same bytes: the exporter's notes on where a node came from (stack traces,
paths of this machine) are removed. Running the graph needs none of them.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.onnx._internal.exporter import _core, _registration

from engine.artefact import captured
from engine.artefact.traced import traced_once
from engine.errors import ParityError
from engine.kernels import onnx_translations

OPSET = 20
"""What current mobile runtimes and onnxruntime 1.17+ read."""
_LEAST_WEIGHT = 1e-20
"""What is nearer to 0 is written as 0."""


def export_graph(
    module: nn.Module,
    example: Tensor,
    path: Path,
    *,
    input_name: str,
    output_name: str,
    dynamic_axes: Mapping[int, str],
    multiples: Mapping[int, int] | None = None,
    cache_dir: Path | None = None,
) -> None:
    """Writes the module as an ONNX file, in inference mode.

    Args:
        module: on the CPU; it is left in eval mode.
        example: an input; its dynamic axes should have different lengths, none of them 1.
        path: written whole or not at all.
        input_name: of the one input.
        output_name: of the one output.
        dynamic_axes: names of the axes whose length may vary, by their place.
        multiples: of axes whose length is always a multiple of a number: that number.
        cache_dir: of the host, which keeps the graph without its weights for the next network of the same structure; None
            keeps nothing.

    Raises:
        ParityError: an axis cannot vary in the graph.
    """
    module.eval()

    def trace() -> onnx.ModelProto:
        return _traced(module, example, input_name=input_name, output_name=output_name, shapes=_shapes(dynamic_axes, multiples))

    signature = (example.dtype, tuple(example.shape), input_name, output_name, dict(dynamic_axes), *(multiples or {}).items())
    model = traced_once(module, trace, signature=signature, cache_dir=cache_dir)
    _check_dynamic(model, dynamic_axes)
    _forget_origins(model)
    _drop_tiny_weights(model)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")  # several jobs may export the same backbone
    partial.write_bytes(model.SerializeToString(deterministic=True))
    partial.replace(path)


@cache
def translations() -> _registration.ONNXRegistry:
    """How the exporter writes each operator, ours among them.

    ``torch.onnx.export`` reads the source of five hundred functions for this, at each export anew: a fifth of the time that a
    small network takes.
    """
    # torchvision is not there, and not missed.
    logging.getLogger(_registration.__name__).setLevel(logging.ERROR)
    registry = _registration.ONNXRegistry.from_torchlib(opset_version=OPSET)
    for operator, written in {**onnx_translations(), **captured.translations()}.items():
        registry.register_op(operator, written)
    return registry


def _traced(
    module: nn.Module, example: Tensor, *, input_name: str, output_name: str, shapes: Mapping[int, Any]
) -> onnx.ModelProto:
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of the exporter's own use of what torch deprecates
        program = _core.export(
            captured.captured(module, example, shapes, translations()),
            (example,),
            {},
            registry=translations(),
            dynamic_shapes=(shapes,),
            input_names=[input_name],
            output_names=[output_name],
            opset_version=OPSET,
            optimize=False,
            verbose=False,
        )
    program._rename_dynamic_axes((shapes,))
    return program.model_proto


def _shapes(dynamic_axes: Mapping[int, str], multiples: Mapping[int, int] | None) -> dict[int, Any]:
    return {axis: (multiples or {}).get(axis, 1) * torch.export.Dim(name) for axis, name in dynamic_axes.items()}


def _check_dynamic(model: onnx.ModelProto, dynamic_axes: Mapping[int, str]) -> None:
    """The exporter may silently fall back to tracing the example; an axis then keeps the example's length."""
    dims = model.graph.input[0].type.tensor_type.shape.dim
    fixed = [name for axis, name in dynamic_axes.items() if not dims[axis].dim_param]
    if fixed:
        raise ParityError(f"The exported graph takes one {fixed[0]} only: that of the example it was made from.")


def _drop_tiny_weights(model: onnx.ModelProto) -> None:
    """Weights that no answer shows become 0.

    Those of channels that died in training decay to the end of the range, below 1e-38, where a processor takes a hundred times
    as long for each product: the detector of text lines took 43 ms instead of 12.
    """
    for tensor in model.graph.initializer:
        if tensor.data_type != onnx.TensorProto.FLOAT or len(tensor.dims) < 2:  # constants may well be as small
            continue
        values = numpy_helper.to_array(tensor)
        is_tiny = np.abs(values) < _LEAST_WEIGHT
        if values[is_tiny].any():
            tensor.CopyFrom(numpy_helper.from_array(np.where(is_tiny, np.float32(0.0), values), tensor.name))


def _forget_origins(model: onnx.ModelProto) -> None:
    model.ClearField("metadata_props")
    model.graph.ClearField("metadata_props")
    model.graph.ClearField("value_info")
    for named in (*model.graph.node, *model.graph.input, *model.graph.output, *model.graph.initializer):
        named.ClearField("metadata_props")
        named.ClearField("doc_string")
