"""``make test`` finds every test, and ``make check`` the tests near to a change."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import since
from tests.support.rings import RINGS
from tests.support.tally import Tally

ROOT = Path(__file__).resolve().parents[2]
BY_HAND = "tests/gpu/"


def test_every_test_module_belongs_to_a_ring():
    folders = tuple(f"{folder}/" for ring in RINGS for part in ring.parts.values() for folder in part)
    modules = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")]
    assert modules
    left = sorted(name for name in modules if not name.startswith((*folders, BY_HAND)))
    assert not left, f"no ring of tests/support/rings.py runs {left}"


def test_rings_are_found_by_a_word_of_their_parts():
    found = {
        word: [name for ring in RINGS if (part := ring.of([word])) for name in part.parts] for word in ("contracts", "platform")
    }
    assert found == {"contracts": ["contracts"], "platform": ["platform", "embedded platform"]}
    assert all(ring.of([]) is ring for ring in RINGS)
    assert [ring for ring in RINGS if ring.of(["no such ring"])] == []


@pytest.mark.parametrize(
    ("changed", "near"),
    [
        ("labeling/candidates.py", "tests/labeling/test_candidates.py"),
        ("platform/studio/datasets/uploads/api.py", "tests/studio/datasets/test_uploads.py"),  # found by its address alone
        ("tests/support/project_setup.py", "tests/labeling/test_merge.py"),
        ("tests/labeling/formats/cases/yolo/obj.names", "tests/labeling/formats/test_peers.py"),
    ],
)
def test_who_imports_a_file_or_is_its_namesake_is_near(changed, near):
    distances = since.distances_from([changed])
    assert near in distances
    assert not any(name.startswith(since.NEVER) for name in distances)
    assert distances[near] <= min(distances.values()) + 2


def test_a_member_of_a_listed_folder_is_asked_for_by_its_name():
    assert since.kinds_of(["engine/models/fcos/network.py"]) == {"tests/contracts": ["fcos"]}
    beside = since.kinds_of(["engine/models/shared/anchors.py"])["tests/contracts"]
    assert "ssd" in beside
    assert "resnet" not in beside
    assert since.distances_from(["docs/glossary.md"]) == {}


def test_what_does_not_fit_is_named_and_the_nearest_runs_whatever_it_takes(monkeypatch, tmp_path):
    monkeypatch.setattr(since, "SECONDS", tmp_path / "seconds.json")
    since.remember({"tests/labeling/test_candidates.py": 10_000.0})
    reach = since.reach_among(["labeling/candidates.py"])
    assert reach.chosen[0] == "tests/labeling/test_candidates.py"
    assert reach.left
    assert "Left to `make test`" in reach.explained()


def test_what_a_member_promises_comes_first_and_a_test_that_begins_too_late_is_skipped(tmp_path):
    first, near = since.reach_among(["engine/models/resnet/network.py"]).rings()
    assert first.parts == {"tests/contracts": ("tests/contracts",)}
    assert first.environment == near.environment
    assert 0 < float(near.environment[since.UNTIL]) - time.time() <= since.LIMIT_S
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["tests/automl/test_evidence.py", f"{since.ALWAYS}/test_refusals.py"]
    environment = {**os.environ, since.UNTIL: "0", "MODELYARD_TEST_TALLY": str(tmp_path / "tally")}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    tally = Tally.read(tmp_path / "tally")
    assert tally.late == [name for name in tally.seconds if name.startswith("tests/automl/")]
    assert 0 < len(tally.late) < len(tally.seconds)


def test_an_unknown_revision_is_refused():
    with pytest.raises(since.UnknownRevisionError, match="no-such-branch"):
        since.changed_since("no-such-branch")


def test_a_test_that_failed_twice_is_not_unsteady():
    tally = Tally(first_failures={"a": "AssertionError", "b": "TimeoutError"}, failed=["b"])
    assert tally.unsteady == {"a": "AssertionError"}
