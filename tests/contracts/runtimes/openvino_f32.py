"""OpenVINO at full precision. Its default on newer processors is bfloat16, whose answers are rougher in every layer."""

import openvino


def run(model, pictures):
    core = openvino.Core()
    precise = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    return core.compile_model(core.read_model(model), "CPU", precise)(pictures)[0]
