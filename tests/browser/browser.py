"""A headless Chromium, driven by Playwright: what it may reach, and what its pages may not do unseen."""

import json
import os
import pathlib
import re
import shutil

from playwright.sync_api import sync_playwright

# WebGL on the processor: there is no graphics card where this runs. The rest keeps Chromium from asking its
# maker for anything.
ARGUMENTS = ["--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]
# Told of the processor's WebGL when a picture is taken.
HARMLESS = re.compile(r"GPU stall due to ReadPixels")
PATIENCE = 20


def executable():
    """Chromium's path: Debian's, or that of the variable `CHROMIUM`."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not path:
        raise RuntimeError("Chromium is needed (on Debian: apt-get install chromium)")
    return path


class Browser:
    """A Chromium that logs its network traffic, for `foreign_requests`; `with` ends it.

    It resolves the names that `rules` map, as in `MAP site.example 127.0.0.1`, and no other, so that nothing
    can leave the machine. The log also has what workers ask for.
    """

    def __init__(self, folder, rules=()):
        self.network_log = pathlib.Path(folder) / "network.json"
        rules = " , ".join([*rules, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"])
        arguments = [*ARGUMENTS, f"--host-resolver-rules={rules}", f"--log-net-log={self.network_log}"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        self.playwright = sync_playwright().start()
        try:
            self.chromium = self.playwright.chromium.launch(executable_path=executable(), args=arguments)
        except BaseException:
            self.playwright.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.chromium.close()
        finally:
            self.playwright.stop()

    def visitor(self, origin, **options):
        """Somebody with a window, cookies and storage of their own."""
        return Visitor(self.chromium, origin, **options)


class Visitor:
    """A window on an origin. It keeps what went wrong in it unseen, for `close` to fail with.

    That is a request to another origin, an error that no script caught, and an error or a warning on the
    console. A refused load and a breach of the content policy are such, and so is each answer of 400 and
    above.
    """

    def __init__(self, chromium, origin, *, width=1280, height=900, scheme="light", **options):
        self.origin = origin
        self.context = chromium.new_context(
            base_url=origin, viewport={"width": width, "height": height}, color_scheme=scheme,
            locale="en-US", timezone_id="America/New_York", **options)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.faults = []
        self.requests = []
        self.token = None
        self._expected = []
        self.context.on("request", self._asked)
        self.context.on("console", self._told)
        self.context.on("weberror", lambda error: self._fault(f"uncaught: {error.error}"))
        self.page = self.context.new_page()

    def expect(self, pattern):
        """Lets faults pass that a test brings about, such as `status of 429`."""
        self._expected.append(re.compile(pattern))

    def close(self):
        """Ends the window, and fails with what went wrong in it."""
        self.context.close()
        if self.faults:
            raise AssertionError("in the window:\n  " + "\n  ".join(self.faults))

    def token_of_call(self):
        """The person's token, as the page's first call sends it: the page keeps it in memory alone."""
        while not self.token:
            self.context.wait_for_event("request")
        return self.token

    def asked(self, part):
        """How many requests have this part in their method and address, as `POST /v2/scenarios`."""
        return sum(part in f"{method} {url.removeprefix(self.origin)}" for method, url in self.requests)

    def _asked(self, request):
        self.requests.append((request.method, request.url))
        bearer = request.headers.get("authorization", "")
        if bearer.startswith("Bearer "):
            self.token = bearer.removeprefix("Bearer ")
        if not request.url.startswith((self.origin + "/", "data:", "blob:")):
            self._fault(f"asked {request.url}")

    def _told(self, message):
        if message.type in ("error", "warning") and not HARMLESS.search(message.text):
            self._fault(f"console {message.type}: {message.text} {message.location.get('url', '')}")

    def _fault(self, text):
        if not any(pattern.search(text) for pattern in self._expected):
            self.faults.append(text)


def foreign_requests(network_log):
    """What pages and their workers asked other hosts for, by the log of a browser that has ended."""
    log = json.loads(pathlib.Path(network_log).read_text())
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    asked = [event.get("params", {}) for event in log["events"] if event["type"] == start]
    here = "http://127.0.0.1:"
    of_pages = [request["url"] for request in asked if request.get("initiator", "").startswith(here)]
    if not of_pages:
        raise AssertionError("the log of the network holds no page's request")
    return [url for url in of_pages if not url.startswith((here, "data:", "blob:"))]
