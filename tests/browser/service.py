"""A `marquee serve` process for tests."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program():
    """Returns the path of the tested binary, from the variable `MARQUEE` or cargo's debug build."""
    return pathlib.Path(os.environ.get("MARQUEE", ROOT / "target" / "debug" / "marquee"))


def sample_release(folder):
    """Returns the sample release in the folder `MARQUEE_RELEASE`, or builds a new one in `folder`."""
    built = os.environ.get("MARQUEE_RELEASE")
    if built:
        return pathlib.Path(built)
    releases = pathlib.Path(folder) / "releases"
    build = [program(), "release", "build", "--out", releases]
    subprocess.run(build, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return releases / "latest"


class Answer:
    """A response from the service, with its status, headers, and text."""

    def __init__(self, status, headers, text):
        self.status = status
        self.headers = headers
        self.text = text

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def data(self):
        return self.json["data"]


class Service:
    """A `marquee serve` process with its own data, on a free port. Can be used as a context manager.

    If `MARQUEE` is set, the portal's pages come from this repository, because the binary may have been
    built elsewhere.
    """

    def __init__(self, folder, *arguments):
        folder = pathlib.Path(folder)
        self.data = folder / "data"
        self.release = sample_release(folder)
        given = ["--port", "0", "--data-dir", self.data, "--release", self.release]
        if "MARQUEE" in os.environ:
            given += ["--portal", ROOT / "functions" / "portal" / "web"]
        command = [program(), "serve", *given, *arguments]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        printed = (line.split() for line in self.process.stdout)
        self.portal = next((words[1] for words in printed if words[:1] == ["portal:"]), None)
        if not self.portal:
            status = self.process.wait()
            raise RuntimeError(f"`marquee serve` exited with status {status} before it printed an address")
        # Read the remaining output, because a full pipe would block the service.
        threading.Thread(target=lambda: [None for _ in printed], daemon=True).start()
        self.origin = self.portal.removesuffix("/portal/")
        self.credentials = json.loads((self.data / "credentials.json").read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()

    def call(self, method, path, body=None, *, key=None, token=None, headers=None):
        """Calls the API like a customer's program. Returns the response, even if it's an error."""
        sent = {"X-API-Key": key, "Authorization": token and f"Bearer {token}",
                "Content-Type": body and "application/json", **(headers or {})}
        sent = {name: value for name, value in sent.items() if value}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read().decode())
        except urllib.error.HTTPError as refused:
            with refused:
                return Answer(refused.status, refused.headers, refused.read().decode())

    def done(self, method, path, body=None, **credential):
        """Makes a call that must succeed. Returns the response's data, or `None` if there is no body."""
        answer = self.call(method, path, body, **credential)
        if answer.status >= 300:
            raise AssertionError(f"{method} {path}: {answer.status} {answer.text}")
        return answer.data if answer.text else None

    def operate(self, *arguments):
        """Runs an administrator command, such as `credits grant`, and returns the output."""
        command = [program(), *arguments, "--data-dir", self.data]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    def tables(self):
        """Returns all items in all tables, except those that the service writes without a call.

        These are the items of health checks and of changes.
        """
        names = self._engine("ListTables", {})["TableNames"]
        items = {name: self._engine("Scan", {"TableName": name})["Items"] for name in names}
        return {name: [item for item in items[name] if not item["pk"]["S"].startswith(("health", "changes#"))]
                for name in names}

    def _engine(self, operation, body):
        headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        endpoint = self.credentials["dynamodb_endpoint"]
        engine = urllib.request.Request(endpoint, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(engine) as answer:
            return json.load(answer)
