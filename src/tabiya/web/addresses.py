"""The addresses of this machine, as seen from other machines in its network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress


def network_hosts(*, ipv6: bool = False) -> list[str]:
    """Return the addresses at which other machines can reach this one, the most likely first; nothing is sent.

    Args:
        ipv6: include IPv6 addresses, and put them first.
    """
    families = [(socket.AF_INET, "192.0.2.1"), *([(socket.AF_INET6, "2001:db8::1")] if ipv6 else [])]
    found: list[str] = []
    for family, elsewhere in reversed(families):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))  # selects the local address for packets to that host, and sends none
            found.append(probe.getsockname()[0])
        with suppress(OSError):
            found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None, family)]
    return [host for host in dict.fromkeys(found) if _is_reachable(host)]


def _is_reachable(host: str) -> bool:
    """Return whether other machines can reach this address, and it can be typed into a browser."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # fe80::1%eth0
        return False
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)
