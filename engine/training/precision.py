"""Which number format the steps compute in: chosen by measuring, once per network and host.

bf16 makes dense convolutions 2.5 times as fast on a CPU with AMX and depthwise ones slower, so the family alone does not
decide. The choice is kept in the host's cache folder: a trial must not train differently because the machine was busy while
it was measured. A training of few steps is not worth the measurement. torch.compile was never faster on a CPU and costs a
minute; it is not tried.
"""

from __future__ import annotations

import copy
import hashlib
import json
import math
import platform
import time
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from pathlib import Path
from statistics import median

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves

PROBE_STEPS = 3
WORTHWHILE_STEPS = 12
"""Of training; below, measuring ``PROBE_STEPS`` steps in either format takes about as long as the faster format spares."""
MIN_GAIN = 1.15
"""bf16 has to be this much faster; fp32 is the more exact one."""


class Precision(StrEnum):
    """Formats of the step's arithmetic; weights are always fp32."""

    FP32 = "fp32"
    BF16 = "bf16"

    def autocast(self, device: torch.device) -> AbstractContextManager[object]:
        """The context to run the forward pass in."""
        if self is Precision.FP32:
            return nullcontext()
        return torch.autocast(device.type, dtype=torch.bfloat16)


def choose(model: nn.Module, items_B: Tensor, *, key: str, cache_dir: Path, num_steps: float = math.inf) -> Precision:
    """Chooses for this network, batch and host; fp32 on a CPU where so few steps follow that measuring is not worth it.

    Args:
        model: on its device; it is not changed.
        items_B: a batch as the steps will see it: pictures ``_BCHW`` or tokens ``_BT``.
        key: names the network.
        cache_dir: where the choice is kept.
        num_steps: of training.
    """
    device = items_B.device
    if device.type != "cpu":
        return Precision.BF16 if device.type == "cuda" and torch.cuda.is_bf16_supported() else Precision.FP32
    if num_steps < WORTHWHILE_STEPS or not _has_bf16_units():
        return Precision.FP32
    name = json.dumps([key, list(items_B.shape), torch.get_num_threads(), platform.node(), torch.__version__])
    path = cache_dir / "precision" / f"{hashlib.sha256(name.encode()).hexdigest()[:20]}.txt"
    if not path.exists():
        _keep_first(path, _measured(model, items_B))
    return Precision(path.read_text(encoding="utf-8"))


def _has_bf16_units() -> bool:
    return bool(torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())  # torch has no public name


def _measured(model: nn.Module, items_B: Tensor) -> Precision:
    fp32_s = _step_s(model, items_B, Precision.FP32)
    bf16_s = _step_s(model, items_B, Precision.BF16)
    return Precision.BF16 if fp32_s / bf16_s >= MIN_GAIN else Precision.FP32


def _step_s(model: nn.Module, items_B: Tensor, precision: Precision) -> float:
    """Median processor time of a step on a copy; the random numbers of the run are not touched."""
    twin = copy.deepcopy(model).train()
    times_s = []
    with torch.random.fork_rng(devices=[]):
        for _ in range(PROBE_STEPS):
            start_s = time.process_time()
            with precision.autocast(items_B.device):
                given = twin(items_B)
            loss = torch.stack([part.float().sum() for part in tree_leaves(given)]).sum()
            loss.backward()
            times_s.append(time.process_time() - start_s)
    return median(times_s)


def _keep_first(path: Path, precision: Precision) -> None:
    """Writes the choice unless another process was faster, so that all trials agree."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{time.monotonic_ns()}.partial")
    partial.write_text(precision.value, encoding="utf-8")
    try:
        path.hardlink_to(partial)
    except FileExistsError:
        pass
    finally:
        partial.unlink()
