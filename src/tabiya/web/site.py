"""The state of a running server: sources, lists, conversions, and permissions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tabiya.web.addresses import network_hosts
from tabiya.web.analyses import Analyses
from tabiya.web.conversions import Conversions
from tabiya.web.explorations import Explorations
from tabiya.web.game_analyses import GameAnalyses
from tabiya.web.queries import Queries
from tabiya.web.recent import Recent
from tabiya.web.safety import Rules
from tabiya.web.sources import Sources

PAGE: Final = Path(__file__).parent / "page"
"""The folder of the page built by ``make web``."""
_MOST_REPORTS: Final = 32
"""Number of reports about players and events to keep, of about a hundred kilobytes each."""
_REPORTS_AT_ONCE: Final = 6
"""Per source: a page that compares two players needs three."""
_ANY_HOST: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts for all addresses of a machine, with the corresponding local address."""


@dataclass(slots=True)
class Site:
    """The context of handlers."""

    sources: Sources
    rules: Rules = field(default_factory=Rules)
    write: bool = False
    """Whether databases may be changed."""
    page: Path = PAGE
    queries: Queries = field(default_factory=Queries)
    explorations: Explorations = field(default_factory=Explorations)
    reports: Explorations = field(default_factory=lambda: Explorations(most=_MOST_REPORTS, at_once=_REPORTS_AT_ONCE))
    recent: Recent | None = None
    """The databases that the user opened before; None if they are neither remembered nor opened."""
    conversions: Conversions = field(default_factory=Conversions)
    analyses: Analyses = field(default_factory=Analyses)
    game_analyses: GameAnalyses = field(init=False)

    def __post_init__(self) -> None:
        self.game_analyses = GameAnalyses(self.analyses)

    @property
    def has_page(self) -> bool:
        """Whether the page was built."""
        return (self.page / "index.html").is_file()

    @property
    def address(self) -> str:
        """The address to open on this machine, with its token."""
        return self._address_at(_ANY_HOST.get(self.rules.host, self.rules.host))

    @property
    def explorer_address(self) -> str:
        """The base address of the explorer for programs that cannot send a token otherwise."""
        host = _ANY_HOST.get(self.rules.host, self.rules.host)
        return f"{self._origin_at(host)}/token/{self.rules.explorer_token}/"

    @property
    def addresses(self) -> list[str]:
        """All addresses at which the page can be opened, here and, with an open host, on other machines."""
        hosts = network_hosts(ipv6=":" in self.rules.host) if self.rules.host in _ANY_HOST else []
        return [self.address, *map(self._address_at, hosts)]

    def _address_at(self, host: str) -> str:
        return f"{self._origin_at(host)}/?token={self.rules.token}"

    def _origin_at(self, host: str) -> str:
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{self.rules.port}"

    def remember(self, locations: Iterable[str]) -> None:
        """Remember the files that the user named, the last one first; not those that were found in a folder."""
        if self.recent is not None:
            for location in locations:
                source = self.sources.named(location)
                if source is not None:
                    self.recent.note(source.path, source.kind, source.format.title)

    def _remember_counts(self) -> None:
        """Remember how many records the databases have that are now closed."""
        if self.recent is not None:
            for source in self.sources.known():
                counted = source.counted()
                if source.origin == "argument" and counted is not None:
                    self.recent.count(source.path, counted)

    def close(self) -> None:
        """Stop all work, close everything, and remove temporary files."""
        self._remember_counts()
        self.analyses.close()
        self.game_analyses.close()
        self.queries.close()
        self.explorations.close()
        self.reports.close()
        self.conversions.close()
        self.sources.close()
