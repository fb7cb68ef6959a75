"""onnxruntime, as the platform and every Python product use it."""

import onnxruntime


def answers(model, batches):
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    (taken,) = session.get_inputs()
    return [session.run(None, {taken.name: pictures})[0] for pictures in batches]
