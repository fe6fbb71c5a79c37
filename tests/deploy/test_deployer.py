"""Tests that scripts/deploy/policy.json permits the calls that CloudFormation makes for this template.

CloudFormation acts with the permissions of the deploying role. Each resource type's schema lists the
permissions that the type needs. The policy's evaluation by AWS isn't tested.
"""

import fnmatch
import json
import re
import unittest

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from cloudformation import REGION
from fake_account import ROOT
from policies import texts
from resolved import CASES, Resolved

POLICY = json.loads((ROOT / "scripts" / "deploy" / "policy.json").read_text())
GUIDE = (ROOT / "docs" / "how-to" / "permissions.md").read_text()
RETAINED = ("AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::S3::Bucket")
# The schemas' permissions for properties that the template doesn't use.
UNUSED = {
    "networks, file systems, and capacity": ["ec2:*", "elasticfilesystem:*", "s3files:*", "lambda:PassCapacityProvider"],
    "keys of the administrator, which are in the guide": ["kms:*"],
    "imports, replicas, and streams of tables": [
        "dynamodb:ImportTable", "dynamodb:*TableReplica", "dynamodb:*KinesisStreamingDestination", "kinesis:*",
        "dynamodb:Scan", "dynamodb:Query", "dynamodb:*Item", "dynamodb:*ContributorInsights",
        "dynamodb:PutResourcePolicy", "dynamodb:DeleteResourcePolicy", "logs:*LogStream", "logs:PutLogEvents",
        "s3:GetObjectMetadata", "s3:ListBucket", "s3:GetObject",
    ],
    "tables and other features of buckets": ["s3tables:*"],
    "API descriptions in a bucket, and deliveries of logs to it": ["s3:getObject", "s3:REST.PUT.OBJECT", "firehose:*"],
    "custom domains of sign-in pages": ["cloudfront:*"],
    "groups, users, and service roles": [
        "iam:*GroupPolicy", "iam:*UserPolicy", "iam:CreateServiceLinkedRole", "iam:DeleteRolePermissionsBoundary",
    ],
    "web ACLs of other resource types, and their payment accounts": [
        "amplify:*", "appsync:*", "apprunner:*", "bedrock-agentcore:*", "elasticloadbalancing:*",
        "payments:GetConnectedAccount",
    ],
    "custom attributes of people": ["cognito-idp:AddCustomAttributes"],
    "log features without a property in the template": ["logs:PutBearerTokenAuthentication", "logs:PutLogGroupDeletionProtection"],
}


# The only statements that apply to every resource, because CloudFormation needs their actions before a
# resource exists, or because AWS doesn't limit them to resources.
OF_EVERY_RESOURCE = {"WithoutResource", "EventSources"}


def permitted(action, resource=None):
    """Returns whether the role can call the action on any of the policy's resources, or on the given one."""
    return any(
        matches(action.lower(), [one.lower() for one in texts(statement["Action"])])
        and (resource is None or matches(resource, texts(statement["Resource"])))
        for statement in POLICY["Statement"]
    )


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, one) for one in patterns)


def physical_names(kind):
    """Returns patterns for the names that CloudFormation generates for resources of a type."""
    found = {}
    for case in CASES.values():
        found |= Resolved(case).of_type(kind)
    return {f"STACK-{name}-*" for name in found}


def names_in_guide(option):
    """Returns an option's values in the guide's commands, with the policy's placeholder for the stack."""
    found = re.findall(rf"{option} (\S+)", GUIDE)
    assert found, option
    return {one.replace("marquee", "STACK") for one in found}


def is_unused(action):
    return any(fnmatch.fnmatchcase(action, one) for each in UNUSED.values() for one in each)


class DeployingRole(unittest.TestCase):
    def test_may_make_the_calls_of_each_resource_type(self):
        kinds = {one["Type"] for case in CASES.values() for one in Resolved(case).resources.values()}
        for kind in sorted(kinds):
            handlers = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema["handlers"]
            for step in ("create", "read", "update", "delete"):
                if step == "delete" and kind in RETAINED:
                    continue
                for action in handlers.get(step, {}).get("permissions", []):
                    self.assertTrue(permitted(action) or is_unused(action), f"{kind}, {step}: {action}")

    def test_may_not_read_customers_data_or_delete_retained_resources(self):
        for action in ("dynamodb:GetItem", "dynamodb:Scan", "dynamodb:Query", "dynamodb:DeleteTable",
                       "cognito-idp:AdminGetUser", "cognito-idp:ListUsers", "cognito-idp:DeleteUserPool",
                       "iam:CreateUser", "iam:DeleteRolePermissionsBoundary", "logs:GetLogEvents",
                       "sqs:ReceiveMessage", "sqs:SendMessage", "sqs:PurgeQueue", "sqs:DeleteMessage",
                       "sqs:StartMessageMoveTask", "sqs:AddPermission", "sns:Publish", "sns:AddPermission",
                       "budgets:CreateBudgetAction", "budgets:ExecuteBudgetAction"):
            self.assertFalse(permitted(action), action)

    def test_may_not_change_its_own_permissions(self):
        for policy in names_in_guide("--policy-name"):
            arn = f"arn:aws:iam::ACCOUNT:policy/{policy}"
            self.assertIn(arn.replace("ACCOUNT", "111122223333").replace("STACK", "marquee"), GUIDE)
            for action in ("CreatePolicy", "CreatePolicyVersion", "SetDefaultPolicyVersion", "DeletePolicy"):
                self.assertFalse(permitted(f"iam:{action}", arn), (action, arn))
        for role in names_in_guide("--role-name"):
            arn = f"arn:aws:iam::ACCOUNT:role/{role}"
            for action in ("AttachRolePolicy", "PutRolePolicy", "UpdateAssumeRolePolicy", "PassRole"):
                self.assertFalse(permitted(f"iam:{action}", arn), (action, arn))

    def test_changes_only_managed_policies_of_the_template(self):
        [statement] = [one for one in POLICY["Statement"] if "iam:CreatePolicyVersion" in texts(one["Action"])]
        expected = {f"arn:aws:iam::ACCOUNT:policy/{one}" for one in physical_names("AWS::IAM::ManagedPolicy")}
        self.assertEqual(set(statement["Resource"]), expected)

    def test_statements_are_limited_to_resources(self):
        for statement in POLICY["Statement"]:
            sid, resources = statement["Sid"], texts(statement["Resource"])
            self.assertEqual(sid in OF_EVERY_RESOURCE, "*" in resources, sid)
            for action in texts(statement["Action"]):
                if action.startswith("iam:"):
                    self.assertTrue(all("/STACK-" in one for one in resources), sid)

    def test_may_call_actions_of_subscriptions_which_aws_doesnt_limit_to_topics(self):
        # https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
        for action in ("GetSubscriptionAttributes", "SetSubscriptionAttributes", "Unsubscribe"):
            self.assertTrue(permitted(f"sns:{action}", "*"), action)

    def test_creates_only_roles_with_the_boundary(self):
        [statement] = [one for one in POLICY["Statement"] if "iam:CreateRole" in texts(one["Action"])]
        boundary = "arn:aws:iam::ACCOUNT:policy/STACK-FunctionsBoundary-*"
        self.assertEqual(statement["Condition"], {"ArnLike": {"iam:PermissionsBoundary": boundary}})
        self.assertEqual(statement["Resource"], "arn:aws:iam::ACCOUNT:role/STACK-*")

    def test_policy_fits_a_managed_policy(self):
        # IAM doesn't count white space. Replace the placeholders with names.
        text = json.dumps(POLICY, separators=(",", ":")).replace("REGION", "ap-southeast-1")
        self.assertLess(len(text.replace("ACCOUNT", "0" * 12).replace("STACK", "marquee-staging")), 6144)


if __name__ == "__main__":
    unittest.main()
