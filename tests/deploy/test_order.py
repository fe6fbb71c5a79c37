"""Tests that CloudFormation can create and delete the stack's resources in a valid order.

CloudFormation creates a resource after the resources that it refers to, and deletes it before them.
Unrelated resources are handled in parallel. A resource must therefore refer to all resources that it needs.
https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-dependson.html
"""

import graphlib
import re
import unittest

from resolved import CASES, Resolved

# Types that must be created after another type and deleted before it, with the reasons.
ORDER = [
    ("AWS::Lambda::Function", "AWS::Logs::LogGroup",
     "without its log group, a function creates one that never expires"),
    ("AWS::Lambda::Function", "AWS::IAM::Role", "a running function needs its permissions"),
    ("AWS::Lambda::EventSourceMapping", "AWS::IAM::Role",
     "Lambda receives messages with the function's role"),
    ("AWS::Lambda::EventSourceMapping", "AWS::SQS::Queue", "a mapping needs an existing queue"),
    ("AWS::Lambda::Permission", "AWS::Lambda::Function", "a permission is part of the function's policy"),
    ("AWS::ApiGatewayV2::Api", "AWS::Lambda::Function", "an integration names its function"),
    ("AWS::ApiGatewayV2::Stage", "AWS::ApiGatewayV2::Api",
     "a stage's route settings name the gateway's routes"),
    ("AWS::ApiGatewayV2::Stage", "AWS::Logs::LogGroup",
     "a stage requires the group of its access log"),
    ("AWS::Logs::MetricFilter", "AWS::Logs::LogGroup", "a filter is part of its group"),
    ("AWS::CloudWatch::Alarm", "AWS::SNS::Topic", "an alarm needs a topic to notify"),
    ("AWS::SNS::Subscription", "AWS::SNS::Topic", "a subscription is part of its topic"),
    ("AWS::S3::BucketPolicy", "AWS::S3::Bucket", "a policy is part of its bucket"),
    ("AWS::Cognito::UserPoolClient", "AWS::Cognito::UserPool", "a client is part of its pool"),
    ("AWS::Cognito::UserPoolDomain", "AWS::Cognito::UserPool", "a domain is part of its pool"),
    ("AWS::Cognito::ManagedLoginBranding", "AWS::Cognito::UserPoolClient", "a branding belongs to a client"),
]


class Order:
    """A stack's resources, and the resources that each of them refers to."""

    def __init__(self, stack):
        declared = stack.template["Resources"]
        self.resources = stack.resources
        self.waits_for = {
            name: (self.referred_to(declared[name]) | self.depends_on(declared[name])) & self.resources.keys()
            for name in self.resources
        }

    @staticmethod
    def depends_on(resource):
        given = resource.get("DependsOn", [])
        return {given} if isinstance(given, str) else set(given)

    @classmethod
    def referred_to(cls, value):
        """Returns the names in all Ref, Fn::GetAtt, and Fn::Sub functions in a value."""
        if isinstance(value, list):
            return set().union(*map(cls.referred_to, value))
        if not isinstance(value, dict):
            return set()
        found = set().union(*map(cls.referred_to, value.values()))
        if "Ref" in value:
            found.add(value["Ref"])
        if "Fn::GetAtt" in value:
            given = value["Fn::GetAtt"]
            found.add(given[0] if isinstance(given, list) else given.split(".")[0])
        if "Fn::Sub" in value:
            given = value["Fn::Sub"]
            names = re.findall(r"\$\{([^}!]+)\}", given if isinstance(given, str) else given[0])
            found.update(name.split(".")[0] for name in names)
        return found

    def steps(self):
        """Yields sets of resources that are created in parallel. Deletion uses the reverse order."""
        sorter = graphlib.TopologicalSorter(self.waits_for)
        sorter.prepare()
        while sorter.is_active():
            ready = sorter.get_ready()
            yield set(ready)
            sorter.done(*ready)

    def all_before(self, name):
        """Returns the resources that are always created before a resource and deleted after it."""
        found, open_ones = set(), [name]
        while open_ones:
            for one in self.waits_for[open_ones.pop()] - found:
                found.add(one)
                open_ones.append(one)
        return found

    def of_type(self, kind):
        return {name for name, one in self.resources.items() if one["Type"] == kind}


def orders():
    return {case: Order(Resolved(parameters)) for case, parameters in CASES.items()}


class OrderTest(unittest.TestCase):
    def test_creates_resources_after_their_dependencies(self):
        for case, order in orders().items():
            with self.subTest(case):
                made = set()
                for step in order.steps():
                    for name in step:
                        self.assertLessEqual(order.waits_for[name], made, name)
                    made |= step
                self.assertEqual(made, order.resources.keys())

    def test_required_types_are_created_first_and_deleted_last(self):
        for case, order in orders().items():
            for kind, needed, reason in ORDER:
                for name in order.of_type(kind):
                    with self.subTest(case, resource=name, needed=needed):
                        self.assertTrue(order.all_before(name) & order.of_type(needed), reason)

    def test_each_function_has_its_own_log_group_and_role(self):
        order = orders()["at first"]
        taken = set()
        for name in order.of_type("AWS::Lambda::Function"):
            properties = order.resources[name]["Properties"]
            own = {properties["LoggingConfig"]["LogGroup"], properties["Role"].removeprefix("Arn of ")}
            self.assertLessEqual(own, order.waits_for[name])
            self.assertTrue(own.isdisjoint(taken), name)
            taken |= own

    def test_retained_resources_do_not_refer_to_deleted_ones(self):
        for case, order in orders().items():
            kept = {
                name for name, one in order.resources.items() if one.get("DeletionPolicy") == "Retain"
            }
            self.assertTrue(kept)
            for name in kept:
                self.assertLessEqual(order.waits_for[name], kept, f"{case}: {name}")

    def test_nothing_blocks_the_deletion_of_a_resource(self):
        # CloudFormation can't delete a user pool with a domain, a running function's log group, or a bucket
        # with objects. The contained resource is deleted first, or the container is retained.
        order = orders()["in full"]
        for holder, part in [("AWS::Cognito::UserPool", "AWS::Cognito::UserPoolDomain")]:
            for name in order.of_type(part):
                self.assertTrue(order.waits_for[name] & order.of_type(holder))
        for kind in ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::Cognito::UserPool"):
            for name in order.of_type(kind):
                self.assertEqual(order.resources[name]["DeletionPolicy"], "Retain", name)

    def test_named_iam_capability_is_not_required(self):
        # A role or policy with a fixed name would require CAPABILITY_NAMED_IAM.
        for order in orders().values():
            for kind, named in [("AWS::IAM::Role", "RoleName"), ("AWS::IAM::ManagedPolicy", "ManagedPolicyName")]:
                for name in order.of_type(kind):
                    self.assertNotIn(named, order.resources[name]["Properties"])

    def test_finds_a_circular_and_a_missing_dependency(self):
        order = orders()["at first"]
        group = order.resources["AccountFunction"]["Properties"]["LoggingConfig"]["LogGroup"]
        order.waits_for[group] = {"AccountFunction"}
        with self.assertRaises(graphlib.CycleError):
            list(order.steps())
        order = orders()["at first"]
        order.waits_for["AccountFunction"] = {"AccountFunctionRole"}
        self.assertFalse(order.all_before("AccountFunction") & order.of_type("AWS::Logs::LogGroup"))


if __name__ == "__main__":
    unittest.main()
