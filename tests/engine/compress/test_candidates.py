"""The job ``compress``: smaller graphs that answer as certified, and what cannot be made smaller."""

import json
import shutil
from contextlib import contextmanager

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from automl.contracts.artefact import MANIFEST_FILE, MODEL_FILE, PIPELINE_FILE, ArtefactManifest, GoldenSamples
from automl.contracts.compression import (
    CERTIFICATE_FILE,
    COMPRESSION_FILE,
    Budget,
    Certificate,
    CompressionReport,
    over_budget,
)
from automl.contracts.dataset import Split
from automl.contracts.job import CompressOrder, JobSpec, TrainConfig
from automl.contracts.report import REPORT_FILE, Report
from engine.artefact import parity
from engine.compress import candidate as candidate_files
from engine.compress import measure, methods, prune, sensitivity, smaller_network
from engine.compress import source as compress_source
from engine.compress.graphs import carrying_nodes, inner_nodes, named, weighted_nodes
from engine.compress.methods import method_names, method_of, methods_for
from engine.compress.refit import correction
from engine.compress.smaller_graph import NoCandidateError
from engine.compress.source import Source
from engine.data.version import DatasetVersion
from engine.events import EventLog
from engine.job import Job
from engine.models import family_spec
from engine.tasks import task_spec
from engine.tasks.shared.outcomes import Outcomes, right_or_wrong
from engine.training.reading.graphs import RECOGNISER_FILE
from runtime.pipelines.text_lines import HEIGHT_PX, LINE
from runtime.pipelines.tiles import WINDOW, starts
from runtime.selftest import replay
from tests.engine.jobs import TILED, brief_order, events, host_cache, run_here, trained_once
from tests.support.once import made_once

TEXTS = "text_classification"
TWIN = TrainConfig(family="resnet", size="18", params={"epochs": 2, "batch_size": 8, "resolution_px": 64})
"""A student as large as the model: its structure is known to the host already."""


def order(workdir, trained, place=None, **spec):
    """A job that makes the artefact of a trained one smaller."""
    workdir.mkdir(parents=True)
    (workdir / "data").symlink_to(trained / "data", target_is_directory=True)
    (workdir / "model").symlink_to(place or trained / "artefact", target_is_directory=True)
    values = {"artefact": "model", "compress": CompressOrder(parent="art_1", budget=Budget(max_loss=0.01), trains=True), **spec}
    JobSpec(
        id="job_compress",
        kind="compress",
        task=JobSpec.read(trained / "job.json").task,
        cache_dir=str(host_cache()),
        assets_dir=str(workdir / "assets"),
        **values,
    ).write(workdir / "job.json")
    return workdir


@contextmanager
def source_of(workdir, work):
    """The model that an order makes smaller."""
    with EventLog(workdir / "more-events.jsonl") as log:
        yield Source(Job(workdir, JobSpec.read(workdir / "job.json"), log), workdir / "model", work)


@pytest.fixture(scope="module", autouse=True)
def _few_rounds():
    """How fast candidates are is nothing that a test could hold them to."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_ROUNDS", "_LEAST_ROUNDS"):
            patch.setattr(measure, name, 2)
        yield


@pytest.fixture(scope="module")
def pictures():
    """What became of a residual network."""
    trained = trained_once(**brief_order("image_classification", "resnet"))

    def make(folder):
        workdir = order(folder / "job", trained)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prune, "_NUM_TRIES", 4)
            patch.setattr(
                smaller_network, "student_for", lambda task, macs: smaller_network.Student(TWIN, macs, is_pretrained=False)
            )
            assert run_here(workdir) == 0, events(workdir)[-1]

    return trained / "artefact", made_once("compressed-resnet", make) / "job" / "artefact"


@pytest.fixture(scope="module")
def texts():
    return trained_once(**brief_order(TEXTS, "text_cnn"))


def test_a_network_of_pictures_gets_candidates_with_certificates(pictures):
    original, folder = pictures
    report = CompressionReport.read(folder / COMPRESSION_FILE)
    sizes = {each.method: each.point.model_bytes / report.original.model_bytes for each in report.candidates}
    assert sizes["static_8bit"] < 0.3
    assert 0.45 < sizes["weights_16bit"] < 0.55
    assert 0.2 < sizes["fewer_channels"] < 0.75  # half of the multiplications
    assert ArtefactManifest.read(folder / "smaller_network" / MANIFEST_FILE).train == TWIN
    assert {each.method for each in report.left_out} | set(sizes) == set(method_names())
    assert (report.split, report.measure) == (Split.TEST, "accuracy")
    for candidate in report.candidates:
        made = folder / candidate.method
        manifest = ArtefactManifest.read(made / MANIFEST_FILE)
        assert (manifest.lineage.parent, manifest.lineage.method) == ("art_1", candidate.method)
        assert manifest.metrics[Split.TEST]["accuracy"] == candidate.point.value
        assert parity.check(made, manifest.decode, manifest.output, tolerance=manifest.tolerance) <= manifest.tolerance
        assert Certificate.read(made / CERTIFICATE_FILE).candidate == candidate
        assert Report.read(made / REPORT_FILE).model_bytes == (made / "model.onnx").stat().st_size
        hashed = set(json.loads((made / "hashes.json").read_text()))
        assert hashed >= {"model.onnx", "artefact.json", "certificate.json", "samples/expected.json"}
        assert candidate.loss_interval[0] <= candidate.loss <= candidate.loss_interval[1]
    assert ArtefactManifest.read(original / MANIFEST_FILE).lineage.parent is None


def test_weights_have_seven_bits_and_a_scale_a_channel_and_resizing_stays_as_it_is(pictures):
    _, folder = pictures
    model = onnx.load(folder / "static_8bit" / "model.onnx")
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    weights = [values for values in tensors.values() if values.dtype == np.int8 and values.ndim > 1]
    assert len(weights) == 19  # not the first layer, nor the head
    assert max(np.abs(values.astype(int)).max() for values in weights) <= 64
    makers = {name: node for node in model.graph.node for name in node.output}
    convs = [node for node in model.graph.node if node.op_type == "Conv"][1:]
    scales = [tensors[makers[node.input[1]].input[1]] for node in convs]
    assert [len(scale) for scale in scales] == [len(tensors[makers[node.input[1]].input[0]]) for node in convs]
    (pooling,) = [node for node in model.graph.node if node.op_type == "MaxPool"]
    assert makers[pooling.input[0]].op_type == "Conv"  # what follows keeps the runtime from pooling 8-bit numbers slowly
    assert [node.op_type for node in model.graph.node if pooling.output[0] in node.input] == ["Relu"]
    resizing = [node for node in model.graph.node if node.op_type == "MatMul"]
    assert len(resizing) == 2
    assert all(makers[name].op_type != "DequantizeLinear" for node in resizing for name in node.input)


def test_a_head_is_corrected_where_items_left_out_gain_and_only_there():
    generator = np.random.default_rng(0)
    features_ND = generator.standard_normal((64, 100)).astype(np.float32) + 1
    planted_DC = generator.standard_normal((100, 1)) @ np.ones((1, 3))
    features_ND[:, 20:] *= 0.01
    error_NC = (features_ND @ planted_DC + 0.5).astype(np.float32)
    more_DC, more_C = correction(features_ND[:48], error_NC[:48])
    left_NC = error_NC[48:] - features_ND[48:] @ more_DC - more_C
    assert np.square(left_NC).mean() < 0.01 * np.square(error_NC[48:]).mean()
    assert correction(features_ND, generator.standard_normal((64, 3)).astype(np.float32)) is None


def test_what_lies_between_layers_is_carried_in_eight_bits(pictures):
    original, _ = pictures
    model = named(onnx.load(original / "model.onnx"))
    weighted = weighted_nodes(model)
    types = {node.name: node.op_type for node in model.graph.node}
    assert sorted({types[name] for name in weighted}) == ["Conv", "Gemm"]
    carried = [types[name] for name in carrying_nodes(model, frozenset(weighted))]
    assert (carried.count("Add"), carried.count("Relu"), carried.count("MaxPool")) == (8, 17, 1)
    assert inner_nodes(model) == weighted[1:-1]
    assert carrying_nodes(model, frozenset()) == []


def test_the_layers_that_eight_bits_hurt_are_left_as_they_are(tmp_path):
    """One channel is ten thousand times as large, and its readers' weights so much smaller: the same answers in float32."""
    trained = trained_once(**brief_order("semantic_segmentation", "unet"))
    artefact = tmp_path / "artefact"
    shutil.copytree(trained / "artefact", artefact)
    model = onnx.load(artefact / "model.onnx")
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    convs = [node for node in model.graph.node if node.op_type == "Conv"]
    readers = {name: node for node in model.graph.node for name in node.input}
    first = next(node for node in convs[1:] if readers[readers[node.output[0]].output[0]].op_type == "Conv")
    second = readers[readers[first.output[0]].output[0]]
    scaled = [(name, (0,), 1e4) for name in first.input[1:]]
    for name, place, factor in [*scaled, (second.input[1], (slice(None), 0), 1e-4)]:
        values = numpy_helper.to_array(tensors[name]).copy()
        values[place] *= factor
        tensors[name].CopyFrom(numpy_helper.from_array(values, name))
    onnx.save(model, artefact / "model.onnx")
    untrained = CompressOrder(parent="art_1", budget=Budget(max_loss=0.01))
    workdir = order(tmp_path / "job", trained, artefact, compress=untrained)
    assert run_here(workdir) == 0, events(workdir)[-1]
    report = CompressionReport.read(workdir / "artefact" / COMPRESSION_FILE)
    found = {each.method: each for each in report.candidates}
    assert found["mixed_8bit"].num_kept == 4  # what reads, what answers, and the two that were made to hurt
    smaller = onnx.load(workdir / "artefact" / "mixed_8bit" / "model.onnx")
    assert {first.input[1], second.input[1]} <= {tensor.name for tensor in smaller.graph.initializer}


def test_tiles_are_calibrated_and_judged_as_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(sensitivity, "_MOST_GROUPS", 2)
    trained = trained_once(**TILED)
    workdir = order(tmp_path / "job", trained)
    assert run_here(workdir) == 0, events(workdir)[-1]
    report = CompressionReport.read(workdir / "artefact" / COMPRESSION_FILE)
    original = ArtefactManifest.read(trained / "artefact" / MANIFEST_FILE)
    held_back = next(each for each in Report.read(trained / "artefact" / REPORT_FILE).splits if each.split is Split.TEST)
    assert report.original.value == pytest.approx(np.mean([1 - item.loss for item in held_back.items])), "of whole pictures"
    sizes = {each.method: each.point.model_bytes / report.original.model_bytes for each in report.candidates}
    assert (sizes["static_8bit"] < 0.4, sizes["weights_16bit"] < 0.6) == (True, True)
    assert {each.method: each.reason for each in report.left_out}["dynamic_8bit"] == "nothing_to_change"
    for candidate in report.candidates:
        made = workdir / "artefact" / candidate.method
        assert (made / PIPELINE_FILE).read_bytes() == (trained / "artefact" / PIPELINE_FILE).read_bytes()
        manifest = ArtefactManifest.read(made / MANIFEST_FILE)
        assert (manifest.pipeline, manifest.files, manifest.decode) == (original.pipeline, original.files, original.decode)
        assert replay(made).is_passed
    version = DatasetVersion.open(trained / "data")
    with source_of(workdir, tmp_path) as source:
        (read,) = source.calibration_of(version, version.records(Split.TRAIN)[:1])
    num_windows = np.prod([len(starts(side, 64, 48)) for side in read.item.pixels_HWC.shape[:2]])
    windows = read.graph_feeds[MODEL_FILE]
    assert read.num_asked == len(windows) == num_windows > 1
    assert {feeds[WINDOW].shape for feeds in windows} == {(1, 64, 64, 3)}


def test_both_graphs_of_a_model_that_reads_text_get_smaller(tmp_path, monkeypatch):
    for module, name in ((measure, "_ROUNDS"), (measure, "_LEAST_ROUNDS"), (compress_source, "_ITEMS")):
        monkeypatch.setattr(module, name, 2)
    monkeypatch.setattr(methods, "method_names", lambda: ("dynamic_8bit", "static_8bit"))
    trained = trained_once(**brief_order("ocr", "pp_ocr"))
    artefact = tmp_path / "artefact"
    shutil.copytree(trained / "artefact", artefact)
    spec = json.loads((artefact / PIPELINE_FILE).read_text(encoding="utf-8"))
    spec |= {"threshold": 0.2, "least_score": 0.0}  # so that a network that has hardly learned finds something to be read
    (artefact / PIPELINE_FILE).write_text(json.dumps(spec), encoding="utf-8")
    workdir = order(tmp_path / "job", trained, artefact)
    assert run_here(workdir) == 0, events(workdir)[-1]
    report = CompressionReport.read(workdir / "artefact" / COMPRESSION_FILE)
    (candidate,) = report.candidates  # one way is for models of one graph
    made = workdir / "artefact" / candidate.method
    changed = [{node.op_type for node in onnx.load(made / name).graph.node} for name in (MODEL_FILE, RECOGNISER_FILE)]
    assert all("QuantizeLinear" in types for types in changed)
    assert report.original.model_bytes == Report.read(artefact / REPORT_FILE).model_bytes
    assert candidate.point.model_bytes == sum((made / name).stat().st_size for name in (MODEL_FILE, RECOGNISER_FILE))
    assert replay(made).is_passed
    with source_of(workdir, tmp_path) as source:
        version = DatasetVersion.open(trained / "data")
        (read,) = source.calibration_of(version, version.records(Split.TRAIN)[:1])
    assert {name: len(rows) > 0 for name, rows in read.graph_feeds.items()} == {MODEL_FILE: True, RECOGNISER_FILE: True}
    assert {feeds[LINE].shape[:2] for feeds in read.graph_feeds[RECOGNISER_FILE]} == {(1, HEIGHT_PX)}


def test_texts_get_eight_bits_with_ranges_as_they_come(texts, tmp_path):
    workdir = order(tmp_path / "job", texts)
    assert run_here(workdir) == 0, events(workdir)[-1]
    report = CompressionReport.read(workdir / "artefact" / COMPRESSION_FILE)
    found = {each.method: each for each in report.candidates}
    assert found["dynamic_8bit"].point.model_bytes < 0.4 * report.original.model_bytes
    assert {each.method: each.reason for each in report.left_out}["static_8bit"] == "nothing_to_change"
    assert replay(workdir / "artefact" / "dynamic_8bit").is_passed


def test_samples_that_two_runs_answer_otherwise_are_not_kept(texts, tmp_path, monkeypatch):
    model = onnx.load(texts / "artefact" / MODEL_FILE)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            tensor.CopyFrom(numpy_helper.from_array(1.05 * numpy_helper.to_array(tensor), tensor.name))
    onnx.save(model, tmp_path / "other.onnx")
    with source_of(order(tmp_path / "job", texts), tmp_path) as source:
        runs = source.session, source.opened({MODEL_FILE: tmp_path / "other.onnx"})

        def kept(name):
            (tmp_path / name / "samples").mkdir(parents=True)
            tolerance = candidate_files._samples_write(source, tmp_path / name, *runs)
            return tolerance, len(GoldenSamples.read(tmp_path / name / "samples" / "expected.json").samples)

        tolerance, num_kept = kept("every")
        monkeypatch.setattr(candidate_files, "MOST_TOLERANCE", 0.999 * tolerance)
        steadier, fewer = kept("steady")
        assert (steadier < tolerance, num_kept / 2 <= fewer < num_kept) == (True, True)
        monkeypatch.setattr(candidate_files, "_STEADY_SHARE", 1.0)
        with pytest.raises(NoCandidateError, match="unsteady"):
            kept("none")


@pytest.mark.parametrize(
    ("spec", "learned", "code"),
    [
        ({"artefact": None}, (Split.TRAIN,), "job_invalid"),
        ({"artefact": "nowhere"}, (Split.TRAIN,), "job_invalid"),
        ({}, (Split.TRAIN, Split.VALIDATION, Split.TEST), "nothing_held_back"),
    ],
)
def test_what_cannot_be_made_smaller_is_reported(texts, tmp_path, spec, learned, code):
    artefact = tmp_path / "artefact"
    shutil.copytree(texts / "artefact", artefact)
    manifest = ArtefactManifest.read(artefact / MANIFEST_FILE)
    manifest.model_copy(update={"learned": learned}).write(artefact / MANIFEST_FILE)
    workdir = order(tmp_path / "job", texts, artefact, **spec)
    assert run_here(workdir) == 1
    assert events(workdir)[-1].code == code


def test_a_graph_that_the_runtime_refuses_is_no_candidate(texts, tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    with source_of(order(tmp_path / "job", texts), tmp_path) as source, pytest.raises(NoCandidateError) as refused:
        source.opened({"model.onnx": tmp_path / "model.onnx"})
    assert refused.value.reason == "unfit"


def test_a_job_that_is_cancelled_leaves_no_report(texts, tmp_path):
    workdir = order(tmp_path / "job", texts)
    (workdir / "control").mkdir()
    (workdir / "control" / "stop").write_text("cancelled")
    assert run_here(workdir) == 0
    assert events(workdir)[-1].stopped == "cancelled"
    assert not (workdir / "artefact" / COMPRESSION_FILE).exists()


def test_tables_have_no_method_and_pictures_have_each():
    assert methods_for(task_spec("tabular_prediction")) == ()
    of_texts, of_pictures = (methods_for(task_spec(task)) for task in (TEXTS, "image_classification"))
    assert {method.name for method in of_texts} == {name for name in method_names() if not method_of(name).is_trained}
    assert [method.name for method in of_pictures] == list(method_names())
    for name in method_names():
        assert (method_of(name).name, bool(method_of(name).title.zh), bool(method_of(name).summary.en)) == (name, True, True)


def test_the_student_is_the_largest_that_multiplies_a_fifth_and_begins_with_pretrained_weights():
    task, lite2 = task_spec("image_classification"), family_spec("efficientnet_lite").size("2")
    chosen = smaller_network.student_for(task, smaller_network.macs_of(lite2, 260))
    assert (chosen.train.family, chosen.train.size, chosen.train.params) == ("efficientnet_lite", "1", {"resolution_px": 128})
    assert chosen.macs <= 0.2 * lite2.macs
    assert smaller_network.student_for(task, 1e6) is None


def test_a_loss_is_positive_whichever_way_the_measure_goes():
    better, worse = np.array([True] * 90 + [False] * 10), np.array([True] * 80 + [False] * 20)
    lost = right_or_wrong(better).lost(right_or_wrong(worse))
    assert lost.difference == pytest.approx(0.1)
    assert 0 < lost.interval[0] < 0.1 < lost.interval[1]
    near, far = (Outcomes("absolute_error", values, is_higher_better=False) for values in (np.zeros(9), np.ones(9)))
    off = near.lost(far)
    assert off.difference == pytest.approx(1)
    overlaps = Outcomes("f1", np.ones(9)).lost(Outcomes("f1", np.linspace(0, 1, 9)))
    assert overlaps.difference == pytest.approx(0.5)
    assert overlaps.interval[0] < 0.5 < overlaps.interval[1]


def test_a_budget_names_the_limits_that_are_not_kept(pictures):
    candidate = CompressionReport.read(pictures[1] / COMPRESSION_FILE).candidates[0]
    point = candidate.point
    assert over_budget(candidate, Budget()) == ()
    assert over_budget(candidate, Budget(max_bytes=point.model_bytes, max_latency_ms=point.latency_ms)) == ()
    tight = Budget(max_bytes=point.model_bytes - 1, max_latency_ms=point.latency_ms / 2, max_loss=0.0)
    assert over_budget(candidate.model_copy(update={"loss": 0.001}), tight) == ("loss", "latency", "size")
