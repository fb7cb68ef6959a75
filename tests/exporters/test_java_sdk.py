"""The library for Java: run on the JVM with ONNX Runtime's own classes, and compared with the runtime."""

from __future__ import annotations

import json
import random
import re
import shutil
import struct
import subprocess
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageCms

from automl.contracts.artefact import (
    EXPECTED_FILE,
    HASHES_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    PIPELINE_FILE,
    SAMPLES_DIR,
    GoldenSamples,
)
from automl.contracts.task import OutputKind
from exporters.build import build
from exporters.bundle import artefact_copy
from exporters.errors import ExportCheckFailedError, ToolMissingError
from exporters.java_sdk.compiled import JAR, command, jar_write
from runtime.cells import EPOCH_MS, EPOCH_S, ISO, folded, number_of, seconds_of, text_of
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import LABELS, artefact_write, cover, picture
from tests.exporters.difficult_texts import words_artefact_write
from tests.exporters.java_library import ask, assembled, compiled, library_built, packed
from tests.exporters.javascript_items import KINDS, answer_of, beside_of, difference, items_of
from tests.exporters.quad_graph import RECOGNISER_FILE
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.test_cpp_sdk import exact_files, file_of, lossy_files, numbers_of, plain, turned
from tests.exporters.test_javascript_cells import MOMENTS, NUMBERS, TEXTS, WITH, cases_of_formats
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.exporters.update_scenes import play

LOSSY = 0.005
"""Of a score, where a large JPEG is shrunk while it is decoded in Python, and afterwards in Java."""


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory):
    """Artefacts as products have them, by the kind of answers or items."""
    folder = tmp_path_factory.mktemp("java")
    for kind in KINDS:
        made = KINDS[kind](folder / f"{kind}-made")
        cover(made)
        artefact_copy(made, folder / kind / "artefact")
    artefact_copy(artefact_write(folder / "quads-made", output=OutputKind.QUADS), folder / "quads" / "artefact")
    artefact_copy(words_artefact_write(folder / "words-made"), folder / "words" / "artefact")
    return {kind: folder / kind / "artefact" for kind in (*KINDS, "quads", "words")}


def predictor_of(artefact: Path) -> Predictor:
    predictor = Predictor()
    predictor.setup(artefact)
    return predictor


def samples_of(artefact: Path) -> int:
    return len(GoldenSamples.read(artefact / SAMPLES_DIR / EXPECTED_FILE).samples)


def test_answers_are_those_of_python(artefacts):
    calls, expected = [], []
    for kind, artefact in artefacts.items():
        predictor = predictor_of(artefact)
        items = [item for name, item in items_of(predictor) if not name.endswith(".webp")]
        if kind == "quads":
            items = [packed((artefact / "samples" / f"{place}.png").read_bytes()) for place in range(3)]
        calls += [("load", artefact), ("facts",), ("selftest",), *(("predict", item, {"threshold": 0}) for item in items)]
        calls += [("batch", items, {"threshold": 0}), ("answer", items[0], {"threshold": 0}), ("bench", 2)]
        expected.append((kind, artefact, predictor, items))
    results = iter(ask(*calls))
    for kind, artefact, predictor, items in expected:
        assert next(results) is None, kind
        assert next(results) == [predictor.items.name, predictor.manifest["output"], list(predictor.labels)]
        shown = next(results)
        assert (shown["is_passed"], shown["num_samples"], shown["tolerance"]) == (
            True,
            samples_of(artefact),
            predictor.tolerance,
        )
        assert re.fullmatch(r"java \S+, onnxruntime \S+", shown["environment"])
        given = [next(results) for _ in items]
        assert sum(bool(each) for each in given) > 1
        for item, ours in zip(items, given, strict=True):
            if kind == "quads":
                assert list(map(plain, ours)) == list(map(plain, json.loads(json.dumps(answer_of(predictor, item)))))
            assert difference(ours, answer_of(predictor, item)) <= predictor.tolerance, (kind, str(item)[:80])
        assert next(results) == given, "a batch answers as one after the other do"
        beside = next(results)
        assert beside.pop("annotations") == given[0]
        ends = beside.get("interval", {})
        theirs = beside_of(predictor, items[0])
        assert ends == pytest.approx(theirs.pop("interval", {}), abs=predictor.tolerance)
        assert {name: each for name, each in beside.items() if name != "interval"} == theirs
        measured = next(results)
        assert (measured["num_runs"], 0 < measured["min_ms"] <= measured["p90_ms"]) == (2, True)


def _png(image: np.ndarray, colour_type: int, extra: bytes = b"") -> bytes:
    """A PNG file with 16 bits a sample, which Pillow does not write of colours."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width = image.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in image)
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, colour_type, 0, 0, 0)), extra and chunk(b"tRNS", extra)]
    return b"".join([b"\x89PNG\r\n\x1a\n", *parts, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")])


def _more_files() -> dict[str, bytes]:
    """Files of which the JDK's readers have ideas of their own."""
    colour = picture(1, width=64, height=56)
    grey, palette = colour.convert("L"), colour.quantize(16)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    deep = np.asarray(colour).astype(np.uint16) * 257
    slope = np.tile(np.linspace(0, 65535, 64).astype(np.uint16), (56, 1))
    screens = {}
    for name, settings in {"gif-screen": {}, "gif-screen-holes": {"transparency": 3}}.items():
        screen = bytearray(file_of(palette, "GIF", **settings))
        screen[6:10] = struct.pack("<HH", 80, 70)
        screens[name] = bytes(screen)
    return {
        **screens,
        "jpeg-profile": file_of(colour, "JPEG", icc_profile=profile),
        "jpeg-profile-broken": file_of(colour, "JPEG", icc_profile=b"broken" * 40),
        "jpeg-422": file_of(colour, "JPEG", subsampling=1),
        "jpeg-rgb": file_of(colour, "JPEG", keep_rgb=True),
        "jpeg-cmyk-420": file_of(colour.convert("CMYK"), "JPEG", subsampling=2),
        "png-profile": file_of(colour, "PNG", icc_profile=profile),
        "png-grey-2": file_of(grey.quantize(4), "PNG", bits=2),
        "png-grey-key": file_of(grey, "PNG", transparency=grey.getpixel((5, 5))),
        "png-rgb-16": _png(deep, 2),
        "png-rgb-16-key": _png(deep, 2, struct.pack(">HHH", *map(int, deep[5, 5]))),
        "png-rgba-16": _png(np.dstack([deep, slope]), 6),
        "png-grey-alpha-16": _png(np.dstack([deep[..., 0], slope]), 4),
        "png-grey-16-key": _png(deep[..., 0], 0, struct.pack(">H", int(deep[5, 5, 0]))),
        "gif-grey": file_of(grey, "GIF"),
        "bmp-bits": file_of(colour.convert("1"), "BMP"),
        "bmp-grey": file_of(grey, "BMP"),
        **{f"jpeg-small-turned-{number}": file_of(colour, "JPEG", exif=turned(number)) for number in range(1, 9)},
    }


def test_pictures_are_read_as_the_runtime_reads_them(artefacts, tmp_path):
    files, lossy = exact_files() | _more_files(), lossy_files()
    artefact = artefacts["label_scores"]
    predictor = predictor_of(artefact)
    for name, data in (files | lossy).items():
        (tmp_path / name).write_bytes(data)
    asked = [("predict", {"file": str(tmp_path / name)}, {"threshold": 0}) for name in files | lossy]
    _, *given = ask(("load", artefact), *asked)
    apart = {}
    for (name, data), ours in zip((files | lossy).items(), given, strict=True):
        item = predictor.decode(data)
        theirs = [dict(each) for each in predictor.encode(predictor.predict(item), item, threshold=0.0)]
        assert isinstance(ours, list), (name, ours)
        apart[name] = difference(ours, theirs)
    assert {name: each for name, each in apart.items() if each > (LOSSY if name in lossy else 0)} == {}


def test_answers_keep_to_the_query_and_pixels_are_answered_as_files_are(artefacts):
    image = picture(9, width=57, height=43)
    pixels, file, tilted = np.asarray(image), packed(file_of(image, "PNG")), packed(file_of(picture(8), "PNG"))
    queries = [{"top": 1, "threshold": 0}, {"threshold": 0.3}, {"threshold": 1}, {"top": 2}, {}]
    grey = np.asarray(image.convert("L"))
    held = [
        ("predict", packed(pixels.tobytes(), width=57, height=43, channels=3)),
        ("predict", packed(np.dstack([pixels, np.full((43, 57), 255, np.uint8)]).tobytes(), width=57, height=43, channels=4)),
        ("predict", packed(grey.tobytes(), width=57, height=43, channels=1)),
        ("predict", packed(file_of(image.convert("L"), "PNG"))),
    ]
    kinds = [kind for kind in artefacts if kind not in {"row", "number", "text", "words"}]
    calls = [call for kind in kinds for call in (("load", artefacts[kind]), *(("predict", file, query) for query in queries))]
    results = iter(
        ask(
            *calls,
            ("load", artefacts["mask"]),
            ("pixels", {"file": str(artefacts["mask"] / "samples" / "0.png")}, {"threshold": 0}),
            ("load", artefacts["vector"]),
            ("similarity", file, file),
            ("similarity", file, tilted),
            ("similarity", file, None),
            ("load", artefacts["mask"]),
            *held,
            ("predict", file),
        )
    )
    for kind in kinds:
        predictor = predictor_of(artefacts[kind])
        item = predictor.decode(file_of(image, "PNG"))
        assert next(results) is None
        for query in queries:
            expected = json.loads(json.dumps(predictor.encode(predictor.predict(item), item, **query)))
            ours = next(results)
            assert [plain(each) for each in ours] == [plain(each) for each in expected], (kind, query)
            assert numbers_of(ours) == pytest.approx(numbers_of(expected), abs=2e-6)
    _, held_pixels, _, *similar, _ = (next(results) for _ in range(7))
    assert 0 < held_pixels <= 48 * 40
    vectors = [answer_of(predictor_of(artefacts["vector"]), each)[0]["values"] for each in (file, tilted)]
    assert similar[:2] == [pytest.approx(1.0, abs=1e-5), pytest.approx(float(np.dot(*vectors)), abs=1e-5)]
    assert similar[2]["code"] == "argument_invalid"
    colours, opaque, one, one_file, whole = results
    assert colours == opaque == whole
    assert one == one_file


def test_cells_mean_what_they_mean_in_python():
    drawn = random.Random(1)
    made = ["".join(drawn.choices("0123456789.,-+()$€ %kgm'eE\u00a0", k=drawn.randint(1, 9))) for _ in range(1000)]
    # Of the characters that every JVM knows.
    signs = [chr(code) for code in range(0x1F000) if unicodedata.ucd_3_2_0.category(chr(code)) not in {"Cn", "Co", "Cs"}]
    numbers = [("number", cell, some) for cell, some in product((*NUMBERS, *made), WITH)]
    texts = [("text", cell) for cell in TEXTS]
    moments = [("moment", cell, (some,)) for cell, some in product(MOMENTS, (ISO, "", EPOCH_S, EPOCH_MS))]
    moments += [("moment", cell, some) for cell, some in cases_of_formats()]
    spellings = [("folded", f"a{sign}b") for sign in signs]
    results = iter(ask(*numbers, *texts, *moments, *spellings))
    wrong = []
    for what, cell, some in numbers:
        expected = number_of(cell, some[0], some[1:])
        wrong += _wrong((what, cell, some), "NaN" if expected is not None and expected != expected else expected, next(results))  # noqa: PLR0124
    for call in texts:
        wrong += _wrong(call, text_of(call[1]), next(results))
    for call in moments:
        expected = seconds_of(call[1], call[2][0])
        wrong += _wrong(call, None if expected is None else str(expected), next(results))
    assert not wrong, f"{len(wrong)}, such as (call, Python, Java): {wrong[:20]}"
    ours, theirs = _together(signs, list(results)), _together(signs, [folded(f"a{sign}b") for sign in signs])
    assert ours ^ theirs == set()


def _wrong(call: tuple, expected: object, given: object) -> list[tuple]:
    return [] if expected == given and type(expected) is type(given) else [(call, expected, given)]


def _together(signs: list[str], keys: list[object]) -> set[str]:
    """Signs that fold alike, as one text each: what they are folded to may differ."""
    found: defaultdict[object, str] = defaultdict(str)
    for sign, key in zip(signs, keys, strict=True):
        found[key] += sign
    return set(found.values())


def test_what_is_wrong_has_a_code(artefacts, tmp_path):
    whole = file_of(picture(1), "PNG")
    bomb = whole[:16] + (60_000).to_bytes(4, "big") * 2 + whole[24:]
    jpeg = file_of(picture(1), "JPEG")
    broken = [
        b"",
        b"\xff\xd8\xff",
        b"GIF89a",
        b"BM" + bytes(60),
        b"II*\0",
        whole[:-40],
        jpeg[:-40],
        file_of(picture(1), "WEBP"),
    ]
    rows = [{"age": 1}, {"age": "many", "city": "Paris"}]
    calls = {
        "artefact_unreadable": [("load", tmp_path / "nowhere")],
        "argument_invalid": [
            ("load", artefacts["boxes"], 0),
            ("predict", packed(whole), {"top": 0}),
            ("predict", packed(whole), {"threshold": 1.5}),
            ("predict", packed(b"1234", width=1, height=1, channels=2)),
            ("predict", packed(b"1234", width=0, height=1, channels=3)),
            ("predict", packed(b"1234", width=1, height=1, channels=3)),
            ("bench", 0),
        ],
        "picture_unreadable": [
            *(("predict", packed(data)) for data in broken),
            *(("predict", {"file": str(path)}) for path in (tmp_path, tmp_path / "no")),
        ],
        "picture_too_large": [("predict", packed(bomb)), ("predict", packed(b"", width=99_999, height=99_999, channels=3))],
        "item_invalid": [("predict", {"age": 3}), ("batch", [None]), ("batch", ["a.png"])],
    }
    listed = [(code, call) for code, some in calls.items() for call in some]
    _, *given = ask(
        ("load", artefacts["label_scores"]),
        *(call for _, call in listed),
        ("batch", [packed(whole), packed(broken[0])]),
        ("close",),
        ("predict", packed(whole)),
        ("selftest",),
        ("load", artefacts["row"]),
        ("batch", rows),
        ("predict", {"weight": 3}),
        ("predict", {"age": {"value": 1}}),
        ("batch", [{"age": 1}, ["age"]]),
        ("predict", packed(whole)),
        ("batch", rows, {"lenient": True}),
        ("batch", [{"age": 1}, {"city": "Paris"}]),
        ("load", artefacts["text"]),
        *(("predict", item) for item in (" \n\u3000", packed(b"\xff"), packed(b"\xed\xa0\x80"), "\ud800", {"age": 3})),
    )
    results = given[: len(listed)]
    several, _, closed, shut, _, *of_rows = given[len(listed) :]
    assert [(each["code"], call) for each, (_, call) in zip(results, listed, strict=True)] == listed
    assert all(len(each["message"]) > len("x is y") for each in results)
    assert (several["code"], several["facts"]) == ("picture_unreadable", {"item": 1})
    assert closed["code"] == shut["code"] == "model_closed"
    *of_rows, _, empty, broken_bytes, surrogate, half, other = of_rows
    assert empty["code"] == "text_missing"
    assert {each["code"] for each in (broken_bytes, surrogate, half)} == {"text_unreadable"}
    assert other["code"] == "item_invalid"
    cell, strange, nested, list_, foreign, lenient, missing = of_rows
    assert (cell["code"], cell["facts"]) == ("cell_invalid", {"row": 2, "column": "age", "cell": "many"})
    assert strange["code"] == "columns_missing"
    assert (nested["code"], nested["facts"]) == ("row_invalid", {"row": 1, "column": "age"})
    assert (list_["code"], list_["facts"]) == ("row_invalid", {"row": 2})
    assert foreign["code"] == "item_invalid"
    assert lenient == missing
    assert len(lenient) == 2


def test_many_threads_give_the_same_answers_and_closing_waits_for_them(artefacts):
    files = [packed(file_of(picture(number), "PNG")) for number in range(5)]
    _, *alone, together = ask(("load", artefacts["label_scores"]), *(("predict", each) for each in files), ("threads", *files))
    answered = [(place, each) for place, each in enumerate(together) if each != "model_closed"]
    assert len(answered) > len(together) // 2 - 8, (
        "closing waits for calls, but some of the eight threads may not have called yet"
    )
    assert all(each == alone[place % len(files)] for place, each in answered)


def test_broken_pictures_never_end_the_program(artefacts):
    """What is answered all the same is answered whole."""
    drawn, broken = random.Random(3), []
    for data in (exact_files() | lossy_files() | _more_files()).values():
        for _ in range(8):
            some = bytearray(data[: drawn.randint(1, len(data))] if drawn.random() < 0.3 else data)
            for _ in range(drawn.randint(1, 6)):
                some[drawn.randrange(len(some))] = drawn.randrange(256)
            broken.append(packed(bytes(some)))
    _, *results = ask(("load", artefacts["label_scores"]), *(("predict", each, {"threshold": 0}) for each in broken))
    codes = {each["code"] for each in results if isinstance(each, dict)}
    assert codes == {"picture_unreadable", "picture_too_large"}
    assert all(len(each) == len(LABELS) for each in results if isinstance(each, list))
    assert len(results) > 300


def test_a_model_whose_files_were_changed_is_refused(artefacts, tmp_path):
    source = artefacts["label_scores"]
    manifest = json.loads((source / MANIFEST_FILE).read_text(encoding="utf-8"))
    graph = (source / MODEL_FILE).read_bytes()
    parts = {
        "output": "guess",
        "schema_version": 9,
        "decode": {"kind": "sound"},
        "tolerance": "1",
        "label_set": {"labels": ["a"]},
    }
    changes = {
        "hash": (MODEL_FILE, graph[:-1] + bytes([graph[-1] ^ 1]), "artefact_damaged"),
        "line": (MANIFEST_FILE, json.dumps(manifest).replace(LABELS[0], "cow").encode(), "artefact_damaged"),
        "hashes": (HASHES_FILE, b"[", "artefact_unreadable"),
        "deep": (HASHES_FILE, b"{" * 5000, "artefact_unreadable"),
        **{f"no-{name}": (name, None, "artefact_unreadable") for name in (MODEL_FILE, MANIFEST_FILE, HASHES_FILE)},
    }
    unsigned = {
        "cut": (MODEL_FILE, graph[: len(graph) // 2]),
        "graph": (MODEL_FILE, b"no graph"),
        "utf8": (MANIFEST_FILE, b"\xff"),
        "fewer": (MANIFEST_FILE, json.dumps(manifest | {"label_set": {"labels": [{"name": "cat"}]}}).encode()),
        "output": (MANIFEST_FILE, json.dumps(manifest | {"outputs": [{"name": "none"}]}).encode()),
        **{f"part-{name}": (MANIFEST_FILE, json.dumps(manifest | {name: part}).encode()) for name, part in parts.items()},
        **{
            f"without-{name}": (MANIFEST_FILE, json.dumps({k: manifest[k] for k in manifest if k != name}).encode())
            for name in parts
        },
    }
    drawn = random.Random(5)
    for number in range(60):
        some = bytearray(graph if number % 2 else (source / MANIFEST_FILE).read_bytes())
        for _ in range(drawn.randint(1, 8)):
            some[drawn.randrange(len(some))] = drawn.randrange(256)
        unsigned[f"random-{number}"] = (MODEL_FILE if number % 2 else MANIFEST_FILE, bytes(some))
    expected = {}
    for name, (file, content, *code) in (changes | unsigned).items():
        folder = tmp_path / name
        shutil.copytree(source, folder)
        (folder / file).unlink() if content is None else (folder / file).write_bytes(content)
        if name in unsigned:  # as if somebody had written the hashes anew
            (folder / HASHES_FILE).write_text("{}", encoding="utf-8")
        expected[name] = code[0] if code else "artefact_unreadable"
    image = packed(file_of(picture(1), "PNG"))
    calls = [call for name in expected for call in (("load", tmp_path / name), ("predict", image), ("selftest",))]
    _, *results = ask(("load", source), *calls)
    for (name, code), (loaded, *after) in zip(expected.items(), zip(*[iter(results)] * 3, strict=True), strict=True):
        if not name.startswith("random"):
            assert (loaded or {}).get("code") == code, (name, loaded)
        elif loaded is not None:
            assert loaded["code"] in {"artefact_unreadable", "artefact_damaged"}
        else:
            assert all(isinstance(each, list) or "is_passed" in each or "code" in each for each in after)


def test_selftest_notices_another_label_order_and_missing_samples(artefacts, tmp_path):
    calls = []
    for kind in ("class_scores", "boxes", "mask"):
        shutil.copytree(artefacts[kind], tmp_path / kind)
        manifest = json.loads((tmp_path / kind / MANIFEST_FILE).read_text(encoding="utf-8"))
        manifest["label_set"]["labels"].reverse()
        (tmp_path / kind / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
        (tmp_path / kind / HASHES_FILE).write_text("{}", encoding="utf-8")
        calls += [("load", tmp_path / kind), ("selftest",)]
    shutil.rmtree(tmp_path / "mask" / "samples")
    for name in ("recogniser", "pipeline"):
        shutil.copytree(artefacts["quads"], tmp_path / name)
    (tmp_path / "recogniser" / HASHES_FILE).write_text(json.dumps({RECOGNISER_FILE: "0" * 64}), encoding="utf-8")
    (tmp_path / "pipeline" / HASHES_FILE).write_text("{}", encoding="utf-8")
    (tmp_path / "pipeline" / PIPELINE_FILE).write_text(json.dumps({"kind": "others"}), encoding="utf-8")
    *results, mask, damaged, unknown = ask(*calls, ("load", tmp_path / "recogniser"), ("load", tmp_path / "pipeline"))
    assert [each["is_passed"] for each in results[1::2]] == [False, False]
    assert (mask["code"], damaged["code"], unknown["code"]) == (
        "artefact_unreadable",
        "artefact_damaged",
        "artefact_unreadable",
    )


def test_sample_program_answers_files_and_says_what_is_wrong(artefacts, tmp_path):
    folder = assembled(row_artefact_write(tmp_path / "made"), tmp_path)
    (folder / "rows.json").write_text(
        json.dumps([{"age": 34, "city": "上海"}, {"age": None, "note": "late"}]), encoding="utf-8"
    )
    (folder / "none.json").write_text("{", encoding="utf-8")
    line = command(folder, library_built() / "libraries", ["artefact", "--top", "1", "rows.json", "none.json", "--bench", "3"])
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    measured, answered, broken = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (1, "")
    assert measured["num_runs"] == 3
    assert [len(each) for each in answered["predictions"]] == [1, 1]
    assert (broken["file"], broken["code"]) == ("none.json", "json_invalid")
    nowhere = subprocess.run(
        [*line[:-7], "nowhere", "--selftest"], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert (nowhere.returncode, json.loads(nowhere.stdout)["code"]) == (2, "artefact_unreadable")
    (folder / "libs" / "onnxruntime.jar").unlink()
    missing = subprocess.run(line, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert (missing.returncode, json.loads(missing.stdout)["code"]) == (2, "library_missing")


def test_an_installed_product_takes_a_model_update_and_goes_back(artefact_dir, tmp_path):
    folder = assembled(artefact_dir, tmp_path)
    line = command(folder, library_built() / "libraries", ["artefact"])

    def run(*words):
        done = subprocess.run([*line, *words], cwd=folder, capture_output=True, text=True, encoding="utf-8")
        assert done.stderr == ""
        return json.loads(done.stdout)

    play(lambda *words: run("update", *words), lambda: run("artefact/samples/0.png")["predictions"], folder, ".zip")


def test_the_archive_holds_what_the_read_me_says(tmp_path):
    """Its example compiles, nothing of others is in the jar, and all of it runs on Java 8."""
    makers = {"image": artefact_write, "row": row_artefact_write, "text": text_artefact_write}
    sources = []
    for kind, make in makers.items():
        folder = assembled(make(tmp_path / kind / "artefact"), tmp_path / kind)
        assert (folder / "android").is_dir() == (kind == "image")
        for language in ("README.md", "README.zh-CN.md"):
            text = (folder / language).read_text(encoding="utf-8")
            assert "birds-java" in text
            assert "{{" not in text
            imports, body = re.search(r"```java\n(.*?)\n\n(.*?)```", text, re.DOTALL).groups()
            name = f"Example{len(sources)}"
            sources.append(tmp_path / f"{name}.java")
            sources[-1].write_text(f"{imports}\nclass {name} {{ void run() {{\n{body}\n}} }}\n", encoding="utf-8")
        for path in re.findall(r"\| `(\w+/\S*)` \|", text):
            assert (folder / path).exists(), path
    compiled(sources, tmp_path / "classes", folder / JAR)
    with zipfile.ZipFile(folder / JAR) as jar:
        names = jar.namelist()
        assert {name.split("/")[0] for name in names} == {"META-INF", "io"}
        assert {jar.read(name)[6:8] for name in names if name.endswith(".class")} == {(52).to_bytes(2, "big")}


def test_a_machine_without_a_jdk_says_what_it_needs(artefact_dir, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissingError, match=r"javac, java, c\+\+") as caught:
        build("java_sdk", artefact_dir, tmp_path / "out", {})
    assert caught.value.code == "tool_missing"
    assert not (tmp_path / "out").exists()


def test_sources_that_do_not_compile_are_not_handed_out(artefact_dir, tmp_path):
    folder = assembled(artefact_dir, tmp_path)
    (folder / "core" / "src" / "main" / "java" / "io" / "modelyard" / "Model.java").write_text("no program", encoding="utf-8")
    with pytest.raises(ExportCheckFailedError, match="do not compile"):
        jar_write(folder)
