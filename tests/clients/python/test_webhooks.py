"""Tests a receiver of webhooks that verifies messages with the Standard Webhooks library."""

import http.server
import json
import pathlib
import queue
import threading
import unittest
import urllib.request
from typing import Any

from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from workflow import CREDENTIALS

ROOT = pathlib.Path(__file__).resolve().parents[3]
CAMPAIGN = json.loads((ROOT / "events" / "campaigns" / "create-campaign.json").read_text())["body"]
# A retry follows 5 seconds after the first attempt.
LATER = {"advance_seconds": 6}
PATIENCE = 30


class Receiver:
    """A server that verifies messages, and passes on each one once."""

    def __init__(self) -> None:
        self.secrets: list[str] = []
        # The statuses of the next responses. After them, all responses have status 204.
        self.statuses: list[int] = []
        self.received: queue.Queue[tuple[int, dict[str, Any]]] = queue.Queue()
        self.seen: dict[str, dict[str, Any]] = {}
        self.last: tuple[bytes, dict[str, str]] = (b"", {})
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.receive(body, {name.lower(): text for name, text in self.headers.items()})
                self.send_response(status)
                self.send_header("Location", "http://127.0.0.1:1/")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Logs nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/marquee"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, body: bytes, headers: dict[str, str]) -> int:
        for secret in self.secrets:
            Webhook(secret).verify(body, headers)
        self.last = body, headers
        status = self.statuses.pop(0) if self.statuses else 204
        message = json.loads(body)
        if status == 204:
            self.seen.setdefault(headers["webhook-id"], message)
        self.received.put((status, message))
        return status

    def next(self) -> tuple[int, dict[str, Any]]:
        return self.received.get(timeout=PATIENCE)


def call(method: str, path: str, body: Any = None) -> Any:
    data = None if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {CREDENTIALS['bearer_token']}", "Content-Type": "application/json"}
    request = urllib.request.Request(CREDENTIALS["base_url"] + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        text = response.read()
    return json.loads(text)["data"] if text else None


class Webhooks(unittest.TestCase):
    def setUp(self) -> None:
        self.receiver = Receiver()
        self.addCleanup(self.receiver.server.server_close)
        self.addCleanup(self.receiver.server.shutdown)
        body = {"url": self.receiver.url, "event_types": ["asset.created", "asset.deleted"]}
        created = call("POST", "/account/webhooks", body)
        self.path = f"/account/webhooks/{created['webhook_id']}"
        self.addCleanup(call, "DELETE", self.path)
        self.receiver.secrets = [created["secret"]]

    def test_every_attempt_is_verified_and_the_message_is_handled_once(self) -> None:
        self.receiver.statuses = [500, 307]
        asset = call("POST", "/scenarios/campaigns", CAMPAIGN)["asset_id"]
        self.assertEqual(self.receiver.next()[0], 500)
        call("POST", "/test/time", LATER)
        self.assertEqual(self.receiver.next()[0], 307, "a redirect is a failure and isn't followed")
        [delivery] = call("GET", f"{self.path}/deliveries")
        call("POST", "/test/time", {"advance_seconds": 301})
        # The library accepts messages that are up to 5 minutes older or newer than the receiver's clock.
        self.receiver.secrets = []
        status, message = self.receiver.next()
        self.assertEqual((status, message["type"], message["data"]["asset_id"]), (204, "asset.created", asset))
        self.assertEqual(self.receiver.seen, {delivery["delivery_id"]: message})

    def test_messages_out_of_order_have_the_ids_and_times_of_the_changes(self) -> None:
        self.receiver.secrets = []
        self.receiver.statuses = [503]
        cursor = self.end_of_changes()
        asset = call("POST", "/scenarios/campaigns", CAMPAIGN)["asset_id"]
        self.assertEqual(self.receiver.next()[0], 503)
        call("DELETE", f"/scenarios/campaigns/{asset}")
        self.assertEqual(self.receiver.next()[1]["type"], "asset.deleted")
        call("POST", "/test/time", LATER)
        self.assertEqual(self.receiver.next()[1]["type"], "asset.created")
        changes = call("GET", f"/changes?cursor={cursor}")["changes"]
        shown = {change.pop("change_id"): change for change in changes}
        self.assertEqual(self.receiver.seen, shown)
        types = [self.receiver.seen[key]["type"] for key in sorted(self.receiver.seen)]
        self.assertEqual(types, ["asset.created", "asset.deleted"], "the IDs sort by time")

    def test_altered_messages_and_other_secrets_are_refused(self) -> None:
        self.receiver.secrets = []
        call("POST", f"{self.path}/test")
        self.assertEqual(self.receiver.next()[1]["type"], "webhook.test")
        body, headers = self.receiver.last
        rotated = call("POST", f"{self.path}/secret")["secret"]
        for secret, altered in ((rotated, body), (rotated, body + b" ")):
            with self.assertRaises(WebhookVerificationError):
                Webhook(secret).verify(altered, headers)

    def end_of_changes(self) -> str:
        page = call("GET", "/changes?limit=100")
        while page["has_more"]:
            page = call("GET", f"/changes?limit=100&cursor={page['cursor']}")
        cursor: str = page["cursor"]
        return cursor


if __name__ == "__main__":
    unittest.main()
