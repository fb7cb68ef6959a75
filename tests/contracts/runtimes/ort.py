"""onnxruntime, as the platform and every Python product use it."""

import onnxruntime


def run(model, pictures):
    (output,) = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"]).run(None, {"picture": pictures})
    return output
