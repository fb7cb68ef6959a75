"""What a device keeps while there is no network: a bounded folder that counts what had to go."""

from __future__ import annotations

import pytest

from exporters.device_bundle.template.agent.outbox import Outbox


def names(outbox):
    return [entry.path.name for entry in outbox.entries()]


@pytest.fixture
def outbox(tmp_path):
    """Holds four inputs of a kilobyte, or little more."""
    return Outbox(tmp_path / "outbox", max_bytes=4500)


def test_the_oldest_inputs_go_first_and_counts_stay(outbox, tmp_path):
    outbox.put("usage", "000", {"calls": 7})
    for number in range(1, 7):
        outbox.put("item", f"{number:03}", {"id": number}, b"x" * 1000)
    kept = names(outbox)
    assert kept[0] == "000.usage.json"
    assert kept[-1] == "006.item.json"
    assert outbox.dropped == {"usage": 0, "item": 6 - (len(kept) - 1)}
    assert outbox.dropped["item"] > 0
    assert sum(path.stat().st_size for path in (tmp_path / "outbox").iterdir()) <= 4500 + 100  # and the count itself
    assert names(Outbox(tmp_path / "outbox")) == kept, "another agent finds the same"


def test_counts_go_when_nothing_else_is_left(tmp_path):
    outbox = Outbox(tmp_path / "outbox", max_bytes=300)
    for number in range(9):
        outbox.put("usage", f"{number:03}", {"calls": "9" * 90})
    assert outbox.dropped["usage"] == 9 - len(outbox) > 0
    assert names(outbox)[-1] == "008.usage.json"


def test_what_is_seen_again_is_kept_once_and_what_is_broken_goes(outbox, tmp_path):
    outbox.put("usage", "000", {"calls": 1})
    outbox.put("usage", "000", {"calls": 1})
    (tmp_path / "outbox" / "001.usage.json").write_bytes(b"{")
    (entry,) = outbox.entries()
    assert len(outbox) == 1
    outbox.drop(entry)
    assert (len(outbox), outbox.dropped["usage"]) == (0, 1)
