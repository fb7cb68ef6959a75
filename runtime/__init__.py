"""The one runtime: it answers the platform's own API and goes verbatim into every bundle.

It imports the standard library, numpy, onnxruntime and Pillow, and its own modules relatively, so it works as a package of any
name. Only ``server`` knows uvicorn. Micro-batching is left out on purpose: on the CPU it gained nothing and cost latency.
"""

import os

# onnxruntime's Linux wheels report to their vendor from the moment they are imported, unless the environment says otherwise.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
