"""Statistics of the games of a list."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from tabiya.search.list_statistics import LENGTH_STEP, RATING_STEP, names_of_codes

if TYPE_CHECKING:
    from tabiya.search.list_statistics import Outcomes
    from tabiya.web.answers import reports
    from tabiya.web.request import Call
    from tabiya.web.site import Site


def query_statistics(site: Site, call: Call) -> reports.Statistics:
    """Return the statistics of the rows of a list that are known so far."""
    query = site.queries.get(call.path["query"])
    complete = query.listing.catalogued  # before the rows, which may grow meanwhile
    found = query.listing.statistics()
    names = names_of_codes()
    return {
        **query.as_dict(),
        "complete": complete,
        "games": _outcomes(found.total),
        "years": [_class(year, year, each) for year, each in found.years.items()],
        "ratings": [_class(first, first + RATING_STEP - 1, each) for first, each in found.ratings.items()],
        "codes": [
            {"opening": {"eco": code, "name": names.get(code, code)}, **_outcomes(each)}
            for code, each in found.codes.items()
        ],
        "lengths": None
        if found.lengths is None
        else [_class(first, first + LENGTH_STEP - 1 if first else 0, each) for first, each in found.lengths.items()],
    }


def _outcomes(outcomes: Outcomes) -> reports.Outcomes:
    return cast("reports.Outcomes", asdict(outcomes))


def _class(first: int, last: int, outcomes: Outcomes) -> reports.NumberClass:
    return {"first": first, "last": last, **_outcomes(outcomes)}
