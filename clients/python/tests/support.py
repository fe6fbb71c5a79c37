"""The service that the tests call, and connections that lose or replace responses."""

import json
import os
import pathlib
import unittest
from collections.abc import Callable
from typing import Any

import httpx

import marquee

DATA = pathlib.Path(os.environ["MARQUEE_DATA"])
CREDENTIALS: dict[str, str] = json.loads((DATA / "credentials.json").read_text())
URL = CREDENTIALS["base_url"].removesuffix("/v2")
EVERYONE = "272d18b6-2ce5-5301-87a8-b41e86cc9d31"
COHORT = "10a19720-9af1-519f-9ff6-a129fe8adb3e"


class Waiting(Exception):
    """A client would wait. The argument is the number of seconds."""


def stop(seconds: float) -> None:
    """Raises `Waiting` instead of waiting."""
    raise Waiting(seconds)


class Failing(httpx.HTTPTransport):
    """Sends all requests, but fails for the first ones, before or after the service receives them."""

    def __init__(self, *failures: Callable[[httpx.Request], httpx.Response], received: bool) -> None:
        super().__init__()
        self.failures = list(failures)
        self.received = received
        self.requests: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if not self.failures:
            return super().handle_request(request)
        if self.received:
            super().handle_request(request).close()
        return self.failures.pop(0)(request)


def fails(kind: type[httpx.TransportError]) -> Callable[[httpx.Request], httpx.Response]:
    def fail(request: httpx.Request) -> httpx.Response:
        raise kind("lost", request=request)

    return fail


def answers(status: int, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: httpx.Response(status, headers=named, request=request)


class ServiceTest(unittest.TestCase):
    """A test with a client of the service."""

    def setUp(self) -> None:
        self.client = self.connect()

    def connect(self, key: str = "enterprise_key", **options: Any) -> marquee.Client:
        client = marquee.connect(URL, CREDENTIALS[key], **options)
        self.addCleanup(client.close)
        return client

    def spent(self) -> int:
        return self.connect().read_credits().data.credits_used

    def anonymous(self) -> marquee.Client:
        client = marquee.connect(URL)
        self.addCleanup(client.close)
        return client

    def owner(self) -> marquee.Client:
        client = marquee.connect(URL, id_token=CREDENTIALS["bearer_token"])
        self.addCleanup(client.close)
        return client


def campaign(name: str, *displays: int) -> dict[str, Any]:
    """Returns the body of a campaign in New York. The spots are numbered from 2^53 + 1."""
    return {
        "flight": {"start_date": "2027-04-05", "end_date": "2027-06-27"},
        "spots": [
            {"display_id": str(display), "spot_id": 2**53 + number}
            for number, display in enumerate(displays or [13320188], 1)
        ],
        "cohort": {
            "geography_ids": ["US2020XDMA501"],
            "service_segment_ids": [COHORT],
            "service_base_segment_id": EVERYONE,
        },
        "customer": {
            "customer_id": 2**63 - 1,
            "customer_name": "Example Coffee",
            "customer_scenario_id": name,
            "customer_scenario_name": name,
        },
    }


def event(name: str, *places: str | None) -> dict[str, Any]:
    """Returns the body of an event on one evening."""
    return {
        "name": name,
        "timezone": "America/New_York",
        "periods": [
            {
                "period_name": "Friday",
                "start_time": "2027-06-04T16:00:00Z",
                "end_time": "2027-06-04T20:00:00Z",
            }
        ],
        "place_ids": places,
        "cohort": {"geography_ids": ["US2020XDMA501"], "service_segment_id": COHORT},
        "customer": {
            "customer_id": "7",
            "customer_name": "Example Coffee",
            "customer_scenario_id": name,
            "customer_scenario_name": name,
        },
    }
