"""Lines of text between two graphs: regions, rectangles, order, cutting out, and decoding."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from runtime.answers.quads import CORNERS, Quads, text_of
from runtime.backends.onnxruntime_cpu import OnnxRuntimeCpu
from runtime.items.image.decode import Picture
from runtime.pipelines import pipeline_of, pipeline_open
from runtime.pipelines._quads import as_read, from_upper_left, line_of, reading_order
from runtime.pipelines._regions import regions, smallest_rectangle
from tests.exporters.quad_graph import quad_files_write, quad_picture


def test_regions_are_those_of_scipy_also_across_corners():
    values = np.random.default_rng(3).random((60, 80)).astype(np.float32)
    labels, number = ndimage.label(values > 0.7, structure=np.ones((3, 3)))
    expected = sorted(float(values[labels == each].mean()) for each in range(1, number + 1))
    assert sorted(region.mean for region in regions(values, 0.7)) == pytest.approx(expected, abs=1e-5)
    assert list(regions(np.zeros((4, 4), dtype=np.float32), 0.5)) == []


@pytest.mark.parametrize("degrees", [0, 17, 45, 80])
def test_the_smallest_rectangle_is_found_however_it_is_turned(degrees):
    turn = np.radians(degrees)
    along, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    inside = np.random.default_rng(1).random((50, 2))
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    found = smallest_rectangle(np.concatenate([inside, corners]) @ np.stack([40 * along, 8 * down]))
    sides = sorted(np.hypot(*(np.roll(found, -1, axis=0) - found).T).tolist())
    assert sides == pytest.approx([8, 8, 40, 40])
    assert smallest_rectangle(np.array([[3.0, 4.0]])).tolist() == [[3.0, 4.0]] * 4


def test_lines_are_read_by_rows_as_they_run_also_where_the_page_is_turned():
    boxes = [(0, 0, 30, 10), (50, 2, 90, 12), (0, 20, 40, 30), (60, 22, 90, 30)]
    quads = np.array([[(x, y), (x2, y), (x2, y2), (x, y2)] for x, y, x2, y2 in boxes], dtype=float)
    for degrees in (0, 25, -25):
        turn = np.radians(degrees)
        matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        assert reading_order(quads[[3, 1, 0, 2]] @ matrix) == [2, 1, 3, 0]


def test_a_line_that_runs_downwards_is_turned_before_it_is_read():
    picture = Image.new("RGB", (20, 60), "white")
    picture.paste((0, 0, 0), (0, 0, 20, 20))  # where it begins
    corners = from_upper_left(np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 60.0], [0.0, 60.0]]))
    line = np.asarray(line_of(picture, as_read(corners), height_px=20, most_px=200))
    assert line.shape == (20, 60, 3)
    assert line[:, :18].max() < 40
    assert line[:, 22:].min() > 215


class _Graph:
    def __init__(self, answer):
        self._answer = answer

    def run(self, feeds):
        return self._answer(*feeds.values())


def test_symbols_are_decoded_without_repeats_and_blanks_up_to_the_end_of_the_line():
    symbols = np.array([0, 1, 1, 0, 1, 2, 0, 9])

    def answer(lines):
        steps = np.resize(symbols, lines.shape[2] // 8)
        return np.stack([np.stack([steps, np.full(len(steps), 0.5)], axis=1)] * len(lines)).astype(np.float32)

    spec = {"kind": "text_lines", "recogniser": "r", "symbols": list("ab_______"), "side_px": 64}
    spec |= {"threshold": 0.5, "least_score": 0.5, "unclip": 1.0}
    pipeline = pipeline_of(spec, lambda name, output: _Graph(answer))
    short, long = (Image.new("RGB", (width, 48)) for width in (50, 60))
    assert [line.text for line in pipeline.read([long, short])] == ["aab_", "aab"]
    assert pipeline.read([short])[0].score == pytest.approx(0.5)


def test_a_picture_is_answered_in_its_own_pixels_whatever_size_lines_are_looked_for_at(tmp_path):
    quad_files_write(tmp_path)
    picture = quad_picture(5, width=400, height=240)
    rows = pipeline_open(tmp_path, OnnxRuntimeCpu).run({"picture": np.asarray(picture)[None]})[0]
    lines = [(text_of(row), row[:CORNERS].reshape(4, 2) * (400, 240)) for row in rows if row[CORNERS] > 0]
    assert [text[0] + text[-1] for text, _ in lines] == ["A文", "A文"]
    dark = np.asarray(picture.convert("L")) < 128
    for _, corners in lines:
        left, upper, right, lower = *corners.min(axis=0), *corners.max(axis=0)
        assert dark[round(upper) : round(lower), round(left) : round(right)].mean() > 0.9
    assert dark.sum() == pytest.approx(sum(np.prod(np.ptp(corners, axis=0)) for _, corners in lines), rel=0.1)
    seen = Picture(np.asarray(picture), 400, 240)
    found = Quads(["text"]).encode(rows, seen, top=9, threshold=None, thresholds={})
    assert json.loads(json.dumps(found))[0]["attributes"] == [{"name": "text", "value": lines[0][0]}]
    assert Quads(["text"]).encode(rows, seen, top=9, threshold=0.95, thresholds={}) == []
