"""LitServe with the same model and the same decoding, as its own examples do it: base64 in JSON.

Run by the Python that PEER_PYTHON names, which has litserve, numpy, onnxruntime and Pillow.
``python -m benchmarks._litserve_app ARTEFACT PORT NUM_WORKERS``
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import litserve

from runtime.predictor import Predictor


class Api(litserve.LitAPI):
    def setup(self, device) -> None:
        self.predictor = Predictor()
        self.predictor.setup(Path(sys.argv[1]))

    def decode_request(self, request):
        return self.predictor.decode(base64.b64decode(request["image"]))

    def predict(self, x):
        return self.predictor.predict(x), x

    def encode_response(self, output):
        return self.predictor.encode(*output)


if __name__ == "__main__":
    server = litserve.LitServer(Api(), accelerator="cpu", workers_per_device=int(sys.argv[3]))
    server.run(port=int(sys.argv[2]), log_level="warning", generate_client_file=False)
