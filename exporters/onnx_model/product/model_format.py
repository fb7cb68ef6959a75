"""ONNX Runtime opens ``model.onnx``."""

from runtime.backends.onnxruntime_cpu import KIND as BACKEND

__all__ = ["BACKEND"]
