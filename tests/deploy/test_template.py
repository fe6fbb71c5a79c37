"""Tests of template.yaml after SAM's translation. These tests don't require an AWS account."""

import json
import re
import sys
import unittest

from cloudformation import translated
from resolved import CASES, IN_FULL, OTHER_ISSUER, Resolved
from fake_account import ROOT, TEMPLATE

sys.path.append(str(ROOT / "scripts" / "deploy"))
import functions

READERS = {"Audiences", "Campaigns", "Estimates", "Events", "Inventory", "Places", "Sweep", "Tiles"}
RELEASED = {"Fn::Sub": "arn:${AWS::Partition}:s3:::${Release}/*"}
BUCKET_ARN = {"Fn::GetAtt": ["ReleaseBucket", "Arn"]}


def function_of(path):
    """Returns the main API's function for a path, from its exact route or the longest greedy route."""
    found = {}
    for name, resource in TEMPLATE["Resources"].items():
        for event in resource.get("Properties", {}).get("Events", {}).values():
            route = event["Properties"].get("Path", "")
            prefix = route.removesuffix("{proxy+}")
            if route == path or (prefix != route and path.startswith(prefix)):
                found[len(path) + 1 if route == path else len(prefix)] = name
    return found[max(found)]


class Template(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.template = translated()
        cls.resources = cls.template["Resources"]

    def of_type(self, kind):
        return {name: one["Properties"] for name, one in self.resources.items() if one["Type"] == kind}

    def test_has_a_default_for_each_parameter(self):
        without = [name for name, one in TEMPLATE["Parameters"].items() if "Default" not in one]
        self.assertEqual(without, [])
        for name in ("Release", "PreviousRelease"):
            self.assertEqual(TEMPLATE["Parameters"][name]["Default"], "")

    def test_has_one_private_encrypted_versioned_and_retained_bucket(self):
        self.assertEqual(list(self.of_type("AWS::S3::Bucket")), ["ReleaseBucket"])
        bucket = self.resources["ReleaseBucket"]
        self.assertEqual((bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]), ("Retain", "Retain"))
        properties = bucket["Properties"]
        self.assertNotIn("BucketName", properties)
        blocked = ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets")
        self.assertEqual(properties["PublicAccessBlockConfiguration"], dict.fromkeys(blocked, True))
        owned = {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
        self.assertEqual(properties["OwnershipControls"], owned)
        properties = Resolved({}).of_type("AWS::S3::Bucket")["ReleaseBucket"]
        encryption = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        self.assertEqual(encryption, [{"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}])
        self.assertEqual(properties["VersioningConfiguration"], {"Status": "Enabled"})
        rules = properties["LifecycleConfiguration"]["Rules"]
        self.assertTrue(all(rule["Status"] == "Enabled" for rule in rules))
        self.assertEqual(rules[0]["AbortIncompleteMultipartUpload"], {"DaysAfterInitiation": 7})
        # A rule that expires current objects could delete a release that is in use.
        self.assertFalse(any("Expiration" in rule or "ExpirationInDays" in rule for rule in rules))

    def test_encrypts_tables_releases_and_logs_with_the_administrators_key(self):
        with_key, without = Resolved(IN_FULL), Resolved({})
        key = IN_FULL["KmsKeyArn"]
        for table in with_key.of_type("AWS::DynamoDB::Table").values():
            expected = {"SSEEnabled": True, "SSEType": "KMS", "KMSMasterKeyId": key}
            self.assertEqual(table["SSESpecification"], expected)
        [bucket] = with_key.of_type("AWS::S3::Bucket").values()
        [rule] = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        by_default = {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}
        self.assertEqual(rule, {"ServerSideEncryptionByDefault": by_default, "BucketKeyEnabled": True})
        groups = with_key.of_type("AWS::Logs::LogGroup")
        self.assertEqual([group["KmsKeyId"] for group in groups.values()], [key] * 15)
        self.assertNotIn("kms", json.dumps(without.resources).lower())
        roles = with_key.of_type("AWS::IAM::Role").items()
        using = {name for name, role in roles if "UseOwnKey" in role["ManagedPolicyArns"]}
        self.assertEqual(using, {name for name, _ in roles} - {"PortalFunctionRole", "McpFunctionRole"})

    def test_user_pool_ignores_case_and_keeps_an_address_until_the_next_one_is_confirmed(self):
        for parameters, case in [({}, {"CaseSensitive": False}), ({"CaseSensitiveSignIn": "on"}, None)]:
            [pool] = Resolved(parameters).of_type("AWS::Cognito::UserPool").values()
            self.assertEqual(pool.get("UsernameConfiguration"), case)
            confirmed = {"AttributesRequireVerificationBeforeUpdate": ["email"]}
            self.assertEqual(pool["UserAttributeUpdateSettings"], confirmed)

    def test_bucket_rejects_requests_without_tls(self):
        [policy] = self.of_type("AWS::S3::BucketPolicy").values()
        self.assertEqual(policy["Bucket"], {"Ref": "ReleaseBucket"})
        [statement] = policy["PolicyDocument"]["Statement"]
        actual = (statement["Effect"], statement["Principal"], statement["Action"])
        self.assertEqual(actual, ("Deny", "*", "s3:*"))
        self.assertEqual(statement["Condition"], {"Bool": {"aws:SecureTransport": "false"}})
        self.assertEqual(statement["Resource"], [BUCKET_ARN, {"Fn::Sub": "${ReleaseBucket.Arn}/*"}])

    def test_only_functions_with_a_release_can_read_the_bucket(self):
        reading = {}
        for name, role in self.of_type("AWS::IAM::Role").items():
            policies = [policy["PolicyDocument"] for policy in role.get("Policies", [])]
            statements = [one for policy in policies for one in policy["Statement"]]
            of_buckets = [one for one in statements if "s3" in json.dumps(one).lower()]
            if of_buckets:
                reading[name.removesuffix("FunctionRole")] = of_buckets
        self.assertEqual(set(reading), READERS)
        resource = {"Fn::If": ["HasRelease", RELEASED, BUCKET_ARN]}
        for name, statements in reading.items():
            own = {"StringEquals": {"s3:ResourceAccount": {"Ref": "AWS::AccountId"}}}
            allowed = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": resource, "Condition": own}
            self.assertEqual(statements, [{"Sid": "FetchRelease", **allowed}], name)

    def test_only_those_functions_refer_to_the_bucket(self):
        for name, function in self.of_type("AWS::Lambda::Function").items():
            release = function["Environment"]["Variables"].get("RELEASE")
            reads = name.removesuffix("Function") in READERS
            expected = {"Fn::If": ["HasRelease", {"Fn::Sub": "s3://${Release}"}, ""]}
            self.assertEqual(release, expected if reads else None, name)
        kinds = ("AWS::Lambda::Function", "AWS::IAM::Role", "AWS::S3::Bucket", "AWS::S3::BucketPolicy")
        for name, resource in self.resources.items():
            if resource["Type"] not in kinds and name not in ("FunctionsBoundary", "UseOwnKey"):
                actual = json.dumps(resource.get("Properties"))
                self.assertFalse("s3:" in actual or "ReleaseBucket" in actual or "${Release}" in actual, name)

    def test_rules_reject_parameters_that_contradict_each_other(self):
        for name, parameters in CASES.items():
            self.assertEqual(Resolved(parameters).violations(), set(), name)
        mail = {"MailFrom": "in@example.com", "MailIdentity": "example.com"}
        signing_up = {"SelfSignUp": "on"}
        for parameters, violated in [
            (signing_up, {"SelfSignUpSendsItsOwnMail"}),
            (signing_up | mail, set()),
            (signing_up | OTHER_ISSUER, set()),
            ({"MailFrom": "in@example.com"}, {"MailIsSentByItsIdentity"}),
            ({"UserPoolRateLimit": "300"}, set()),
            ({"UserPoolRateLimit": "300"} | OTHER_ISSUER, {"RateLimitRequiresOwnUserPool"}),
            ({"BasemapStyleUrl": "https://maps.example/style.json"}, set()),
            ({"BasemapOrigins": "https://maps.example"}, {"BasemapOriginsAreOfAStyle"}),
            ({"SignInUrl": "https://in.example"}, {"SignInUrlIsOfAnotherIssuer"}),
            ({"OidcIssuer": "https://issuer.example"}, {"OidcOverridesComeTogether"}),
        ]:
            self.assertEqual(Resolved(parameters).violations(), violated, parameters)

    def test_base_map_uses_https_and_plain_origins(self):
        for name, accepted, rejected in [
            ("BasemapStyleUrl", ["", "https://maps.example.com", "https://maps.example.com/gray.json?key=1"],
             ["http://maps.example.com/gray.json", "https://maps.example.com;/", "https://user@maps.example.com"]),
            ("BasemapOrigins", ["", "https://a.example.com", "https://a.example.com:8443,https://b.example.com"],
             ["*", "https://*.example.com", "https://a.example.com/path", "http://a.example.com"]),
        ]:
            pattern = re.compile(TEMPLATE["Parameters"][name]["AllowedPattern"])
            for value in accepted + rejected:
                self.assertEqual(bool(pattern.fullmatch(value)), value in accepted, f"{name} {value}")

    def test_portal_gets_the_base_map(self):
        [variables] = [one["Environment"]["Variables"] for name, one in
                       Resolved(IN_FULL).of_type("AWS::Lambda::Function").items() if name == "PortalFunction"]
        for variable, name in [("BASEMAP_STYLE_URL", "BasemapStyleUrl"), ("BASEMAP_ORIGINS", "BasemapOrigins")]:
            self.assertEqual(variables[variable], IN_FULL[name])

    def test_sweeps_as_long_as_there_is_a_release(self):
        release = {"Release": "a-bucket/2026-11"}
        for parameters, state in [({}, "DISABLED"), (release, "ENABLED"),
                                  ({**release, "MeasurementCredits": ""}, "ENABLED")]:
            [rule] = Resolved(parameters).of_type("AWS::Events::Rule").values()
            self.assertEqual(rule["State"], state, parameters)

    def test_limits_requests_to_the_user_pool_only_on_request(self):
        limited = Resolved({"UserPoolRateLimit": "300"})
        [web_acl] = limited.of_type("AWS::WAFv2::WebACL").values()
        self.assertEqual((web_acl["Scope"], web_acl["DefaultAction"]), ("REGIONAL", {"Allow": {}}))
        [rule] = web_acl["Rules"]
        self.assertEqual(rule["Action"], {"Block": {}})
        per_address = {"AggregateKeyType": "IP", "EvaluationWindowSec": 300, "Limit": "300"}
        self.assertEqual(rule["Statement"], {"RateBasedStatement": per_address})
        [association] = limited.of_type("AWS::WAFv2::WebACLAssociation").values()
        expected = {"ResourceArn": "Arn of UserPool", "WebACLArn": "Arn of UserPoolWebAcl"}
        self.assertEqual(association, expected)
        for parameters in ({}, {"UserPoolRateLimit": "300"} | OTHER_ISSUER):
            self.assertEqual(Resolved(parameters).of_type("AWS::WAFv2::WebACL"), {})

    def test_checked_paths_lead_to_their_functions(self):
        for name, path in functions.PATHS.items():
            self.assertEqual(function_of(f"/v2{path}"), f"{name.capitalize()}Function", path)

    def test_outputs_name_the_bucket_and_the_releases(self):
        outputs = self.template["Outputs"]
        self.assertEqual(outputs["ReleaseBucketName"]["Value"], {"Ref": "ReleaseBucket"})
        # Empty parameters don't have an output.
        for name in ("Release", "PreviousRelease"):
            self.assertEqual(outputs[name]["Value"], {"Ref": name})
            self.assertEqual(outputs[name]["Condition"], f"Has{name}")
        conditions = self.template["Conditions"]
        for name in ("Release", "PreviousRelease"):
            self.assertEqual(conditions[f"Has{name}"], {"Fn::Not": [{"Fn::Equals": [{"Ref": name}, ""]}]})


if __name__ == "__main__":
    unittest.main()
