"""A client of the Marquee API, which plans out-of-home advertising."""

from marquee.client import Client, connect
from marquee.errors import ApiError, MarqueeError, NoResponse, UnexpectedResponse
from marquee.version import VERSION as __version__

__all__ = [
    "ApiError",
    "Client",
    "MarqueeError",
    "NoResponse",
    "UnexpectedResponse",
    "__version__",
    "connect",
]
