"""The training engine.

onnxruntime's Linux wheels report to their vendor from the moment they are imported, unless the environment says otherwise
before that; the package's first line is the one place that surely comes earlier.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
