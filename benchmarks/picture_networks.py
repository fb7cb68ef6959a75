"""Every network that tells pictures apart: a step of training, the graph that is shipped, and what an answer costs.

Each size begins with random numbers, takes a step on a batch of two pictures of 64 pixels, is exported at its own side and
answers one picture with ONNX Runtime on one thread. The ratio is the largest difference between the graph's answer and the
network's, beside the largest answer; a table of all sizes goes to standard error: times are processor time, in
turns with ResNet-18.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from automl.contracts.family import FeatureKind, SizeSpec
from automl.contracts.modality import Modality
from benchmarks.harness import Claim, Options, cpu_seconds, main
from engine.artefact.graph import export_graph
from engine.models import family_names, family_part, family_spec

_STEP_PX = 64
_ROUNDS = 5
_MOST_DIFFERENCE = 1e-3
_ANCHOR = ("resnet", "18")


def measure(options: Options) -> list[Claim]:
    """One claim a family: how far a graph is from its network at most."""
    torch.set_num_threads(1)
    specs = [spec for spec in map(family_spec, family_names()) if _is_whole(spec.reads, spec.yields, is_frozen=spec.is_frozen)]
    chosen = [(spec.name, size) for spec in specs for size in spec.sizes]
    chosen = options.pick(chosen, smoke=[(spec.name, spec.sizes[0]) for spec in specs if spec.name == "shufflenet_v2"])
    sys.stderr.write("| network | parameters | MACs | MB | step, s | export, s | answer, ms | by ResNet-18's |\n")
    sys.stderr.write("| --- | --- | --- | --- | --- | --- | --- | --- |\n")
    differences: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        anchor = _Exported(*_ANCHOR, Path(folder) / "anchor.onnx")
        for family, size in sorted(chosen, key=lambda each: each[1].num_parameters):
            found = _row(family, size, anchor, Path(folder) / "model.onnx")
            differences[family] = max(differences.get(family, 0.0), found)
    return [
        Claim(
            "picture_networks",
            f"largest difference of a graph of {family}",
            found,
            1.0,
            found,
            _MOST_DIFFERENCE,
            is_at_most=True,
        )
        for family, found in differences.items()
    ]


def _is_whole(reads: Modality, yields: FeatureKind, *, is_frozen: bool) -> bool:
    return reads is Modality.IMAGE and yields is FeatureKind.VECTOR and not is_frozen


class _Exported:
    """A network after a step of training, and its graph."""

    def __init__(self, family: str, size: str, path: Path) -> None:
        torch.manual_seed(0)
        self.size = family_spec(family).size(size)
        model = family_part(family, "network").build(size, 10)
        start = cpu_seconds()
        _step(model, torch.rand(2, 3, _STEP_PX, _STEP_PX) * 255)
        self.step_s = cpu_seconds() - start
        side_px = self.size.resolution_px
        pictures_BCHW = torch.rand(2, 3, side_px, side_px) * 255
        start = cpu_seconds()
        export_graph(model, pictures_BCHW, path, input_name="pictures", output_name="logits", dynamic_axes={0: "batch"})
        self.export_s = cpu_seconds() - start
        self.num_bytes = path.stat().st_size
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(path, settings)
        with torch.no_grad():
            expected = model(pictures_BCHW).numpy()
        self._one = pictures_BCHW[:1].numpy()
        (found,) = self._session.run(None, {"pictures": pictures_BCHW.numpy()})
        self.difference = float(np.abs(found - expected).max() / np.abs(expected).max())

    def answer_ms(self) -> float:
        """Of one picture."""
        start = cpu_seconds()
        self._session.run(None, {"pictures": self._one})
        return 1000 * (cpu_seconds() - start)


def _row(family: str, size: SizeSpec, anchor: _Exported, path: Path) -> float:
    exported = _Exported(family, size.name, path)
    pairs = list(_turns(exported, anchor))
    ms, ratio = statistics.median(own for own, _ in pairs), statistics.median(own / other for own, other in pairs)
    facts = (
        size.title.en,
        f"{size.num_parameters / 1e6:.2f} M",
        f"{size.macs / 1e6:.0f} M at {size.resolution_px} px",
        f"{exported.num_bytes / 1e6:.1f}",
        f"{exported.step_s:.2f}",
        f"{exported.export_s:.1f}",
        f"{ms:.1f}",
        f"{ratio:.2f}",
    )
    sys.stderr.write(f"| {' | '.join(facts)} |\n")
    return exported.difference


def _turns(exported: _Exported, anchor: _Exported) -> Iterator[tuple[float, float]]:
    pairs = [(exported.answer_ms(), anchor.answer_ms()) for _ in range(_ROUNDS + 1)]
    yield from pairs[1:]  # the first warms up


def _step(model: torch.nn.Module, pictures_BCHW: Tensor) -> None:
    optimiser = torch.optim.SGD(model.parameters(), lr=1e-3)
    F.cross_entropy(model.train()(pictures_BCHW), torch.tensor([0, 1])).backward()
    optimiser.step()
    model.eval()


if __name__ == "__main__":
    main(measure)
