"""The library for C and C++: built with CMake, called through its C functions, and compared with the runtime."""

from __future__ import annotations

import ctypes
import io
import json
import random
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from automl.contracts.artefact import HASHES_FILE, MANIFEST_FILE, MODEL_FILE, PIPELINE_FILE, TOKENIZER_FILE
from automl.contracts.target import CheckResult
from automl.contracts.task import OutputKind
from exporters.build import build
from exporters.cpp_sdk.compiled import library_path, program_write
from exporters.cpp_sdk.target import SPEC
from exporters.errors import ExportCheckFailedError, ToolMissingError
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import LABELS, artefact_write, cover, picture
from tests.exporters.cpp_library import (
    LANGUAGES,
    Annotation,
    CallFailedError,
    Model,
    assembled,
    json_of,
    library_built,
    needed,
    sample_of,
    vector_of,
)
from tests.exporters.difficult_texts import TEXTS, made, words_artefact_write
from tests.exporters.quad_graph import RECOGNISER_FILE
from tests.exporters.update_scenes import RENAMED, play, updates_made

OUTPUTS = sorted(SPEC.accepts)
LOSSLESS = 2e-6
LOSSY = 0.005
"""Of a score of the tests' graph, which tells colours by the thousandth: decoders of JPEG differ by a level here and there."""


@pytest.fixture(scope="module")
def built(artefact_dir):
    return library_built(artefact_dir)


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("artefacts")
    made = {output: artefact_write(folder / output, output=output) for output in OUTPUTS}
    for artefact in made.values():
        cover(artefact)
    return made


@pytest.fixture
def load(built, artefacts):
    models = []

    def loaded(source=OutputKind.LABEL_SCORES, **settings) -> Model:
        models.append(Model(built[0], artefacts.get(source, source), **settings))
        return models[-1]

    yield loaded
    for model in models:
        model.close()


def answered(artefact_dir: Path, data: bytes, *, top=None, threshold=None):
    """What the runtime says, and the size of the picture."""
    predictor = Predictor()
    predictor.setup(artefact_dir)
    item = predictor.decode(data)
    predicted = predictor.encode(predictor.predict(item), item, top=top, threshold=threshold)
    return list(predicted), (item.width_px, item.height_px)


def file_of(image: Image.Image, kind: str, **settings) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **settings)
    return file.getvalue()


def turned(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif.tobytes()


def with_holes(image: Image.Image) -> Image.Image:
    """With an alpha channel of all values."""
    slope = np.linspace(0, 255, image.width).astype(np.uint8)
    image.putalpha(Image.fromarray(np.tile(slope, (image.height, 1))))
    return image


def exact_files() -> dict[str, bytes]:
    """Files that every decoder reads alike."""
    colour, large = picture(1), picture(2, width=300, height=171)
    grey, holes = colour.convert("L"), with_holes(picture(3))
    palette = colour.quantize(16)
    deep = Image.fromarray((np.asarray(grey, dtype=np.uint16) * 257 + 100).clip(0, 65535).astype(np.uint16))
    return {
        "png": file_of(colour, "PNG"),
        "png-grey": file_of(grey, "PNG"),
        "png-bits": file_of(grey.convert("1"), "PNG"),
        "png-16": file_of(deep, "PNG"),
        "png-palette": file_of(palette, "PNG"),
        "png-palette-holes": file_of(palette, "PNG", transparency=3),
        "png-palette-alpha": file_of(holes.quantize(16), "PNG"),
        "png-key": file_of(colour, "PNG", transparency=colour.getpixel((5, 5))),
        "png-alpha": file_of(holes, "PNG"),
        "png-grey-alpha": file_of(holes.convert("LA"), "PNG"),
        "png-large": file_of(large, "PNG"),
        "png-tall": file_of(large.rotate(90, expand=True), "PNG"),
        "png-thin": file_of(picture(4, width=200, height=1), "PNG"),
        "png-interlaced-like": file_of(colour, "PNG", optimize=True),
        "bmp": file_of(colour, "BMP"),
        "bmp-palette": file_of(palette, "BMP"),
        "bmp-32": file_of(holes, "BMP"),
        "gif": file_of(palette, "GIF"),
        "gif-holes": file_of(palette, "GIF", transparency=3),
        **{f"png-turned-{number}": file_of(large, "PNG", exif=turned(number)) for number in range(1, 9)},
    }


def lossy_files() -> dict[str, bytes]:
    colour, large = picture(1, width=64, height=56), picture(2, width=700, height=411)
    return {
        "jpeg": file_of(colour, "JPEG", quality=92),
        "jpeg-444": file_of(colour, "JPEG", quality=92, subsampling=0),
        "jpeg-progressive": file_of(colour, "JPEG", progressive=True),
        "jpeg-grey": file_of(colour.convert("L"), "JPEG"),
        "jpeg-cmyk": file_of(colour.convert("CMYK"), "JPEG", quality=95),
        "jpeg-large": file_of(large, "JPEG", quality=92),
        **{
            f"jpeg-turned-{number}": file_of(large, "JPEG", quality=92, exif=turned(number))
            for number in (1, 2, 3, 4, 5, 6, 7, 8)
        },
    }


def apart(one: list[dict], other: list[dict]) -> float:
    """The largest difference of two answers with the same labels."""
    ours, theirs = ({each["label"]: each["score"] for each in predicted} for predicted in (one, other))
    assert ours.keys() == theirs.keys()
    return max(abs(ours[label] - theirs[label]) for label in ours)


def plain(annotation: dict) -> dict:
    """Without what two builds of ONNX Runtime may give other last digits."""
    return {**annotation, "score": 0, "values": len(annotation.get("values", ()))}


def numbers_of(predicted: list[dict]) -> list[float]:
    return [number for each in predicted for number in (each.get("score", 0.0), *each.get("values", ()))]


@pytest.mark.parametrize(("files", "most"), [(exact_files(), LOSSLESS), (lossy_files(), LOSSY)], ids=["exact", "lossy"])
def test_pictures_are_read_as_the_runtime_reads_them(files, most, load, artefacts):
    model, worst = load(), {}
    for name, data in files.items():
        predicted, size = model.predict(data, threshold=0.0)
        expected, expected_size = answered(artefacts[OutputKind.LABEL_SCORES], data, threshold=0.0)
        assert size == expected_size, name
        worst[name] = apart(predicted, expected)
    assert {name: each for name, each in worst.items() if each > most} == {}


@pytest.mark.parametrize("output", OUTPUTS)
def test_answers_are_those_of_the_runtime(output, load, artefacts):
    model, sample = load(output), (artefacts[output] / "samples" / "1.png").read_bytes()
    asked = product(
        (sample, file_of(picture(7, width=131, height=90), "PNG")), ((0, -1.0), (1, 0.0), (2, 0.3), (100, 0.0), (0, 1.0))
    )
    for data, (top, threshold) in asked:
        predicted, _ = model.predict(data, top=top, threshold=threshold)
        expected, _ = answered(artefacts[output], data, top=top or None, threshold=None if threshold < 0 else threshold)
        assert [plain(each) for each in predicted] == [plain(each) for each in expected]
        assert numbers_of(predicted) == pytest.approx(numbers_of(expected), abs=LOSSLESS)
    assert model.predict(sample, threshold=0.0)[0]


@pytest.mark.parametrize("output", OUTPUTS)
def test_selftest_passes_and_notices_other_answers(output, load, artefacts, tmp_path):
    result = load(output).selftest()
    assert (result.num_samples, result.is_passed, result.tolerance) == (3, 1, 1e-4)
    assert 0 <= result.max_difference <= 1e-4
    assert b"onnxruntime" in result.environment
    shutil.copytree(artefacts[output], tmp_path / "other")
    samples = tmp_path / "other" / "samples"
    shutil.copyfile(samples / "1.png", samples / "0.png")
    assert not load(tmp_path / "other").selftest().is_passed


@pytest.mark.parametrize("output", [OutputKind.LABEL_SCORES, OutputKind.BOXES, OutputKind.MASK])
def test_selftest_notices_another_label_order(output, load, artefacts, tmp_path):
    shutil.copytree(artefacts[output], tmp_path / "swapped")
    path = tmp_path / "swapped" / MANIFEST_FILE
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["label_set"]["labels"].reverse()
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert not load(tmp_path / "swapped").selftest().is_passed


def test_pixels_and_files_are_answered_as_bytes_are(load, tmp_path):
    model, image = load(), picture(9, width=57, height=43)
    expected, size = model.predict(file_of(image, "PNG"), threshold=-1.0)
    (tmp_path / "图片.png").write_bytes(file_of(image, "PNG"))
    assert model.predict(tmp_path / "图片.png") == (expected, size)
    pixels = np.asarray(image)
    assert model.predict_pixels(pixels.tobytes(), 57, 43, 3) == (expected, size)
    padded = np.pad(pixels.reshape(43, -1), ((0, 0), (0, 13)))
    assert model.predict_pixels(padded.tobytes(), 57, 43, 3, padded.shape[1]) == (expected, size)
    opaque = np.dstack([pixels, np.full((43, 57), 255, np.uint8)])
    assert model.predict_pixels(opaque.tobytes(), 57, 43, 4) == (expected, size)
    grey = image.convert("L")
    assert model.predict_pixels(grey.tobytes(), 57, 43, 1) == model.predict(file_of(grey, "PNG"))


def test_texts_are_answered_as_the_runtime_answers_them(built, load, artefacts, tmp_path):
    artefact = words_artefact_write(tmp_path / "words")
    model, predictor = load(artefact), Predictor()
    predictor.setup(artefact)
    for text in [stripped for each in [*TEXTS, *made(100, seed=3)] if (stripped := each.strip())]:
        data = f"\ufeff\u3000 {text} \n".encode()
        item = predictor.decode(data)
        expected = list(predictor.encode(predictor.predict(item), item, threshold=0.0))
        predicted, size = model.predict(data, threshold=0.0)
        assert size == (0, 0)
        assert apart(predicted, expected) <= LOSSLESS, text
    shown = model.selftest()
    assert (shown.num_samples, shown.is_passed) == (100, 1)
    for data, code in {b" \n\xe3\x80\x80": "text_missing", b"\xff": "text_unreadable", b"\xc0\x80": "text_unreadable"}.items():
        with pytest.raises(CallFailedError) as caught:
            model.predict(data)
        assert caught.value.code == code
    with pytest.raises(CallFailedError, match="reads no pictures"):
        model.predict_pixels(b"123", 1, 1, 3)
    (tmp_path / "快.txt").write_text("很快", encoding="utf-8")
    line = [str(built[1]), str(artefact), "--library", str(library_path()), "快.txt"]
    assert json_of(line, cwd=tmp_path)["annotations"][0]["label"] == model.predict("很快".encode())[0][0]["label"]
    for name, part in {
        "normalizer": {"type": "NFKD"},
        "model": {"type": "WordLevel"},
        "post_processor": {"type": "ByteLevel"},
    }.items():
        shutil.copytree(artefact, tmp_path / name)
        file = tmp_path / name / TOKENIZER_FILE
        file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | {name: part}), encoding="utf-8")
        with pytest.raises(CallFailedError, match="knows no"):
            load(tmp_path / name)


def test_many_files_and_many_threads_give_the_same_answers(load, tmp_path):
    model, paths = load(), []
    for number in range(12):
        paths.append(tmp_path / f"{number}.png")
        paths[-1].write_bytes(file_of(picture(number), "PNG"))
    alone = [model.predict(path)[0] for path in paths]
    assert model.predict_batch(paths, num_threads=4) == (alone, [0] * 12, (0, ""))
    assert model.predict_batch([], num_threads=0) == ([], [], (0, ""))
    with ThreadPoolExecutor(8) as pool:
        assert [predicted for predicted, _ in pool.map(model.predict, paths * 4)] == alone * 4
    (tmp_path / "3.png").write_bytes(b"no picture")
    answers, statuses, (status, message) = model.predict_batch(paths)
    assert [place for place, each in enumerate(answers) if each is None] == [3]
    assert (statuses[3], sum(statuses), status) == (5, 5, 5)
    assert message.startswith("picture_unreadable: ")


def test_errors_have_a_status_a_code_and_a_sentence(built, load, artefacts, tmp_path):
    model = load()

    def refused(call, *arguments, **settings) -> tuple[int, str]:
        with pytest.raises(CallFailedError) as caught:
            call(*arguments, **settings)
        assert len(str(caught.value)) > len(caught.value.code) + 5
        return caught.value.status, caught.value.code

    whole = file_of(picture(1), "PNG")
    assert refused(model.predict, whole, threshold=1.5) == (1, "argument_invalid")
    assert refused(model.predict, whole, threshold=float("nan")) == (1, "argument_invalid")
    assert refused(model.predict, whole, top=-1) == (1, "argument_invalid")
    assert refused(model.predict_pixels, b"1234", 1, 1, 2) == (1, "argument_invalid")
    assert refused(model.predict_pixels, b"1234", 0, 1, 3) == (1, "argument_invalid")
    assert refused(model.bench, None, 0) == (1, "argument_invalid")
    assert refused(load, num_threads=1000) == (1, "argument_invalid")
    assert refused(load, runtime=tmp_path / "libonnxruntime.so") == (2, "library_missing")
    assert refused(load, runtime=Path("libm.so.6")) == (2, "library_missing")
    assert refused(load, tmp_path / "nowhere") == (3, "artefact_unreadable")
    for data in (b"", b"\xff\xd8\xff", b"GIF89a", b"BM" + bytes(60), b"II*\0", file_of(picture(1), "WEBP")):
        assert refused(model.predict, data) == (5, "picture_unreadable")
    assert refused(model.predict, tmp_path / "none.png") == (5, "picture_unreadable")
    assert refused(model.predict, tmp_path) == (5, "picture_unreadable")
    assert refused(model.predict, whole[:-40]) == (5, "picture_unreadable")
    assert refused(model.predict, file_of(picture(1), "JPEG")[:-40]) == (5, "picture_unreadable")
    bomb = bytearray(whole)
    bomb[16:24] = (60_000).to_bytes(4, "big") * 2
    assert refused(model.predict, bytes(bomb)) == (6, "picture_too_large")
    assert model.predict(whole)[1] == (48, 40)
    assert model.message() == ""


def test_a_model_whose_files_were_changed_is_refused(load, artefacts, tmp_path):
    source = artefacts[OutputKind.LABEL_SCORES]

    def refused(name: str, change, source=source) -> tuple[int, str]:
        folder = tmp_path / name
        shutil.copytree(source, folder)
        change(folder)
        with pytest.raises(CallFailedError) as caught:
            load(folder)
        return caught.value.status, caught.value.code

    def written(file: str, text: str):
        return lambda folder: (folder / file).write_text(text, encoding="utf-8")

    unreadable = (3, "artefact_unreadable")
    assert refused("hash", written(HASHES_FILE, json.dumps({MODEL_FILE: "0" * 64}))) == (4, "artefact_damaged")
    assert refused("hashes", written(HASHES_FILE, "[")) == unreadable
    assert refused("model", written(MODEL_FILE, "no graph")) == unreadable
    assert refused("json", written(MANIFEST_FILE, "{" * 5000)) == unreadable
    assert refused("empty", written(MANIFEST_FILE, "{}")) == unreadable
    manifest = json.loads((source / MANIFEST_FILE).read_text(encoding="utf-8"))
    for name, part in {"output": "number", "schema_version": 9, "decode": {"kind": "sound"}, "tolerance": "1"}.items():
        assert refused(name, written(MANIFEST_FILE, json.dumps(manifest | {name: part}))) == unreadable
    lines = artefacts[OutputKind.QUADS]
    damaged = written(HASHES_FILE, json.dumps({RECOGNISER_FILE: "0" * 64}))
    assert refused("recogniser", damaged, lines) == (4, "artefact_damaged")
    assert refused("pipeline", written(PIPELINE_FILE, json.dumps({"kind": "others"})), lines) == unreadable
    manifest["label_set"]["labels"].pop()
    assert refused("labels", written(MANIFEST_FILE, json.dumps(manifest))) == unreadable


def test_broken_files_never_end_the_program(load):
    """What is answered all the same is answered whole."""
    model, drawn = load(), random.Random(3)
    for data in (exact_files() | lossy_files()).values():
        for _ in range(12):
            broken = bytearray(data[: drawn.randint(1, len(data))] if drawn.random() < 0.3 else data)
            for _ in range(drawn.randint(1, 6)):
                broken[drawn.randrange(len(broken))] = drawn.randrange(256)
            try:
                predicted, _ = model.predict(bytes(broken), threshold=0.0)
            except CallFailedError as error:
                assert error.status in {5, 6}, error  # noqa: PT017 - both ends are good
            else:
                assert len(predicted) == len(LABELS)


def test_similarity_is_the_product_of_two_vectors(built, load, artefacts):
    model, library = load(OutputKind.VECTOR), built[0]
    one, other = (model.predict(file_of(picture(number), "PNG"))[0][0]["values"] for number in (1, 2))
    vectors = [vector_of(values) for values in (one, other, one[:-1])]

    def asked(first, second) -> tuple[int, float]:
        found = ctypes.c_double()
        return library.modelyard_similarity(*map(ctypes.byref, (first, second, found))), found.value

    assert asked(vectors[0], vectors[1]) == (0, pytest.approx(float(np.dot(one, other)), abs=1e-12))
    assert asked(vectors[0], vectors[0]) == (0, pytest.approx(1.0, abs=1e-5))
    assert asked(vectors[0], vectors[2])[0] == asked(vectors[0], Annotation())[0] == 1


@pytest.mark.parametrize("output", OUTPUTS)
def test_sample_program_prints_answers_as_the_runtime_does(output, built, artefacts, tmp_path):
    shutil.copyfile(artefacts[output] / "samples" / "2.png", tmp_path / "a b.png")
    line = [
        str(built[1]),
        str(artefacts[output]),
        "--library",
        str(library_path()),
        "--threshold",
        "0",
        "--top",
        "2",
        "a b.png",
    ]
    shown = json_of(line, cwd=tmp_path)
    expected, _ = answered(artefacts[output], (tmp_path / "a b.png").read_bytes(), top=2, threshold=0.0)
    expected = json.loads(json.dumps(expected))
    assert shown["file"] == "a b.png"
    assert [plain(each) for each in shown["annotations"]] == [plain(each) for each in expected]
    assert numbers_of(shown["annotations"]) == pytest.approx(numbers_of(expected), abs=LOSSLESS)
    predictor = Predictor()
    predictor.setup(artefacts[output])
    beside = predictor.beside(predictor.predict(predictor.decode((tmp_path / "a b.png").read_bytes())))
    assert {name: each for name, each in shown.items() if name not in {"file", "annotations"}} == beside


def test_sample_program_tests_itself_and_measures(built, artefacts, tmp_path):
    command = [str(built[1]), str(artefacts[OutputKind.BOXES]), "--library", str(library_path())]
    measured = json_of([*command, "--bench", "5"])
    assert measured["num_runs"] == 5
    assert 0 < measured["predict_ms"] <= measured["p95_ms"] + measured["decode_ms"]
    environment = {"MODELYARD_ONNXRUNTIME": str(library_path())}
    assert json_of([str(built[1]), str(artefacts[OutputKind.BOXES]), "--selftest"], env=environment)["is_passed"]
    done = subprocess.run([*command, "none.png"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "none.png: picture_unreadable: " in done.stderr


def test_an_installed_product_takes_a_model_update_and_goes_back(built, artefact_dir, tmp_path):
    shutil.copytree(artefact_dir, tmp_path / "artefact")

    def run(*words):
        line = [str(built[1]), "artefact", "--library", str(library_path()), *words]
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
        return json.loads(done.stdout) if done.returncode == 0 else {"code": done.stderr.partition(":")[0]}

    def update(word, *more):
        return run(word) if word == "--rollback" else run("--update", word, *more)

    play(update, lambda: run("artefact/samples/0.png")["annotations"], tmp_path)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_programs_of_other_languages_answer_and_take_updates_as_the_runtime_does(language, artefact_dir, artefacts, tmp_path):
    command = sample_of(language, artefact_dir)
    usual = ["--library", str(library_path())]
    for output in (OutputKind.LABEL_SCORES, OutputKind.BOXES, OutputKind.VECTOR):
        assert CheckResult.model_validate(json_of([*command, str(artefacts[output]), *usual, "--selftest"])).is_passed
    samples = artefacts[OutputKind.LABEL_SCORES] / "samples"
    shutil.copyfile(samples / "2.png", tmp_path / "图片 2.png")
    asked = [*command, str(samples.parent), *usual, "--threshold", "0", "none.png", "图片 2.png"]
    done = subprocess.run(asked, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    found = [line.split("\t") for line in done.stdout.splitlines()]
    expected, _ = answered(samples.parent, (samples / "2.png").read_bytes(), threshold=0.0)
    assert [label for label, _ in found] == [each["label"] for each in expected]
    assert [float(score) for _, score in found] == pytest.approx(numbers_of(expected), abs=LOSSLESS)
    assert (done.returncode, done.stderr) == (1, "none.png: picture_unreadable: none.png cannot be read\n")
    refused = subprocess.run([*command, str(tmp_path), *usual, "x"], capture_output=True, text=True)
    assert (refused.returncode, refused.stderr.partition(":")[0]) == (1, "artefact_unreadable")
    home, renamed = tmp_path / "home", str(updates_made() / RENAMED)
    shutil.copytree(artefact_dir, home / "artefact")

    def run(*words):
        done = subprocess.run(
            [*command, "artefact", *usual, *words], cwd=home, capture_output=True, text=True, encoding="utf-8"
        )
        return done.stdout or done.stderr

    assert run("--update", renamed).startswith("update_other_labels: gone: ")
    installed = json.loads(run("--update", renamed, "--allow-other-labels"))["artefact_dir"]
    assert Path(installed).parent.parent == home / "models"
    said = run("--threshold", "0", "artefact/samples/0.png").splitlines()
    assert {line.partition("\t")[0] for line in said} == {"owl", "crow", "tit"}
    assert json.loads(run("--rollback")) == {"artefact_dir": "artefact"}
    assert run("--rollback").startswith("update_none_before: ")


def test_a_machine_without_a_compiler_says_what_it_needs(artefact_dir, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissingError, match=r"c\+\+") as caught:
        build("cpp_sdk", artefact_dir, tmp_path / "out", {})
    assert caught.value.code == "tool_missing"
    assert not (tmp_path / "out").exists()


def test_sources_that_do_not_compile_are_not_handed_out(artefact_dir, tmp_path):
    folder = assembled(artefact_dir, tmp_path)
    for source in folder.glob("s*/*.cpp"):
        source.write_text("no program", encoding="utf-8")
    with pytest.raises(ExportCheckFailedError, match="do not compile"):
        program_write(folder, tmp_path / "program")
    assert not (tmp_path / "program").exists()


def test_header_is_plain_c_with_thirteen_functions(artefact_dir, tmp_path):
    folder = assembled(artefact_dir, tmp_path)
    source = tmp_path / "program.c"
    source.write_text('#include "modelyard.h"\nint main(void) { return modelyard_message()[0]; }\n', encoding="utf-8")
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run([needed("gcc", "gcc"), *strict, f"-I{folder / 'include'}", str(source)], check=True)
    header = (folder / "include" / "modelyard.h").read_text(encoding="utf-8")
    assert header.count("\nMODELYARD_API ") == 13
    for readme in ("README.md", "README.zh-CN.md"):
        assert "birds-cpp" in (folder / readme).read_text(encoding="utf-8")
        assert "{{" not in (folder / readme).read_text(encoding="utf-8")
