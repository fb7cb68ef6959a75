"""Two hosts on one machine: network namespaces of their own with a cable between them, or two addresses of the loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class TestHost:
    """One of the two."""

    __test__ = False

    address: str
    prefix: tuple[str, ...]
    """Of a command that runs on it."""


@contextmanager
def two_hosts() -> Iterator[tuple[TestHost, TestHost, str]]:
    """The two, and why they are no network namespaces; empty where they are."""
    reason = "" if shutil.which("ip") else "`ip` is not installed"
    names = [f"modelyard-{os.getpid()}-{letter}" for letter in "ab"]
    addresses = ["10.213.77.1", "10.213.77.2"]
    try:
        if not reason:
            reason = _made(names, addresses)
        if reason:
            yield TestHost("127.0.0.1", ()), TestHost("127.0.0.2", ()), f"no network namespaces: {reason}"
        else:
            first, second = (
                TestHost(address, ("ip", "netns", "exec", name)) for name, address in zip(names, addresses, strict=True)
            )
            yield first, second, ""
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False) if shutil.which("ip") else None


def _made(names: list[str], addresses: list[str]) -> str:
    """Makes the namespaces and joins them; what the system said where it may not."""
    cables = [f"my{os.getpid() % 10**6}{letter}" for letter in "ab"]
    commands = [["netns", "add", name] for name in names]
    commands.append(["link", "add", cables[0], "netns", names[0], "type", "veth", "peer", "name", cables[1], "netns", names[1]])
    for name, cable, address in zip(names, cables, addresses, strict=True):
        commands.append(["-n", name, "address", "add", f"{address}/24", "dev", cable])
        commands += [["-n", name, "link", "set", device, "up"] for device in ("lo", cable)]
    for command in commands:
        ended = subprocess.run(["ip", *command], capture_output=True, text=True, check=False)
        if ended.returncode:
            return ended.stderr.strip()
    return ""
