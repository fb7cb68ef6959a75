"""What a prediction server leaves: log lines exactly once, inputs by policy."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.exporters.artefact_factory import picture_bytes
from tests.exporters.prediction_server import Serving, running, wait_for
from tests.exporters.text_artefact_factory import text_artefact_write

BORDER = 0.3
PICTURES = [picture_bytes(index) for index in range(8)]


def test_each_call_leaves_one_line_even_when_the_server_ends_at_once(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_log", artefact_dir)
    began_at = datetime.now(UTC)
    with running(serving) as server:
        ids = [server.predict("dep_log", content=PICTURES[0]).json()["id"] for _ in range(200)]
        assert server.predict("dep_log", content=b"x").status_code == 400
        assert server.predict("dep_log", secret="my_wrong", content=b"x").status_code == 401
        assert server.stop() == 0
    lines = serving.log("dep_log")
    assert [line["id"] for line in lines[:-1]] == ids
    first, last = lines[0], lines[-1]
    assert first["status"] == 200
    assert first["key"] == "key_my_secret"
    assert first["num_pictures"] == 1
    assert first["latency_ms"] > 0
    assert 0 <= first["uncertainty"] <= 1
    assert set(first["top"][0]) == {"label", "score"}
    assert began_at.timestamp() - 1 <= datetime.fromisoformat(first["at"]).timestamp() <= datetime.now(UTC).timestamp() + 1
    assert (last["status"], last["code"], last["num_pictures"], last["top"]) == (400, "picture_unreadable", 0, [])
    assert "input" not in first


def test_lines_arrive_while_the_server_runs(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_log", artefact_dir)
    with running(serving) as server:
        server.predict("dep_log", content=PICTURES[0])
        wait_for(lambda: serving.log("dep_log"), "a log line")


@pytest.mark.parametrize("policy", ["none", "uncertain", "all"])
def test_inputs_are_kept_by_policy(serving: Serving, artefact_dir: Path, policy: str) -> None:
    serving.deploy("dep_keep", artefact_dir, keep_inputs=policy, min_uncertainty=BORDER)
    with running(serving) as server:
        for picture in PICTURES:
            assert server.predict("dep_keep", content=picture).status_code == 200
        server.stop()
    lines = serving.log("dep_keep")
    unsure = [line["uncertainty"] >= BORDER for line in lines]
    assert any(unsure)
    assert not all(unsure)
    expected = {"none": [False] * len(lines), "uncertain": unsure, "all": [True] * len(lines)}[policy]
    names = [hashlib.sha256(picture).hexdigest() for picture in PICTURES]
    assert [line.get("input") for line in lines] == [name if keep else None for name, keep in zip(names, expected, strict=True)]
    files = {path.name: path.read_bytes() for path in (serving.folder / "inputs").glob("*")}
    assert files == {name: picture for name, picture, keep in zip(names, PICTURES, expected, strict=True) if keep}


def test_several_pictures_share_a_line_that_names_each_kept_one(serving: Serving, artefact_dir: Path) -> None:
    serving.deploy("dep_many", artefact_dir, keep_inputs="all")
    with running(serving) as server:
        server.predict("dep_many", files=[("file", ("a", one)) for one in PICTURES[:3]])
        server.stop()
    (line,) = serving.log("dep_many")
    assert line["num_pictures"] == 3
    assert len(line["top"]) == 3
    assert line["inputs"] == [hashlib.sha256(one).hexdigest() for one in PICTURES[:3]]
    assert line["input"] in line["inputs"]


def test_the_same_text_from_any_machine_is_kept_once(serving: Serving, tmp_path: Path) -> None:
    serving.deploy("dep_keep", text_artefact_write(tmp_path / "text"), keep_inputs="all")
    with running(serving) as server:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        for sent in ("好\n快", "\ufeff好\r\n快\r\n", "  好\r快"):
            assert server.predict("dep_keep", content=sent.encode(), headers=headers).status_code == 200
        assert server.predict("dep_keep", json={"texts": ["好\r\n快", "慢"]}).status_code == 200
        server.stop()
    once, other = (hashlib.sha256(text.encode()).hexdigest() for text in ("好\n快", "慢"))
    *plain, several = serving.log("dep_keep")
    assert [line["input"] for line in plain] == [once] * 3
    assert several["inputs"] == [once, other]
    assert (serving.folder / "inputs" / once).read_bytes() == "好\n快".encode()
