"""Compares the functions' IAM policies with the database calls that the test suite recorded.

  policies.py FOLDER    the folder with the calls that the suite recorded (tests/src/access.rs)

The policies come from the roles in template.yaml after SAM's translation.
"""

import fnmatch
import itertools
import json
import pathlib
import sys
from dataclasses import dataclass
from email.utils import parseaddr

from cloudformation import REGION
from resolved import ACCOUNT, IN_FULL, Resolved

TABLES = {"accounts": "AccountsTable", "credentials": "CredentialsTable", "assets": "AssetsTable"}

# The managed policies that SAM attaches, as AWS publishes them.
# https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AWSLambdaBasicExecutionRole.html
MANAGED = {
    "AWSLambdaBasicExecutionRole": [
        {
            "Effect": "Allow",
            "Action": ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
            "Resource": "*",
        },
    ],
}

# Calls that AWS makes with a function's role. The tests can't record these calls.
# https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
LOGGING = ("logs:CreateLogStream", "logs:PutLogEvents")
# https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
SENDING = "sqs:SendMessage"
MAILING = "ses:SendEmail"
POLLING = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
# https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
# https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
# https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
READING = ("dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams")
DECRYPTING = ("kms:Decrypt", "kms:GenerateDataKey")
# The call that opens a release; tests/suite/releases/calls.rs tests it.
OPENING = "s3:GetObject"


@dataclass(frozen=True)
class Request:
    """A call that uses a role. `partition` is empty for calls that don't use a table."""

    function: str
    action: str
    resource: str
    partition: str = ""
    via: str = ""
    # The account that owns the resource.
    owner: str = ACCOUNT
    # The sender's address without its display name.
    sender: str = ""


@dataclass(frozen=True)
class Statement:
    """A statement in a policy."""

    actions: tuple
    resources: tuple
    partitions: tuple = ()
    via: tuple = ()
    owners: tuple = ()
    senders: tuple = ()

    @classmethod
    def of(cls, given):
        assert given["Effect"] == "Allow", given
        conditions = dict(given.get("Condition", {}))
        keys = conditions.pop("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", [])
        equal = dict(conditions.pop("StringEquals", {}))
        via, owners = equal.pop("kms:ViaService", []), equal.pop("s3:ResourceAccount", [])
        senders = equal.pop("ses:FromAddress", [])
        assert not conditions and not equal, f"unsupported conditions: {conditions} {equal}"
        limits = (texts(each) for each in (keys, via, owners, senders))
        return cls(texts(given["Action"]), texts(given["Resource"]), *limits)

    def allows(self, request):
        return (
            any(matches(request.action, action) for action in self.actions)
            and any(matches(request.resource, resource) for resource in self.resources)
            and (not self.partitions or any(matches(request.partition, one) for one in self.partitions))
            and (not self.via or request.via in self.via)
            and (not self.owners or request.owner in self.owners)
            and (not self.senders or request.sender in self.senders)
        )

    def parts(self):
        """Yields each permission. A permission is one action on one resource in one kind of partition."""
        for action, resource in itertools.product(self.actions, self.resources):
            for partitions in [(one,) for one in self.partitions] or [()]:
                yield Statement((action,), (resource,), partitions, self.via, self.owners, self.senders)

    def __str__(self):
        partitions = f" in {', '.join(self.partitions)}" if self.partitions else ""
        return f"{', '.join(self.actions)} on {', '.join(self.resources)}{partitions}"


def texts(value):
    return (value,) if isinstance(value, str) else tuple(value)


def matches(text, pattern):
    # IAM supports only the wildcards * and ?.
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


class Policies:
    """The permissions and permissions boundaries of a stack's functions, by binary name."""

    def __init__(self, stack):
        roles = stack.of_type("AWS::IAM::Role")
        self.stack = stack
        self.managed = {
            name: [Statement.of(one) for one in policy["PolicyDocument"]["Statement"]]
            for name, policy in stack.of_type("AWS::IAM::ManagedPolicy").items()
        } | {name: [Statement.of(one) for one in document] for name, document in MANAGED.items()}
        self.of, self.most = {}, {}
        for name, function in stack.of_type("AWS::Lambda::Function").items():
            role = roles[function["Role"].removeprefix("Arn of ")]
            own = [one for policy in role.get("Policies", []) for one in policy["PolicyDocument"]["Statement"]]
            attached = [self.managed[arn.rsplit("/", 1)[-1]] for arn in role["ManagedPolicyArns"]]
            self.of[binary(name)] = [*map(Statement.of, own), *(one for each in attached for one in each)]
            self.most[binary(name)] = self.managed[role["PermissionsBoundary"]]

    def refused(self, requests):
        """Returns the requests that a function's role or the role's boundary rejects."""
        return [
            one for one in requests
            for allowing in (self.of[one.function], self.most[one.function])
            if not any(each.allows(one) for each in allowing)
        ]

    def never_used(self, requests):
        """Yields a line for each unused permission within a role's boundary."""
        for function, statements in self.of.items():
            own = [one for one in requests if one.function == function]
            within = {action for each in self.most[function] for action in each.actions}
            for part in {part for statement in statements for part in statement.parts()}:
                if within.intersection(part.actions) and not any(part.allows(one) for one in own):
                    yield f"{function}: {part}"

    def by_aws(self):
        """Yields the calls that AWS makes with the roles, and the functions' calls to S3, SQS, and SES."""
        groups = self.stack.of_type("AWS::Logs::LogGroup")
        key = self.stack.values["KmsKeyArn"]
        for name, function in self.stack.of_type("AWS::Lambda::Function").items():
            group = groups[function["LoggingConfig"]["LogGroup"]]["LogGroupName"]
            stream = f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{group}:log-stream:one"
            yield from (Request(binary(name), action, stream) for action in LOGGING)
            variables = function["Environment"]["Variables"]
            if "QUEUE_URL" in variables:
                yield Request(binary(name), SENDING, f"Arn of {variables['QUEUE_URL']}")
            if variables.get("MAIL_FROM"):
                identity = f"arn:aws:ses:{REGION}:{ACCOUNT}:identity/{self.stack.values['MailIdentity']}"
                sender = parseaddr(variables["MAIL_FROM"])[1]
                yield Request(binary(name), MAILING, identity, sender=sender)
            release = variables.get("RELEASE", "")
            if release:
                yield Request(binary(name), OPENING, f"arn:aws:s3:::{release.removeprefix('s3://')}/a-file")
            if key and binary(name) not in ("portal", "mcp"):
                services = ["dynamodb", *(["s3"] if release else [])]
                vias = [f"{service}.{REGION}.amazonaws.com" for service in services]
                yield from (Request(binary(name), one, key, via=via) for one in DECRYPTING for via in vias)
        for mapping in self.stack.of_type("AWS::Lambda::EventSourceMapping").values():
            is_stream = mapping["EventSourceArn"].startswith("StreamArn of ")
            for action in READING if is_stream else POLLING:
                yield Request(binary(mapping["FunctionName"]), action, mapping["EventSourceArn"])


def binary(logical_name):
    return logical_name.removesuffix("Function").lower()


def recorded(folder):
    """Returns the requests that the suite recorded, without duplicates."""
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return sorted({of_line(json.loads(line)) for line in lines}, key=str)


def of_line(line):
    index = f"/index/{line['index']}" if line["index"] else ""
    return Request(line["function"], line["action"], f"Arn of {TABLES[line['table']]}{index}", line["partition"])


def main():
    folder = pathlib.Path(sys.argv[1])
    seen = recorded(folder)
    if not seen:
        sys.exit(f"{folder} has no recorded calls: run `make test` first")
    policies = Policies(Resolved(IN_FULL))
    requests = [*seen, *policies.by_aws()]
    refused = sorted(f"rejected: {one}" for one in policies.refused(requests))
    unused = sorted(f"unused: {one}" for one in policies.never_used(requests))
    for line in refused + unused:
        print(line)
    statements = sum(map(len, policies.of.values()))
    parts = sum(1 for each in policies.of.values() for statement in each for _ in statement.parts())
    print(
        f"{len(policies.of)} functions, {statements} statements with {parts} permissions; {len(seen)} kinds "
        f"of recorded calls: {len(refused)} rejected, {len(unused)} permissions unused"
    )
    sys.exit(bool(refused or unused))


if __name__ == "__main__":
    main()
