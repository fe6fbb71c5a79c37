"""A simulated AWS account on a loopback port: CloudFormation, buckets, and the gateway.

Programs in the folder `programs` replace `sam` and `make`, and report their arguments.
"""

import http.server
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import urllib.parse
from xml.sax.saxutils import escape

from samcli.yamlhelper import yaml_parse

from cloudformation import identifiers

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
TEMPLATE = yaml_parse((ROOT / "template.yaml").read_text())
OWN_BUCKET = "marquee-releasebucket-1x2y3z"
ACCOUNT = "123456789012"
STACK_ID = f"arn:aws:cloudformation:eu-north-1:{ACCOUNT}:stack/marquee/0f1e2d3c"


class Account(http.server.ThreadingHTTPServer):
    """An AWS account with at most one stack. `steps` lists builds and changes to the stack, in order."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Call)
        self.stack = None
        self.buckets = {}
        self.steps = []
        # The API paths that have been called.
        self.asked = set()
        # The names of the AWS variables in each program's environment.
        self.given = {}
        # The expected bucket owners that reads from buckets specify. `None` means that a read specifies none.
        self.owners = set()
        # The errors for each program's next calls. `None` means that the call succeeds.
        self.failing = {}
        # A stack from an earlier version doesn't have a bucket until the stack is updated.
        self.has_bucket = False
        # The number of calls that fail before the functions start to respond.
        self.unanswered = 0
        # The number of reads that show a change to the stack as still in progress.
        self.looks_in_progress = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def run(self, *arguments, **variables):
        """Runs scripts/deploy in this account. Returns the exit code and the output."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        environment = {
            **inherited,
            "PATH": f"{HERE / 'programs'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
            "AWS_ENDPOINT_URL": self.url,
            "SIMULATED_ACCOUNT": self.url,
            "S3_ENDPOINT": self.url,
            "AWS_REGION": "eu-north-1",
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            "AWS_EC2_METADATA_DISABLED": "true",
            **variables,
        }
        command = [sys.executable, ROOT / "scripts" / "deploy", *arguments]
        ended = subprocess.run(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
        return ended.returncode, ended.stdout

    def take(self):
        """Returns the recorded steps, and clears the record."""
        steps, self.steps = self.steps, []
        return steps

    def note(self, step):
        """Records a step, but only once for consecutive equal steps, such as a release's uploads."""
        if self.steps[-1:] != [step]:
            self.steps.append(step)

    def change(self, changes):
        """Creates or updates the stack. Returns a message if the template doesn't allow the parameters."""
        known = TEMPLATE["Parameters"]
        before = {name: parameter.get("Default") for name, parameter in known.items()} | (self.stack or {})
        for name, value in changes.items():
            if name not in known:
                return f"Parameters: [{name}] do not exist in the template"
            if not re.fullmatch(known[name].get("AllowedPattern", ".*"), value):
                return f"Parameter {name} must match pattern"
        missing = [name for name, value in (before | changes).items() if value is None]
        if missing:
            return f"Parameters: {missing} must have values"
        self.stack = before | changes
        self.has_bucket = True
        self.buckets.setdefault(OWN_BUCKET, {})
        return None

    def answer_of(self, path):
        """Returns the gateway's status. A function starts only if the release is complete."""
        bucket, _, name = self.stack["Release"].partition("/")
        self.unanswered -= 1
        starts = f"{name}/manifest.json" in self.buckets.get(bucket, {}) and self.unanswered < 0
        self.asked.add(path)
        return 401 if starts else 500

    def described(self):
        parameters = {name: str(value) for name, value in self.stack.items()}
        outputs = {
            **({"ReleaseBucketName": OWN_BUCKET} if self.has_bucket else {}),
            "ApiUrl": f"{self.url}/v2",
            "PortalPage": "https://api.example/portal/",
            "TablePrefix": parameters["TablePrefix"],
        }
        status = "UPDATE_IN_PROGRESS" if self.looks_in_progress else "UPDATE_COMPLETE"
        self.looks_in_progress = max(0, self.looks_in_progress - 1)
        named = f"<StackName>marquee</StackName><StackId>{STACK_ID}</StackId><StackStatus>{status}</StackStatus>"
        return named + "".join([
            members("Parameters", "ParameterKey", "ParameterValue", parameters),
            members("Outputs", "OutputKey", "OutputValue", outputs),
        ])


class Call(http.server.BaseHTTPRequestHandler):
    """A call to S3, identified by its path, or to CloudFormation, identified by the action in its form."""

    protocol_version = "HTTP/1.1"
    server: Account

    def do_POST(self):
        if "X-Amz-Target" in self.headers:
            return self.GetResource(json.loads(self.body()))
        form = dict(urllib.parse.parse_qsl(self.body().decode(), keep_blank_values=True))
        getattr(self, form["Action"])(form)

    def GetResource(self, asked):
        """Responds that a resource doesn't exist, because nothing remains of earlier stacks."""
        missing = {"__type": "ResourceNotFoundException", "message": f"{asked['Identifier']} was not found"}
        self.answer(400, json.dumps(missing).encode())

    def ListStacks(self, _form):
        self.answer(200, result("ListStacks", "<StackSummaries/>"))

    def GetTemplateSummary(self, form):
        by_type = "".join(
            f"<member><ResourceType>{resource['Type']}</ResourceType>"
            f"<LogicalResourceIds><member>{name}</member></LogicalResourceIds>"
            f"<ResourceIdentifiers><member>{identifiers(resource['Type'])[0]}</member></ResourceIdentifiers></member>"
            for name, resource in json.loads(form["TemplateBody"])["Resources"].items()
        )
        summaries = f"<ResourceIdentifierSummaries>{by_type}</ResourceIdentifierSummaries>"
        self.answer(200, result("GetTemplateSummary", summaries))

    def DescribeStacks(self, form):
        if self.server.stack is None:
            return self.refuse(400, f"Stack with id {form['StackName']} does not exist")
        stacks = f"<Stacks><member>{self.server.described()}</member></Stacks>"
        self.answer(200, result("DescribeStacks", stacks))

    def UpdateStack(self, form):
        given = {}
        for name in (form[key] for key in form if key.endswith(".ParameterKey")):
            prefix = next(key for key in form if form[key] == name).removesuffix("ParameterKey")
            if f"{prefix}ParameterValue" in form:
                given[name] = form[f"{prefix}ParameterValue"]
            elif form[f"{prefix}UsePreviousValue"] != "true":
                return self.refuse(400, f"Parameter {name} has no value")
            else:
                given[name] = str(self.server.stack[name])
        if set(given) != set(TEMPLATE["Parameters"]) or form["UsePreviousTemplate"] != "true":
            return self.refuse(400, "an update must name all parameters, or they are reset to their defaults")
        changed = {name: value for name, value in given.items() if value != str(self.server.stack[name])}
        self.server.note(("update", changed))
        self.server.change(changed)
        self.answer(200, result("UpdateStack", "<StackId>marquee</StackId>"))

    def Program(self, form):
        """Records a program's arguments. Returns the error that the program must print, if any."""
        program, given = form["Program"], json.loads(form["Given"])
        self.server.given[program] = form["Variables"].split()
        failures = self.server.failing.get(program, [])
        failure = failures.pop(0) if failures else None
        if failure is None and program == "sam":
            failure = self.server.change(given)
        if failure is None:
            self.server.note((program, given))
        self.answer(200, (failure or "").encode())

    def do_PUT(self):
        bucket, key = self.place()
        body = self.body()
        if bucket not in self.server.buckets:
            return self.refuse(404, "the bucket doesn't exist", "NoSuchBucket")
        if self.headers.get("If-None-Match") == "*" and key in self.server.buckets[bucket]:
            return self.refuse(412, "the object already exists", "PreconditionFailed")
        self.server.note(("publish", f"{bucket}/{key.partition('/')[0]}"))
        self.server.buckets[bucket][key] = body
        self.answer(200, b"")

    def do_GET(self):
        if self.path.startswith("/v2/"):
            return self.answer(self.server.answer_of(self.path), b"")
        bucket, key = self.place()
        # `marquee` doesn't send the account ID to a stand-in, so only reads by boto3 are recorded.
        # tests/suite/releases/calls.rs tests the header that `marquee` sends to S3.
        if "Boto3" in self.headers.get("User-Agent", ""):
            self.server.owners.add(self.headers.get("x-amz-expected-bucket-owner"))
        found = self.server.buckets.get(bucket, {}).get(key)
        if found is None:
            return self.refuse(404, "The specified key does not exist.", "NoSuchKey")
        self.answer(200, found)

    do_HEAD = do_GET

    def place(self):
        _, bucket, key = urllib.parse.urlsplit(self.path).path.split("/", 2)
        return bucket, urllib.parse.unquote(key)

    def body(self):
        """Returns the body, decoded from the chunks of S3's signed and unsigned streams."""
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            sent = b"".join(self.chunks(self.rfile))
        else:
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if "x-amz-decoded-content-length" not in self.headers:
            return sent
        stream = io.BytesIO(sent)
        return b"".join(self.chunks(stream))

    @staticmethod
    def chunks(stream):
        while size := int(stream.readline().split(b";")[0], 16):
            yield stream.read(size)
            stream.readline()
        while stream.readline().strip():
            pass

    def refuse(self, status, message, code="ValidationError"):
        error = f"<Code>{code}</Code><Message>{escape(message)}</Message>"
        # CloudFormation nests the error in another element, but S3 doesn't.
        of_s3 = self.command != "POST"
        text = f"<Error>{error}</Error>"
        self.answer(status, (text if of_s3 else f"<ErrorResponse>{text}</ErrorResponse>").encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """Logs nothing, because `steps` records the calls."""


def members(list_name, key, value, texts):
    def of_one(name, text):
        return f"<member><{key}>{name}</{key}><{value}>{escape(text)}</{value}></member>"

    return f"<{list_name}>{''.join(of_one(*one) for one in texts.items())}</{list_name}>"


def result(action, text):
    space = "http://cloudformation.amazonaws.com/doc/2010-05-15/"
    answer = f"<{action}Result>{text}</{action}Result>"
    return f'<{action}Response xmlns="{space}">{answer}</{action}Response>'.encode()
