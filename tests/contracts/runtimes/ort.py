"""onnxruntime, as the platform and every Python product use it."""

import onnxruntime


def answers(model, batches):
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    return [session.run(None, {"picture": pictures})[0] for pictures in batches]
