"""Tests that each alarm watches a metric that exists, with the right name and dimensions."""

import json
import re
import unittest

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from cloudformation import REGION, ROOT
from resolved import CASES, Resolved

LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html"
GATEWAY = "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html"
DYNAMODB = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html"
SQS = (
    "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/"
    "sqs-available-cloudwatch-metrics.html"
)

# AWS service metrics, each with its namespace, name, dimensions, and documentation.
METRICS = [
    ("AWS/Lambda", "Errors", ("FunctionName",), LAMBDA),
    ("AWS/Lambda", "IteratorAge", ("FunctionName",), LAMBDA),
    ("AWS/Lambda", "Throttles", ("FunctionName",), LAMBDA),
    ("AWS/ApiGateway", "5xx", ("ApiId",), GATEWAY),
    ("AWS/ApiGateway", "Latency", ("ApiId",), GATEWAY),
    ("AWS/DynamoDB", "ReadThrottleEvents", ("TableName",), DYNAMODB),
    ("AWS/DynamoDB", "ReadThrottleEvents", ("GlobalSecondaryIndexName", "TableName"), DYNAMODB),
    ("AWS/DynamoDB", "WriteThrottleEvents", ("TableName",), DYNAMODB),
    ("AWS/DynamoDB", "WriteThrottleEvents", ("GlobalSecondaryIndexName", "TableName"), DYNAMODB),
    ("AWS/SQS", "ApproximateAgeOfOldestMessage", ("QueueName",), SQS),
    ("AWS/SQS", "ApproximateNumberOfMessagesVisible", ("QueueName",), SQS),
]

# Each dimension's resource type, and the form of the dimension's value: a Ref or an attribute.
DIMENSIONS = {
    "FunctionName": ("AWS::Lambda::Function", "{}"),
    "ApiId": ("AWS::ApiGatewayV2::Api", "{}"),
    "TableName": ("AWS::DynamoDB::Table", "{}"),
    "QueueName": ("AWS::SQS::Queue", "QueueName of {}"),
}

# A comparison in a filter pattern for JSON lines.
# https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
COMPARISON = r'\(?\$\.(\w+) = "([^"]*)"\)?'


def watched(alarm):
    """Returns the namespace, name, and dimensions of each metric that an alarm watches."""
    parts = alarm.get("Metrics", [])
    metrics = [part["MetricStat"]["Metric"] for part in parts if "MetricStat" in part] or [alarm]
    return [
        (one["Namespace"], one["MetricName"], {each["Name"]: each["Value"] for each in one.get("Dimensions", [])})
        for one in metrics
    ]


def comparisons(pattern):
    """Returns the members that a filter matches, with their values."""
    found = re.findall(COMPARISON, pattern)
    rest = re.sub(COMPARISON, "", pattern)
    assert found and re.fullmatch(r"\{ (\s|&&|\|\|)*\}", rest), pattern
    return found


def logged_by(function):
    """Returns the events that a function and the crates that it uses can log, from their source code."""
    folders = {"campaigns": "scenarios", "events": "scenarios", "sweep": "estimates", "webhooks": "changes"}
    folder = ROOT / "functions" / folders.get(function, function)
    answers = "gateway.workspace" in (folder / "Cargo.toml").read_text()
    linked = ["runtime", "store", *(["gateway"] if answers else []), "release-store"]
    sources = [folder / "src", *(ROOT / "shared" / name / "src" for name in linked)]
    texts = [path.read_text() for source in sources for path in source.rglob("*.rs")]
    return {event for text in texts for event in re.findall(r'event = "(\w+)"', text)}


class Alarms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = Resolved({})
        cls.alarms = cls.stack.of_type("AWS::CloudWatch::Alarm")
        cls.filters = cls.stack.of_type("AWS::Logs::MetricFilter")

    def counted(self):
        """Returns the namespace and name of each metric that a filter counts. They don't have dimensions."""
        transformations = [one for each in self.filters.values() for one in each["MetricTransformations"]]
        self.assertFalse(any("Dimensions" in one for one in transformations))
        return {(one["MetricNamespace"], one["MetricName"]) for one in transformations}

    def test_watch_aws_metrics_or_counted_metrics(self):
        emitted = {(namespace, name, dimensions) for namespace, name, dimensions, _ in METRICS}
        used = set()
        for name, alarm in self.alarms.items():
            for namespace, metric, dimensions in watched(alarm):
                if namespace.startswith("AWS/"):
                    key = (namespace, metric, tuple(sorted(dimensions)))
                    self.assertIn(key, emitted, name)
                    used.add(key)
                else:
                    self.assertIn((namespace, metric), self.counted(), name)
                    self.assertEqual(dimensions, {}, name)
        self.assertEqual(used, emitted, "METRICS has a metric that alarms don't watch")
        self.assertTrue(all(page.startswith("https://docs.aws.amazon.com/") for *_, page in METRICS))

    def test_dimensions_name_resources_of_the_stack(self):
        for name, alarm in self.alarms.items():
            for _, _, dimensions in watched(alarm):
                index = dimensions.pop("GlobalSecondaryIndexName", None)
                for dimension, value in dimensions.items():
                    kind, form = DIMENSIONS[dimension]
                    self.assertIn(value, {form.format(one) for one in self.stack.of_type(kind)}, name)
                if index:
                    table = self.stack.of_type("AWS::DynamoDB::Table")[dimensions["TableName"]]
                    self.assertIn(index, {one["IndexName"] for one in table["GlobalSecondaryIndexes"]}, name)

    def test_watch_every_table_index_function_gateway_and_queue(self):
        seen = {tuple(sorted(each.items())) for alarm in self.alarms.values() for *_, each in watched(alarm)}
        for name in self.stack.of_type("AWS::Lambda::Function"):
            self.assertIn((("FunctionName", name),), seen)
        for name in self.stack.of_type("AWS::ApiGatewayV2::Api"):
            self.assertIn((("ApiId", name),), seen)
        for name, table in self.stack.of_type("AWS::DynamoDB::Table").items():
            self.assertIn((("TableName", name),), seen)
            for index in table.get("GlobalSecondaryIndexes", []):
                both = (("GlobalSecondaryIndexName", index["IndexName"]), ("TableName", name))
                self.assertIn(both, seen)
        for queue in self.stack.of_type("AWS::SQS::Queue"):
            self.assertIn((("QueueName", f"QueueName of {queue}"),), seen)

    def test_watch_every_counted_metric(self):
        seen = {(space, name) for alarm in self.alarms.values() for space, name, _ in watched(alarm)}
        self.assertLessEqual(self.counted(), seen)

    def test_filters_count_lines_that_the_function_writes(self):
        groups = {
            properties["LoggingConfig"]["LogGroup"]: name.removesuffix("Function").lower()
            for name, properties in self.stack.of_type("AWS::Lambda::Function").items()
        }
        stages = self.stack.of_type("AWS::ApiGatewayV2::Stage").values()
        of_functions = 0
        for name, given in self.filters.items():
            looked_for = comparisons(given["FilterPattern"])
            if given["LogGroupName"] in groups:
                logged = logged_by(groups[given["LogGroupName"]])
                for member, value in looked_for:
                    self.assertEqual(member, "event", name)
                    self.assertIn(value, logged, name)
                of_functions += 1
                continue
            writing = [
                one["AccessLogSettings"] for one in stages
                if one["AccessLogSettings"]["DestinationArn"] == f"Arn of {given['LogGroupName']}"
            ]
            self.assertEqual(len(writing), 2, name)
            for settings in writing:
                self.assertLessEqual({member for member, _ in looked_for}, json.loads(settings["Format"]).keys())
        self.assertEqual(of_functions, len(self.filters) - 1)

    def test_notify_the_topic_with_all_parameters(self):
        for case, parameters in CASES.items():
            alarms = Resolved(parameters).of_type("AWS::CloudWatch::Alarm")
            self.assertEqual(alarms.keys(), self.alarms.keys(), case)
            for name, alarm in alarms.items():
                self.assertEqual((alarm["AlarmActions"], alarm["OKActions"]), (["AlarmTopic"],) * 2, name)

    def test_expressions_use_all_their_metrics(self):
        for name, alarm in self.alarms.items():
            metrics = alarm.get("Metrics", [])
            for returned in (one for one in metrics if "Expression" in one):
                used = set(re.findall(r"FILL\((\w+), 0\)", returned["Expression"]))
                self.assertEqual(used, {one["Id"] for one in metrics if "MetricStat" in one}, name)

    def test_latency_alarms_ignore_periods_with_few_calls(self):
        for name in ("ApiLatencyAlarm", "SearchLatencyAlarm"):
            alarm = self.alarms[name]
            self.assertEqual(alarm["ExtendedStatistic"], "p95")
            self.assertEqual(alarm["EvaluateLowSampleCountPercentile"], "ignore")
            self.assertEqual(alarm["EvaluationPeriods"] * alarm["Period"], 15 * 60)


# The AWS service metrics on the dashboard, in addition to those that alarms watch.
SHOWN = METRICS + [
    ("AWS/ApiGateway", "Count", ("ApiId",), GATEWAY),
    ("AWS/ApiGateway", "4xx", ("ApiId",), GATEWAY),
]


class Dashboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = Resolved({"Dashboard": "on"})
        [dashboard] = cls.stack.of_type("AWS::CloudWatch::Dashboard").values()
        cls.widgets = [widget["properties"] for widget in json.loads(dashboard["DashboardBody"])["widgets"]]

    def test_is_optional(self):
        self.assertEqual(Resolved({}).of_type("AWS::CloudWatch::Dashboard"), {})

    def test_shows_existing_metrics_of_the_stack(self):
        filters = self.stack.of_type("AWS::Logs::MetricFilter").values()
        own = {one["MetricTransformations"][0]["MetricName"] for one in filters}
        emitted = {(namespace, name, dimensions) for namespace, name, dimensions, _ in SHOWN}
        metrics = [metric for widget in self.widgets for metric in widget.get("metrics", [])]
        self.assertLessEqual(len(metrics), 50, "a free dashboard has at most 50 metrics")
        for namespace, name, *dimensions, _options in metrics:
            if not namespace.startswith("AWS/"):
                self.assertIn(name, own)
                continue
            dimension, value = dimensions
            self.assertIn((namespace, name, (dimension,)), emitted)
            kind, form = DIMENSIONS[dimension]
            self.assertIn(value, {form.format(one) for one in self.stack.of_type(kind)}, name)

    def test_queries_the_log_groups_of_the_functions_that_serve_calls(self):
        groups = {one["LogGroupName"] for one in self.stack.of_type("AWS::Logs::LogGroup").values()}
        others = ("/access", "/portal", "/mcp", "/measurement", "/sweep", "/changes", "/webhooks")
        serving = {group for group in groups if not group.endswith(others)}
        queries = [widget["query"] for widget in self.widgets if "query" in widget]
        self.assertEqual(len(queries), 2)
        for query in queries:
            self.assertEqual(set(re.findall(r"SOURCE '([^']+)'", query)), serving)


class Budget(unittest.TestCase):
    def test_notifies_the_alarm_address_of_the_given_amount(self):
        self.assertEqual(Resolved({}).of_type("AWS::Budgets::Budget"), {})
        given = Resolved({"MonthlyBudget": "100", "AlarmEmail": "ops@example.com"})
        [budget] = given.of_type("AWS::Budgets::Budget").values()
        self.assertEqual(budget["Budget"]["BudgetLimit"], {"Amount": "100", "Unit": "USD"})
        for notification in budget["NotificationsWithSubscribers"]:
            addresses = [one["Address"] for one in notification["Subscribers"]]
            self.assertEqual(addresses, ["ops@example.com"])

    def test_can_be_replaced_when_the_address_changes(self):
        schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, "AWS::Budgets::Budget").schema
        self.assertIn("/properties/NotificationsWithSubscribers", schema["createOnlyProperties"])
        given = Resolved({"MonthlyBudget": "100", "AlarmEmail": "ops@example.com"})
        [budget] = given.of_type("AWS::Budgets::Budget").values()
        # A replacement is created before the original is deleted, so it can't have a fixed name.
        self.assertNotIn("BudgetName", budget["Budget"])


if __name__ == "__main__":
    unittest.main()
