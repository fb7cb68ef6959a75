"""Crop, mirror, colours and cutout of a batch on a GPU, against one core of the host."""

from __future__ import annotations

import torch

from benchmarks._gpu import clock, device_for, device_name
from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.data import augment


def measure(options: Options) -> list[Claim]:
    """Pictures a second."""
    device = device_for(options)
    batch, side_px, repeats = options.pick((512, 224, 20), smoke=(4, 32, 1))
    generator = torch.Generator().manual_seed(0)
    host_BHWC = torch.randint(0, 256, (batch, side_px, side_px, 3), dtype=torch.uint8, generator=generator)
    pictures_BHWC, draws = host_BHWC.to(device), augment.draw("strong", batch, generator)

    def often(work, times: int) -> int:
        for _ in range(times):
            work()
        return times * batch

    contestants = {
        "ours": lambda: often(lambda: augment.apply(pictures_BHWC, draws), repeats),
        "host": lambda: often(lambda: augment.apply_on_cpu(host_BHWC, draws), 1),
    }
    seconds = interleave(contestants, num_rounds=options.num_rounds, clock=clock)
    what = f"pictures/s, {side_px} px, {device_name(device)}"
    return [speedup("gpu_augment", f"{what}, against one core", seconds, ours="ours", anchor="host", target=8.0)]


if __name__ == "__main__":
    main(measure)
