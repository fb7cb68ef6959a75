"""Keeps fetching on a person's behalf out of the operator's own network (server-side request forgery).

The rule stands where the connection is made: a host is resolved once, every address that it has is judged, and the connection
goes to a judged address. So odd spellings of an address, a name that resolves anew to another address (DNS rebinding) and
redirects meet the same check. Judging the text of a URL was decided against: there are too many spellings.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Sequence
from pathlib import Path

import httpcore

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_CLOSED = tuple(
    ipaddress.ip_network(network)
    for network in (
        "100.64.0.0/10",  # shared by carriers; some clouds keep their metadata there
        "168.63.129.16/32",  # a cloud's own services behind a public address
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4
    )
)
_GLOBAL_V6 = ipaddress.ip_network("2000::/3")
_NAT64 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class AddressRefusedError(httpcore.ConnectError):
    """The host has an address that must not be reached from here."""


def networks_read(texts: Iterable[str]) -> tuple[Network, ...]:
    """Reads ``10.1.0.0/16`` and the like.

    Raises:
        ValueError: one is no network.
    """
    return tuple(ipaddress.ip_network(text.strip(), strict=False) for text in texts if text.strip())


def address_is_open(address: Address, *, allowed: Sequence[Network] = ()) -> bool:
    """Whether a connection to the address is let through: it is on the public net, or in a network that the operator allows."""
    if any(address.version == network.version and address in network for network in allowed):
        return True
    if isinstance(address, ipaddress.IPv6Address):
        inner = _embedded(address)
        if inner is not None:
            return address_is_open(inner, allowed=allowed)
        return address in _GLOBAL_V6 and _is_public(address)
    return _is_public(address) and not any(address in network for network in _CLOSED)


def _is_public(address: Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _embedded(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address inside a mapped, 6to4, Teredo, NAT64 or IPv4-compatible one."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if any(address in network for network in _NAT64) or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def addresses_judged(host: str, port: int, allowed: Sequence[Network] = ()) -> list[Address]:
    """The addresses of a host, each judged: whoever connects goes to one of them and not to the name.

    Raises:
        AddressRefusedError: an address of the host is closed; one of several is enough.
        httpcore.ConnectError: the host has no address.
    """
    try:
        found = socket.getaddrinfo(host or "\0", port, type=socket.SOCK_STREAM)  # no name at all would mean this machine
    except (OSError, UnicodeError, ValueError):
        raise httpcore.ConnectError("The host has no address.") from None
    addresses = [ipaddress.ip_address(str(info[4][0]).partition("%")[0]) for info in found]
    if not all(address_is_open(address, allowed=allowed) for address in addresses):
        raise AddressRefusedError(f"{host} is not on the public net.")
    return list(dict.fromkeys(addresses))


def path_below(path: str, roots: Sequence[Path]) -> Path | None:
    """What a path of the server names, links resolved; None where nothing is there or it is not below an opened folder.

    The two look alike, so nothing can be probed.
    """
    try:
        found = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    return found if any(found.is_relative_to(root.resolve()) for root in roots) else None


class GuardedBackend(httpcore.NetworkBackend):
    """Opens connections to judged addresses only; names are still what certificates are checked against."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Resolves, judges and connects.

        Raises:
            AddressRefusedError: an address of the host is closed; one of several is enough.
            httpcore.ConnectError: the host has no address, or none answers.
        """
        failure: httpcore.ConnectError = httpcore.ConnectError("The host has no address.")
        for address in addresses_judged(host, port, self._allowed):
            try:
                return self._inner.connect_tcp(
                    str(address), port, timeout=timeout, local_address=local_address, socket_options=socket_options
                )
            except httpcore.ConnectError as error:
                failure = error
        raise failure

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None
    ) -> httpcore.NetworkStream:
        """Never.

        Raises:
            AddressRefusedError: always.
        """
        raise AddressRefusedError(f"{path} is on this machine.")
