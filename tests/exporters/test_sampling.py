"""Facts of callers' items are taken beside the answers: few a second, by number of bin alone; what fails costs no answer."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime.calls import Call, Form, call_open
from runtime.facts import Fact, Reference
from runtime.journal import Journal
from runtime.predictor import Predictor
from runtime.sampling import MAX_AT_ONCE, FactSampler
from runtime.state import Deployment, Settings
from tests.exporters.artefact_factory import picture_bytes
from tests.exporters.prediction_server import Serving, running, wait_for

SCOPE = {"headers": [], "query_string": b""}
BRIGHTNESS = {"name": "brightness", "kind": "numeric", "edges": [0.25, 0.5, 0.75], "values": []}
CITY = {"name": "city", "kind": "category", "edges": [], "values": ["Graz", "上海"]}


def reference(*facts: dict) -> Reference:
    return Reference({"schema_version": 1, "facts": facts})


@pytest.fixture
def model(artefact_dir: Path) -> Deployment:
    predictor = Predictor()
    predictor.setup(artefact_dir)
    assert predictor.reference is None
    settings = Settings("dep_a", "a", "wsp", "art_1", "x", True, None, "none", 0.5, 1 << 20, None)
    return Deployment(settings, predictor)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal(tmp_path)
    journal.start()
    yield journal
    journal.stop()


def call_of(model: Deployment, item: object) -> Call:
    call = call_open(SCOPE, Form.OWN)
    call.deployment, call.first_item = model, item
    return call


def lines_in(folder: Path) -> list[dict]:
    return [json.loads(line) for path in folder.glob("log/*/*.jsonl") for line in path.read_bytes().splitlines()]


def test_bins_are_found_by_edges_and_values() -> None:
    known = reference(BRIGHTNESS, CITY)

    def bins(brightness: float | None, city: str | None) -> list[int]:
        return known.bins([Fact("city", "category", city), Fact("brightness", "numeric", brightness)])

    assert bins(0.1, "Graz") == [0, 0]
    assert bins(0.25, "上海") == [1, 1]
    assert bins(9.0, "Linz") == [3, 2]
    assert bins(None, None) == [4, 3]
    assert bins(float("nan"), "") == [4, 2]
    assert known.bins([]) == [4, 3]


def test_many_calls_leave_few_facts(model: Deployment, journal: Journal, tmp_path: Path) -> None:
    assert model.predictor is not None
    model.predictor.reference = reference(BRIGHTNESS)
    taken = FactSampler(journal)
    taken.start()
    calls = [call_of(model, picture_bytes(seed % 4)) for seed in range(3 * MAX_AT_ONCE)]
    for call in calls:
        taken.offer(call)
    wait_for(lambda: len(lines_in(tmp_path)) >= MAX_AT_ONCE, "facts")
    taken.stop()
    lines = lines_in(tmp_path)
    assert MAX_AT_ONCE <= len(lines) <= MAX_AT_ONCE + 20
    assert {line["facts_of"] for line in lines} <= {call.id for call in calls}
    assert all(set(line) == {"facts_of", "artefact", "at", "bins"} and len(line["bins"]) == 1 for line in lines)


def test_what_fails_is_logged_once_and_passed_over(
    model: Deployment, journal: Journal, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert model.predictor is not None
    taken = FactSampler(journal)
    taken.start()
    model.predictor.reference = reference(BRIGHTNESS | {"edges": ["a", "b"]})
    with caplog.at_level(logging.ERROR, "runtime.sampling"):
        for seed in range(5):
            taken.offer(call_of(model, picture_bytes(seed)))
        wait_for(lambda: caplog.records, "the reason")
        model.predictor.reference = reference(BRIGHTNESS)
        taken.offer(call_of(model, b"no picture"))
        taken.offer(call_of(model, picture_bytes(1)))
        (line,) = wait_for(lambda: lines_in(tmp_path), "facts of the good item")
    taken.stop()
    assert len(line["bins"]) == 1
    assert [record.getMessage() for record in caplog.records] == ["facts of items of dep_a cannot be taken"]


def test_a_server_answers_whatever_its_reference_is(serving: Serving, artefact_dir: Path, tmp_path: Path) -> None:
    wrong = {"schema_version": 1, "facts": [BRIGHTNESS | {"edges": ["a"]}]}
    for name, content in {"broken": "{", "wrong": json.dumps(wrong)}.items():
        shutil.copytree(artefact_dir, tmp_path / name)
        (tmp_path / name / "reference.json").write_text(content)
        serving.deploy(f"dep_{name}", tmp_path / name)
    with running(serving) as server:
        for name in ("dep_broken", "dep_wrong"):
            assert [server.predict(name, content=picture_bytes(seed)).status_code for seed in range(5)] == [200] * 5
        server.stop()
    assert all("facts_of" not in line for name in ("dep_broken", "dep_wrong") for line in serving.log(name))
