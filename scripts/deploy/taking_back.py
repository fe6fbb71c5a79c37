"""A stack that begins with what an earlier one has left: CloudFormation's resource import.

An import makes a stack of resources that are there, by a template of just these resources
(https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-manually.html). It does not
compare the two, and the update that follows changes what differs between its template and that of the import.
So the import is given the template and the parameters that the resources were made by. All parameters come
along, so that the new stack knows its releases as the old one did.
"""

import json
import pathlib
import re
from dataclasses import replace

from botocore.exceptions import ClientError, WaiterError
from samcli.yamlhelper import yaml_parse

from retained import Left, exists, is_part, left_by, make_deploy, named, properties_of, resources_of, stays
from stack import PAUSE, StackError

TEMPLATE = pathlib.Path(__file__).resolve().parents[2] / "template.yaml"
BUCKET = "AWS::S3::Bucket"
CHANGE_SET = "take-back"
# How a waiter looks: as often as a stack is looked at elsewhere, for two hours.
OFTEN = {"Delay": PAUSE, "MaxAttempts": 2 * 60 * 60 // PAUSE}
# What resources may refer to, besides each other.
REFERRED_TO = ("AWSTemplateFormatVersion", "Description", "Parameters", "Mappings", "Conditions")


def take_back(session, stack, retained, given):
    """Creates the stack from what an earlier one of its name has left, and says whether there was anything.

    CloudFormation's memory says what there is. `retained` names resources (`UserPool=eu-west-1_abc …`) of
    which it knows several, or none any more; then this checkout's template and the parameters `given` say
    what they are.
    """
    template = yaml_parse(TEMPLATE.read_text())
    chosen = choice(template, retained)
    if stack.exists:
        refuse_others(stack, chosen)
        return False
    values = parameters(template, given)
    control = session.client("cloudcontrol")
    left = left_by(session, stack.name, chosen)
    if left is None:
        refuse_forgotten(stack, control, template, values, chosen)
        left = Left(template, values, named(template, values, chosen))
    if not left.resources:
        return False
    left = without_lost_releases(control, left)
    print(f"{stack.name} takes back what an earlier stack has left:", flush=True)
    for resource in left.resources:
        print(f"  {resource.type:24} {resource.physical_id}", flush=True)
    import_into(stack, control, left)
    return True


def without_lost_releases(control, left):
    """The same without a release whose bucket is gone: nothing can open it, or be published beside it."""
    lost = {
        name: ""
        for name in ("Release", "PreviousRelease")
        if (release := left.parameters.get(name)) and not exists(control, BUCKET, release.partition("/")[0])
    }
    for name in lost:
        print(f"s3://{left.parameters[name]} is gone with its bucket", flush=True)
    return replace(left, parameters=left.parameters | lost)


def import_template(template, logical_ids):
    """The part of a template that an import takes: these resources and what they may refer to."""
    resources = {logical_id: template["Resources"][logical_id] for logical_id in logical_ids}
    for logical_id, resource in resources.items():
        if not stays(template, logical_id) or resource["Type"].startswith("AWS::Serverless::"):
            raise StackError(f"{logical_id} is not a resource that outlives its stack")
    return {key: template[key] for key in REFERRED_TO if key in template} | {"Resources": resources}


def choice(template, retained):
    """What `RETAINED` names: ids by logical ids."""
    chosen = {}
    for word in retained.split():
        logical_id, equals, physical_id = word.partition("=")
        if not equals or not stays(template, logical_id):
            can = ", ".join(name for name in template["Resources"] if stays(template, name))
            raise StackError(f"RETAINED: `{word}` is not NAME=ID with a NAME of {can}")
        chosen[logical_id] = physical_id
    return chosen


def refuse_others(stack, chosen):
    """Raises where a stack is to take back what it does not have: only a new one can."""
    has = {each.physical_id for each in resources_of(stack.client, stack.id)} if chosen else set()
    others = [physical_id for physical_id in chosen.values() if physical_id not in has]
    if others:
        missing = ", ".join(others)
        raise StackError(f"RETAINED: {stack.name} exists without {missing}, and only a new stack takes back")


def parameters(template, given):
    """The parameters that a new stack has."""
    declared = template["Parameters"]
    defaults = {name: str(each["Default"]) for name, each in declared.items() if "Default" in each}
    return defaults | {name: value for name, value in given.items() if name in declared}


def refuse_forgotten(stack, control, template, values, chosen):
    """Raises where resources are there by the names that the stack gives its own, and nobody knows why.

    CloudFormation would fail to create them, and leave what it retains of all that it created until then.
    """
    retained = [name for name in template["Resources"] if stays(template, name)]
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
    """How to take back what no stack is known to have left."""
    words = [f"{logical_id}={physical_id}" for logical_id, physical_id in (known | chosen).items()]
    retained = " ".join([*words, *(f"{logical_id}=…" for logical_id in unknown)])
    anew = make_deploy(name, {"PARAMETERS": "TablePrefix=…"})
    return (
        f"{', '.join(known.values())} exist, and CloudFormation remembers no stack {name} that left them: "
        "it forgets one after 90 days. To take them back, fill in the ids, and leave out what is to be made "
        "anew:\n\n"
        f"  {make_deploy(name, {'RETAINED': retained})} \\\n"
        "    RELEASE=s3://BUCKET/NAME PARAMETERS='…'\n\n"
        "`aws cognito-idp list-user-pools --max-results 60` lists user pools, `aws s3 ls` buckets. "
        "PARAMETERS has what\nthe earlier stack had and is no default. To leave them, and make others:\n\n"
        f"  {anew}"
    )


def resolved(value, values):
    """A name in a template as text: a parameter, or a text with parameters in it."""
    if isinstance(value, str):
        return value
    if "Ref" in value:
        return values[value["Ref"]]
    return re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], value["Fn::Sub"])


def identifier_keys(client, body):
    """By logical id, the properties of which each may identify the resource, as CloudFormation says."""
    summary = client.get_template_summary(TemplateBody=body)
    keys = {
        logical_id: each["ResourceIdentifiers"]
        for each in summary.get("ResourceIdentifierSummaries", [])
        for logical_id in each["LogicalResourceIds"]
    }
    missing = [logical_id for logical_id in json.loads(body)["Resources"] if logical_id not in keys]
    if missing:
        raise StackError(f"CloudFormation cannot import {', '.join(missing)}")
    return keys


def identified(control, resource, keys):
    """What an import takes for a resource: the property of those `keys` that has its physical id."""
    properties = properties_of(control, resource.type, resource.physical_id)
    if properties is None:
        raise StackError(f"there is no {resource.type} {resource.physical_id}")
    fitting = [key for key in keys if properties.get(key) == resource.physical_id]
    if not fitting:
        raise StackError(f"none of {', '.join(keys)} of {resource.type} is {resource.physical_id}")
    return {
        "ResourceType": resource.type,
        "LogicalResourceId": resource.logical_id,
        "ResourceIdentifier": {fitting[0]: resource.physical_id},
    }


def import_into(stack, control, left):
    """Makes the stack of what is left; where that fails, there is no stack, and everything is as it was."""
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
        # Everything in it is retained.
        forget(stack)
        message = f"{stack.name} could not take back what is left, and that is as it was: {reasons}"
        raise StackError(message) from error


def why(stack):
    """Why an import has failed, in CloudFormation's words."""
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
    """Deletes a stack that has nothing but what it retains, and waits until it is gone."""
    stack.client.delete_stack(StackName=stack.id)
    stack.client.get_waiter("stack_delete_complete").wait(StackName=stack.id, WaiterConfig=OFTEN)
