"""Sends calls, and repeats them if that is safe."""

from __future__ import annotations

import itertools
import json
import logging
import random
import re
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import ValidationError

from marquee.errors import NoResponse, UnexpectedResponse, error_of
from marquee.model import Model
from marquee.pace import Pace
from marquee.version import VERSION

T = TypeVar("T")
log = logging.getLogger("marquee")
SEARCH_GATEWAY = re.compile(
    r"^  /msearch/inventory:\n    servers:\n      - url: [\"']?([^\s\"']+)", re.MULTILINE
)
# Errors that occur before a request is sent.
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True)
class Operation:
    """How an operation is called, charged, limited, and repeated."""

    name: str
    method: str
    path: str
    credential: str | None
    limits: tuple[str, ...]
    paid: bool
    reads: bool
    keyed: bool
    batch: bool = False

    @property
    def is_safe_after_silence(self) -> bool:
        """Whether a call that got no response can be repeated without a second effect.

        A repeated create or purchase is charged twice only if the service stopped between the charge and the
        effect.
        """
        return self.keyed or self.batch or (self.reads and not self.paid)

    def is_safe_after_failure(self, charged: str | None) -> bool:
        """Whether a call that failed in the service can be repeated. A paid call must have cost nothing.

        For a paid call, an idempotency key isn't sufficient: if the call was charged but had no effect, a
        repeated call would be charged too.
        """
        return charged == "0" if self.paid else self.is_safe_after_silence


@dataclass(frozen=True)
class Settings:
    """How a client reaches the service."""

    url: str
    search_url: str | None
    api_key: str | None = field(repr=False)
    id_token: str | None = field(repr=False)
    retries: int
    longest_wait: float
    sleep: Callable[[float], None]


class Credential(httpx.Auth):
    """The header that authenticates a request. It is added last, so no variable in a traceback shows it."""

    def __init__(self, header: str = "", value: str | None = None) -> None:
        self._header = header
        self._value = value

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if self._value:
            request.headers[self._header] = self._value
        yield request


# Clients without `search_url` read the address of the search gateway from this document.
DOCUMENT = Operation(
    "read_openapi", "GET", "/openapi.yaml", credential=None, limits=(), paid=False, reads=True, keyed=False
)


class Calls:
    """A connection to the service, with its credentials, rate limits, and retries."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._settings = settings
        self._http = http
        self._pace = Pace()
        self._search_url = settings.search_url
        self._session: str | None = None

    def _call(
        self,
        operation: Operation,
        parse: Callable[[bytes], T],
        *,
        body: Model | Mapping[str, Any] | None = None,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        header: Mapping[str, Any] | None = None,
    ) -> T:
        """Makes a call, and returns its parsed response."""
        return self._parsed(operation, parse, self._send(operation, body, path, query, header))

    def _call_unless_empty(
        self,
        operation: Operation,
        parse: Callable[[bytes], T],
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        header: Mapping[str, Any] | None = None,
    ) -> T | None:
        """Makes a call. Returns `None` if the response is 204 (empty) or 304 (unchanged)."""
        response = self._send(operation, None, path, query, header)
        return None if response.status_code in (204, 304) else self._parsed(operation, parse, response)

    @staticmethod
    def _nothing(_: bytes) -> None:
        """Parses a response without a body."""

    @staticmethod
    def _text(content: bytes) -> str:
        """Parses a response that is text."""
        return content.decode()

    def _parsed(self, operation: Operation, parse: Callable[[bytes], T], response: httpx.Response) -> T:
        try:
            return parse(response.content)
        except ValidationError as wrong:
            listed = "; ".join(
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in wrong.errors()[:5]
            )
            raise UnexpectedResponse(
                f"{operation.name}: the {response.status_code} response doesn't match openapi.yaml: {listed}"
            ) from None

    def _send(
        self,
        operation: Operation,
        body: Model | Mapping[str, Any] | None,
        path: Mapping[str, Any] | None,
        query: Mapping[str, Any] | None,
        header: Mapping[str, Any] | None,
    ) -> httpx.Response:
        """Sends a request until its response is final. Raises the error of an error response."""
        filled = {name: quote(text(value), safe="") for name, value in (path or {}).items()}
        headers = {name: text(value) for name, value in (header or {}).items() if value is not None}
        if operation.keyed:
            headers.setdefault("Idempotency-Key", str(uuid.uuid4()))
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = self._http.build_request(
            operation.method,
            self._base(operation) + operation.path.format(**filled),
            params={name: text(value) for name, value in (query or {}).items() if value is not None},
            headers=headers,
            content=None if body is None else json.dumps(as_json(body), default=text).encode(),
        )
        response = self._final_response(operation, request)
        if response.status_code >= 400:
            raise error_of(response)
        return response

    def _final_response(self, operation: Operation, request: httpx.Request) -> httpx.Response:
        for attempt in itertools.count():
            self._wait_for(operation)
            lost, response = self._attempt(operation, request)
            last = attempt >= self._settings.retries
            if response is not None:
                wait = None if last else self._wait_after(operation, response, attempt)
                if wait is None:
                    return response
            else:
                # Raised here, because the connection's error contains the request and therefore the key.
                if last or not (lost in NOT_SENT or operation.is_safe_after_silence):
                    raise NoResponse(silence(operation, lost))
                wait = backoff(attempt)
            log.info("%s: waiting %.1f s before attempt %d", operation.name, wait, attempt + 2)
            self._settings.sleep(wait)
        raise AssertionError("unreachable")

    def _attempt(
        self, operation: Operation, request: httpx.Request
    ) -> tuple[type[Exception], None] | tuple[None, httpx.Response]:
        """Sends a request. Returns the type of a connection error, or the response."""
        try:
            response = self._http.send(request, auth=self._credential(operation))
        except httpx.RequestError as lost:
            return type(lost), None
        self._pace.learn(operation.limits, response.headers)
        self._session = response.headers.get("X-Session-Token", self._session)
        number = response.headers.get("X-Request-Id")
        log.debug("%s: %d, request %s", operation.name, response.status_code, number)
        return None, response

    def _wait_for(self, operation: Operation) -> None:
        """Waits until the rate limits allow a call."""
        while (wait := self._pace.reserve(operation.limits)) > 0:
            log.info("%s: waiting %.1f s for the rate limit", operation.name, wait)
            self._settings.sleep(wait)

    def _wait_after(self, operation: Operation, response: httpx.Response, attempt: int) -> float | None:
        """Returns the seconds to wait before the call is repeated, or `None` if the response is final."""
        status, wait = response.status_code, response.headers.get("Retry-After", "")
        # Inventory search returns 500 where other operations return 503.
        failed = status == 503 or (status == 500 and wait != "")
        if failed and not operation.is_safe_after_failure(response.headers.get("X-Credits-Used")):
            return None
        if status != 429 and not failed:
            return None
        seconds = float(wait) if wait.isdigit() else backoff(attempt)
        return None if seconds > self._settings.longest_wait else seconds

    def _base(self, operation: Operation) -> str:
        """Returns the address of the operation's gateway, which can require reading openapi.yaml."""
        if operation.credential != "apikey":
            return self._settings.url
        if self._search_url is None:
            found = SEARCH_GATEWAY.search(self._call(DOCUMENT, self._text))
            if not found:
                raise UnexpectedResponse("openapi.yaml doesn't name the search gateway: pass search_url")
            self._search_url = found[1].rstrip("/")
        return self._search_url

    def _credential(self, operation: Operation) -> Credential:
        if operation.credential is None:
            return Credential()
        if self._settings.id_token:
            return Credential("Authorization", f"Bearer {self._settings.id_token}")
        if self._settings.api_key:
            return Credential(operation.credential, self._settings.api_key)
        return Credential("X-Session-Token", self._session)


def silence(operation: Operation, lost: type[Exception] | None) -> str:
    """Returns a message about a call that got no response."""
    kind = lost.__name__ if lost else "unknown"
    if lost in NOT_SENT:
        return f"{operation.name}: cannot connect to the service ({kind})"
    outcome = (
        "" if operation.is_safe_after_silence else ", and the call may have taken effect or been charged"
    )
    return f"{operation.name}: no response ({kind}){outcome}"


def backoff(attempt: int) -> float:
    """Returns a random wait in seconds, which doubles with each attempt."""
    return random.uniform(0.5, 1.0) * 2.0**attempt


def as_json(body: Model | Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members of a request that were set, including those that were set to `None`."""
    if isinstance(body, Model):
        return body.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return {name: as_json(value) if isinstance(value, Model) else value for name, value in body.items()}


def text(value: Any) -> str:
    """Returns a value in the format in which the service reads parameters."""
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def http_client(timeout: float, transport: httpx.BaseTransport | None) -> httpx.Client:
    """Returns the HTTP client. Its default headers contain no credential."""
    agent = {"User-Agent": f"marquee-client/{VERSION}"}
    return httpx.Client(timeout=timeout, headers=agent, transport=transport)
