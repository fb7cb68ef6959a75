"""The library for Java: what is wrong has a code, and a model that is not whole is refused."""

from __future__ import annotations

import json
import random
import shutil

from automl.contracts.artefact import (
    HASHES_FILE,
    MANIFEST_FILE,
    MODEL_FILE,
    PIPELINE_FILE,
)
from tests.exporters.artefact_factory import LABELS, picture
from tests.exporters.java_library import artefact_of, ask, packed
from tests.exporters.quad_graph import RECOGNISER_FILE
from tests.exporters.test_cpp_sdk import file_of


def test_what_is_wrong_has_a_code(tmp_path):
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
            ("load", artefact_of("boxes"), 0),
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
        ("load", artefact_of("label_scores")),
        *(call for _, call in listed),
        ("batch", [packed(whole), packed(broken[0])]),
        ("close",),
        ("predict", packed(whole)),
        ("selftest",),
        ("load", artefact_of("row")),
        ("batch", rows),
        ("predict", {"weight": 3}),
        ("predict", {"age": {"value": 1}}),
        ("batch", [{"age": 1}, ["age"]]),
        ("predict", packed(whole)),
        ("batch", rows, {"lenient": True}),
        ("batch", [{"age": 1}, {"city": "Paris"}]),
        ("load", artefact_of("text")),
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


def test_a_model_whose_files_were_changed_is_refused(tmp_path):
    source = artefact_of("label_scores")
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


def test_selftest_notices_another_label_order_and_missing_samples(tmp_path):
    calls = []
    for kind in ("class_scores", "boxes", "mask"):
        shutil.copytree(artefact_of(kind), tmp_path / kind)
        manifest = json.loads((tmp_path / kind / MANIFEST_FILE).read_text(encoding="utf-8"))
        manifest["label_set"]["labels"].reverse()
        (tmp_path / kind / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
        (tmp_path / kind / HASHES_FILE).write_text("{}", encoding="utf-8")
        calls += [("load", tmp_path / kind), ("selftest",)]
    shutil.rmtree(tmp_path / "mask" / "samples")
    for name in ("recogniser", "pipeline"):
        shutil.copytree(artefact_of("quads"), tmp_path / name)
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
