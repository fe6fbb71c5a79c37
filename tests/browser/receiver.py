"""A local server that receives webhook deliveries."""

import base64
import hashlib
import hmac
import http.server
import json
import queue
import threading

PATIENCE = 20


class Receiver(http.server.ThreadingHTTPServer):
    """A server that responds to all deliveries with `status`. Can be used as a context manager."""

    def __init__(self, status=204):
        super().__init__(("127.0.0.1", 0), Handler)
        self.status = status
        self.deliveries = queue.Queue()
        self.url = "http://{}:{}/marquee".format(*self.server_address)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def next(self):
        """Waits for the next delivery, and returns it."""
        return self.deliveries.get(timeout=PATIENCE)

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.deliveries.put(Received(self.headers, body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        pass


class Received:
    """A received delivery, which is signed as defined by Standard Webhooks."""

    def __init__(self, headers, body):
        self.id = headers["webhook-id"]
        self.type = json.loads(body)["type"]
        self.signatures = headers["webhook-signature"].split(" ")
        self.signed = f"{self.id}.{headers['webhook-timestamp']}.".encode() + body

    def is_signed_with(self, secret):
        """Returns whether at least one signature is valid for a secret."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        tag = hmac.digest(key, self.signed, hashlib.sha256)
        return f"v1,{base64.b64encode(tag).decode()}" in self.signatures
