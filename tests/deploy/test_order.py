"""An order in which CloudFormation can make the stack's resources, and one in which it can delete them.

CloudFormation makes a resource after what it refers to, and deletes it before that; what does not refer to
each
other it makes and deletes at once. So what has to be there first, or to go last, must be referred to.
https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-dependson.html
"""

import graphlib
import re
import unittest

from resolved import CASES, Resolved

# What is made after each of the others of a type that it needs, and deleted before it; with the reason.
ORDER = [
    ("AWS::Lambda::Function", "AWS::Logs::LogGroup",
     "a function that logs without its group makes one that never ends"),
    ("AWS::Lambda::Function", "AWS::IAM::Role", "a function that still runs needs what its policy allows"),
    ("AWS::Lambda::EventSourceMapping", "AWS::IAM::Role",
     "Lambda takes messages off the queue in the role's name"),
    ("AWS::Lambda::EventSourceMapping", "AWS::SQS::Queue", "no mapping is made of a queue that is not there"),
    ("AWS::Lambda::Permission", "AWS::Lambda::Function", "a permission is a part of the function's policy"),
    ("AWS::ApiGatewayV2::Api", "AWS::Lambda::Function", "an integration names its function"),
    ("AWS::ApiGatewayV2::Stage", "AWS::ApiGatewayV2::Api",
     "a stage's route settings name routes of the gateway"),
    ("AWS::ApiGatewayV2::Stage", "AWS::Logs::LogGroup",
     "a stage is refused without the group of its access log"),
    ("AWS::Logs::MetricFilter", "AWS::Logs::LogGroup", "a filter is a part of its group"),
    ("AWS::CloudWatch::Alarm", "AWS::SNS::Topic", "an alarm that has no topic tells nobody"),
    ("AWS::SNS::Subscription", "AWS::SNS::Topic", "a subscription is a part of its topic"),
    ("AWS::S3::BucketPolicy", "AWS::S3::Bucket", "a policy is a part of its bucket"),
    ("AWS::Cognito::UserPoolClient", "AWS::Cognito::UserPool", "a client is a part of its pool"),
    ("AWS::Cognito::UserPoolDomain", "AWS::Cognito::UserPool", "a domain is a part of its pool"),
    ("AWS::Cognito::ManagedLoginBranding", "AWS::Cognito::UserPoolClient", "a branding is that of a client"),
]


class Order:
    """The resources of a stack, and which of the others each of them refers to."""

    def __init__(self, stack):
        said = stack.template["Resources"]
        self.resources = stack.resources
        self.waits_for = {
            name: (self.referred_to(said[name]) | self.depends_on(said[name])) & self.resources.keys()
            for name in self.resources
        }

    @staticmethod
    def depends_on(resource):
        given = resource.get("DependsOn", [])
        return {given} if isinstance(given, str) else set(given)

    @classmethod
    def referred_to(cls, value):
        """The names in every Ref, Fn::GetAtt and Fn::Sub of a value."""
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
        """The resources that are made at once, step by step; they are deleted the other way round."""
        sorter = graphlib.TopologicalSorter(self.waits_for)
        sorter.prepare()
        while sorter.is_active():
            ready = sorter.get_ready()
            yield set(ready)
            sorter.done(*ready)

    def all_before(self, name):
        """What is made before a resource whatever the order of the rest, and deleted after it."""
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


class TheOrder(unittest.TestCase):
    def test_makes_every_resource_after_what_it_refers_to(self):
        for case, order in orders().items():
            with self.subTest(case):
                made = set()
                for step in order.steps():
                    for name in step:
                        self.assertLessEqual(order.waits_for[name], made, name)
                    made |= step
                self.assertEqual(made, order.resources.keys())

    def test_has_what_is_needed_there_first_and_takes_it_away_last(self):
        for case, order in orders().items():
            for kind, needed, reason in ORDER:
                for name in order.of_type(kind):
                    with self.subTest(case, resource=name, needed=needed):
                        self.assertTrue(order.all_before(name) & order.of_type(needed), reason)

    def test_names_each_function_its_own_log_group_and_its_own_role(self):
        order = orders()["at first"]
        taken = set()
        for name in order.of_type("AWS::Lambda::Function"):
            properties = order.resources[name]["Properties"]
            own = {properties["LoggingConfig"]["LogGroup"], properties["Role"].removeprefix("Arn of ")}
            self.assertLessEqual(own, order.waits_for[name])
            self.assertTrue(own.isdisjoint(taken), name)
            taken |= own

    def test_keeps_nothing_that_refers_to_what_goes(self):
        for case, order in orders().items():
            kept = {
                name for name, one in order.resources.items() if one.get("DeletionPolicy") == "Retain"
            }
            self.assertTrue(kept)
            for name in kept:
                self.assertLessEqual(order.waits_for[name], kept, f"{case}: {name}")

    def test_deletes_all_that_cannot_be_deleted_while_something_kept_is_in_it(self):
        # CloudFormation deletes no pool that has a domain, no group of a live function and no bucket with
        # objects:
        # what could be in the way is either deleted before, or what it is in is kept.
        order = orders()["in full"]
        for holder, part in [("AWS::Cognito::UserPool", "AWS::Cognito::UserPoolDomain")]:
            for name in order.of_type(part):
                self.assertTrue(order.waits_for[name] & order.of_type(holder))
        for kind in ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::Cognito::UserPool"):
            for name in order.of_type(kind):
                self.assertEqual(order.resources[name]["DeletionPolicy"], "Retain", name)

    def test_asks_for_no_capability_that_a_deployment_does_not_give(self):
        # A role or policy with a name of its own would need CAPABILITY_NAMED_IAM.
        for order in orders().values():
            for kind, named in [("AWS::IAM::Role", "RoleName"), ("AWS::IAM::ManagedPolicy", "ManagedPolicyName")]:
                for name in order.of_type(kind):
                    self.assertNotIn(named, order.resources[name]["Properties"])

    def test_finds_a_circle_and_a_missing_step(self):
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
