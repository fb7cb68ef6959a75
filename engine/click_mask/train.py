"""Trains the network of click to mask on scenes that are made on the spot.

One step sees a batch of scenes once and clicks at each of them up to three times: the last answer is judged, and the masks
before it go into the next one without gradient, as in RITM (https://arxiv.org/abs/2102.06583). Sometimes a rough mask is there
before the first click: in the page a second look at a smaller window starts from the mask of the first. The front of the
encoder keeps its ImageNet weights; its statistics are kept everywhere.

Shapes: B batch, C channels, H height, W width, K things.
"""

from __future__ import annotations

import copy
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from engine.click_mask.clicks import Click, discs, first_click, next_click
from engine.click_mask.network import SIDE_PX, Decoder, Encoder, Features, front_of
from engine.click_mask.scenes import scene_make
from engine.click_mask.sources import Material
from engine.models.efficientnet_lite.network import build, load_pretrained

_FROZEN_BLOCKS = 5
"""Of the encoder, and its stem: edges and textures of ImageNet are good as they are."""
_EMA_DECAY = 0.997
_ROUGH_MASK_FRACTION = 0.25
_CLICKS_BEFORE = (0, 0, 1, 2)
_REPORT_EVERY = 20
_KEEP_EVERY = 100


@dataclass(frozen=True)
class TrainConfig:
    """How long and how."""

    num_steps: int = 1000
    """Of the schedule of learning rates."""
    stop_after: int = 900
    """Steps that are taken: the last ones of the schedule change little."""
    batch: int = 8
    side_px: int = 160
    """Smaller than in use: steps cost half, and the network is convolutional."""
    full_side_fraction: float = 0.15
    """Of the steps, the last ones, at the side in use."""
    decoder_lr: float = 2e-3
    encoder_lr: float = 2e-4
    weight_decay: float = 1e-3
    seed: int = 0


class ClickMask(nn.Module):
    """Encoder and decoder."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()
        self.decoder = Decoder()


def network_from(weights_path: Path) -> ClickMask:
    """The network as it was kept."""
    network = ClickMask()
    network.load_state_dict(load_file(weights_path))
    return network.eval()


def train(config: TrainConfig, material: Material, backbone_path: Path, out_path: Path) -> ClickMask:
    """Trains and keeps the averaged weights, every hundred steps and at the end.

    Args:
        config: how long and how.
        material: of the training side.
        backbone_path: EfficientNet-Lite0's weights as the assets' store keeps them.
        out_path: where the weights go, as safetensors.
    """
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    network = _started(backbone_path)
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in network.encoder.parameters() if p.requires_grad], "lr": config.encoder_lr},
            {"params": network.decoder.parameters(), "lr": config.decoder_lr},
        ],
        weight_decay=config.weight_decay,
    )
    peaks = [config.encoder_lr, config.decoder_lr]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peaks, config.num_steps, pct_start=0.1)
    started_s = time.process_time()
    losses: list[float] = []
    last_step = min(config.num_steps, config.stop_after)
    for step in range(last_step):
        is_full = step >= config.num_steps * (1 - config.full_side_fraction)
        network.decoder.train()
        loss = _step(rng, network, material, config.batch, SIDE_PX if is_full else config.side_px)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        _averaged(average, network, min(_EMA_DECAY, (1 + step) / (10 + step)))
        losses.append(loss.item())
        if (step + 1) % _REPORT_EVERY == 0:
            mean = sum(losses[-_REPORT_EVERY:]) / _REPORT_EVERY
            sys.stdout.write(f"step {step + 1} loss {mean:.4f} cpu {time.process_time() - started_s:.0f} s\n")
            sys.stdout.flush()
        if (step + 1) % _KEEP_EVERY == 0 or step + 1 == last_step:
            save_file({name: tensor.contiguous() for name, tensor in average.state_dict().items()}, out_path)
    return average.eval()


def _started(backbone_path: Path) -> ClickMask:
    lite = build("0")
    backbone = {name: tensor for name, tensor in load_file(backbone_path).items() if not name.startswith("_fc.")}
    load_pretrained(lite, backbone)
    network = ClickMask()
    network.encoder.stem.load_state_dict(lite.stem.state_dict())
    network.encoder.blocks.load_state_dict(front_of(lite).state_dict())
    network.encoder.eval()
    for part in (network.encoder.stem, nn.Sequential(*list(network.encoder.blocks.children())[:_FROZEN_BLOCKS])):
        part.requires_grad_(False)
    return network


def _step(rng: np.random.Generator, network: ClickMask, material: Material, batch: int, side_px: int) -> Tensor:
    """The loss at a batch of new scenes, after none to two clicks that were answered before."""
    pictures_BHWC, targets_BHW = _batch(rng, material, batch, side_px)
    masks = [target > 0.5 for target in targets_BHW]
    clicks: list[list[Click]] = [[first_click(rng, mask)] for mask in masks]
    mask_B1HW = torch.from_numpy(np.stack([_rough(rng, target) for target in targets_BHW])[:, None])
    target_B1HW = torch.from_numpy(targets_BHW[:, None])
    with torch.autocast("cpu", torch.bfloat16):
        features = network.encoder(torch.from_numpy(pictures_BHWC).permute(0, 3, 1, 2).float())
    features = Features(*(feature.float() for feature in features))
    before = int(rng.choice(_CLICKS_BEFORE))
    for _ in range(before):
        with torch.no_grad():
            mask_B1HW = _answer(network, features, clicks, mask_B1HW).sigmoid()
        for each, mask, found in zip(clicks, masks, mask_B1HW[:, 0].numpy() > 0.5, strict=True):
            click = next_click(mask, found, rng)
            if click is not None:
                each.append(click)
    return _loss(_answer(network, features, clicks, mask_B1HW), target_B1HW)


def _answer(network: ClickMask, features: Features, clicks: list[list[Click]], mask_B1HW: Tensor) -> Tensor:
    """Logits; the clicks are in cells of the grid."""
    maps = torch.from_numpy(np.stack([discs(each, mask_B1HW.shape[-1], 1.0) for each in clicks]))
    with torch.autocast("cpu", torch.bfloat16):
        return network.decoder(features, maps, mask_B1HW).float()


def _batch(rng: np.random.Generator, material: Material, batch: int, side_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Pictures, and the share of each cell of the grid that one of their things covers."""
    pictures: list[np.ndarray] = []
    targets: list[np.ndarray] = []
    while len(pictures) < batch:
        scene = scene_make(rng, material, side_px, side_px)
        mask = scene.masks_KHW[rng.integers(len(scene.masks_KHW))]
        target = cv2.resize(mask.astype(np.float32), (side_px // 2, side_px // 2), interpolation=cv2.INTER_AREA)
        if (target > 0.5).any():
            pictures.append(scene.picture_HW3)
            targets.append(target)
    return np.stack(pictures), np.stack(targets)


def _rough(rng: np.random.Generator, target_HW: np.ndarray) -> np.ndarray:
    """Mostly nothing; sometimes the mask as it looks from further away."""
    if rng.random() >= _ROUGH_MASK_FRACTION:
        return np.zeros_like(target_HW)
    side = target_HW.shape[0]
    small = cv2.resize(target_HW, (side // int(rng.integers(3, 9)),) * 2, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 1.0)))
    shifted = np.roll(cv2.resize(blurred, (side, side)), rng.integers(-2, 3, 2), axis=(0, 1))
    bias = rng.normal(0, 0.25)
    return (1 / (1 + np.exp(-8 * (shifted - 0.5 + bias)))).astype(np.float32) * (shifted > 0.02)


def _loss(logits_B1HW: Tensor, target_B1HW: Tensor) -> Tensor:
    """Cross-entropy, twice as heavy at wrong places, plus one minus the soft overlap (dice)."""
    chance = logits_B1HW.sigmoid()
    wrong = (chance.detach() - target_B1HW).abs()
    entropy = F.binary_cross_entropy_with_logits(logits_B1HW, target_B1HW, reduction="none") * (0.5 + wrong)
    both = (chance * target_B1HW).sum(dim=(1, 2, 3))
    sizes = chance.sum(dim=(1, 2, 3)) + target_B1HW.sum(dim=(1, 2, 3))
    return entropy.mean() * 4 + (1 - (2 * both + 1) / (sizes + 1)).mean()


@torch.no_grad()
def _averaged(average: ClickMask, network: ClickMask, decay: float) -> None:
    now = network.state_dict()
    for name, tensor in average.state_dict().items():
        if tensor.dtype.is_floating_point:
            tensor.lerp_(now[name], 1 - decay)
        else:
            tensor.copy_(now[name])
