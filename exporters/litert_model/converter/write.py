"""``python write.py NETWORK.pt2 FILE.tflite``: a torch program as a LiteRT file; imports the converter and torch alone."""

from __future__ import annotations

import logging
import os
import sys
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
logging.disable(logging.ERROR)  # what its libraries say of machines without an accelerator
warnings.simplefilter("ignore")  # of the libraries' own use of what others deprecate

import litert_torch  # noqa: E402 - it logs while it is imported
import torch  # noqa: E402


def main(network: str, file: str) -> None:
    """Converts; ends with what the converter says where it cannot."""
    program = torch.export.load(network)
    inputs, _ = program.example_inputs
    try:
        litert_torch.convert(program.module(), inputs).export(file)
    except Exception as error:  # noqa: BLE001 - the libraries' own have no common base
        sys.exit(" ".join(str(error).split())[-500:])


if __name__ == "__main__":
    main(*sys.argv[1:])
