"""How the processes of several hosts find each other: torch's ``c10d`` rendezvous, and the network that they talk over."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import replace
from ipaddress import ip_address, ip_network

import psutil
from torch.distributed.launcher.api import LaunchConfig

from automl.contracts.job import HostGroup

LOOK_EVERY_S = 0.2
READ_S = 60
"""Seconds that a host may take to answer at the meeting."""


def launch_of(alone: LaunchConfig, group: HostGroup) -> LaunchConfig:
    """How a host launches its processes together with those of the others."""
    return replace(
        alone,
        min_nodes=group.num_hosts,
        max_nodes=group.num_hosts,
        run_id=group.run_id,
        rdzv_endpoint=group.meeting,
        rdzv_configs={"is_host": group.is_first, "join_timeout": max(1, round(group.join_s)), "read_timeout": READ_S},
        local_addr=group.address,
    )


def wait_for(meeting: str) -> None:
    """Returns when the first host is at the meeting; whoever ordered the job ends it if that never happens."""
    host, _, port = meeting.rpartition(":")
    while True:
        try:
            socket.create_connection((host, int(port)), timeout=5.0).close()
        except OSError:
            time.sleep(LOOK_EVERY_S)
        else:
            return


def choose_interface(address: str) -> None:
    """Has gloo and NCCL talk over the network that the host's address is in, unless their own variables name one."""
    name = interface_of(address)
    if name is not None:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", name)
        os.environ.setdefault("NCCL_SOCKET_IFNAME", name)


def interface_of(address: str) -> str | None:
    """The network interface that an address of this host belongs to; None where none does.

    Raises:
        OSError: the name cannot be resolved.
    """
    own = ip_address(socket.gethostbyname(address))
    known = [
        (name, one) for name, addresses in psutil.net_if_addrs().items() for one in addresses if one.family is socket.AF_INET
    ]
    exact = [name for name, one in known if ip_address(one.address) == own]
    near = [name for name, one in known if one.netmask and own in ip_network(f"{one.address}/{one.netmask}", strict=False)]
    return next(iter([*exact, *near]), None)
