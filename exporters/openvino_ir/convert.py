"""``python convert.py MODEL.onnx FOLDER fp32|fp16`` writes ``model.xml`` and ``model.bin``; needs nothing of ours."""

from __future__ import annotations

import sys
from pathlib import Path


def main(model: Path, folder: Path, weights: str) -> None:
    """Converts; ends with the reason where the model cannot be read."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment] # without it nothing is reported to the vendor
    import openvino  # noqa: PLC0415 - only after the line above

    try:
        read = openvino.convert_model(model)
    except Exception as error:  # noqa: BLE001 - the library's own have no common base
        sys.exit(" ".join(str(error).split())[-500:])
    for key in list(read.get_rt_info()):
        del read.get_rt_info()[key]
    openvino.save_model(read, folder / "model.xml", compress_to_fp16=weights == "fp16")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
