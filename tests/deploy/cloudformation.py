"""Simulates CloudFormation, including its records of deleted stacks.

Every call goes through boto3 and its checks, but doesn't leave this process. Imports are validated according
to CloudFormation's documentation
(https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-manually.html).
"""

import datetime
import importlib.machinery
import importlib.util
import io
import itertools
import json
import pathlib
from types import SimpleNamespace

import boto3
from botocore.validate import validate_parameters
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGION = "us-east-1"


def translated():
    """Returns template.yaml after SAM's translation, which scripts/template-cycles runs."""
    template = program("template-cycles").translated(ROOT / "template.yaml")
    # Converts SAM's dictionary types to plain dictionaries.
    return json.loads(json.dumps(template))


def program(path):
    """Loads a program from the folder `scripts` as a module."""
    loader = importlib.machinery.SourceFileLoader(path, str(ROOT / "scripts" / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path, loader))
    loader.exec_module(module)
    return module


def identifiers(resource_type):
    """Returns the properties that identify resources of a type, from CloudFormation's schema."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, resource_type).schema
    return [path.removeprefix("/properties/") for path in schema["primaryIdentifier"]]


class AwsError(Exception):
    """An AWS error with a code and a message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.answer = {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {}}


class Cloud:
    """An AWS account, with its stacks (including deleted stacks) and its existing resources.

    `calls` lists the operations that changed the account, in order.
    """

    def __init__(self):
        self.stacks = []
        self.there = {}
        self.objects = {}
        self.calls = []
        self.change_set = None
        self.refuses = None
        self.import_fails = None
        self.failed_status = "IMPORT_ROLLBACK_COMPLETE"
        self.undeletable = None
        self.numbers = itertools.count(1)

    def session(self):
        session = boto3.Session(aws_access_key_id="local", aws_secret_access_key="local", region_name=REGION)
        given = {}

        def keep(params, **_):
            given["params"] = dict(params)

        session.events.register("before-parameter-build", keep)
        session.events.register("before-call", lambda model, **_: self.answer(model, given["params"]))
        return session

    def answer(self, model, params):
        """Returns an operation's response, after checking it against boto3's output shape."""
        try:
            parsed = getattr(self, model.name)(**params) or {}
        except AwsError as refused:
            return SimpleNamespace(status_code=400), refused.answer
        if model.output_shape is not None and parsed:
            validate_parameters(parsed, model.output_shape)
        return SimpleNamespace(status_code=200), parsed | {"ResponseMetadata": {"HTTPStatusCode": 200}}

    def create(self, name, template, parameters, physical_ids):
        """Adds a deployed stack with the given resources."""
        number = next(self.numbers)
        resources = {}
        for logical_id, physical_id in physical_ids.items():
            kind = template["Resources"][logical_id]["Type"]
            resources[logical_id] = [kind, physical_id, "CREATE_COMPLETE"]
            self.there[physical_id] = kind
        self.stacks.append({
            "StackName": name,
            "StackId": f"arn:aws:cloudformation:{REGION}:1:stack/{name}/{number}",
            "CreationTime": at(number),
            "StackStatus": "UPDATE_COMPLETE",
            "template": template,
            "parameters": parameters,
            "resources": resources,
        })
        return self.stacks[-1]

    def live(self, name_or_id):
        """Returns a stack by name or ID. A deleted stack is found only by its ID."""
        for stack in self.stacks:
            is_live = stack["StackStatus"] != "DELETE_COMPLETE"
            if stack["StackId"] == name_or_id or (is_live and stack["StackName"] == name_or_id):
                return stack
        raise AwsError("ValidationError", f"Stack with id {name_or_id} does not exist")

    # CloudFormation

    def ListStacks(self, StackStatusFilter):
        chosen = [stack for stack in self.stacks if stack["StackStatus"] in StackStatusFilter]
        keys = ("StackName", "StackId", "StackStatus", "CreationTime", "DeletionTime")
        return {"StackSummaries": [{key: stack[key] for key in keys if key in stack} for stack in chosen]}

    def DescribeStacks(self, StackName):
        stack = self.live(StackName)
        keys = ("StackName", "StackId", "StackStatus", "CreationTime")
        values = stack["parameters"].items()
        described = {key: stack[key] for key in keys} | {
            "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in values],
            "Outputs": [{"OutputKey": "PortalPage", "OutputValue": "https://portal.example/"}],
        }
        return {"Stacks": [described]}

    def ListStackResources(self, StackName):
        stack = self.live(StackName)
        return {
            "StackResourceSummaries": [
                {
                    "LogicalResourceId": logical_id,
                    "ResourceType": kind,
                    "PhysicalResourceId": physical_id,
                    "ResourceStatus": status,
                    "ResourceStatusReason": "it is in use",
                    "LastUpdatedTimestamp": stack["CreationTime"],
                }
                for logical_id, (kind, physical_id, status) in stack["resources"].items()
            ]
        }

    def GetTemplate(self, StackName, TemplateStage):
        assert TemplateStage == "Processed"
        return {"TemplateBody": json.dumps(self.live(StackName)["template"])}

    def GetTemplateSummary(self, TemplateBody):
        by_type = {}
        for logical_id, resource in json.loads(TemplateBody)["Resources"].items():
            by_type.setdefault(resource["Type"], []).append(logical_id)
        return {
            "ResourceIdentifierSummaries": [
                {
                    "ResourceType": kind,
                    "LogicalResourceIds": names,
                    # The caller must choose the identifying property, which isn't always `Arn`.
                    "ResourceIdentifiers": ["Arn", *identifiers(kind)],
                }
                for kind, names in by_type.items()
            ]
        }

    def DeleteStack(self, StackName):
        stack = self.live(StackName)
        self.calls.append("DeleteStack")
        if self.undeletable:
            stack["resources"][self.undeletable][2] = stack["StackStatus"] = "DELETE_FAILED"
            return
        for logical_id, resource in stack["resources"].items():
            if stack["template"]["Resources"][logical_id].get("DeletionPolicy") == "Retain":
                resource[2] = "DELETE_SKIPPED"
            else:
                resource[2] = "DELETE_COMPLETE"
                del self.there[resource[1]]
        stack |= {"StackStatus": "DELETE_COMPLETE", "DeletionTime": at(next(self.numbers))}

    def CreateChangeSet(
        self, StackName, ChangeSetName, ChangeSetType, TemplateBody, Parameters, ResourcesToImport
    ):
        self.calls.append("CreateChangeSet")
        template = json.loads(TemplateBody)
        parameters = {each["ParameterKey"]: each["ParameterValue"] for each in Parameters}
        physical_ids = {}
        for each in ResourcesToImport:
            resource = template["Resources"][each["LogicalResourceId"]]
            assert resource["Type"] == each["ResourceType"] and resource["DeletionPolicy"]
            assert list(each["ResourceIdentifier"]) == identifiers(each["ResourceType"])
            [physical_ids[each["LogicalResourceId"]]] = each["ResourceIdentifier"].values()
        assert ChangeSetType == "IMPORT"
        assert not {"Transform", "Outputs", "Rules", "Globals"} & template.keys()
        assert physical_ids.keys() == template["Resources"].keys()
        required = {name for name, each in template["Parameters"].items() if "Default" not in each}
        assert required <= parameters.keys() <= template["Parameters"].keys()
        live = [each["StackName"] for each in self.stacks if each["StackStatus"] != "DELETE_COMPLETE"]
        assert StackName not in live
        assert set(physical_ids.values()) <= self.there.keys()
        stack = self.create(StackName, template, parameters, {})
        stack["StackStatus"] = "REVIEW_IN_PROGRESS"
        self.change_set = physical_ids, self.refuses
        return {"Id": ChangeSetName, "StackId": stack["StackId"]}

    def DescribeChangeSet(self, StackName, ChangeSetName):
        reason = self.change_set[1]
        failed = {"Status": "FAILED", "StatusReason": reason}
        return {"ChangeSetName": ChangeSetName} | (failed if reason else {"Status": "CREATE_COMPLETE"})

    def ExecuteChangeSet(self, StackName, ChangeSetName):
        self.calls.append("ExecuteChangeSet")
        stack = self.live(StackName)
        if self.import_fails:
            stack["StackStatus"] = self.failed_status
            return
        kinds = stack["template"]["Resources"]
        stack["resources"] = {
            logical_id: [kinds[logical_id]["Type"], name, "IMPORT_COMPLETE"]
            for logical_id, name in self.change_set[0].items()
        }
        stack["StackStatus"] = "IMPORT_COMPLETE"

    def DescribeStackEvents(self, StackName):
        stack = self.live(StackName)
        event = {
            "StackId": stack["StackId"],
            "EventId": "1",
            "StackName": stack["StackName"],
            "Timestamp": stack["CreationTime"],
            "LogicalResourceId": self.import_fails,
            "ResourceStatus": "IMPORT_FAILED",
            "ResourceStatusReason": "it belongs to another stack",
        }
        return {"StackEvents": [event] if self.import_fails else []}

    # Other services

    def GetResource(self, TypeName, Identifier):
        if self.there.get(Identifier) != TypeName:
            raise AwsError("ResourceNotFoundException", f"{TypeName} {Identifier} was not found")
        [key] = identifiers(TypeName)
        properties = json.dumps({"Arn": f"arn:aws:{Identifier}", key: Identifier})
        return {"ResourceDescription": {"Identifier": Identifier, "Properties": properties}}

    def DescribeTable(self, TableName):
        return {"Table": {"TableName": TableName, "ItemCount": 1234, "TableSizeBytes": 2_500_000}}

    def DescribeUserPool(self, UserPoolId):
        return {"UserPool": {"Id": UserPoolId, "EstimatedNumberOfUsers": 17}}

    def ListObjectsV2(self, Bucket, **_):
        keys = ("a/manifest.json", "a/packed.json", "b/manifest.json")
        return {"Contents": [{"Key": key, "Size": 500_000} for key in keys], "IsTruncated": False}

    def GetObject(self, Bucket, Key, **_):
        return {"Body": io.BytesIO(self.objects[f"{Bucket}/{Key}"])}


def at(number):
    return datetime.datetime(2026, 11, 1, 0, number, tzinfo=datetime.UTC)
