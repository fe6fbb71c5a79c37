"""Tests of other sites' pages that try to use the database and the API of `marquee serve`."""

import contextlib
import http.client
import http.server
import json
import pathlib
import tempfile
import threading
import unittest
import urllib.parse

from browser import Browser
from service import Service

NAME, REBOUND = "evil.example", "rebound.example"

# Request bodies for the database. The first one writes an item, and the second one reads a table.
PUT = {"TableName": "marquee-accounts", "Item": {"pk": {"S": "evil"}, "sk": {"S": "evil"}}}
SCAN = {"TableName": "marquee-credentials"}
SCOPE = ("AWS4-HMAC-SHA256 Credential=local/20261120/local/dynamodb/aws4_request, SignedHeaders=host, "
         "Signature=0")
SEARCH = {"filter": {"city": "seattle"}}

# Makes a call. Returns the status and the text, or `opaque` or `refused` if the page can't read the response.
TRY = """([url, options]) => fetch(url, { cache: 'no-store', ...options }).then(
  async (answer) => answer.type === 'opaque' ? 'opaque' : `${answer.status} ${await answer.text()}`,
  () => 'refused')"""
# Submits a form into a frame, and returns the part of the response that the page can read.
SUBMIT = """async ([url, name, value]) => {
  const frame = Object.assign(document.createElement('iframe'), { name: 'answer' });
  const form = Object.assign(document.createElement('form'),
    { method: 'POST', action: url, enctype: 'text/plain', target: 'answer' });
  form.append(Object.assign(document.createElement('input'), { name, value }));
  document.body.append(frame, form);
  const loaded = new Promise((done) => frame.addEventListener('load', done));
  form.submit();
  await loaded;
  const seen = frame.contentDocument?.body.innerText ?? 'nothing';
  frame.remove();
  form.remove();
  return seen;
}"""
# Loads an address as an image, a script, or a style sheet, which pages can load from any site.
LOAD = """([url, kind]) => {
  const address = kind === 'link' ? { rel: 'stylesheet', href: url } : { src: url };
  const element = Object.assign(document.createElement(kind), address);
  const loaded = new Promise((done) => {
    element.onload = () => done('loaded');
    element.onerror = () => done('refused');
  });
  document.body.append(element);
  return loaded;
}"""
SOCKET = """(url) => new Promise((done) => {
  const socket = new WebSocket(url);
  socket.onopen = () => done('open');
  socket.onerror = () => done('refused');
})"""
PLAIN = {"Content-Type": "text/plain"}
JSON = {"Content-Type": "application/json"}
WITH_A_KEY = {"X-API-Key": "mq_live_" + "0" * 64}
# Options for a request that the browser sends with the site's credentials and without a preflight.
UNASKED = {"mode": "no-cors", "credentials": "include"}
AMZ_JSON = {"Content-Type": "application/x-amz-json-1.0"}
BEACON = "([url, text]) => navigator.sendBeacon(url, text)"


class Page(http.server.BaseHTTPRequestHandler):
    """Another site, which serves empty pages."""

    def do_GET(self):
        text = b"<!doctype html><title>another site</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Logs nothing."""


class Rebound(Page):
    """A DNS rebinding site. It serves its own page, and forwards all other requests to a local port."""

    def do_GET(self):
        return super().do_GET() if self.path == "/page" else self.pass_on()

    def do_POST(self):
        self.pass_on()

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with contextlib.closing(http.client.HTTPConnection(self.server.local_port)) as local:
            local.request(self.command, self.path, body, dict(self.headers))
            answer = local.getresponse()
            text = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class OtherSitesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cls.service = stack.enter_context(Service(folder))
        cls.engine = cls.service.credentials["dynamodb_endpoint"]

        def serve(handler):
            site = stack.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
            threading.Thread(target=site.serve_forever, daemon=True).start()
            stack.callback(site.shutdown)
            return site

        rules = []
        for url in [cls.service.origin, cls.engine]:
            site = serve(Rebound)
            site.local_port = urllib.parse.urlsplit(url).netloc
            rules.append(f"MAP {REBOUND}:{urllib.parse.urlsplit(url).port} 127.0.0.1:{site.server_port}")
        cls.site_port = serve(Page).server_port
        browser = stack.enter_context(Browser([f"MAP {NAME} 127.0.0.1", *rules]))
        cls.page = browser.chromium.new_page()

    def setUp(self):
        self.before = self.service.tables()
        self.assertEqual({name: len(items) > 0 for name, items in self.before.items()},
                         {"marquee-accounts": True, "marquee-assets": False, "marquee-credentials": True})

    def unchanged(self):
        self.assertEqual(self.service.tables(), self.before)

    def open_site(self, name):
        self.page.goto(f"http://{name}:{self.site_port}/")
        self.assertEqual(self.page.title(), "another site")

    def attempt(self, url, method="POST", body=None, **options):
        sent = {"method": method, "body": body and json.dumps(body), **options}
        return self.page.evaluate(TRY, [url, sent])

    def test_no_web_page_can_read_or_change_the_database(self):
        for name in [NAME, "127.0.0.1"]:
            self.open_site(name)
            for operation, body in [("PutItem", PUT), ("Scan", SCAN)]:
                target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
                # Without a preflight, the database receives the request, but the page can't read the
                # response.
                for headers in [{}, target, PLAIN, PLAIN | target]:
                    sent = self.attempt(self.engine, body=body, headers=headers, **UNASKED)
                    self.assertEqual(sent, "opaque", headers)
                # These requests require a preflight, or the page could read their responses.
                for headers in [{}, target, target | {"Authorization": SCOPE}, target | AMZ_JSON]:
                    asked = self.attempt(self.engine, body=body, headers=headers)
                    self.assertEqual(asked, "refused", headers)
                member = json.dumps(body)[:-1] + ', "x": "'
                self.assertEqual(self.page.evaluate(SUBMIT, [self.engine, member, '"}']), "nothing")
            self.assertEqual(self.attempt(self.engine, method="GET"), "refused")
            self.assertEqual(self.attempt(self.engine, method="GET", mode="no-cors"), "opaque")
            self.assertTrue(self.page.evaluate(BEACON, [self.engine, json.dumps(PUT)]))
            for kind in ["img", "script", "link"]:
                self.assertEqual(self.page.evaluate(LOAD, [self.engine, kind]), "refused", kind)
            self.assertEqual(self.page.evaluate(SOCKET, self.engine.replace("http", "ws", 1)), "refused")
        self.unchanged()

    def test_page_of_another_site_cannot_use_the_api(self):
        self.open_site(NAME)
        self.try_api()
        for path in ["/v2/msearch", "/msearch", "/msearch/inventory", "/v2/scenarios/campaigns",
                     "/v2/cohorts/search"]:
            url = self.service.origin + path
            for headers in [{}, PLAIN]:
                sent = self.attempt(url, body=SEARCH, headers=headers, **UNASKED)
                self.assertEqual(sent, "opaque", path)
                self.assertEqual(self.attempt(url, body=SEARCH, headers=headers), "refused", path)
            for headers in [JSON, WITH_A_KEY]:
                self.assertEqual(self.attempt(url, body=SEARCH, headers=headers), "refused", path)
            member = json.dumps(SEARCH)[:-1] + ', "x": "'
            self.assertEqual(self.page.evaluate(SUBMIT, [url, member, '"}']), "nothing")
            self.assertTrue(self.page.evaluate(BEACON, [url, json.dumps(SEARCH)]))
        self.unchanged()

    def test_page_on_another_local_port_cannot_read_the_api(self):
        self.open_site("127.0.0.1")
        self.try_api()
        for path in ["/v2/msearch", "/v2/scenarios/campaigns"]:
            url = self.service.origin + path
            for headers in [{}, JSON, WITH_A_KEY]:
                self.assertEqual(self.attempt(url, body=SEARCH, headers=headers), "refused", path)
            self.assertEqual(self.attempt(url, body=SEARCH, mode="no-cors"), "opaque", path)
        self.unchanged()

    def try_api(self):
        """Calls operations with and without a key. The page must not be able to read any response."""
        for path in ["/v2/health", "/v2/openapi.yaml", "/v2/billing/credits", "/v2/scenarios/campaigns",
                     "/portal/", "/nothing"]:
            url = self.service.origin + path
            for options in [{}, {"credentials": "include"}, {"headers": WITH_A_KEY}]:
                self.assertEqual(self.attempt(url, method="GET", **options), "refused", path)
            self.assertEqual(self.attempt(url, method="GET", **UNASKED), "opaque", path)
            self.assertEqual(self.attempt(url, method="DELETE"), "refused", path)

    def test_dns_rebinding_is_rejected_by_both_ports(self):
        """After DNS rebinding, the local port has the page's origin, so the browser allows all requests."""
        put = {"X-Amz-Target": "DynamoDB_20120810.PutItem", "Authorization": SCOPE}
        refusal = r'^403 .*rebound\.example:\d+\\?" is not an allowed host'
        for origin, paths in [
            (self.service.origin, ["/v2/health", "/v2/openapi.yaml", "/v2/msearch", "/portal/", "/nothing"]),
            (self.engine, ["/"]),
        ]:
            rebound = f"http://{REBOUND}:{urllib.parse.urlsplit(origin).port}"
            self.page.goto(rebound + "/page")
            self.assertEqual(self.page.evaluate("location.origin + document.title"), rebound + "another site")
            for path in paths:
                for attempt in [
                    {"method": "GET"},
                    {"body": PUT, "headers": put},
                    {"body": SEARCH, "headers": JSON},
                ]:
                    answer = self.attempt(rebound + path, **attempt)
                    self.assertRegex(answer, refusal, path)
        # The same call succeeds from a page on the service's own origin.
        self.page.goto(self.service.origin + "/v2/health")
        self.assertRegex(self.attempt(self.service.origin + "/v2/health", method="GET"), "^200 .*healthy")
        self.unchanged()
