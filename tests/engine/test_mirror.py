"""Mirroring where labels allow it: decided by the pictures, settable, and written down with the model."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import torch

from automl.contracts.artefact import ArtefactManifest
from engine.data.augment import Augmenter
from engine.items.image.mirror import is_label_mirrored
from tests.engine.jobs import SMALL_RESNET, events, make_job, run_here


def _arrows(number: int, *, is_upright: bool) -> tuple[np.ndarray, np.ndarray]:
    """Arrows that point one way or the other: to the left and right, or up and down."""
    generator, pictures = np.random.default_rng(0), []
    for row in range(number):
        picture_HWC = np.full((64, 64, 3), generator.integers(150, 255), dtype=np.uint8)
        at, ends = int(generator.integers(20, 44)), (10, 54) if row % 2 else (54, 10)
        start, end = (((at, y) if is_upright else (y, at)) for y in ends)
        pictures.append(cv2.arrowedLine(picture_HWC, start, end, (20, 20, 20), 5, tipLength=0.5))
    return np.stack(pictures), np.arange(number) % 2


def _groups(number: int) -> list[str]:
    return [f"group {place}" for place in range(number)]


def test_arrows_to_the_left_are_not_mirrored_and_those_upwards_are():
    sideways, upright = (_arrows(60, is_upright=is_upright) for is_upright in (False, True))
    assert not is_label_mirrored(*sideways, _groups(60))
    assert is_label_mirrored(*upright, _groups(60))


def test_labels_by_chance_and_few_pictures_do_not_forbid_it():
    noise = np.random.default_rng(1).integers(0, 256, (80, 32, 32, 3), dtype=np.uint8)
    assert is_label_mirrored(noise, np.arange(80) % 3, _groups(80))
    assert is_label_mirrored(*(part[:6] for part in _arrows(60, is_upright=False)), _groups(6))


def test_copies_of_a_picture_are_no_evidence():
    pictures, targets = _arrows(60, is_upright=False)
    assert is_label_mirrored(np.concatenate([pictures] * 2), np.concatenate([np.arange(60)] * 2), _groups(60) * 2)
    assert not is_label_mirrored(np.concatenate([pictures] * 2), np.concatenate([targets] * 2), _groups(60) * 2)


def test_an_augmenter_that_may_not_mirror_differs_in_nothing_else():
    pictures_BHWC = torch.randint(0, 256, (16, 24, 24, 3), dtype=torch.uint8)
    either, never = (
        Augmenter("light", is_mirrored=flag)(pictures_BHWC, torch.Generator().manual_seed(5)) for flag in (True, False)
    )
    same = [bool(torch.equal(one, other)) for one, other in zip(either, never, strict=True)]
    turned = [bool(torch.equal(one, other.flip(1))) for one, other in zip(either, never, strict=True)]
    assert all(one or other for one, other in zip(same, turned, strict=True))
    assert any(turned)


@pytest.mark.parametrize("mirror", ["auto", "no"])
def test_the_model_says_what_was_done(mirror, tmp_path, cache_dir):
    job = make_job(tmp_path / "job", cache_dir=cache_dir, params={**SMALL_RESNET, "mirror": mirror})
    assert run_here(job) == 0, events(job)[-1]
    params = ArtefactManifest.read(job / "artefact" / "artefact.json").train.params
    assert params["mirror"] in ({"yes", "no"} if mirror == "auto" else {"no"})
