"""A client of WebDriver (https://www.w3.org/TR/webdriver2/), as much of it as the tests need.

The protocol is JSON over HTTP.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import urllib.error
import urllib.request

PATIENCE = 60
CHROMIUM = ["chromium", "chromium-browser", "google-chrome"]
# WebGL on the processor: there is no graphics card where this runs.
ARGUMENTS = ["--headless=new", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--window-size=1280,900",
             "--no-first-run"]


class Browser:
    """A headless Chromium with a profile of its own, which logs its network traffic; `with` ends it.

    It resolves the names that `rules` map, as in `MAP site.example 127.0.0.1`, and no other, so that nothing
    can leave the machine: what Chromium asks its maker for included.
    """

    def __init__(self, network_log, rules=()):
        binary = next(filter(None, map(shutil.which, CHROMIUM)), None)
        if not binary or not shutil.which("chromedriver"):
            raise RuntimeError("Chromium and its driver are needed (on Debian: apt-get install chromium chromium-driver)")
        rules = [*rules, "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"]
        arguments = ARGUMENTS + [f"--host-resolver-rules={' , '.join(rules)}", f"--log-net-log={network_log}"]
        arguments += (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.url = f"http://127.0.0.1:{self._port()}/session"
            options = {"binary": binary, "args": arguments}
            wanted = {"browserName": "chrome", "timeouts": {"script": PATIENCE * 1000}, "goog:chromeOptions": options,
                      "goog:loggingPrefs": {"browser": "ALL"}}
            self.url += "/" + self._send("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except BaseException:
            self.driver.kill()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()

    def open(self, url):
        self._send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """What a function body returns in the page; a promise is awaited."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script, *arguments):
        """Waits until a function body returns something, looking anew at each frame, and returns that."""
        wait = """const look = (done) => {
            const found = body(...arguments);
            found ? done(found) : requestAnimationFrame(() => look(done));
          };
          return new Promise(look);"""
        try:
            return self.run(f"const body = function () {{ {script} }}; {wait}", *arguments)
        except AssertionError as late:
            text = self.run("return document.body.innerText")
            raise AssertionError(f"not within {PATIENCE} s: {script}; the page says: {text}") from late

    def click(self, x, y):
        """Clicks at a point of the window."""
        steps = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
                 {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._send("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]})

    def press(self, *keys):
        """Presses keys one after the other."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def command(self, name, **parameters):
        """Sends a command of the DevTools protocol."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def errors(self):
        """The console's errors and warnings since the last call: refused loads and breaches of the policy are among them."""
        logged = self._send("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in logged if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        """Stores what the window shows as PNG."""
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def _port(self):
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                return int(line.rstrip(". \n").rsplit(" ", 1)[1])
        raise RuntimeError("chromedriver does not start")

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE + 10) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as refused:
            raise AssertionError(f"{method} {path}: {refused.read().decode()}") from None


def requests_of(origin, network_log):
    """The URLs that an origin's pages and their workers asked for, by the log of a browser that has ended."""
    log = json.loads(pathlib.Path(network_log).read_text())
    start = log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"]
    asked = (event.get("params", {}) for event in log["events"] if event["type"] == start)
    return [request["url"] for request in asked if request.get("initiator") == origin]
