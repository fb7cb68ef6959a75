"""The archive with the library for Java: what is in it, its sample program, model updates, and builds that fail."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile

import pytest

from exporters.build import build
from exporters.errors import ExportCheckFailedError, ToolMissingError
from exporters.java_sdk.compiled import JAR, command, jar_write
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.java_library import assembled, compiled, library_built
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.exporters.update_scenes import play


def test_sample_program_answers_files_and_says_what_is_wrong(tmp_path):
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
