"""Graphs of structures, kept by a host without their weights: the next network of the same structure is not traced again.

Tracing a network takes seconds, setting weights into its graph a tenth of that, and most trials of a search differ from
others in their weights alone. What is kept is the graph before it is simplified, since simplifying computes with weights; it
depends on the structure alone, for the exporter traces with tensors that have a shape and no values.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from collections.abc import Callable, Collection, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import onnx
import torch
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnxscript import ir, rewriter
from torch import Tensor, nn

import engine
from engine.data.used import mark_used

_TRACERS = ("torch", "onnx", "onnx-ir", "onnxscript")
"""Packages on whose versions the graph depends."""


def traced_once(
    module: nn.Module, trace: Callable[[], onnx.ModelProto], *, signature: tuple[object, ...], cache_dir: Path | None
) -> onnx.ModelProto:
    """The module's graph with its weights in it, simplified.

    Args:
        module: in inference mode, on the CPU.
        trace: makes the graph that is not simplified.
        signature: all that the graph depends on besides the module; each needs a ``repr`` that identifies it.
        cache_dir: of the host; None keeps nothing.
    """
    key = None if cache_dir is None else structure_of(module, signature)
    path = None if cache_dir is None or key is None else cache_dir / "graphs" / f"structure-{key}.onnx"
    found = None if path is None else _read(path)
    if found is None:
        found = trace()
        if path is not None:
            _write(_emptied(found, module.state_dict().keys()), path)
    return _simplified(found, module.state_dict())


def structure_of(module: nn.Module, signature: tuple[object, ...]) -> str | None:
    """Names all that tracing sees, in 32 hexadecimal digits: modules, their attributes, the engine's code, versions.

    Of a weight it sees name, type and shape; other tensors count by their values. Modules that cannot be pickled have no name.
    """
    described = io.BytesIO()
    weights = module.state_dict(keep_vars=True)
    try:
        _Description(described, {id(tensor): name for name, tensor in weights.items()}).dump(module)
    except (pickle.PicklingError, TypeError, AttributeError):
        return None
    digest = hashlib.sha256(described.getvalue())
    digest.update(repr((signature, [(name, version(name)) for name in _TRACERS], _code())).encode())
    return digest.hexdigest()[:32]


class _Description(pickle.Pickler):
    def __init__(self, file: io.BytesIO, names: Mapping[int, str]):
        super().__init__(file, protocol=5)
        self._names = names

    def persistent_id(self, value: object) -> tuple[object, ...] | None:
        """Stands for a tensor."""
        if not isinstance(value, Tensor):
            return None
        form = (str(value.dtype), tuple(value.shape), value.stride())
        name = self._names.get(id(value))
        return (*form, name) if name is not None else (*form, value.detach().numpy().tobytes())


@cache
def _code() -> str:
    """A hash of the engine's source files."""
    digest = hashlib.sha256()
    for folder in engine.__path__:
        for path in sorted(Path(folder).rglob("*.py")):
            digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _emptied(model: onnx.ModelProto, names: Collection[str]) -> onnx.ModelProto:
    """The model with the values of its weights removed."""
    for number, tensor in enumerate(model.graph.initializer):
        if tensor.name in names:
            empty = onnx.TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
            model.graph.initializer[number].CopyFrom(empty)
    return model


def _read(path: Path) -> onnx.ModelProto | None:
    try:
        found = onnx.load_from_string(path.read_bytes())
    except (OSError, DecodeError):
        return None
    mark_used(path)
    return found


def _write(model: onnx.ModelProto, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_bytes(model.SerializeToString(deterministic=True))
    partial.replace(path)


class _OfOneOperator:
    """A rule for simplifying that is asked only of nodes of the operator that it ends in.

    The library asks each of its rules of each node, and prepares a match to find that the operator is another: half of the time
    that simplifying takes. What comes out is the same, to the byte.
    """

    def __init__(self, rule: rewriter.RewriteRule):
        self._rule = rule
        self._operator = rule._target_pattern.output_nodes[0].op

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rule, name)

    def try_rewrite(self, model: ir.Model, graph: ir.Graph, node: ir.Node, **options: Any) -> object:
        """What takes the node's place; None where the rule says nothing of it."""
        return self._rule.try_rewrite(model, graph, node, **options) if self._operator.matches(node.op_type) else None


@cache
def _sort_rules() -> None:
    """Once a process, for all who simplify in it."""
    rules: Any = tuple(_OfOneOperator(rule) for rule in rewriter._DEFAULT_REWRITE_RULES)
    rewriter._DEFAULT_REWRITE_RULES = rules


def _simplified(model: onnx.ModelProto, weights: Mapping[str, Tensor]) -> onnx.ModelProto:
    _sort_rules()
    program = torch.onnx.ONNXProgram(ir.from_proto(model), None)
    program.apply_weights({name: tensor for name, tensor in weights.items() if name in program.model.graph.initializers})
    program.optimize()
    return program.model_proto
