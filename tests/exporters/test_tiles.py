"""Large pictures read in tiles: windows, their blending, and what cannot run them."""

from __future__ import annotations

import numpy as np
import pytest

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.task import OutputKind
from exporters.build import artefact_check, target_find, target_names
from exporters.errors import PipelineNotRunError
from runtime.pipelines import pipeline_of
from runtime.pipelines.tiles import GRAPH_FILE, LOGITS, WINDOW, starts
from tests.exporters.artefact_factory import artefact_write

SIDE = 8
SPEC = {"kind": "tiles", "window_px": SIDE, "stride_px": 6, "planes_px": 20}
SURE = 3.0


class _Graph:
    """Says of each pixel what its red says, and less and less surely towards the window's edge."""

    def __init__(self) -> None:
        self.num_windows = 0

    def run(self, feeds):
        windows_BSSC = feeds[WINDOW]
        self.num_windows += len(windows_BSSC)
        assert windows_BSSC.shape[1:] == (SIDE, SIDE, 3)
        return (SURE * np.eye(3, dtype=np.float32)[windows_BSSC[..., 0]]).transpose(0, 3, 1, 2)


def _planes(picture_HWC):
    graph = _Graph()

    def opened(name, output):
        assert (name, output) == (GRAPH_FILE, LOGITS)
        return graph

    (planes,) = pipeline_of(SPEC, opened).run({"picture": picture_HWC[None]})
    return planes, graph.num_windows


@pytest.mark.parametrize(("height", "width"), [(20, 20), (37, 53), (5, 3), (8, 100)])
def test_windows_answer_each_pixel_as_one_look_at_the_whole_would(height, width):
    picture_HWC = np.zeros((height, width, 3), dtype=np.uint8)
    picture_HWC[..., 0] = np.random.default_rng(0).integers(0, 3, (height, width))
    planes_2PP, num_windows = _planes(picture_HWC)
    rows, columns = ((2 * np.arange(20) + 1) * side // 40 for side in (height, width))
    np.testing.assert_array_equal(planes_2PP[0], picture_HWC[rows][:, columns, 0] - 1.0)
    np.testing.assert_allclose(planes_2PP[1], np.exp(SURE) / (np.exp(SURE) + 2), rtol=1e-5)
    assert num_windows == len(starts(height, SIDE, 6)) * len(starts(width, SIDE, 6))


def test_windows_reach_from_edge_to_edge():
    assert starts(5, 8, 6).tolist() == [0]
    assert starts(20, 8, 6).tolist() == [0, 6, 12]
    assert starts(21, 8, 6).tolist() == [0, 4, 9, 13]


def test_targets_without_tiles_refuse_such_models(tmp_path):
    folder = artefact_write(tmp_path / "artefact", output=OutputKind.MASK)
    manifest = ArtefactManifest.read(folder / MANIFEST_FILE).model_copy(update={"pipeline": "tiles"})
    able = set()
    for name in target_names():
        spec = target_find(name).spec
        if manifest.decode.kind not in spec.items or manifest.output not in spec.accepts:
            continue
        try:
            artefact_check(spec, manifest)
            able.add(name)
        except PipelineNotRunError:
            pass
    assert able == {"onprem_server", "python_sdk", "device_bundle", "model_update"}
