"""Pages of other sites that try the engine's port and the interface of `marquee serve`."""

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

# What a page can send to another site without asking it first, and what the browser asks about. The engine's
# operations: to write an item, to read a table. The interface: all that is told without a key, and what a key
# is needed for.
PUT = {"TableName": "marquee-accounts", "Item": {"pk": {"S": "evil"}, "sk": {"S": "evil"}}}
SCAN = {"TableName": "marquee-credentials"}
SCOPE = ("AWS4-HMAC-SHA256 Credential=local/20261120/local/dynamodb/aws4_request, SignedHeaders=host, "
         "Signature=0")
SEARCH = {"filter": {"city": "seattle"}}

# Returns what a call came to: its status and text, or that the page may not know.
TRY = """([url, options]) => fetch(url, { cache: 'no-store', ...options }).then(
  async (answer) => answer.type === 'opaque' ? 'opaque' : `${answer.status} ${await answer.text()}`,
  () => 'refused')"""
# Submits a form into a frame, and returns what the page sees of the answer.
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
# Loads an address as something that pages of any site may load.
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
# What a page sends without a question, with all that the browser would show the site.
UNASKED = {"mode": "no-cors", "credentials": "include"}
AMZ_JSON = {"Content-Type": "application/x-amz-json-1.0"}
BEACON = "([url, text]) => navigator.sendBeacon(url, text)"


class Page(http.server.BaseHTTPRequestHandler):
    """The other site: pages, and nothing in them."""

    def do_GET(self):
        text = b"<!doctype html><title>another site</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Nobody reads it."""


class Rebound(Page):
    """A name that stands for the other site when its page is loaded, and for a local port from then on."""

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


class DoorsTest(unittest.TestCase):
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
        browser = stack.enter_context(Browser(folder, [f"MAP {NAME} 127.0.0.1", *rules]))
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

    def test_the_engine_tells_pages_of_any_origin_nothing_and_takes_nothing_from_them(self):
        for name in [NAME, "127.0.0.1"]:
            self.open_site(name)
            for operation, body in [("PutItem", PUT), ("Scan", SCAN)]:
                target = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
                # Sent without a question: the engine has it, and the page learns nothing.
                for headers in [{}, target, PLAIN, PLAIN | target]:
                    sent = self.attempt(self.engine, body=body, headers=headers, **UNASKED)
                    self.assertEqual(sent, "opaque", headers)
                # What the browser asks about first, and what it would let the page read.
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

    def test_the_interface_tells_a_foreign_page_nothing_and_takes_nothing_from_it(self):
        self.open_site(NAME)
        self.try_interface()
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

    def test_the_interface_tells_a_page_of_another_local_port_nothing(self):
        self.open_site("127.0.0.1")
        self.try_interface()
        for path in ["/v2/msearch", "/v2/scenarios/campaigns"]:
            url = self.service.origin + path
            for headers in [{}, JSON, WITH_A_KEY]:
                self.assertEqual(self.attempt(url, body=SEARCH, headers=headers), "refused", path)
            self.assertEqual(self.attempt(url, body=SEARCH, mode="no-cors"), "opaque", path)
        self.unchanged()

    def try_interface(self):
        """Tries all that is told for nothing, and what a key is needed for."""
        for path in ["/v2/health", "/v2/openapi.yaml", "/v2/billing/credits", "/v2/scenarios/campaigns",
                     "/portal/", "/nothing"]:
            url = self.service.origin + path
            for options in [{}, {"credentials": "include"}, {"headers": WITH_A_KEY}]:
                self.assertEqual(self.attempt(url, method="GET", **options), "refused", path)
            self.assertEqual(self.attempt(url, method="GET", **UNASKED), "opaque", path)
            self.assertEqual(self.attempt(url, method="DELETE"), "refused", path)

    def test_a_name_that_has_come_to_mean_this_machine_opens_neither_port(self):
        """DNS rebinding: the page's own site is the port, so that the browser keeps nothing from it."""
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
        # As this machine's own page, the same call is answered.
        self.page.goto(self.service.origin + "/v2/health")
        self.assertRegex(self.attempt(self.service.origin + "/v2/health", method="GET"), "^200 .*healthy")
        self.unchanged()
