"""The errors that a call can raise."""

from __future__ import annotations

from typing import Any

import httpx

# Inventory search and the gateways in front of the service have their own error formats.
CODES = {
    "RATE_LIMIT_EXCEEDED": "RATE_LIMITED",
    "invalid_request": "VALIDATION_ERROR",
    14001: "INTERNAL_ERROR",
}


class MarqueeError(Exception):
    """Any error of this package."""


class NoResponse(MarqueeError):
    """A call got no response. It either wasn't safe to repeat, or got no response on its last attempt."""


class UnexpectedResponse(MarqueeError):
    """A response isn't what openapi.yaml describes, for example because a proxy sent it."""


class ApiError(MarqueeError):
    """An error response. Each code has its own class in `marquee.codes`, such as `NotFound`.

    If a later version of the service returns an unknown code, the error is an `ApiError`.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        docs_url: str | None = None,
        request_id: str | None = None,
        details: list[dict[str, Any]] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.docs_url = docs_url
        self.request_id = request_id
        self.details = details or []
        self.retry_after = retry_after

    def __str__(self) -> str:
        links = [self.docs_url, self.request_id and f"request {self.request_id}"]
        where = ", ".join(part for part in links if part)
        return f"{self.status} {self.code}: {self.message}" + (f" ({where})" if where else "")


def error_of(response: httpx.Response) -> ApiError:
    """Returns the error that a response with a status of 400 or more describes."""
    from marquee.codes import BY_CODE

    facts = described(response)
    facts["code"] = str(CODES.get(facts["code"], facts["code"]))
    return BY_CODE.get(facts["code"], ApiError)(response.status_code, **facts)


def described(response: httpx.Response) -> dict[str, Any]:
    """Returns the members of an error. If their format is unknown, the code is `HTTP_` and the status."""
    wait = response.headers.get("Retry-After", "")
    facts: dict[str, Any] = {
        "code": f"HTTP_{response.status_code}",
        "message": response.reason_phrase,
        "request_id": response.headers.get("X-Request-Id"),
        "retry_after": int(wait) if wait.isdigit() else None,
    }
    try:
        body = response.json()
    except ValueError:
        return facts
    error = body.get("error", body.get("message")) if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return facts
    found = {
        "code": error.get("code", error.get("type")),
        "message": error.get("message", error.get("reason")),
        "docs_url": error.get("docs_url"),
        "details": error.get("context", {}).get("errors") or error.get("root_cause"),
    }
    return facts | {name: value for name, value in found.items() if value is not None}
