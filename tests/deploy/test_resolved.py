"""Tests that template.yaml is valid for each set of parameters after SAM's translation."""

import json
import unittest

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from cloudformation import REGION
from resolved import CASES, Resolved, template


class TranslatedTemplate(unittest.TestCase):
    def test_only_refers_to_created_resources(self):
        for case, parameters in CASES.items():
            with self.subTest(case):
                stack = Resolved(parameters)
                self.assertGreater(len(stack.resources), 100)
                self.assertNotIn("Fn::", json.dumps(stack.resources))

    def test_evaluates_each_condition_to_true_and_false(self):
        stacks = [Resolved(parameters) for parameters in CASES.values()]
        for condition in template()["Conditions"]:
            held = {stack.holds(condition) for stack in stacks}
            self.assertEqual(held, {True, False}, condition)

    def test_resources_have_only_known_and_all_required_properties(self):
        for case, parameters in CASES.items():
            for name, resource in Resolved(parameters).resources.items():
                with self.subTest(case, resource=name):
                    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, resource["Type"]).schema
                    given = resource.get("Properties", {}).keys()
                    self.assertLessEqual(given, schema["properties"].keys())
                    self.assertLessEqual(set(schema.get("required", [])), given)
                    for read_only in schema.get("readOnlyProperties", []):
                        self.assertNotIn(read_only.removeprefix("/properties/"), given)

    def test_gateways_may_invoke_the_functions_of_their_routes(self):
        stack = Resolved({})
        allowed = {
            (permission["FunctionName"], permission["SourceArn"].split(":")[5].split("/")[0])
            for permission in stack.of_type("AWS::Lambda::Permission").values()
            if permission["Principal"] == "apigateway.amazonaws.com"
        }
        for api, properties in stack.of_type("AWS::ApiGatewayV2::Api").items():
            for path, methods in properties["Body"]["paths"].items():
                for method in methods.values():
                    uri = method["x-amazon-apigateway-integration"]["uri"]
                    function = uri.rsplit("/functions/", 1)[1].removeprefix("Arn of ").split("/")[0]
                    self.assertIn((function, api), allowed, path)


if __name__ == "__main__":
    unittest.main()
