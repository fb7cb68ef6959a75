import json
import os
import re
import subprocess
import sys

import pytest

from benchmarks.harness import Claim, Options, Size, commit, interleave, speedup


def _claim(ratio, target, *, is_at_most=False):
    return Claim("row", "things", 1.0, 2.0, ratio, target, is_at_most=is_at_most)


@pytest.mark.parametrize(
    ("ratio", "is_at_most", "is_ok", "is_gated_out"),
    [
        (2.1, False, True, False),
        (1.8, False, False, False),
        (1.6, False, False, True),
        (1.9, True, True, False),
        (2.3, True, False, False),
        (2.4, True, False, True),
    ],
)
def test_gate_leaves_slack_below_a_floor_and_above_a_ceiling(ratio, is_at_most, is_ok, is_gated_out):
    claim = _claim(ratio, 2.0, is_at_most=is_at_most)
    assert (claim.is_ok, claim.is_gated_out) == (is_ok, is_gated_out)


def test_line_is_json_with_the_verdict():
    assert json.loads(_claim(2.123456, 2.0).line()) == {
        "name": "row",
        "metric": "things",
        "ours": 1.0,
        "anchor": 2.0,
        "ratio": 2.123,
        "target": 2.0,
        "is_at_most": False,
        "ok": True,
        "commit": commit(),
        "load": pytest.approx(os.getloadavg()[0], abs=3),
    }
    assert re.fullmatch(r"[0-9a-f]{7,}\+?", commit())


def test_contestants_take_turns_and_the_first_round_does_not_count():
    order = []
    now = iter(float(second**2) for second in range(100))

    def contestant(name, num_items):
        def run():
            order.append(name)
            return num_items

        return run

    seconds = interleave({"a": contestant("a", 1), "b": contestant("b", 2)}, num_rounds=2, clock=lambda: next(now))
    assert order == ["a", "b"] * 3
    # The warm-up reads the clock once each, so the counted runs lie between readings 2-3, 4-5, 6-7 and 8-9 (squared).
    assert seconds == {"a": [9 - 4, 49 - 36], "b": [(25 - 16) / 2, (81 - 64) / 2]}


def test_ratio_is_the_median_of_the_rounds_pair_by_pair():
    # A machine that slows down threefold in the second round changes no ratio.
    seconds = {"ours": [1.0, 3.0, 1.0], "anchor": [2.0, 6.0, 2.0]}
    assert speedup("row", "m", seconds, ours="ours", anchor="anchor", target=2.0).ratio == 2.0


def test_a_size_takes_what_is_given_for_it_or_what_is_usual():
    picked = {size: Options(size).pick(1, smoke=2, quick=3) for size in Size}
    assert picked == {Size.USUAL: 1, Size.SMOKE: 2, Size.QUICK: 3, Size.FULL: 1}


_ROW = """
from benchmarks.harness import Claim, SkippedError, main
def measure(options):
    {body}
if __name__ == "__main__":
    main(measure)
"""


@pytest.mark.parametrize(
    ("body", "flags", "status", "printed"),
    [
        ('return [Claim("r", "m", 1.0, 1.0, 1.0, 2.0)]', [], 0, '"ok": false'),
        ('return [Claim("r", "m", 1.0, 1.0, 1.0, 2.0)]', ["--gate"], 1, '"ok": false'),
        ('return [Claim("r", "m", 1.0, 1.0, 2.0, 2.0)]', ["--gate"], 0, '"ok": true'),
        ('raise SkippedError("no peer here")', ["--gate"], 0, '"skipped": "no peer here"'),
        ('return [Claim("r", "m", 1.0, 1.0, options.num_rounds, 3.0)]', ["--quick", "--gate"], 0, '"ratio": 3'),
        ('return [Claim("row", "m", 1.0, 1.0, options.pick(5, smoke=1), 3.0)]', ["--smoke"], 0, '"smoke": "ran"'),
        ('return [Claim("row", "m", 1.0, 1.0, 1.0, 2.0)]', ["--smoke"], 2, ""),
        ('return [Claim("other", "m", 1.0, 1.0, options.pick(5, smoke=1), 3.0)]', ["--smoke"], 1, ""),
        ('return [Claim("row", "m", 1.0, 1.0, options.pick(5, smoke=float("nan")), 3.0)]', ["--smoke"], 1, ""),
        ("options.pick(5, smoke=1); return []", ["--smoke"], 1, ""),
    ],
    ids=["missed", "gated", "met", "skipped", "quick", "smoke", "no smoke form", "another's name", "no number", "no claim"],
)
def test_row_ends_as_its_claims_say(tmp_path, body, flags, status, printed):
    row = tmp_path / "row.py"
    row.write_text(_ROW.format(body=body))
    answer = subprocess.run(
        [sys.executable, row, *flags], capture_output=True, text=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert answer.returncode == status, answer.stderr
    assert printed in answer.stdout
    assert "load average" in answer.stderr
