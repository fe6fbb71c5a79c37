"""How programs call with the generated client: docs/how-to/clients.md shows it, and the workflows use it."""

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx

from marquee_client import AuthenticatedClient
from marquee_client.api.audiences import list_markets
from marquee_client.api.campaigns import create_campaign
from marquee_client.api.places import search_places
from marquee_client.models import (
    CampaignAssetCreateRequest,
    Error,
    FoundPlace,
    InventoryFailed,
    InventoryInvalid,
    InventoryRateLimited,
    Market,
    MarketListReply,
    PlaceFilter,
    PlaceSearchReply,
    PlaceSearchRequest,
)
from marquee_client.types import UNSET, Response, Unset

T = TypeVar("T")


def service(base_url: str, key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="X-API-Key")


def search_gateway(search_url: str, key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=search_url, token=key, prefix="", auth_header_name="apikey")


class Refused(Exception):
    """An answer that is an error: its status, and the code to branch on."""

    def __init__(self, status: int, code: str | int) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


def succeeded(answer: Response[Any], reply: type[T]) -> T:
    """Returns what a call answers, which is a `reply`, or raises the error that it answers."""
    parsed = answer.parsed
    if isinstance(parsed, reply):
        return parsed
    if isinstance(parsed, (Error, InventoryRateLimited)):
        raise Refused(answer.status_code, parsed.error.code)
    if isinstance(parsed, InventoryInvalid):
        raise Refused(answer.status_code, parsed.error.type_)
    if isinstance(parsed, InventoryFailed):
        raise Refused(answer.status_code, parsed.message.code)
    raise TypeError(f"{answer.status_code} is no {reply.__name__}")


def coffee_in_boston(client: AuthenticatedClient) -> list[FoundPlace]:
    body = PlaceSearchRequest(filter_=PlaceFilter(place_name="dunkin", city="Boston"))
    answer = search_places.sync_detailed(client=client, body=body)
    return succeeded(answer, PlaceSearchReply).data.results


def obeying_retry_after(
    call: Callable[[], Response[T]], tries: int = 3, sleep: Callable[[float], None] = time.sleep
) -> Response[T]:
    """Calls, and after a 429 or 503 calls again once the seconds that it asks for are over."""
    answer = call()
    while answer.status_code in (429, 503) and tries > 1:
        sleep(int(answer.headers["Retry-After"]))
        answer, tries = call(), tries - 1
    return answer


def every_market(client: AuthenticatedClient) -> Iterator[Market]:
    cursor: str | Unset = UNSET
    while True:
        page = succeeded(list_markets.sync_detailed(client=client, limit=100, cursor=cursor), MarketListReply)
        yield from page.data
        if page.pagination.cursor is None:
            return
        cursor = page.pagination.cursor


def create_once(
    client: AuthenticatedClient, body: CampaignAssetCreateRequest, tries: int = 3
) -> Response[Any]:
    """Creates one campaign, however often its answer is lost: each try has the same key and the same body."""
    key = str(uuid.uuid4())
    while True:
        tries -= 1
        try:
            answer = create_campaign.sync_detailed(client=client, body=body, idempotency_key=key)
        except httpx.TransportError:
            if tries == 0:
                raise
            continue
        if answer.status_code < 500 or tries == 0:
            return answer


def given(member: T | Unset) -> T:
    """Returns a member that an answer may leave out, where the call asked for it."""
    if isinstance(member, Unset):
        raise TypeError("the answer leaves out a member")
    return member
