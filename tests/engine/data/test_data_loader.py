import subprocess
import sys
import threading

import numpy as np
import pytest
import torch

from engine.data.augment import Augmenter
from engine.data.loader import BatchLoader

PICTURES = np.random.default_rng(0).integers(0, 256, (30, 8, 8, 3), dtype=np.uint8)
INDICES = np.arange(2, 25)  # 23 pictures
TARGETS = torch.arange(2, 25) * 10


def _loader(**changes):
    options = {"batch_size": 5, "seed": 3, "augment": Augmenter("strong").batch} | changes
    return BatchLoader(PICTURES, INDICES, TARGETS, **options)


def _digest(batches):
    return [(pictures.sum().item(), targets.tolist()) for pictures, targets in batches]


def test_an_epoch_shows_every_picture_once_with_its_target():
    loader = _loader(augment=None)
    seen = []
    for pictures, targets in loader:
        for picture, target in zip(pictures, targets, strict=True):
            assert np.array_equal(picture.numpy(), PICTURES[target // 10])
            seen.append(int(target))
    assert sorted(seen) == TARGETS.tolist()
    assert len(loader) == 5
    assert loader.epoch == 1


def test_epochs_differ_and_seeds_repeat():
    loader, twin = _loader(), _loader()
    first, second = _digest(loader), _digest(loader)
    assert first != second
    assert [_digest(twin), _digest(twin)] == [first, second]
    assert _digest(_loader(seed=4)) != first


def test_order_stays_when_not_shuffled():
    targets = torch.cat([targets for _, targets in _loader(is_shuffled=False)])
    assert torch.equal(targets, TARGETS)


def test_short_last_batch_can_be_left_out():
    assert [len(targets) for _, targets in _loader()] == [5, 5, 5, 5, 3]
    assert [len(targets) for _, targets in _loader(drop_last=True)] == [5, 5, 5, 5]


@pytest.mark.parametrize("num_batches", [0, 2, 5, 7])
def test_resume_goes_on_with_the_very_next_batch(num_batches):
    whole = _loader()
    expected = _digest(whole) + _digest(whole)
    killed = _loader(prefetch=4)
    done = 0
    states = [killed.state_dict()]
    for _ in range(2):
        for _ in killed:
            done += 1
            states.append(killed.state_dict())
    resumed = _loader()
    resumed.load_state_dict(states[num_batches])
    rest = []
    while resumed.epoch < 2:
        rest += _digest(resumed)
    assert rest == expected[num_batches:]


def test_leaving_early_ends_the_thread_and_counts_what_was_handed_out():
    loader = _loader()
    for number, _ in enumerate(loader):
        if number == 1:
            break
    assert loader.state_dict() == {"epoch": 0, "batch": 2}
    assert not [thread for thread in threading.enumerate() if thread.name == "batch-loader"]


def test_error_in_the_thread_reaches_the_reader():
    loader = BatchLoader(PICTURES, np.array([0, 999]), torch.zeros(2), batch_size=2, seed=0)
    with pytest.raises(IndexError):
        list(loader)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="3 indices but 2 targets"):
        BatchLoader(PICTURES, np.arange(3), torch.zeros(2), batch_size=2, seed=0)


def test_an_epoch_without_a_batch_is_refused():
    with pytest.raises(ValueError, match="make no batch"):
        BatchLoader(PICTURES, np.arange(3), torch.zeros(3), batch_size=4, seed=0, drop_last=True)


_OTHER_PROCESS = """
import numpy as np, torch
from engine.data.augment import Augmenter
from engine.data.loader import BatchLoader
pictures = np.random.default_rng(0).integers(0, 256, (30, 8, 8, 3), dtype=np.uint8)
augment = Augmenter("strong").batch
loader = BatchLoader(pictures, np.arange(2, 25), torch.arange(2, 25) * 10, batch_size=5, seed=3, augment=augment)
print([(pictures.sum().item(), targets.tolist()) for pictures, targets in loader])
"""


def test_same_seed_gives_the_same_batches_in_another_process():
    answer = subprocess.run([sys.executable, "-c", _OTHER_PROCESS], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == str(_digest(_loader()))
