"""Tracks the rate limits, so that the client waits before a call that would be refused."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import httpx

REMAINING = re.compile(r'"([^"]+)";r=(\d+);t=(\d+)')


@dataclass
class Window:
    """The calls that a limit allows until its window ends."""

    left: int
    ends_at: float


class Pace:
    """The calls that the rate limits allow, according to the last responses. Threads can share it.

    A limit is named as in the header `RateLimit`. The limit of account operations is `account/minute`,
    because the header also calls it `minute`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._windows: dict[str, Window] = {}
        self._lock = threading.Lock()

    def reserve(self, limits: Sequence[str]) -> float:
        """Counts a call and returns 0, or returns the seconds until the limits allow a call."""
        with self._lock:
            now = self._clock()
            open_windows = [self._windows[name] for name in limits if name in self._windows]
            open_windows = [window for window in open_windows if window.ends_at > now]
            full = [window.ends_at - now for window in open_windows if window.left < 1]
            if full:
                return max(full)
            for window in open_windows:
                window.left -= 1
            return 0.0

    def learn(self, limits: Sequence[str], headers: httpx.Headers) -> None:
        """Reads `RateLimit`. Calls of other threads that have no response yet stay counted."""
        found = {
            name: (int(left), int(ends))
            for name, left, ends in REMAINING.findall(headers.get("RateLimit", ""))
        }
        with self._lock:
            now = self._clock()
            for name in limits:
                if (said := found.get(name.split("/")[-1])) is None:
                    continue
                left, ends_at = said[0], now + said[1]
                known = self._windows.get(name)
                if known and known.ends_at > now:
                    left = min(left, known.left)
                self._windows[name] = Window(left, ends_at)
