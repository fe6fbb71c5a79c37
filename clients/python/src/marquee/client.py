"""The client and its constructor."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from types import TracebackType

import httpx

from marquee.calls import Settings, http_client
from marquee.frames import Frames


class Client(Frames):
    """A client of the service. It can be shared by threads, and used as a context manager.

    Methods that are named like the operations of the API, such as `search_places`, make one call and return
    its response, usually as a model. Methods that start with `iter_` read all pages. `places`, `displays`,
    and the other short names return data frames.
    """

    def __repr__(self) -> str:
        return f"<marquee.Client {self._settings.url}>"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()


def connect(
    url: str,
    api_key: str | None = None,
    *,
    id_token: str | None = None,
    search_url: str | None = None,
    timeout: float = 30.0,
    retries: int = 4,
    longest_wait: float = 60.0,
    transport: httpx.BaseTransport | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Client:
    """Returns a client of the service at `url`, such as `https://api.example.com`. Makes no call yet.

    The key is `api_key` or the environment variable `MARQUEE_API_KEY`. Account operations require the ID
    token of a signed-in user instead. With neither, calls are anonymous. By default, the client asks the
    service for `search_url`, the address of the search gateway. `timeout` is in seconds. If a call can safely
    be repeated, it is sent up to 1 + `retries` times. If a response asks for a wait of more than
    `longest_wait` seconds, the call raises its error. `transport` is for proxies and certificates.
    """
    if api_key and id_token:
        raise ValueError("api_key and id_token: pass only one of them")
    key = None if id_token else (api_key or os.environ.get("MARQUEE_API_KEY"))
    base = url.rstrip("/").removesuffix("/v2")
    if not base.startswith(("http://", "https://")):
        raise ValueError(f'url: "{url}" must start with https:// or http://')
    search = search_url.rstrip("/") if search_url else None
    settings = Settings(f"{base}/v2", search, key, id_token, retries, longest_wait, sleep)
    return Client(settings, http_client(timeout, transport))
