"""A headless Chromium, controlled by Playwright. It blocks external requests and records errors on pages."""

import json
import os
import pathlib
import re
import shutil

from playwright.sync_api import sync_playwright

# Test machines have no graphics card, so WebGL runs on the processor. The other arguments disable Chromium's
# requests to Google.
ARGUMENTS = ["--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
             "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]
# Software WebGL logs this warning when a screenshot is taken.
HARMLESS = re.compile(r"GPU stall due to ReadPixels")
PATIENCE = 20


def executable():
    """Returns Chromium's path from the variable `CHROMIUM`, or finds it on the `PATH`.

    The headless shell is faster than the full browser.
    """
    names = ("chromium-headless-shell", "chromium")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        raise RuntimeError("Chromium is needed (on Debian: apt-get install chromium-headless-shell)")
    return path


class Browser:
    """A Chromium. Can be used as a context manager.

    It resolves only the host names that `rules` map, such as `MAP site.example 127.0.0.1`, so that no request
    can leave the machine. `network_log` is the path of a log that also contains the requests of workers, and
    that `foreign_requests` reads. Writing it takes a sixth of the tests' processor time.
    """

    def __init__(self, rules=(), network_log=None):
        rules = " , ".join([*rules, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"])
        arguments = [*ARGUMENTS, f"--host-resolver-rules={rules}"]
        arguments += [f"--log-net-log={network_log}"] if network_log else []
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
        """Returns a visitor with a separate window, cookies, and storage."""
        return Visitor(self.chromium, origin, **options)


class Visitor:
    """A window on an origin. It records faults, and `close` fails if there are any.

    Faults are requests to other origins, uncaught errors, and errors and warnings on the console. The console
    also reports failed loads, violations of the content security policy, and responses with status 400 or
    above. Drawing takes a long time without a graphics card. Therefore, maps move at once by default, and
    windows are drawn with a quarter of the pixels, which doesn't change their layouts.
    """

    def __init__(self, chromium, origin, *, width=1280, height=900, scheme="light", motion="reduce",
                 device_scale_factor=0.5, **options):
        self.origin = origin
        self.context = chromium.new_context(
            base_url=origin, viewport={"width": width, "height": height}, color_scheme=scheme,
            reduced_motion=motion, device_scale_factor=device_scale_factor, locale="en-US",
            timezone_id="America/New_York", **options)
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
        """Ignores faults that a test causes on purpose and that match a pattern, such as `status of 429`."""
        self._expected.append(re.compile(pattern))

    def close(self):
        """Closes the window, and fails if it recorded faults."""
        self.context.close()
        if self.faults:
            raise AssertionError("faults in the window:\n  " + "\n  ".join(self.faults))

    def token_of_call(self):
        """Returns the person's token from the page's first call. Pages store the token only in memory."""
        while not self.token:
            self.context.wait_for_event("request")
        return self.token

    def asked(self, part):
        """Returns how many requests contain `part`, such as `POST /v2/scenarios`, in their method and URL."""
        return sum(part in f"{method} {url.removeprefix(self.origin)}" for method, url in self.requests)

    def _asked(self, request):
        self.requests.append((request.method, request.url))
        bearer = request.headers.get("authorization", "")
        if bearer.startswith("Bearer "):
            self.token = bearer.removeprefix("Bearer ")
        if not request.url.startswith((self.origin + "/", "data:", "blob:")):
            self._fault(f"requested {request.url}")

    def _told(self, message):
        if message.type in ("error", "warning") and not HARMLESS.search(message.text):
            self._fault(f"console {message.type}: {message.text} {message.location.get('url', '')}")

    def _fault(self, text):
        if not any(pattern.search(text) for pattern in self._expected):
            self.faults.append(text)


def foreign_requests(network_log):
    """Returns the URLs on other hosts that pages and workers requested, from a closed browser's log."""
    log = json.loads(pathlib.Path(network_log).read_text())
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    asked = [event.get("params", {}) for event in log["events"] if event["type"] == start]
    here = "http://127.0.0.1:"
    of_pages = [request["url"] for request in asked if request.get("initiator", "").startswith(here)]
    if not of_pages:
        raise AssertionError("the network log must contain requests from pages")
    return [url for url in of_pages if not url.startswith((here, "data:", "blob:"))]
