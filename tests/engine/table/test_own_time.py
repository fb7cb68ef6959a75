"""A busy machine costs time: the clock of a deadline stands still while the thread has to wait."""

from __future__ import annotations

import time

import pytest

from engine.table import own_time, table
from engine.table.own_time import own_s, waited_s
from engine.table.table import Deadline


def test_work_and_sleep_count_and_waiting_does_not(monkeypatch, tmp_path):
    statistics = tmp_path / "schedstat"
    statistics.write_text("5000000000 1000000000 7\n")
    monkeypatch.setattr(own_time, "_WAITED", statistics)
    monkeypatch.setattr(own_time.time, "monotonic", lambda: 100.0)
    assert own_s() == pytest.approx(99.0)
    statistics.write_text("5000000000 4000000000 9\n")
    monkeypatch.setattr(own_time.time, "monotonic", lambda: 110.0)
    assert own_s() == pytest.approx(106.0)


@pytest.mark.parametrize("content", [None, "", "no numbers here"])
def test_where_nobody_counts_all_time_does(monkeypatch, tmp_path, content):
    place = tmp_path / "schedstat"
    if content is not None:
        place.write_text(content)
    monkeypatch.setattr(own_time, "_WAITED", place)
    assert waited_s() == 0.0
    before = time.monotonic()
    assert before <= own_s() <= time.monotonic()


def test_of_two_ends_the_sooner_holds(monkeypatch):
    clocks = {"wall": 1000.0, "own": 500.0}
    monkeypatch.setattr(table.time, "monotonic", lambda: clocks["wall"])
    monkeypatch.setattr(table, "own_s", lambda: clocks["own"])
    deadline = Deadline.after(30.0).within(10.0)
    assert deadline.usable_s == 10.0
    clocks["wall"] += 20.0  # others had the processor
    clocks["own"] += 5.0
    assert deadline.usable_s == pytest.approx(2.5), "a quarter of the ten that are left on the clock, as of those that passed"
    assert deadline.part(0.5).usable_s == pytest.approx(1.25)
    assert deadline.within(100.0).usable_s == pytest.approx(2.5)
    clocks["own"] += 5.0
    assert deadline.left_s == deadline.usable_s == 0.0
