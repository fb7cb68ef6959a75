"""A container's memory limit counts, whichever version of control groups writes it."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from studio.common.memory import memory_total_bytes

MIB = 2**20
UNLIMITED_V1 = 9223372036854771712


def plant(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({"proc/self/cgroup": "0::/", "sys/fs/cgroup/memory.max": f"{64 * MIB}"}, 64 * MIB),
        (
            {
                "proc/self/cgroup": "0::/user/job",
                "sys/fs/cgroup/user/job/memory.max": "max",
                "sys/fs/cgroup/user/memory.max": f"{32 * MIB}",
            },
            32 * MIB,
        ),
        (
            {
                "proc/self/cgroup": "11:cpu,cpuacct:/a\n4:memory:/docker/ab",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{16 * MIB}",  # a container sees its group at the mount
            },
            16 * MIB,
        ),
        (
            {
                "proc/self/cgroup": "4:memory:/docker/ab",
                "sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes": f"{8 * MIB}",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{UNLIMITED_V1}",
            },
            8 * MIB,
        ),
    ],
)
def test_the_smallest_limit_counts(tmp_path, files, limit):
    assert memory_total_bytes(root=plant(tmp_path, files)) == limit


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"proc/self/cgroup": "0::/a", "sys/fs/cgroup/a/memory.max": "max"},
        {"proc/self/cgroup": "4:memory:/", "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{UNLIMITED_V1}"},
    ],
)
def test_without_a_limit_it_is_the_hosts_memory(tmp_path, files):
    assert memory_total_bytes(root=plant(tmp_path, files)) == psutil.virtual_memory().total
