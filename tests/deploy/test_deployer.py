"""Tests that scripts/deploy/policy.json permits the calls that CloudFormation makes for this template.

CloudFormation acts with the permissions of the deploying role, and each resource type's schema lists those that
it needs. The policy's evaluation by AWS isn't tested.
"""

import fnmatch
import json
import unittest

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from cloudformation import REGION
from fake_account import ROOT
from policies import texts
from resolved import CASES, Resolved

POLICY = json.loads((ROOT / "scripts" / "deploy" / "policy.json").read_text())
RETAINED = ("AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::S3::Bucket")
# Permissions in the schemas for properties that the template doesn't use.
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


def permitted(action):
    actions = [one for statement in POLICY["Statement"] for one in texts(statement["Action"])]
    return any(fnmatch.fnmatchcase(action.lower(), one.lower()) for one in actions)


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
                       "iam:CreateUser", "iam:DeleteRolePermissionsBoundary", "logs:GetLogEvents"):
            self.assertFalse(permitted(action), action)

    def test_creates_only_roles_with_the_boundary(self):
        [statement] = [one for one in POLICY["Statement"] if "iam:CreateRole" in texts(one["Action"])]
        boundary = "arn:aws:iam::ACCOUNT:policy/STACK-FunctionsBoundary-*"
        self.assertEqual(statement["Condition"], {"ArnLike": {"iam:PermissionsBoundary": boundary}})
        self.assertEqual(statement["Resource"], "arn:aws:iam::ACCOUNT:role/STACK-*")

    def test_policy_fits_a_managed_policy(self):
        # IAM doesn't count white space. Names replace the placeholders.
        text = json.dumps(POLICY, separators=(",", ":")).replace("REGION", "ap-southeast-1")
        self.assertLess(len(text.replace("ACCOUNT", "0" * 12).replace("STACK", "marquee-staging")), 6144)


if __name__ == "__main__":
    unittest.main()
