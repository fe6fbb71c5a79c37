//! Reads template.yaml, so that tests can compare it with the code.

use serde_json::Value;

/// The parsed template.yaml, without CloudFormation tags: `!Ref Name` becomes `"Name"`.
pub(super) struct Template(Value);

/// A route of one of the HTTP APIs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route<'a> {
    /// The API's logical name.
    pub(super) api: &'a str,
    /// The path with parameters, or `None` for `$default`.
    pub(super) path: Option<&'a str>,
    /// The binary that handles the route.
    pub(super) binary: &'a str,
    /// The route's own throttling limit, or `None` if the API's default applies.
    pub(super) throttling: Option<Throttling>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Throttling {
    pub(super) a_second: u64,
    pub(super) at_once: u64,
}

/// A statement in a function's policy.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) actions: Vec<String>,
    /// The logical name of the table or queue, followed by the index's path if the statement is for an index.
    pub(super) resource: String,
    /// The patterns that partition keys must match.
    pub(super) leading_keys: Vec<String>,
}

impl Template {
    pub(super) fn read() -> Self {
        Self(serde_saphyr::from_str(include_str!("../../../template.yaml")).expect("YAML"))
    }

    pub(super) fn value(&self) -> &Value {
        &self.0
    }

    /// Returns the resources of a type by logical name.
    pub(super) fn resources(&self, kind: &str) -> Vec<(&str, &Value)> {
        let resources = self.0["Resources"].as_object().expect("resources");
        resources
            .iter()
            .filter(|(_, resource)| resource["Type"] == kind)
            .map(|(name, resource)| (name.as_str(), resource))
            .collect()
    }

    /// Returns each function's binary and properties.
    pub(super) fn functions(&self) -> Vec<(&str, &Value)> {
        self.resources("AWS::Serverless::Function")
            .into_iter()
            .map(|(_, function)| {
                let binary = &function["Metadata"]["BuildProperties"]["Binary"];
                (binary.as_str().expect("a binary"), &function["Properties"])
            })
            .collect()
    }

    pub(super) fn routes(&self) -> Vec<Route<'_>> {
        let mut routes = Vec::new();
        for (binary, properties) in self.functions() {
            for event in properties["Events"].as_object().into_iter().flat_map(|events| events.values()) {
                if event["Type"] == "Schedule" {
                    continue;
                }
                assert_eq!(event["Type"], "HttpApi", "{binary}: {event}");
                let route = &event["Properties"];
                let path = route["Path"].as_str();
                assert!(path.is_none() || route["Method"] == "ANY", "{binary}: {event}");
                let api = route["ApiId"].as_str().expect("a gateway");
                let throttling = route.get("RouteSettings").map(Throttling::of);
                routes.push(Route { api, path, binary, throttling });
            }
        }
        routes
    }

    /// Finds a path's route by API Gateway's rules: an exact match, then the longest greedy match, then the
    /// default route.
    pub(super) fn route_of(&self, path: &str) -> Route<'_> {
        let routes = self.routes();
        let greedy = |route: &Route<'_>| {
            let prefix = route.path.and_then(|route| route.strip_suffix("{proxy+}"));
            prefix.is_some_and(|prefix| path.len() > prefix.len() && path.starts_with(prefix))
        };
        let full = routes.iter().find(|route| route.path.is_some_and(|route| is_of_parts(route, path)));
        let longest = || {
            let matching = routes.iter().filter(|route| greedy(route));
            matching.max_by_key(|route| route.path.map(str::len))
        };
        let default = || routes.iter().find(|route| route.path.is_none());
        *full.or_else(longest).or_else(default).expect("a default route")
    }

    /// Returns the statements in a function's policy, or nothing if the function has no policy.
    pub(super) fn statements(&self, binary: &str) -> Vec<Statement> {
        let functions = self.functions();
        let (_, properties) = functions.iter().find(|(name, _)| *name == binary).expect("a function");
        let policies = properties["Policies"].as_array();
        policies
            .into_iter()
            .flatten()
            // Other list items are names of shared policies.
            .filter_map(|policy| policy["Statement"].as_array())
            .flatten()
            .map(with_everything)
            .map(|statement| {
                assert_eq!(statement["Effect"], "Allow");
                let keys = &statement["Condition"]["ForAllValues:StringLike"];
                Statement {
                    actions: texts(&statement["Action"]),
                    resource: with_everything(&statement["Resource"])
                        .as_str()
                        .expect("one resource")
                        .to_owned(),
                    leading_keys: texts(&keys["dynamodb:LeadingKeys"]),
                }
            })
            .collect()
    }
}

impl Statement {
    /// Returns the logical name of the statement's table, and of its index if it has one. Returns `None` if
    /// the resource isn't a table.
    pub(super) fn table(&self) -> Option<(&str, Option<&str>)> {
        let resource = self.resource.trim_start_matches("${");
        let (table, rest) = resource.split_once(".Arn")?;
        let index = rest.trim_start_matches('}').strip_prefix("/index/").filter(|index| !index.is_empty());
        table.ends_with("Table").then_some((table, index))
    }
}

impl<'a> Route<'a> {
    /// Returns a key that identifies the route.
    pub(super) fn key(&self) -> (&'a str, Option<&'a str>) {
        (self.api, self.path)
    }
}

impl Throttling {
    /// Reads the throttling limit of a route or an API.
    pub(super) fn of(settings: &Value) -> Self {
        let number = |name: &str| settings[name].as_u64().expect("a number");
        Self { a_second: number("ThrottlingRateLimit"), at_once: number("ThrottlingBurstLimit") }
    }
}

/// Resolves an `!If` on `HasRelease` or `OwnMail` as in a stack with a release and its own mail. Returns any
/// other value unchanged.
fn with_everything(value: &Value) -> &Value {
    match value.as_array().map(Vec::as_slice) {
        Some([condition, with, _without]) if condition == "HasRelease" || condition == "OwnMail" => with,
        _ => value,
    }
}

/// Returns whether a path matches a route segment by segment. A parameter matches any nonempty segment.
fn is_of_parts(route: &str, path: &str) -> bool {
    let is_parameter = |part: &str| part.starts_with('{') && part.ends_with('}') && part != "{proxy+}";
    let parts = || route.split('/').zip(path.split('/'));
    route.split('/').count() == path.split('/').count()
        && parts().all(|(wanted, given)| wanted == given || (is_parameter(wanted) && !given.is_empty()))
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => values.iter().map(text).collect(),
        one => vec![text(one)],
    }
}
