"""What is counted on a shelf: rows, fronts, shares and what the plan misses."""

from __future__ import annotations

import pytest

from studio.shelves.report import Box, places_of, shelf_report


def row(foot, *, number=4, left=0.0, width=50.0, height=100.0, slope=0.0):
    return [Box(left + 60 * place, foot - height + slope * (left + 60 * place), width, height) for place in range(number)]


@pytest.mark.parametrize("slope", [0.0, 0.15, -0.15])
def test_rows_are_told_apart_on_a_photo_that_was_taken_at_a_slant(slope):
    boxes = row(400, slope=slope, number=9) + row(200, slope=slope, number=7) + row(600, slope=slope, height=60, number=9)
    places = places_of(boxes)
    assert [place.row for place in places] == [2] * 9 + [1] * 7 + [3] * 9
    assert all(place.is_facing for place in places)


def test_packs_on_other_packs_are_of_their_row_and_no_fronts():
    standing, upper, top = Box(0, 100, 50, 50), Box(2, 51, 50, 50), Box(1, 2, 50, 50)
    beside = Box(60, 0, 50, 150)
    places = places_of([top, standing, beside, upper])
    assert [(place.row, place.is_facing) for place in places] == [(1, False), (1, True), (1, True), (1, False)]


def test_shares_are_of_the_width_of_fronts_and_the_plan_says_what_is_missing():
    boxes = [Box(0, 100, 30, 50), Box(0, 49, 30, 50), Box(40, 60, 60, 90), Box(110, 80, 10, 70)]
    report, _ = shelf_report(
        boxes, ["tea", "tea", "milk", None], known=["jam", "milk", "tea"], plan={"tea": 1, "jam": 3, "oil": 2}
    )
    assert [(each.name, each.count, each.facings, each.share, each.missing) for each in report.products] == [
        ("milk", 1, 1, 0.6, 0),
        ("tea", 2, 1, 0.3, 0),
        ("jam", 0, 0, 0.0, 3),
        ("oil", 0, 0, 0.0, 2),
    ]
    assert (report.unknown.count, report.unknown.facings, report.unknown.share) == (1, 1, 0.1)
    assert [each.expected for each in report.products] == [None, 1, 3, 2]
    empty, places = shelf_report([], [], known=["tea"], plan={})
    assert (empty.num_rows, empty.products[0].count, places) == (0, 0, [])
