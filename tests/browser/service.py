"""A `marquee serve` of a test's own."""

import json
import pathlib
import signal
import subprocess
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "debug" / "marquee"


class Service:
    """A `marquee serve` with a sample release and data of its own, on a free port; `with` ends it."""

    def __init__(self, folder):
        subprocess.run([PROGRAM, "release", "build", "--out", folder / "release"], cwd=ROOT,
                       stdout=subprocess.DEVNULL, check=True)
        arguments = ["serve", "--port", "0", "--data-dir", folder / "data", "--release", folder / "release"]
        self.process = subprocess.Popen([PROGRAM, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.link = next((line.split()[1] for line in self.process.stdout if line.startswith("map: ")), None)
        if not self.link:
            raise RuntimeError(f"`marquee serve` printed no link to the map; it ended with {self.process.wait()}")
        self.origin = self.link.partition("/map?")[0]
        self.credentials = json.loads((folder / "data" / "credentials.json").read_text())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        # Read to the end: a full pipe would stop it.
        self.process.communicate()

    def revoked(self):
        """The TileJSON URL of a grant that was minted and revoked."""
        grants = f"{self.origin}/v2/displays/tiles/grants"
        grant = json.loads(self._call("POST", grants, {"allowed_origins": [self.origin]}))["data"]
        self._call("DELETE", f"{grants}/{grant['grant_id']}")
        return grant["tilejson_url"]

    def tables(self):
        """Every item of every table but what health writes: what the engine tells whoever has its secret."""
        names = self._engine("ListTables", {})["TableNames"]
        items = {name: self._engine("Scan", {"TableName": name})["Items"] for name in names}
        return {name: [item for item in found if item["pk"]["S"] != "health"] for name, found in items.items()}

    def _engine(self, operation, body):
        key = self.credentials["dynamodb_access_key_id"]
        scope = f"AWS4-HMAC-SHA256 Credential={key}/20261120/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0"
        headers = {"Authorization": scope, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        engine = urllib.request.Request(self.credentials["dynamodb_endpoint"], json.dumps(body).encode(), headers)
        with urllib.request.urlopen(engine) as answer:
            return json.load(answer)

    def _call(self, method, url, body=None):
        headers = {"X-API-Key": self.credentials["enterprise_key"], "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return answer.read()
