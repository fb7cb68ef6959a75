"""A network of pictures with half of its arithmetic, channels removed and what is left trained again, beside the whole one.

ResNet-18 learns to tell real digits apart, and the job ``compress`` removes channels. The ratio is of processor time of one
answer, one thread, both graphs in turn in the same run; what is lost is in points of right answers to the same test pictures.
Then, once a seed, the same network with searched shares of its layers is compared with one that keeps the same share of every
layer, both at no more than half of the multiplications, trained alike.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

from automl.contracts.compression import Candidate
from automl.contracts.dataset import Split
from automl.contracts.job import JobSpec, TrainConfig
from benchmarks._compressed_digits import Size, compressed, interval_text, search_briefly
from benchmarks._digits import CACHE_DIR
from benchmarks.harness import Claim, Options, main
from engine.compress import prune
from engine.compress.anneal import Numbers
from engine.compress.channels import Channels
from engine.compress.source import Source
from engine.compress.trainable_model import TrainableModel
from engine.events import EventLog
from engine.job import Job

METHOD = "fewer_channels"
_WHOLE, _QUICK, _SMOKE = Size(300, 60, 1000, 64, 20), Size(200, 60, 300, 64, 10), Size(40, 20, 20, 64, 2)
_BATCH = 100
_WHOLE_SPAN = 0.0, 1.0


def measure(options: Options) -> list[Claim]:
    """Time and loss of the candidate, and what the search gains."""
    size = options.pick(_WHOLE, smoke=_SMOKE, quick=_QUICK)
    seeds = range(options.pick(5, smoke=1, quick=2))
    if options.is_smoke:
        search_briefly(METHOD)
    train = TrainConfig(family="resnet", size="18", params={"augment": "none", "mirror": "no", "epochs": size.epochs})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = compressed(train, size, folder, trains=True, cache_dir=CACHE_DIR if options.is_smoke else None)
        candidate = next(each for each in report.candidates if each.method == METHOD)
        rights = [_rights(folder / "compressed", seed) for seed in seeds]
    searched, even = (np.array(column) for column in zip(*rights, strict=True))
    gains = 100 * (searched - even)
    spread = (
        f"{len(seeds)} seeds, {(gains > 0).sum()} better, {(gains < 0).sum()} worse, {gains.min():.1f} to {gains.max():.1f}"
    )
    metric = f"points of right answers by searched shares over even ones; {spread}"
    return [
        *_claims(candidate, report.original.latency_ms, 100 * report.original.value, size),
        Claim("prune", metric, 100 * float(searched.mean()), 100 * float(even.mean()), float(gains.mean()), 0.0),
    ]


def _claims(candidate: Candidate, whole_ms: float, whole_points: float, size: Size) -> list[Claim]:
    point = candidate.point
    low, high = candidate.speedup_interval
    metric = f"ms an answer of ResNet-18 at {size.side_px} px with half of its multiplications, {low:.2f} to {high:.2f} times"
    lost = f"points of right answers lost, {size.num_test} test pictures, {interval_text(candidate)}"
    return [
        Claim("prune", metric, point.latency_ms, whole_ms, candidate.speedup, 1.6),
        Claim("prune", lost, 100 * point.value, whole_points, 100 * candidate.loss, 1.0, is_at_most=True),
    ]


def _rights(workdir: Path, seed: int) -> tuple[float, float]:
    """Shares of right answers to the test pictures: of the searched network, and of the one pruned evenly."""
    spec = JobSpec.read(workdir / "job.json").model_copy(update={"seed": seed})
    with EventLog(workdir / f"seed-{seed}.jsonl") as log, tempfile.TemporaryDirectory() as work:
        trainable = Source(Job(workdir, spec, log), workdir / "model", Path(work)).trainable
        channels = Channels(trainable.network, trainable.batch(2)[0])
        limit = prune.MACS_SHARE * channels.macs(channels.num)
        even = channels.uniform(limit)
        searched = prune.search(channels, trainable, even, limit, span=_WHOLE_SPAN)
        found = [_right(trainable, _tuned(trainable, channels, kept)) for kept in (searched, even)]
        shares = [channels.macs(kept) / channels.macs(channels.num) for kept in (searched, even)]
        sys.stderr.write(f"seed {seed}: searched {found[0]:.3f} at {shares[0]:.3f}, even {found[1]:.3f} at {shares[1]:.3f}\n")
        return found[0], found[1]


def _tuned(trainable: TrainableModel, channels: Channels, kept: Numbers) -> nn.Module:
    return trainable.fine_tuned(prune.smaller(channels, trainable, kept), span=_WHOLE_SPAN)


def _right(trainable: TrainableModel, network: nn.Module) -> float:
    prepared, items = trainable.prepared, trainable.prepared.items
    rows, found = prepared.rows(Split.TEST), []
    for at in range(0, len(rows), _BATCH):
        items_B = torch.from_numpy(items.array[rows[at : at + _BATCH]])
        with torch.no_grad():
            found.append(network.eval()(items.network_input(items_B, torch.device("cpu"))).argmax(dim=1))
    return float((torch.cat(found).numpy() == prepared.targets[Split.TEST]).mean())


if __name__ == "__main__":
    main(measure)
