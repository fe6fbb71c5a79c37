//! What template.yaml says, for the tests that hold it against the code.

use serde_json::Value;

/// template.yaml. CloudFormation's tags are dropped: `!Ref Name` reads as `"Name"`.
pub(super) struct Template(Value);

/// A statement of a function's policy.
#[derive(Debug)]
pub(super) struct Statement {
    /// The allowed actions.
    pub(super) actions: Vec<String>,
    /// The table's or queue's logical name, with the path of an index.
    pub(super) resource: String,
    /// The patterns that the partition keys must match.
    pub(super) leading_keys: Vec<String>,
}

impl Template {
    pub(super) fn read() -> Self {
        Self(serde_saphyr::from_str(include_str!("../../../template.yaml")).expect("YAML"))
    }

    pub(super) fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the resources of a type, by their logical names.
    pub(super) fn resources(&self, kind: &str) -> Vec<(&str, &Value)> {
        let resources = self.0["Resources"].as_object().expect("resources");
        resources
            .iter()
            .filter(|(_, resource)| resource["Type"] == kind)
            .map(|(name, resource)| (name.as_str(), resource))
            .collect()
    }

    /// Returns the functions: the names of their binaries, and their properties.
    pub(super) fn functions(&self) -> Vec<(&str, &Value)> {
        self.resources("AWS::Serverless::Function")
            .into_iter()
            .map(|(_, function)| {
                let binary = &function["Metadata"]["BuildProperties"]["Binary"];
                (binary.as_str().expect("a binary"), &function["Properties"])
            })
            .collect()
    }

    /// Returns the gateway's routes: a path and the binary of the function behind it; `$default` has no path.
    pub(super) fn routes(&self) -> Vec<(Option<&str>, &str)> {
        let mut routes = Vec::new();
        for (binary, properties) in self.functions() {
            for event in properties["Events"].as_object().into_iter().flat_map(|events| events.values()) {
                assert_eq!(event["Type"], "HttpApi", "{binary}: {event}");
                let route = &event["Properties"];
                let path = route["Path"].as_str();
                assert!(path.is_none() || route["Method"] == "ANY", "{binary}: {event}");
                routes.push((path, binary));
            }
        }
        routes
    }

    /// Finds the route that a path takes, as the gateway does: the exact one, else the longest greedy one,
    /// else the default.
    pub(super) fn route_of(&self, path: &str) -> (Option<&str>, &str) {
        let routes = self.routes();
        let greedy = |route: &(Option<&str>, &str)| {
            let prefix = route.0.and_then(|route| route.strip_suffix("{proxy+}"));
            prefix.is_some_and(|prefix| path.len() > prefix.len() && path.starts_with(prefix))
        };
        let exact = routes.iter().find(|(route, _)| *route == Some(path));
        let longest = || {
            let matching = routes.iter().filter(|route| greedy(route));
            matching.max_by_key(|(route, _)| route.map(str::len))
        };
        let default = || routes.iter().find(|(route, _)| route.is_none());
        *exact.or_else(longest).or_else(default).expect("a default route")
    }

    /// Returns the statements of a function's policy.
    pub(super) fn statements(&self, binary: &str) -> Vec<Statement> {
        let functions = self.functions();
        let (_, properties) = functions.iter().find(|(name, _)| *name == binary).expect("a function");
        let policies = properties["Policies"].as_array().expect("policies");
        policies
            .iter()
            .flat_map(|policy| policy["Statement"].as_array().expect("statements"))
            .map(|statement| {
                assert_eq!(statement["Effect"], "Allow");
                let keys = &statement["Condition"]["ForAllValues:StringLike"];
                Statement {
                    actions: texts(&statement["Action"]),
                    resource: statement["Resource"].as_str().expect("one resource").to_owned(),
                    leading_keys: texts(&keys["dynamodb:LeadingKeys"]),
                }
            })
            .collect()
    }
}

impl Statement {
    /// Returns the logical name of the table, and the index if it is about one.
    pub(super) fn table(&self) -> Option<(&str, Option<&str>)> {
        let resource = self.resource.trim_start_matches("${");
        let (table, rest) = resource.split_once(".Arn")?;
        let index = rest.trim_start_matches('}').strip_prefix("/index/").filter(|index| !index.is_empty());
        table.ends_with("Table").then_some((table, index))
    }
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().map(text).collect(),
        one => vec![text(one)],
    }
}
