"""What of a stack outlives it, and how that is found again once the stack is gone.

A template says which resources stay, by their DeletionPolicy. CloudFormation remembers a deleted stack for 90
days: its template, its parameters, and its resources, of which those that stayed are DELETE_SKIPPED
(https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html). So nothing is
written down anywhere else, and no list of names is kept here.
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
    """A resource of a stack: its name in the template, its type, and what AWS knows it by."""

    logical_id: str
    type: str
    physical_id: str


@dataclass(frozen=True)
class Left:
    """What a deleted stack has left, with the template and the parameters that it had."""

    template: dict
    parameters: dict
    resources: tuple

    def command(self, name):
        """The command that takes it back whoever remembers it, with the settings that the stack had."""
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
    """The command that deploys a stack of a name, with variables of `make`."""
    stack = {} if name == "marquee" else {"STACK": name}
    words = (f"{key}={shlex.quote(value)}" for key, value in (stack | given).items() if value)
    return " ".join(["make deploy", *words])


def stays(template, logical_id):
    """Whether a resource of a template outlives its stack."""
    return template["Resources"].get(logical_id, {}).get("DeletionPolicy") in RETAINING


def template_of(client, stack):
    """The template of a stack, transforms carried out; of a deleted one by its id."""
    body = client.get_template(StackName=stack, TemplateStage="Processed")["TemplateBody"]
    return yaml_parse(body) if isinstance(body, str) else body


def parameters_of(client, stack):
    """The parameters of a stack; of a deleted one by its id."""
    described = client.describe_stacks(StackName=stack)["Stacks"][0]
    return {each["ParameterKey"]: each["ParameterValue"] for each in described.get("Parameters", [])}


def resources_of(client, stack):
    """The resources that a stack has; of a deleted one, by its id, those that it has left."""
    pages = client.get_paginator("list_stack_resources").paginate(StackName=stack)
    summaries = [summary for page in pages for summary in page["StackResourceSummaries"]]
    return sorted(
        Resource(summary["LogicalResourceId"], summary["ResourceType"], summary["PhysicalResourceId"])
        for summary in summaries
        if summary.get("PhysicalResourceId") and summary["ResourceStatus"] != "DELETE_COMPLETE"
    )


def left_by(session, name, chosen):
    """What deleted stacks of a name have left and is still there, or None.

    Template and parameters are those of the stack that was deleted last of them. Where stacks have left
    different resources of one logical id, `chosen` has the id of the one to take; raises StackError where it
    does not, for nobody but the operator knows.
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
    refuse_several(name, records)
    stack_id = records[0][0]["StackId"]
    template, parameters = template_of(client, stack_id), parameters_of(client, stack_id)
    ids = {each.logical_id: each.physical_id for _, resources in records for each in resources}
    return Left(template, parameters, named(template, parameters, ids | chosen))


def named(template, parameters, physical_ids):
    """The resources by these ids that a stack of the template has, with these parameters."""
    return tuple(
        Resource(logical_id, template["Resources"][logical_id]["Type"], physical_id)
        for logical_id, physical_id in sorted(physical_ids.items())
        if is_part(template, parameters, logical_id)
    )


def deleted(client, name):
    """The deleted stacks of a name that CloudFormation remembers, the last one first."""
    pages = client.get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
    of_name = [stack for page in pages for stack in page["StackSummaries"] if stack["StackName"] == name]
    return sorted(of_name, key=lambda stack: stack["DeletionTime"], reverse=True)


def still_there(client, control, stack):
    """What a deleted stack retained and nobody has deleted since."""
    resources = resources_of(client, stack["StackId"])
    # Somebody may have had CloudFormation skip others too, to get rid of a stack that could not be deleted.
    template = template_of(client, stack["StackId"]) if resources else None
    return [
        resource
        for resource in resources
        if stays(template, resource.logical_id) and exists(control, resource.type, resource.physical_id)
    ]


def exists(control, resource_type, physical_id):
    """Whether a resource is there, whoever made it; `control` is a client of the Cloud Control API."""
    return properties_of(control, resource_type, physical_id) is not None


def properties_of(control, resource_type, physical_id):
    """The properties of a resource as it is, or None where there is none."""
    try:
        answer = control.get_resource(TypeName=resource_type, Identifier=physical_id)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFoundException":
            raise
        return None
    return json.loads(answer["ResourceDescription"]["Properties"])


def refuse_several(name, records):
    """Raises where more than one resource could be the one that the template names."""
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
            f"several stacks {name} were deleted and have left different things:",
            *lines,
            "Say which to take back, as here those of the last one:",
            f"  {make_deploy(name, {'RETAINED': last})}",
        ]))


def is_part(template, parameters, logical_id):
    """Whether a stack with these parameters has the resource."""
    resource = template["Resources"].get(logical_id)
    if resource is None:
        return False
    name = resource.get("Condition")
    return name is None or holds({"Condition": name}, template.get("Conditions", {}), parameters)


def holds(condition, conditions, parameters):
    """Whether a condition of a template is true."""
    [(function, given)] = condition.items()
    if function == "Condition":
        return holds(conditions[given], conditions, parameters)
    if function == "Fn::Equals":
        left, right = (value if isinstance(value, str) else parameters[value["Ref"]] for value in given)
        return left == right
    parts = [holds(part, conditions, parameters) for part in given]
    return {"Fn::Not": not parts[0], "Fn::And": all(parts), "Fn::Or": any(parts)}[function]
