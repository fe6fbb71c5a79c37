"""Evaluates template.yaml for a set of parameters, as CloudFormation does after SAM's translation.

Values that exist only in a deployed stack, such as ARNs, are replaced by the resource's logical name.
"""

import functools
import re

from cloudformation import REGION, translated

ACCOUNT = "123456789012"
STACK = "marquee"
PSEUDO = {
    "AWS::AccountId": ACCOUNT,
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/{STACK}/0f1e2d3c-0000-11f0-8000-0123456789ab",
    "AWS::StackName": STACK,
    "AWS::URLSuffix": "amazonaws.com",
}
NO_VALUE = object()

# Together, these parameter sets create every resource and cover every branch.
AT_FIRST = {}
IN_FULL = {
    "Release": "a-bucket/2026-11",
    "PreviousRelease": "a-bucket/2026-10",
    "PublicUrl": "https://api.example.com",
    "BasemapStyleUrl": "https://maps.example.com/styles/gray.json?key=1",
    "BasemapOrigins": "https://tiles.example.com,https://fonts.example.com",
    "SelfSignUp": "on",
    "CaseSensitiveSignIn": "on",
    "AlarmEmail": "alarms@example.com",
    "MonthlyBudget": "100",
    "Dashboard": "on",
    "MeasurementConcurrency": "20",
    "SignInDomain": "example-people",
    "UserPoolRateLimit": "300",
    "MailFrom": "sign-in@example.com",
    "MailIdentity": "example.com",
    "KmsKeyArn": f"arn:aws:kms:{REGION}:{ACCOUNT}:key/0a1b2c3d-0000-4000-8000-000000000000",
}
OTHER_ISSUER = {
    "OidcIssuer": "https://issuer.example",
    "OidcAudience": "portal",
    "OidcJwksUrl": "https://issuer.example/keys",
    "MailFrom": "Marquee <mail@example.com>",
    "MailIdentity": "example.com",
}
CASES = {"at first": AT_FIRST, "in full": IN_FULL, "with another issuer": OTHER_ISSUER}


@functools.cache
def template():
    return translated()


class Resolved:
    """A stack created from the template. `resources` contains its resources with evaluated properties."""

    def __init__(self, parameters):
        self.template = template()
        unknown = parameters.keys() - self.template["Parameters"].keys()
        assert not unknown, f"the template has no parameter {unknown}"
        defaults = {name: one["Default"] for name, one in self.template["Parameters"].items()}
        self.values = PSEUDO | defaults | parameters
        self.resources = {
            name: {key: self.of(member) for key, member in resource.items() if key != "Condition"}
            for name, resource in self.template["Resources"].items()
            if self.holds(resource.get("Condition"))
        }
        self.outputs = {
            name: self.of(output["Value"])
            for name, output in self.template["Outputs"].items()
            if self.holds(output.get("Condition"))
        }

    def violations(self):
        """Returns the names of the rules that the parameters violate."""
        return {
            name
            for name, rule in self.template["Rules"].items()
            if "RuleCondition" not in rule or self.is_true(rule["RuleCondition"])
            if not all(self.is_true(assertion["Assert"]) for assertion in rule["Assertions"])
        }

    def of_type(self, kind):
        return {name: one["Properties"] for name, one in self.resources.items() if one["Type"] == kind}

    def is_made(self, name):
        return self.holds(self.template["Resources"][name].get("Condition"))

    def holds(self, condition):
        return condition is None or self.is_true(self.template["Conditions"][condition])

    def is_true(self, condition):
        [(function, given)] = condition.items()
        match function:
            case "Fn::Equals":
                return self.of(given[0]) == self.of(given[1])
            case "Fn::Not":
                return not self.is_true(given[0])
            case "Fn::And":
                return all(self.is_true(one) for one in given)
            case "Fn::Or":
                return any(self.is_true(one) for one in given)
            case "Condition":
                return self.holds(given)
        raise AssertionError(f"unsupported condition: {function}")

    def of(self, value):
        """Evaluates all intrinsic functions in a value."""
        if isinstance(value, list):
            return [one for one in map(self.of, value) if one is not NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(function, given)] = value.items()
            if function == "Ref" or function.startswith("Fn::"):
                return self.apply(function, given)
        members = {key: self.of(member) for key, member in value.items()}
        return {key: member for key, member in members.items() if member is not NO_VALUE}

    def apply(self, function, given):
        match function:
            case "Ref":
                return NO_VALUE if given == "AWS::NoValue" else self.values.get(given) or self.resource(given)
            case "Fn::GetAtt":
                name, attribute = given if isinstance(given, list) else given.split(".", 1)
                return f"{attribute} of {self.resource(name)}"
            case "Fn::If":
                condition, then, otherwise = given
                return self.of(then if self.holds(condition) else otherwise)
            case "Fn::Sub":
                text, own = given if isinstance(given, list) else (given, {})
                return re.sub(r"\$\{([^}!]+)\}", lambda found: self.named(found[1], own), text)
            case "Fn::Select":
                return self.of(given[1])[int(given[0])]
            case "Fn::Split":
                return self.of(given[1]).split(given[0])
        raise AssertionError(f"unsupported function: {function}")

    def named(self, name, own):
        """Returns the value of a name in an Fn::Sub text."""
        if name in own:
            return str(self.of(own[name]))
        return str(self.apply("Fn::GetAtt", name) if "." in name else self.apply("Ref", name))

    def resource(self, name):
        """Returns a referenced resource's name. The resource must exist."""
        if name in self.values:
            return self.values[name]
        assert name in self.template["Resources"], f"unknown name {name}"
        assert self.is_made(name), f"{name} is referenced but not created with these parameters"
        return name
