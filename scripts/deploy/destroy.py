"""`make destroy`: deletes the stack, and prints the remaining resources and how to delete them."""

from collections import Counter

from botocore.exceptions import WaiterError

from retained import Left, exists, is_retained, left_by, make_deploy, resources_of, template_of
from stack import StackError
from retained_import import OFTEN

# The data that is lost with a resource of each type. Resources of other types are only counted.
LOST = {
    "AWS::ApiGatewayV2::Api": "its address: a later deployment has a different one",
    "AWS::Cognito::UserPoolClient": "all sign-in sessions: people must sign in again",
    "AWS::Cognito::UserPoolDomain": "the sign-in page's address",
    "AWS::Logs::LogGroup": "its log lines",
    "AWS::SNS::Subscription": "its confirmation",
    "AWS::SQS::Queue": "the messages in it",
}


def destroy(session, stack, environment):
    """Deletes the stack after the user types its name or passes it as CONFIRM."""
    stack.settle()
    if stack.status is None:
        print_left(session, stack.name, left_by(session, stack.name, {}))
        return
    left = announce(session, stack)
    confirm(stack.name, environment)
    stack.client.delete_stack(StackName=stack.id)
    print(f"deleting {stack.name}, which takes several minutes", flush=True)
    try:
        stack.client.get_waiter("stack_delete_complete").wait(StackName=stack.id, WaiterConfig=OFTEN)
    except WaiterError as error:
        raise StackError(
            f"{stack.name} couldn't be deleted: {failures(stack) or error}\nRemove the cause and run "
            "this command again. It continues from here"
        ) from error
    print_left(session, stack.name, left if left.resources else left_by(session, stack.name, {}))


def announce(session, stack):
    """Prints deleted and retained resources, and returns the retained ones."""
    resources = resources_of(stack.client, stack.id)
    template = template_of(stack.client, stack.id) if resources else {"Resources": {}}
    going = [resource for resource in resources if not is_retained(template, resource.logical_id)]
    control = session.client("cloudcontrol")
    staying = [
        resource
        for resource in resources
        if is_retained(template, resource.logical_id) and exists(control, resource.type, resource.physical_id)
    ]
    print(f"{stack.name} in {session.region_name} is {stack.status}.\n\nDeleted permanently:")
    for resource in going:
        if resource.type in LOST:
            print(f"  {resource.type:30} {resource.physical_id}, and {LOST[resource.type]}")
    others = Counter(resource.type for resource in going if resource.type not in LOST)
    if others:
        print("  " + ", ".join(f"{count} {kind}" for kind, count in sorted(others.items())))
    print("\nRetained, with storage costs:")
    for resource in staying:
        print(f"  {resource.type:30} {resource.physical_id}{holdings(session, resource)}")
    print("  the stack aws-sam-cli-managed-default, with SAM's uploads for all stacks in the region")
    return Left(template, stack.parameters, tuple(staying))


def confirm(name, environment):
    """Raises an error unless the stack's name is typed or passed as CONFIRM."""
    try:
        typed = environment.get("CONFIRM") or input(f"\nType the stack's name, {name}, to delete it: ")
    except EOFError as error:
        raise StackError(
            f"there is no terminal for typing the stack's name: in a script, set CONFIRM={name}"
        ) from error
    if typed != name:
        raise StackError(f"`{typed}` isn't {name}; nothing was deleted")


def failures(stack):
    """Returns the reasons that CloudFormation gives for failing to delete resources."""
    pages = stack.client.get_paginator("list_stack_resources").paginate(StackName=stack.id)
    return "; ".join(
        f"{resource['LogicalResourceId']}: {resource.get('ResourceStatusReason', '')}"
        for page in pages
        for resource in page["StackResourceSummaries"]
        if resource["ResourceStatus"] == "DELETE_FAILED"
    )


def holdings(session, resource):
    """Describes a retained resource's contents, if a few calls are enough to get them."""
    if resource.type == "AWS::DynamoDB::Table":
        table = session.client("dynamodb").describe_table(TableName=resource.physical_id)["Table"]
        return f", about {table['ItemCount']:,} items, {megabytes(table['TableSizeBytes'])}"
    if resource.type == "AWS::Cognito::UserPool":
        pool = session.client("cognito-idp").describe_user_pool(UserPoolId=resource.physical_id)["UserPool"]
        return f", about {pool['EstimatedNumberOfUsers']:,} people"
    if resource.type == "AWS::S3::Bucket":
        pages = session.client("s3").get_paginator("list_objects_v2").paginate(Bucket=resource.physical_id)
        objects = [each for page in pages for each in page.get("Contents", [])]
        releases = sum(each["Key"].endswith("/manifest.json") for each in objects)
        return f", {releases} data releases, {megabytes(sum(each['Size'] for each in objects))}"
    return ""


def megabytes(count):
    return f"{count / 1e6:,.1f} MB"


def print_left(session, name, left):
    """Prints a deleted stack's remaining resources, and the commands to import or delete them."""
    if left is None or not left.resources:
        where = session.region_name
        print(f"\n{where} has no stack {name} and no remaining resources from a deleted one.")
        return
    print(f"\nThe stack {name} is deleted. Remaining resources:\n")
    for resource in left.resources:
        print(f"  {resource.type:30} {resource.physical_id}")
    print(f"\nTo import them into a new stack with the same settings:\n\n  {make_deploy(name, {})}\n")
    print(f"CloudFormation forgets the stack after 90 days. After that:\n\n  {left.command(name)}")
    print("\nTo delete them permanently:\n")
    for resource in left.resources:
        print("\n".join(f"  {command}" for command in deletion(resource, session.region_name)))


def deletion(resource, region):
    """Returns the commands that turn off a resource's deletion protection, if any, and delete it."""
    name = resource.physical_id
    if resource.type == "AWS::DynamoDB::Table":
        table = f"--region {region} --table-name {name}"
        return [
            f"aws dynamodb update-table {table} --no-deletion-protection-enabled",
            f"aws dynamodb delete-table {table}",
        ]
    if resource.type == "AWS::Cognito::UserPool":
        pool = f"--region {region} --user-pool-id {name}"
        return [
            f"aws cognito-idp update-user-pool {pool} --deletion-protection INACTIVE",
            f"aws cognito-idp delete-user-pool {pool}",
        ]
    if resource.type == "AWS::S3::Bucket":
        bucket = f"--region {region} --bucket {name}"
        return [
            f"while aws s3api list-object-versions {bucket} --max-items 1000 --output json \\",
            f"    --query {VERSIONS} \\",
            "    > /tmp/versions.json && grep -q VersionId /tmp/versions.json; do",
            f"  aws s3api delete-objects {bucket} --delete file:///tmp/versions.json",
            "done",
            f"aws s3api delete-bucket {bucket}",
        ]
    identified = f"--type-name {resource.type} --identifier {name}"
    return [f"aws cloudcontrol delete-resource --region {region} {identified}"]


# Selects all object versions and delete markers, in the format that delete-objects expects.
VERSIONS = "'{Objects: [Versions, DeleteMarkers][].{Key: Key, VersionId: VersionId}, Quiet: `true`}'"
