"""Resources that are retained when a stack is deleted, and how to find them afterward.

A resource's DeletionPolicy in the template determines whether it's retained. For 90 days, CloudFormation
remembers a deleted stack's template, parameters, and resources. Retained resources have the status
DELETE_SKIPPED
(https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html).
The project therefore doesn't keep its own record or list of names.
"""

import json
import shlex
from dataclasses import dataclass

from botocore.exceptions import ClientError
from samcli.yamlhelper import yaml_parse

from stack import StackError

RETAINING = ("Retain", "RetainExceptOnCreate")


@dataclass(frozen=True, order=True)
class Resource:
    """A stack's resource, with its name in the template, its type, and its physical ID."""

    logical_id: str
    type: str
    physical_id: str


@dataclass(frozen=True)
class Left:
    """A deleted stack's remaining resources, template, and parameters."""

    template: dict
    parameters: dict
    resources: tuple

    def command(self, name):
        """Returns the command that imports the resources after CloudFormation has forgotten the stack."""
        settings = {
            key: value
            for key, value in self.parameters.items()
            if value != str(self.template["Parameters"].get(key, {}).get("Default", ""))
        }
        release, architecture = settings.pop("Release", ""), settings.pop("Architecture", "")
        settings.pop("PreviousRelease", None)
        given = {
            "RETAINED": " ".join(f"{each.logical_id}={each.physical_id}" for each in self.resources),
            "RELEASE": release and f"s3://{release}",
            "ARCHITECTURE": architecture,
            "PARAMETERS": " ".join(shlex.quote(f"{key}={value}") for key, value in settings.items()),
        }
        return make_deploy(name, given)


def make_deploy(name, given):
    """Returns the `make deploy` command for a stack name and variables."""
    stack = {} if name == "marquee" else {"STACK": name}
    words = (f"{key}={shlex.quote(value)}" for key, value in (stack | given).items() if value)
    return " ".join(["make deploy", *words])


def is_retained(template, logical_id):
    """Returns whether a resource in a template is retained when its stack is deleted."""
    return template["Resources"].get(logical_id, {}).get("DeletionPolicy") in RETAINING


def template_of(client, stack):
    """Returns a stack's processed template. Deleted stacks must be given by ID."""
    body = client.get_template(StackName=stack, TemplateStage="Processed")["TemplateBody"]
    return yaml_parse(body) if isinstance(body, str) else body


def parameters_of(client, stack):
    """Returns a stack's parameters. Deleted stacks must be given by ID."""
    described = client.describe_stacks(StackName=stack)["Stacks"][0]
    return {each["ParameterKey"]: each["ParameterValue"] for each in described.get("Parameters", [])}


def resources_of(client, stack):
    """Returns a stack's resources. Deleted stacks must be given by ID, and only have remaining resources."""
    pages = client.get_paginator("list_stack_resources").paginate(StackName=stack)
    summaries = [summary for page in pages for summary in page["StackResourceSummaries"]]
    return sorted(
        Resource(summary["LogicalResourceId"], summary["ResourceType"], summary["PhysicalResourceId"])
        for summary in summaries
        if summary.get("PhysicalResourceId") and summary["ResourceStatus"] != "DELETE_COMPLETE"
    )


def left_by(session, name, chosen):
    """Returns the remaining resources of all deleted stacks with the given name, or None.

    Template and parameters are those of the most recently deleted stack. If stacks have left different
    resources with the same logical ID, `chosen` must contain the ID to import. Otherwise, raises StackError.
    """
    client, control = session.client("cloudformation"), session.client("cloudcontrol")
    records = []
    for stack in deleted(client, name):
        resources = [
            resource
            for resource in still_there(client, control, stack)
            if chosen.get(resource.logical_id, resource.physical_id) == resource.physical_id
        ]
        if resources:
            records.append((stack, resources))
    if not records:
        return None
    check_unambiguous(name, records)
    stack_id = records[0][0]["StackId"]
    template, parameters = template_of(client, stack_id), parameters_of(client, stack_id)
    ids = {each.logical_id: each.physical_id for _, resources in records for each in resources}
    return Left(template, parameters, named(template, parameters, ids | chosen))


def named(template, parameters, physical_ids):
    """Returns the resources with these IDs that a stack with this template and these parameters contains."""
    return tuple(
        Resource(logical_id, template["Resources"][logical_id]["Type"], physical_id)
        for logical_id, physical_id in sorted(physical_ids.items())
        if is_part(template, parameters, logical_id)
    )


def deleted(client, name):
    """Returns the deleted stacks with the given name that CloudFormation still lists, most recent first."""
    pages = client.get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    of_name = [stack for page in pages for stack in page["StackSummaries"] if stack["StackName"] == name]
    return sorted(of_name, key=lambda stack: stack["DeletionTime"], reverse=True)


def still_there(client, control, stack):
    """Returns a deleted stack's retained resources that still exist."""
    resources = resources_of(client, stack["StackId"])
    # Other resources can also be skipped, if a user retained them to delete a stack that was stuck.
    template = template_of(client, stack["StackId"]) if resources else None
    return [
        resource
        for resource in resources
        if is_retained(template, resource.logical_id) and exists(control, resource.type, resource.physical_id)
    ]


def exists(control, resource_type, physical_id):
    """Returns whether a resource exists. `control` is a Cloud Control API client."""
    return properties_of(control, resource_type, physical_id) is not None


def properties_of(control, resource_type, physical_id):
    """Returns a resource's current properties, or None if it doesn't exist."""
    try:
        answer = control.get_resource(TypeName=resource_type, Identifier=physical_id)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        return None
    return json.loads(answer["ResourceDescription"]["Properties"])


def check_unambiguous(name, records):
    """Raises an error if several resources match the same name in the template."""
    claims = {}
    for stack, resources in records:
        for resource in resources:
            claim = f"{resource.physical_id} (deleted on {stack['DeletionTime']:%Y-%m-%d at %H:%M} UTC)"
            claims.setdefault(resource.logical_id, {}).setdefault(resource.physical_id, claim)
    several = {logical_id: each for logical_id, each in claims.items() if len(each) > 1}
    if several:
        last = " ".join(f"{logical_id}={next(iter(each))}" for logical_id, each in several.items())
        lines = [f"  {logical_id}: {' or '.join(each.values())}" for logical_id, each in several.items()]
        raise StackError("\n".join([
            f"several deleted stacks named {name} have left different resources:",
            *lines,
            "Choose the resources to import. For example, those of the most recent stack:",
            f"  {make_deploy(name, {'RETAINED': last})}",
        ]))


def is_part(template, parameters, logical_id):
    """Returns whether a stack with these parameters contains the resource."""
    resource = template["Resources"].get(logical_id)
    if resource is None:
        return False
    name = resource.get("Condition")
    return name is None or holds({"Condition": name}, template.get("Conditions", {}), parameters)


def holds(condition, conditions, parameters):
    """Evaluates a template's condition."""
    [(function, given)] = condition.items()
    if function == "Condition":
        return holds(conditions[given], conditions, parameters)
    if function == "Fn::Equals":
        left, right = (value if isinstance(value, str) else parameters[value["Ref"]] for value in given)
        return left == right
    parts = [holds(part, conditions, parameters) for part in given]
    return {"Fn::Not": not parts[0], "Fn::And": all(parts), "Fn::Or": any(parts)}[function]
