"""The base class for the portal's tests, with a service, a browser, and signed-in people."""

import faulthandler
import itertools
import pathlib
import re
import tempfile
import unittest

from playwright.sync_api import expect

import people
from browser import PATIENCE, Browser, foreign_requests
from service import ROOT, Service

PICTURES = ROOT / "target" / "browser"
# Imports a module from the folder of the page's main.js. The import returns the page's own instance of the
# module.
IN_MODULE = """async ([path, argument]) => {
  const main = document.querySelector('script[type=module][src]').src;
  return (SCRIPT)(await import(new URL(path, main)), argument);
}"""

# The time limit for a test, in seconds. A test that exceeds it prints stack traces and ends its file, because
# a browser without a graphics card can stop drawing. `run.py` then runs the file once more.
LONGEST = 480

UNAVAILABLE = {"code": "SERVICE_UNAVAILABLE", "message": "try again", "status": 503}

expect.set_options(timeout=PATIENCE * 1000)


class PortalTest(unittest.TestCase):
    """Base class of tests. Each file has one service and one browser, and each visitor has one window.

    A fault in a window makes the test fail. Screenshots of failed tests are in `target/browser`.
    """

    # The arguments for `marquee serve`. A file has one service for each set of arguments.
    arguments = ()
    # Whether to also check workers' requests. Each window always checks its own page's requests.
    logs_network = False
    _numbers = itertools.count(1)
    _services = {}
    _browsers = {}

    @classmethod
    def setUpClass(cls):
        file = cls.__module__
        if file not in cls._browsers:
            cls._browsers[file] = unittest.enterModuleContext(Browser(network_log=cls._network_log()))
        cls.browser = cls._browsers[file]
        started = (file, cls.arguments)
        if started not in cls._services:
            folder = unittest.enterModuleContext(tempfile.TemporaryDirectory())
            service = Service(folder, "--sign-ups-per-day", "1000", *cls.arguments)
            cls._services[started] = unittest.enterModuleContext(service)
        cls.service = cls._services[started]

    @property
    def key(self):
        """The API key for the developer's organization, which can make 1,000 calls per minute."""
        return self.service.credentials["enterprise_key"]

    def run(self, result=None):
        self.result = result if result is not None else self.defaultTestResult()
        self._failed_before = self._failed()
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        try:
            return super().run(self.result)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def visitor(self, **options):
        """Returns a visitor who hasn't signed in. The options are passed to `Visitor`."""
        visitor = self.browser.visitor(self.service.origin, **options)
        self.addCleanup(self._close, visitor)
        return visitor

    def signed_in(self, **options):
        """Returns a visitor who has signed in but hasn't opened a page."""
        visitor = self.visitor(**options)
        visitor.email = f"person{next(self._numbers)}@example.com"
        visitor.token, cookie = people.sign_in(self.service, visitor.email)
        name, _, value = cookie.partition("=")
        visitor.context.add_cookies([{"name": name, "value": value, "url": self.service.origin,
                                      "httpOnly": True, "sameSite": "Lax"}])
        return visitor

    def owner(self, **options):
        """Returns the signed-in owner of a new organization who hasn't opened a page."""
        visitor = self.signed_in(**options)
        sign_up = {"name": "Example Coffee"}
        self.service.done("POST", "/v2/account/organization", sign_up, token=visitor.token)
        return visitor

    def person(self, has_organization=True, **options):
        """Returns a signed-in visitor on the start page, by default as the owner of a new organization."""
        visitor = self.owner(**options) if has_organization else self.signed_in(**options)
        first_page(visitor)
        return visitor

    def colleague(self, **options):
        """Returns a signed-in owner of the developer's organization who hasn't opened a page.

        Tests don't share a person, because each person can make only 60 account calls per minute.
        """
        visitor = self.signed_in(**options)
        people.join(self.service, people.ORGANIZATION, visitor.token)
        return visitor

    @classmethod
    def _network_log(cls):
        if not cls.logs_network:
            return None
        folder = pathlib.Path(unittest.enterModuleContext(tempfile.TemporaryDirectory()))
        unittest.addModuleCleanup(stayed_here, folder / "network.json")
        return folder / "network.json"

    def _failed(self):
        return len(self.result.failures) + len(self.result.errors)

    def _close(self, visitor):
        if self._failed() > self._failed_before:
            PICTURES.mkdir(parents=True, exist_ok=True)
            visitor.page.screenshot(path=PICTURES / f"{self._testMethodName}.png")
        visitor.close()


def stayed_here(network_log):
    foreign = foreign_requests(network_log)
    assert not foreign, f"pages must not make requests to other hosts: {foreign}"


def first_page(visitor):
    """Opens the portal's start page, and returns it."""
    visitor.page.goto("/portal/")
    ready(visitor.page)
    return visitor.page


def sign_in(page, email, verified=True):
    """Signs in with any address on the local sign-in page, and waits for the portal's page."""
    page.wait_for_url("**/oauth2/authorize?**")
    page.locator("input[name=email]").fill(email)
    page.get_by_label("The address is verified").set_checked(verified)
    page.locator("input[name=email]").press("Enter")
    page.wait_for_url(re.compile(r"/portal/(?!signed-in)"))
    ready(page)


def sign_out(page):
    """Signs out through the account menu in the bar."""
    page.get_by_label("Your account").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/portal/signed-out")
    ready(page)


def ready(page):
    """Waits until a page has loaded its initial content."""
    page.locator("main h1").first.wait_for()
    expect(page.locator("main .loading")).to_have_count(0)


def details(place):
    """Opens and returns an error's details: the API's message, and a link to the code's documentation."""
    shown = place.locator("details.reference")
    shown.get_by_text("Details", exact=True).click()
    return shown


def in_module(page, path, script, argument=None):
    """Calls a function in the page with a portal module and an argument. Returns the function's result."""
    return page.evaluate(IN_MODULE.replace("SCRIPT", script), [path, argument])


def lose_first_answer(page, address):
    """Discards the first response from an address. Returns a list that collects all requests."""
    requests = []

    def lose(route):
        requests.append(route.request)
        if len(requests) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    page.route(address, lose)
    return requests


def refuse_once(page, address, status=503, error=UNAVAILABLE, seconds=1):
    """Responds to the next request for an address with an error, and with `seconds` as `Retry-After`."""
    answer = {"status": status, "json": {"error": error}, "headers": {"Retry-After": str(seconds)}}
    page.route(address, lambda route: route.fulfill(**answer), times=1)


def storages(page):
    """Returns all browser storage of the page's origin that scripts can read."""
    return page.evaluate("""async () => ({
      localStorage: { ...localStorage }, sessionStorage: { ...sessionStorage }, cookie: document.cookie,
      databases: await indexedDB.databases(), caches: await caches.keys(),
    })""")


NOTHING_STORED = {"localStorage": {}, "sessionStorage": {}, "cookie": "", "databases": [], "caches": []}
