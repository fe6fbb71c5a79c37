"""Example code for the generated client, which docs/how-to/clients.md shows and the workflow tests use."""

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


class ApiError(Exception):
    """An error response: its status, and the code to branch on."""

    def __init__(self, status: int, code: str | int) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


def succeeded(response: Response[Any], reply: type[T]) -> T:
    """Returns a response's body, which is a `reply`, or raises its error."""
    parsed = response.parsed
    if isinstance(parsed, reply):
        return parsed
    if isinstance(parsed, (Error, InventoryRateLimited)):
        raise ApiError(response.status_code, parsed.error.code)
    if isinstance(parsed, InventoryInvalid):
        raise ApiError(response.status_code, parsed.error.type_)
    if isinstance(parsed, InventoryFailed):
        raise ApiError(response.status_code, parsed.message.code)
    raise TypeError(f"{response.status_code} isn't a {reply.__name__}")


def coffee_in_boston(client: AuthenticatedClient) -> list[FoundPlace]:
    body = PlaceSearchRequest(filter_=PlaceFilter(place_name="dunkin", city="Boston"))
    response = search_places.sync_detailed(client=client, body=body)
    return succeeded(response, PlaceSearchReply).data.results


def call_with_retry(
    call: Callable[[], Response[T]], tries: int = 3, sleep: Callable[[float], None] = time.sleep
) -> Response[T]:
    """Makes a call. After a 429 or 503, waits as long as `Retry-After` says and repeats it."""
    response = call()
    while response.status_code in (429, 503) and tries > 1:
        sleep(int(response.headers["Retry-After"]))
        response, tries = call(), tries - 1
    return response


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
    """Creates one campaign even if responses are lost: each attempt has the same key and body."""
    key = str(uuid.uuid4())
    while True:
        tries -= 1
        try:
            response = create_campaign.sync_detailed(client=client, body=body, idempotency_key=key)
        except httpx.TransportError:
            if tries == 0:
                raise
            continue
        if response.status_code < 500 or tries == 0:
            return response


def given(member: T | Unset) -> T:
    """Returns an optional member of a response that the call requested."""
    if isinstance(member, Unset):
        raise TypeError("the response lacks a member")
    return member
