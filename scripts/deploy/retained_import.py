"""Imports a deleted stack's retained resources into a new stack.

A CloudFormation import creates a stack from existing resources and a template of only these resources
(https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-manually.html). It doesn't
compare the resources with the template, and a later update only applies differences from the import's
template. The import therefore uses the template and parameters that the resources were created with. It
includes all parameters, so that the new stack has the same releases.
"""

import json
import pathlib
import re
from dataclasses import replace

from botocore.exceptions import ClientError, WaiterError
from samcli.yamlhelper import yaml_parse

from retained import (
    Left,
    exists,
    is_part,
    is_retained,
    left_by,
    make_deploy,
    named,
    properties_of,
    resources_of,
)
from stack import PAUSE, StackError

TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "template.yaml"
BUCKET = "AWS::S3::Bucket"
CHANGE_SET = "import-retained"
# The settings for a waiter that polls every PAUSE seconds for up to two hours.
OFTEN = {"Delay": PAUSE, "MaxAttempts": 2 * 60 * 60 // PAUSE}
# The template sections that resources can refer to.
REFERRED_TO = ("AWSTemplateFormatVersion", "Description", "Parameters", "Mappings", "Conditions")


def import_retained(session, stack, retained, given):
    """Creates the stack from a deleted one's remaining resources, and returns whether there were any.

    CloudFormation's record of the deleted stack lists them. `retained` (`UserPool=eu-west-1_abc …`) chooses
    between several candidates, or names resources that CloudFormation has forgotten. These are imported with
    this checkout's template and the parameters in `given`.
    """
    template = yaml_parse(TEMPLATE.read_text())
    chosen = choice(template, retained)
    if stack.exists:
        check_chosen(stack, chosen)
        return False
    values = parameters(template, given)
    control = session.client("cloudcontrol")
    left = left_by(session, stack.name, chosen)
    if left is None:
        check_not_forgotten(stack, control, template, values, chosen)
        left = Left(template, values, named(template, values, chosen))
    if not left.resources:
        return False
    left = without_lost_releases(control, left)
    print(f"{stack.name} imports the remaining resources of an earlier stack:", flush=True)
    for resource in left.resources:
        print(f"  {resource.type:24} {resource.physical_id}", flush=True)
    import_into(stack, control, left)
    return True


def without_lost_releases(control, left):
    """Removes the releases whose bucket was deleted, because functions can't open them."""
    lost = {
        name: ""
        for name in ("Release", "PreviousRelease")
        if (release := left.parameters.get(name)) and not exists(control, BUCKET, release.partition("/")[0])
    }
    for name in lost:
        print(f"s3://{left.parameters[name]} was deleted with its bucket", flush=True)
    return replace(left, parameters=left.parameters | lost)


def import_template(template, logical_ids):
    """Returns the template for the import: these resources, and the sections that they can refer to."""
    resources = {logical_id: template["Resources"][logical_id] for logical_id in logical_ids}
    for logical_id, resource in resources.items():
        if not is_retained(template, logical_id) or resource["Type"].startswith("AWS::Serverless::"):
            raise StackError(f"{logical_id} isn't retained when its stack is deleted")
    return {key: template[key] for key in REFERRED_TO if key in template} | {"Resources": resources}


def choice(template, retained):
    """Parses `RETAINED` into physical IDs by logical ID."""
    chosen = {}
    for word in retained.split():
        logical_id, equals, physical_id = word.partition("=")
        if not equals or not is_retained(template, logical_id):
            can = ", ".join(name for name in template["Resources"] if is_retained(template, name))
            raise StackError(f"RETAINED: `{word}` must be NAME=ID, where NAME is one of {can}")
        chosen[logical_id] = physical_id
    return chosen


def check_chosen(stack, chosen):
    """Raises an error if an existing stack lacks a chosen resource, because only new stacks can import it."""
    has = {each.physical_id for each in resources_of(stack.client, stack.id)} if chosen else set()
    others = [physical_id for physical_id in chosen.values() if physical_id not in has]
    if others:
        missing = ", ".join(others)
        raise StackError(
            f"RETAINED: {stack.name} already exists without {missing}, and resources can be imported only "
            "into a new stack"
        )


def parameters(template, given):
    """Returns the parameters for a new stack."""
    declared = template["Parameters"]
    defaults = {name: str(each["Default"]) for name, each in declared.items() if "Default" in each}
    return defaults | {name: value for name, value in given.items() if name in declared}


def check_not_forgotten(stack, control, template, values, chosen):
    """Raises an error if resources from an unknown stack already have the names that the new stack would use.

    Otherwise, CloudFormation would fail to create them, and leave the retained resources that it had created
    before the failure.
    """
    retained = [name for name in template["Resources"] if is_retained(template, name)]
    keys = identifier_keys(stack.client, json.dumps(import_template(template, retained)))
    known, unknown = {}, []
    for logical_id in (name for name in retained if name not in chosen and is_part(template, values, name)):
        resource = template["Resources"][logical_id]
        given = [resource["Properties"][key] for key in keys[logical_id] if key in resource["Properties"]]
        if not given:
            unknown.append(logical_id)
        elif exists(control, resource["Type"], name := resolved(given[0], values)):
            known[logical_id] = name
    if known:
        raise StackError(forgotten(stack.name, known, chosen, unknown))


def forgotten(name, known, chosen, unknown):
    """Returns a message on how to import resources whose stack CloudFormation doesn't list anymore."""
    words = [f"{logical_id}={physical_id}" for logical_id, physical_id in (known | chosen).items()]
    retained = " ".join([*words, *(f"{logical_id}=…" for logical_id in unknown)])
    without = make_deploy(name, {"PARAMETERS": "TablePrefix=…"})
    return (
        f"{', '.join(known.values())} exist, but CloudFormation has no record of a deleted stack {name}: it "
        "forgets stacks after 90 days. To import the resources, fill in the IDs, and omit any resources that "
        "are to be created again:\n\n"
        f"  {make_deploy(name, {'RETAINED': retained})} \\\n"
        "    RELEASE=s3://BUCKET/NAME PARAMETERS='…'\n\n"
        "`aws cognito-idp list-user-pools --max-results 60` lists user pools, and `aws s3 ls` lists "
        "buckets.\nPARAMETERS are the earlier stack's parameters that differ from the defaults. To create "
        "new tables instead:\n\n"
        f"  {without}"
    )


def resolved(value, values):
    """Resolves a name in a template, which can be a string, a parameter, or a string with parameters."""
    if isinstance(value, str):
        return value
    if "Ref" in value:
        return values[value["Ref"]]
    return re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], value["Fn::Sub"])


def identifier_keys(client, body):
    """Returns the properties that can identify each resource, according to CloudFormation."""
    summary = client.get_template_summary(TemplateBody=body)
    keys = {
        logical_id: each["ResourceIdentifiers"]
        for each in summary.get("ResourceIdentifierSummaries", [])
        for logical_id in each["LogicalResourceIds"]
    }
    missing = [logical_id for logical_id in json.loads(body)["Resources"] if logical_id not in keys]
    if missing:
        raise StackError(f"CloudFormation can't import {', '.join(missing)}")
    return keys


def identified(control, resource, keys):
    """Returns a resource's entry for an import, with the property in `keys` that contains its physical ID."""
    properties = properties_of(control, resource.type, resource.physical_id)
    if properties is None:
        raise StackError(f"{resource.type} {resource.physical_id} doesn't exist")
    fitting = [key for key in keys if properties.get(key) == resource.physical_id]
    if not fitting:
        raise StackError(f"{resource.type}: {', '.join(keys)} don't match {resource.physical_id}")
    return {
        "ResourceType": resource.type,
        "LogicalResourceId": resource.logical_id,
        "ResourceIdentifier": {fitting[0]: resource.physical_id},
    }


def import_into(stack, control, left):
    """Creates the stack from the remaining resources, which stay unchanged if the import fails."""
    client = stack.client
    body = json.dumps(import_template(left.template, [resource.logical_id for resource in left.resources]))
    keys = identifier_keys(client, body)
    resources = [identified(control, resource, keys[resource.logical_id]) for resource in left.resources]
    declared = left.template["Parameters"]
    if stack.status:
        forget(stack)
    client.create_change_set(
        StackName=stack.name,
        ChangeSetName=CHANGE_SET,
        ChangeSetType="IMPORT",
        TemplateBody=body,
        Parameters=[
            {"ParameterKey": name, "ParameterValue": value}
            for name, value in left.parameters.items()
            if name in declared
        ],
        ResourcesToImport=resources,
    )
    try:
        made = client.get_waiter("change_set_create_complete")
        made.wait(StackName=stack.name, ChangeSetName=CHANGE_SET, WaiterConfig=OFTEN)
        client.execute_change_set(StackName=stack.name, ChangeSetName=CHANGE_SET)
        client.get_waiter("stack_import_complete").wait(StackName=stack.name, WaiterConfig=OFTEN)
    except (WaiterError, ClientError) as error:
        stack.settle()
        reasons = why(stack) or str(error)
        # Deleting the failed stack retains all of its resources.
        forget(stack)
        message = f"{stack.name} couldn't import the remaining resources, which are unchanged: {reasons}"
        raise StackError(message) from error


def why(stack):
    """Returns the reasons that CloudFormation gives for a failed import."""
    change_set = stack.client.describe_change_set(StackName=stack.name, ChangeSetName=CHANGE_SET)
    pages = stack.client.get_paginator("describe_stack_events").paginate(StackName=stack.name)
    failed = [
        f"{event['LogicalResourceId']}: {event['ResourceStatusReason']}"
        for page in pages
        for event in page["StackEvents"]
        if event["ResourceStatus"].endswith("_FAILED") and event.get("ResourceStatusReason")
    ]
    return "; ".join(failed) or change_set.get("StatusReason", "")


def forget(stack):
    """Deletes a stack with only retained resources, and waits until it's deleted."""
    stack.client.delete_stack(StackName=stack.id)
    stack.client.get_waiter("stack_delete_complete").wait(StackName=stack.id, WaiterConfig=OFTEN)
