"""Tests that the comparison of policies with recorded calls finds rejected calls and unused permissions."""

import unittest
from dataclasses import replace

from policies import MANAGED, Policies, Request, Statement, of_line
from resolved import CASES, IN_FULL, Resolved


def call(function, action, table, partition, index=""):
    return of_line({"function": function, "action": f"dynamodb:{action}", "table": table, "index": index,
                    "partition": partition})


class Comparison(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.policies = Policies(Resolved(IN_FULL))

    def test_rejects_another_table_action_index_or_partition(self):
        allowed = call("campaigns", "Query", "assets", "campaign#org_a", "by_state")
        self.assertEqual(self.policies.refused([allowed]), [])
        for refused in [
            call("places", "Query", "assets", "campaign#org_a", "by_state"),
            call("campaigns", "Scan", "assets", "campaign#org_a"),
            call("campaigns", "Query", "assets", "campaign#org_a", "by_name"),
            call("campaigns", "Query", "assets", "event#org_a", "by_state"),
            call("portal", "GetItem", "accounts", "org#org_a"),
        ]:
            self.assertIn(refused, self.policies.refused([refused]))

    def test_finds_unused_permissions(self):
        unused = list(self.policies.never_used([]))
        self.assertIn("measurement: sqs:ReceiveMessage on Arn of MeasurementQueue", unused)
        self.assertIn("campaigns: dynamodb:Query on Arn of AssetsTable/index/by_state in campaign#*", unused)
        # A boundary doesn't grant permissions. Permissions outside the boundary aren't reported as unused.
        self.assertFalse([line for line in unused if "CreateLogGroup" in line])
        polled = [Request("measurement", "sqs:ReceiveMessage", "Arn of MeasurementQueue")]
        self.assertNotIn("measurement: sqs:ReceiveMessage on Arn of MeasurementQueue",
                         list(self.policies.never_used(polled)))

    def test_matches_wildcards_as_iam_does(self):
        statement = Statement(("s3:Get*",), ("arn:aws:s3:::a-bucket/[x]/*",))
        for action, resource, allowed in [
            ("s3:GetObject", "arn:aws:s3:::a-bucket/[x]/y/z", True),
            ("s3:GetObject", "arn:aws:s3:::a-bucket/x/y", False),
            ("s3:PutObject", "arn:aws:s3:::a-bucket/[x]/y", False),
        ]:
            self.assertEqual(statement.allows(Request("a", action, resource)), allowed, resource)


class Roles(unittest.TestCase):
    def test_allow_the_calls_that_aws_makes_with_all_parameters(self):
        for case, parameters in CASES.items():
            policies = Policies(Resolved(parameters))
            self.assertEqual(policies.refused(policies.by_aws()), [], case)

    def test_cannot_create_log_groups_or_write_to_those_of_other_stacks(self):
        # The policy that SAM attaches would allow both actions.
        [managed] = MANAGED["AWSLambdaBasicExecutionRole"]
        self.assertIn("logs:CreateLogGroup", managed["Action"])
        policies = Policies(Resolved({}))
        own = "arn:aws:logs:us-east-1:123456789012:log-group:/marquee/account:log-stream:one"
        other = own.replace("/marquee/", "/marquee-2/")
        for action, group, allowed in [
            ("logs:CreateLogStream", own, True),
            ("logs:PutLogEvents", own, True),
            ("logs:PutLogEvents", other, False),
            ("logs:CreateLogGroup", own, False),
        ]:
            request = Request("account", action, group)
            self.assertEqual(policies.refused([request]) == [], allowed, request)

    def test_read_releases_only_from_buckets_of_their_account(self):
        policies = Policies(Resolved(IN_FULL))
        for function in ("audiences", "campaigns", "estimates", "events", "inventory", "places", "tiles"):
            own = Request(function, "s3:GetObject", f"arn:aws:s3:::{IN_FULL['Release']}/manifest.json")
            self.assertEqual(policies.refused([own]), [])
            # The role and its boundary both reject the other account's bucket.
            other = replace(own, owner="999999999999")
            self.assertEqual(policies.refused([other]), [other, other])

    def test_send_mail_only_from_the_configured_address(self):
        identity = "arn:aws:ses:us-east-1:123456789012:identity/example.com"
        for mail_from in ("in@example.com", "Marquee <in@example.com>", 'Marquee "A" <in@example.com>'):
            policies = Policies(Resolved({"MailFrom": mail_from, "MailIdentity": "example.com"}))
            own = Request("account", "ses:SendEmail", identity, sender="in@example.com")
            self.assertEqual(policies.refused([own]), [], mail_from)
            for refused in [
                replace(own, sender="other@example.com"),
                replace(own, sender=""),
                replace(own, resource=identity.replace("example.com", "other.example")),
                replace(own, action="ses:SendRawEmail"),
                replace(own, function="campaigns"),
            ]:
                self.assertIn(refused, policies.refused([refused]), mail_from)
        without_mail = Policies(Resolved({}))
        self.assertEqual(without_mail.refused([own]), [own, own])

    def test_use_the_administrators_key_only_through_the_services_that_store_their_data(self):
        policies = Policies(Resolved(IN_FULL))
        key = IN_FULL["KmsKeyArn"]
        dynamodb, sqs = "dynamodb.us-east-1.amazonaws.com", "sqs.us-east-1.amazonaws.com"
        for via, allowed in [(dynamodb, True), (sqs, False), ("", False)]:
            request = Request("account", "kms:Decrypt", key, via=via)
            self.assertEqual(policies.refused([request]) == [], allowed, via)
        request = Request("portal", "kms:Decrypt", key, via=dynamodb)
        self.assertEqual(policies.refused([request]), [request])


if __name__ == "__main__":
    unittest.main()
