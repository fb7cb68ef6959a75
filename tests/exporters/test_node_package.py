"""The package for Node.js answers as Python's runtime does, with the real onnxruntime-node."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from exporters._javascript import package, replay
from exporters.build import build
from exporters.errors import PartsNotBuiltError
from exporters.node_sdk.target import _assemble
from exporters.web_sdk.target import _assemble as assemble_web
from runtime.predictor import Predictor
from studio.config.node import FRONTEND, node_folder
from tests.exporters.artefact_factory import artefact_write, cover
from tests.exporters.javascript_items import KINDS, answer_of, beside_of, difference, items_of, pictures, unpacked
from tests.exporters.node_runtime import runtime_modules
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.sabotage import flip_weight, sabotaged
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.exporters.update_scenes import play

PROGRAM = """
import { readFileSync } from 'node:fs'
import { load, ModelError } from 'birds'

const bytes = (item) => (item?.base64 === undefined ? item : Buffer.from(item.base64, 'base64'))
const told = []
let model
for (const { call, given } of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    if (call === 'load') model = await load(...given)
    else if (call === 'predict') told.push(await model.predict(bytes(given[0]), given[1]))
    else if (call.endsWith('Batch')) told.push(await model[call](given[0].map(bytes), given[1]))
    else told.push((await model[call](...given)) ?? null)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    told.push({ code: error.code, facts: error.facts, message: error.message })
  }
}
console.log(JSON.stringify(told))
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the real runtime, into which packages are installed."""
    folder = tmp_path_factory.mktemp("project")
    modules = folder / "node_modules"
    modules.mkdir()
    for installed in runtime_modules().iterdir():
        (modules / installed.name).symlink_to(installed)
    (folder / "ask.mjs").write_text(PROGRAM)
    return folder


def install(place: Path, artefact: Path) -> Path:
    installed, made = place / "node_modules" / "birds", artefact.with_name(f"{artefact.name}-package")
    _assemble(artefact, made, "birds", "1.0.0")
    installed.unlink(missing_ok=True)
    installed.symlink_to(made)
    # Modules are looked for from where a file really lies.
    (made / "node_modules").symlink_to(place / "node_modules")
    return made


def ask(place: Path, *calls: tuple[str, list[Any]]) -> list[Any]:
    given = json.dumps([{"call": call, "given": given} for call, given in (("load", []), *calls)]).encode()
    done = subprocess.run([str(node_folder() / "node"), "ask.mjs"], cwd=place, input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    replies: list[Any] = json.loads(done.stdout)
    return replies


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_those_of_python(kind: str, place: Path, tmp_path: Path) -> None:
    artefact = KINDS[kind](tmp_path / kind)
    cover(artefact)
    install(place, artefact)
    predictor = Predictor()
    predictor.setup(artefact)
    items = items_of(predictor)
    calls = [("predictBatch", [[item], {"threshold": 0}]) for _, item in items]
    *given, together, answered, shown = ask(
        place,
        *calls,
        *((call, [[item for _, item in items], {"threshold": 0}]) for call in ("predictBatch", "answerBatch")),
        ("selftest", []),
    )
    besides = [{name: each for name, each in answer.items() if name != "annotations"} for answer in answered]
    if "interval" in besides[0]:
        for each, (_, item) in zip(besides, items, strict=True):
            assert each["interval"] == pytest.approx(beside_of(predictor, item)["interval"], abs=predictor.tolerance)
    else:
        assert besides == [beside_of(predictor, item) for _, item in items]
    assert not [each for each in (*given, together) if isinstance(each, dict)]
    assert together == [answers for (answers,) in given]
    assert shown["isPassed"]
    assert "onnxruntime-node" in shown["environment"]
    expected = [answer_of(predictor, item) for _, item in items]
    assert sum(map(bool, expected)) > 1
    apart = {name: difference(ours, theirs) for (name, _), (ours,), theirs in zip(items, given, expected, strict=True)}
    assert max(apart.values()) <= predictor.tolerance, apart


def test_what_is_wrong_has_a_code(place: Path, tmp_path: Path) -> None:
    install(place, artefact_write(tmp_path / "picture"))
    broken = [{"base64": base64.b64encode(data).decode()} for data in _broken(pictures())]
    replies = ask(
        place,
        *(("predict", [each]) for each in broken),
        ("predict", ["no-such.png"]),
        ("predict", [7]),
        ("predict", [{"data": [], "width": 3, "height": 3}]),
        ("predict", [{"base64": ""}, {"top": 0}]),
        ("predict", [{"base64": ""}, {"threshold": 2}]),
        ("bench", [{"numRuns": 0}]),
        ("predictBatch", [[broken[0], broken[0]]]),
        ("close", []),
        ("predict", [broken[0]]),
        ("selftest", []),
    )
    codes = [each and each["code"] for each in replies]
    assert codes[: len(broken)] == ["picture_unreadable"] * (len(broken) - 1) + ["picture_too_large"]
    assert codes[len(broken) :] == [
        *("picture_unreadable", "item_invalid", "item_invalid", "argument_invalid", "argument_invalid", "argument_invalid"),
        *("picture_unreadable", None, "picture_unreadable", "model_closed"),
    ]
    assert replies[len(broken) + 6]["facts"] == {"item": 0}


def _broken(files: dict[str, bytes]) -> list[bytes]:
    png = files["plain.png"]
    bomb = png[:16] + (60_000).to_bytes(4, "big") * 2 + png[24:]
    cut = [files[name][: len(files[name]) // 2] for name in ("plain.png", "lossless.webp")]
    return [b"", b"GIF89a", b"\xff\xd8\xff", *cut, bomb]


def test_cells_are_refused_by_row_and_column_or_counted_as_missing(place: Path, tmp_path: Path) -> None:
    install(place, row_artefact_write(tmp_path / "row"))
    rows = [{"age": 1}, {"age": "many", "city": "Paris"}]
    refused, accepted, missing, strange, list_, cell = ask(
        place,
        ("predictBatch", [rows]),
        ("predictBatch", [rows, {"invalidCells": "missing"}]),
        ("predictBatch", [[{"age": 1}, {"city": "Paris"}]]),
        ("predict", [{"weight": 3}]),
        ("predict", [["age"]]),
        ("predict", [{"age": {"value": 1}}]),
    )
    assert (refused["code"], refused["facts"]) == ("cell_invalid", {"row": 2, "column": "age", "cell": "many"})
    assert accepted == missing
    assert [each["code"] for each in (strange, list_, cell)] == ["columns_missing", "row_invalid", "row_invalid"]
    assert cell["facts"] == {"row": 1, "column": "age"}


def test_a_text_is_text(place: Path, tmp_path: Path) -> None:
    install(place, text_artefact_write(tmp_path / "text"))
    replies = ask(place, ("predict", [" \n"]), ("predict", [{"text": "good"}]), ("predict", [{"base64": "/w=="}]))
    assert [each["code"] for each in replies] == ["text_missing", "item_invalid", "text_unreadable"]


def test_a_damaged_or_missing_file_is_named(place: Path, tmp_path: Path) -> None:
    model = install(place, artefact_write(tmp_path / "sound")) / "model"
    content = model.joinpath("model.onnx").read_bytes()
    model.joinpath("model.onnx").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    (damaged,) = ask(place)
    assert damaged["code"] == "artefact_damaged"
    model.joinpath("model.onnx").unlink()
    (missing,) = ask(place)
    assert missing["code"] == "artefact_unreadable"
    assert "model.onnx" in missing["message"]


def test_an_installed_package_takes_a_model_update_and_goes_back(place: Path, tmp_path: Path) -> None:
    folder = install(place, artefact_write(tmp_path / "first"))
    picture = str(folder / "model" / "samples" / "0.png")

    def run(*words: str) -> dict[str, Any]:
        command = [str(node_folder() / "node"), "node_modules/birds/dist/cli.js", *words]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    play(lambda *words: run("update", *words), lambda: run(picture)["predictions"], folder, ".zip")


def test_npm_packs_all_of_it_and_types_are_found(tmp_path: Path) -> None:
    """Both packages: what npm would publish is what the archive holds."""
    for target in ("web_sdk", "node_sdk"):
        report = build(target, artefact_write(tmp_path / target), tmp_path / f"{target}-built", {"name": "@shop/birds"})
        assert report.file == "shop-birds-1.0.0.tgz"
        folder = unpacked(tmp_path / f"{target}-built", name="@shop/birds")
        npm = [str(node_folder() / "npm"), "pack", "--dry-run", "--json", "--offline"]
        done = subprocess.run(npm, cwd=folder, capture_output=True, text=True, check=True)
        (packed,) = json.loads(done.stdout)
        contents = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert {each["path"] for each in packed["files"]} == contents
        assert {"README.md", "README.zh-CN.md", "NOTICE.txt", "dist/index.d.ts", "model/samples/expected.json"} <= contents
        assert not [text for text in contents if "{{" in text or "{{" in _text(folder / text)]
        modules = tmp_path / f"{target}-project" / "node_modules"
        (modules / "@shop").mkdir(parents=True)
        (modules / "@shop" / "birds").symlink_to(folder)
        (modules.parent / "use.mts").write_text(
            "import { load, ModelError, type Annotation } from '@shop/birds'\n"
            "const found: Annotation[] = await (await load()).predict('a.png', { top: 1 })\n"
            "console.log(found, new Error() instanceof ModelError)\n"
        )
        strict = ["--strict", "--noEmit", "--module", "node16", "--target", "es2022", "--lib", "es2022,dom"]
        tsc = [str(node_folder() / "node"), str(FRONTEND / "node_modules" / "typescript" / "bin" / "tsc"), *strict, "use.mts"]
        checked = subprocess.run(tsc, cwd=modules.parent, capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout


def test_bundlers_find_the_runtime(tmp_path: Path) -> None:
    """They look for this form, and take the file along."""
    assemble_web(artefact_write(tmp_path / "artefact"), tmp_path / "made", "birds", "1.0.0", has_page=False)
    module = (tmp_path / "made" / "dist" / "index.js").read_text(encoding="utf-8")
    assert re.search(r"new URL\(\s*[\"'`]\./runtime\.bin[\"'`],\s*import\.meta\.url\s*\)", module)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.suffix in {".md", ".json"} or file.name == "index.html" else ""


def test_without_node_the_files_are_replayed_by_python(tmp_path: Path) -> None:
    """And a fault is found there too."""
    made = tmp_path / "made"
    artefact = artefact_write(tmp_path / "artefact")
    _assemble(artefact, made, "birds", "1.0.0")
    shown = replay._by_python(made / "model", tmp_path / "sound")
    assert (shown.is_passed, shown.num_samples) == (True, 3)
    assert shown.environment.startswith("python")
    _assemble(sabotaged(artefact, tmp_path / "broken", flip_weight), tmp_path / "wrong", "birds", "1.0.0")
    with pytest.raises(replay.ExportCheckFailedError):
        replay._by_python(tmp_path / "wrong" / "model", tmp_path / "faulty")


@pytest.mark.parametrize("target", ["web_sdk", "node_sdk"])
def test_parts_that_are_not_built_are_a_clear_error(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "BUILT", tmp_path / "nothing")
    with pytest.raises(PartsNotBuiltError) as caught:
        build(target, artefact_write(tmp_path / "artefact"), tmp_path / "out", {})
    assert caught.value.code == "parts_not_built"
    assert "build_frontend" in caught.value.hint
    assert list((tmp_path / "out").iterdir()) == []
