"""Reads lists page by page."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from marquee import models
from marquee.calls import as_json
from marquee.model import Model

Page = TypeVar("Page")


class CursorPage(Protocol):
    """A page that contains the cursor of the next page, or `None` if it's the last."""

    @property
    def pagination(self) -> models.Pagination: ...


Listed = TypeVar("Listed", bound=CursorPage)


def by_cursor(read: Callable[[str | None], Listed]) -> Iterator[Listed]:
    """Yields the pages of a list. `read` returns the page at a cursor, or the first page for `None`."""
    cursor = None
    while True:
        page = read(cursor)
        yield page
        cursor = page.pagination.cursor
        if cursor is None:
            return


def by_number(
    read: Callable[[Mapping[str, Any]], Page],
    body: Model | Mapping[str, Any],
    *,
    size: int,
    reach: int | None,
    rows: Callable[[Page], int],
    total: Callable[[Page], int],
) -> Iterator[Page]:
    """Yields the pages of a search, starting with the page in `body`.

    The page size is that of `body`, or `size`. Warns if there are results beyond `reach`.
    """
    sent = as_json(body)
    asked = {name: value for name, value in (sent.get("pagination") or {}).items() if value is not None}
    position = {"page": 1, "page_size": size, **asked}
    while True:
        page = read({**sent, "pagination": position})
        yield page
        read_so_far = position["page"] * position["page_size"]
        if rows(page) == 0 or read_so_far >= total(page):
            return
        if reach is not None and read_so_far + position["page_size"] > reach:
            warnings.warn(
                f"read {read_so_far:,} of {total(page):,} results: narrow the filter", stacklevel=3
            )
            return
        position["page"] += 1
