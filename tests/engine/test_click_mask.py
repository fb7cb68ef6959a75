"""Click to mask: scenes, clicks, the network and its export, and the graphs that the page loads, on pictures made by code."""

from __future__ import annotations

import json
from hashlib import sha256

import cv2
import numpy as np
import onnxruntime
import pytest
import torch
from safetensors.torch import save_file

from engine.click_mask import baselines
from engine.click_mask.__main__ import CARD_FILE, MODEL_DIR
from engine.click_mask.clicks import Click, discs, first_click, next_click
from engine.click_mask.evaluate import interval, overlap, overlaps, scenes
from engine.click_mask.export import DECODER_FILE, ENCODER_FILE, export
from engine.click_mask.network import CLICK_RADIUS, GRID, SIDE_PX
from engine.click_mask.predict import ClickMaskModel, ClickSession, Window, better_window, first_window, pixels_of, resampled
from engine.click_mask.scenes import scene_make
from engine.click_mask.sources import Material, material_in
from engine.click_mask.train import ClickMask, TrainConfig, network_from, train
from engine.models.efficientnet_lite.network import build


def cutout(side: int, color: tuple[int, int, int]) -> np.ndarray:
    pixels = np.zeros((side, side, 4), dtype=np.uint8)
    pixels[..., :3] = color
    pixels[..., 3] = cv2.circle(np.zeros((side, side), dtype=np.uint8), (side // 2, side // 2), side // 2 - 2, 255, -1)
    return pixels


@pytest.fixture(scope="module")
def material() -> Material:
    rng = np.random.default_rng(0)
    photos = [cv2.resize(rng.integers(0, 120, (12, 16, 3)).astype(np.uint8), (400, 300)) for _ in range(3)]
    return Material((cutout(120, (230, 200, 40)), cutout(90, (40, 220, 230))), (cutout(64, (250, 60, 60)),), tuple(photos))


def on_grass(center: tuple[int, int], radius: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    picture = np.full((480, 640, 3), (70, 110, 60), dtype=np.uint8) + rng.integers(0, 25, (480, 640, 1)).astype(np.uint8)
    mask = cv2.circle(np.zeros((480, 640), dtype=np.uint8), center, radius, 1, -1).astype(bool)
    picture[mask] = (200, 60, 50)
    return picture, mask


def test_scenes_show_what_their_masks_say_and_repeat_themselves(material):
    one, other = (scene_make(np.random.default_rng(5), material, 96, 128) for _ in range(2))
    assert np.array_equal(one.picture_HW3, other.picture_HW3)
    assert one.picture_HW3.shape == (96, 128, 3)
    assert one.masks_KHW.shape[1:] == (96, 128)
    assert one.masks_KHW.sum(axis=0).max() == 1, "a pixel belongs to one thing"


def test_kinds_and_photographs_are_never_on_both_sides(tmp_path):
    from PIL import Image

    for name in ("animals/mammals/cow", "animals/birds/duck", "food/pear", "symbols/math/plus"):
        path = tmp_path / "stamps" / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(cutout(40 + len(name), (9, 99, 200))).save(path)
    for name in ("apple", "coffee"):
        (tmp_path / "photos").mkdir(exist_ok=True)
        Image.new("RGB", (60, 40)).save(tmp_path / "photos" / f"{name}.jpg")
    found = {split: material_in(split, tmp_path / "stamps", tmp_path / "photos") for split in ("train", "test")}
    assert [len(found[split].stamps) for split in ("train", "test")] == [1, 2]
    assert [len(found[split].photos) for split in ("train", "test")] == [1, 1]


def test_clicks_lie_where_a_person_would_correct():
    target = np.zeros((60, 80), dtype=bool)
    target[10:40, 10:40] = True
    first = first_click(np.random.default_rng(0), target)
    assert first.is_positive
    assert target[int(first.y), int(first.x)]
    found = target.copy()
    found[15:25, 50:75] = True
    found[38:40] = False
    extra = next_click(target, found)
    assert extra is not None
    assert not extra.is_positive
    assert (15 <= extra.y < 25, 50 <= extra.x < 75) == (True, True)
    assert next_click(target, target) is None


def test_discs_have_their_radius_and_sign():
    maps = discs([Click(20.5, 30.5), Click(50.5, 60.5, is_positive=False)], GRID, 1.0)
    assert maps[0, 30, 20] == maps[1, 60, 50] == 1
    assert maps[0, 30, 20 + CLICK_RADIUS] == 1
    assert maps[0, 30, 21 + CLICK_RADIUS] == 0
    assert maps.sum(axis=(1, 2)).tolist() == [29, 29]


def test_training_learns_and_is_the_same_for_the_same_seed(material, tmp_path):
    torch.manual_seed(0)
    save_file(build("0").state_dict(), tmp_path / "backbone.safetensors")
    config = TrainConfig(num_steps=3, batch=2, side_px=64, full_side_fraction=0.0, stop_after=2)
    checkpoints = []
    for name in ("one", "two"):
        train(config, material, tmp_path / "backbone.safetensors", tmp_path / name)
        checkpoints.append(network_from(tmp_path / name).state_dict())
    assert all(torch.equal(checkpoints[0][name], checkpoints[1][name]) for name in checkpoints[0])
    torch.manual_seed(0)
    fresh = ClickMask().decoder.state_dict()
    assert any(not torch.equal(checkpoints[0][f"decoder.{name}"], tensor) for name, tensor in fresh.items())


def test_export_answers_like_the_network(tmp_path):
    torch.manual_seed(1)
    network = ClickMask().eval()
    export(network, tmp_path)
    picture = np.random.default_rng(0).integers(0, 256, (1, SIDE_PX, SIDE_PX, 4), dtype=np.uint8)
    maps = discs([Click(60, 70)], GRID, 1.0)[None]
    mask = np.zeros((1, 1, GRID, GRID), dtype=np.float32)
    with torch.no_grad():
        features = network.encoder(torch.from_numpy(picture[..., :3]).permute(0, 3, 1, 2).float())
        expected = network.decoder(features, torch.from_numpy(maps), torch.from_numpy(mask)).numpy()
    names = ("x2", "x4", "x8", "x16")
    outputs = onnxruntime.InferenceSession(tmp_path / ENCODER_FILE).run(names, {"picture": picture})
    inputs = dict(zip(names, outputs, strict=True)) | {"clicks": maps, "mask": mask}
    [found] = onnxruntime.InferenceSession(tmp_path / DECODER_FILE).run(None, inputs)
    assert np.corrcoef(found.ravel(), expected.ravel())[0, 1] > 0.99, "int8 weights cost little"


def test_windows_stay_in_the_picture_and_close_in():
    assert first_window([Click(10, 10)], 640, 480) == Window(0, 0, 640, 480)
    wide = first_window([Click(1000, 50)], 4000, 300)
    assert (wide.width, wide.height, wide.left) == (400, 300, 800)
    logits = np.full((GRID, GRID), -5, dtype=np.float32)
    assert better_window(Window(0, 0, 640, 480), logits, [Click(1, 1)], 640, 480) is None
    logits[10:20, 12:22] = 5
    closer = better_window(Window(0, 0, 640, 480), logits, [Click(80, 60)], 640, 480)
    assert closer is not None
    assert closer.width == closer.height == pytest.approx(80)
    logits[:, 0] = 5
    assert better_window(Window(100, 0, 300, 300), logits, [Click(120, 60)], 640, 480) == Window(10, 0, 480, 480)


def test_logits_go_to_another_window_and_to_pixels():
    whole, part = Window(0, 0, 256, 256), Window(64, 64, 128, 128)
    rows, columns = np.mgrid[:GRID, :GRID] * 2 + 1
    logits = (30 - np.hypot(columns - 128, rows - 128)).astype(np.float32)
    there = resampled(logits, whole, part)
    target = np.hypot(*(np.mgrid[:256, :256] - 127.5)) < 30
    assert overlap(target, pixels_of(logits, whole, 256, 256)) > 0.98
    assert overlap(target, pixels_of(there, part, 256, 256)) > 0.98


@pytest.mark.parametrize(("center", "radius"), [((320, 240), 150), ((150, 330), 30)])
def test_the_graphs_of_the_page_find_large_and_small_things(center, radius):
    picture, mask = on_grass(center, radius)
    found = ClickMaskModel(MODEL_DIR).answer(ClickSession(picture), [Click(*center)])
    assert overlap(mask, found) > 0.85


def test_the_card_tells_size_licences_and_figures():
    card = json.loads((MODEL_DIR / CARD_FILE).read_text())
    assert {name: (MODEL_DIR / name).stat().st_size for name in (ENCODER_FILE, DECODER_FILE)} == card["size_bytes"]
    assert {name: sha256((MODEL_DIR / name).read_bytes()).hexdigest() for name in card["sha256"]} == card["sha256"]
    assert card["sha256"].keys() == card["size_bytes"].keys()
    assert sum(card["size_bytes"].values()) <= 2**20
    assert all(source["licence"] for source in card["sources"])
    for figures in card["iou_after_clicks"].values():
        low, high = figures["after"][-1]["interval_95"]
        assert low <= figures["after"][-1]["mean"] <= high


def test_baselines_and_measure_find_a_plain_thing(material):
    picture, mask = on_grass((320, 240), 90)
    for begin in (baselines.grabcut, baselines.region_growing):
        found = overlaps(begin, iter([(picture, mask)]), 2)
        assert found.shape == (1, 2)
        assert found[0, 1] > 0.7
    mean, low, high = interval(np.array([0.2, 0.4, 0.6]))
    assert mean == pytest.approx(0.4)
    assert 0.2 <= low < mean < high <= 0.6
    first, again = (list(scenes(material, 2, seed=4)) for _ in range(2))
    assert all(np.array_equal(one[1], other[1]) for one, other in zip(first, again, strict=True))
