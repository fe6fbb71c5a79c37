//! Checks the status, headers, content type, and body of every response against openapi.yaml.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use http::Method;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Registry, ValidationError, Validator};
use serde_json::{Value, json};

use crate::Answer;
use crate::closed::closed;

#[derive(Debug)]
pub struct Contract {
    document: Value,
    closed: Value,
    operations: Vec<DocumentedOperation>,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DocumentedOperation {
    /// In upper case, such as `GET`.
    pub method: String,
    /// With `{name}` for parameters. The main API's paths start with `/v2`.
    pub path: String,
    pub id: String,
    pub statuses: BTreeSet<u16>,
}

const DOCUMENT: &str = "urn:openapi";

/// The headers that every response may have. The description in openapi.yaml explains the security headers.
const OF_ALL_RESPONSES: [&str; 7] = [
    "content-type",
    "content-length",
    "content-encoding",
    "cache-control",
    "vary",
    "x-content-type-options",
    "strict-transport-security",
];

const TEXT: &str = include_str!("../../openapi.yaml");

impl Contract {
    pub fn get() -> &'static Self {
        static CONTRACT: OnceLock<Contract> = OnceLock::new();
        CONTRACT.get_or_init(|| {
            let document = serde_saphyr::from_str(TEXT).expect("openapi.yaml contains valid YAML");
            let (closed, operations) = (closed(&document), operations(&document));
            Contract { document, closed, operations, validators: Mutex::default() }
        })
    }

    /// The document as published.
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// The document whose responses allow only documented members and values. Bodies are checked against it.
    pub fn closed(&self) -> &Value {
        &self.closed
    }

    pub fn operations(&self) -> &[DocumentedOperation] {
        &self.operations
    }

    /// Finds the operation that serves a path, or returns `None` if no documented operation does.
    pub fn operation(&self, method: &Method, path: &str) -> Option<&DocumentedOperation> {
        let mut here: Vec<_> = self.operations.iter().collect();
        here.retain(|operation| matches(&operation.path, path));
        // An exact path takes precedence over paths with parameters, regardless of their methods.
        if here.iter().any(|operation| operation.path == path) {
            here.retain(|operation| operation.path == path);
        }
        here.into_iter().find(|operation| operation.method == method.as_str())
    }

    /// Checks a response against the [closed](Self::closed) contract.
    ///
    /// # Panics
    ///
    /// Panics if a status, header, content type, member, or value is undocumented, or if a required one is
    /// missing.
    pub fn check(&self, method: &Method, path: &str, answer: &Answer) {
        let status = answer.status.as_u16();
        let context = format!("{method} {path} answered {status}");
        let (pointer, response) = match self.operation(method, path) {
            Some(operation) => {
                let item = operation.path.trim_start_matches("/v2").replace('~', "~0").replace('/', "~1");
                let pointer = format!("/paths/{item}/{}/responses/{status}", operation.method.to_lowercase());
                let response = self.document.pointer(&pointer);
                (
                    pointer,
                    response
                        .unwrap_or_else(|| panic!("{context}, an undocumented status: {}", answer.text())),
                )
            }
            None => {
                let name = if status == 405 { "MethodNotAllowed" } else { "UnknownPath" };
                let pointer = format!("/components/responses/{name}");
                (pointer.clone(), self.document.pointer(&pointer).expect("the platform's responses"))
            }
        };
        let (pointer, response) = self.resolve(pointer, response);
        self.check_headers(&response["headers"], answer, &context);
        self.check_body(&pointer, response, answer, &context);
    }

    fn pointer_of(&self, operation_id: &str) -> String {
        let operation = self.operations.iter().find(|operation| operation.id == operation_id);
        let operation = operation.unwrap_or_else(|| panic!("openapi.yaml must have {operation_id}"));
        let item = operation.path.trim_start_matches("/v2").replace('/', "~1");
        format!("/paths/{item}/{}", operation.method.to_lowercase())
    }

    fn request(&self, operation_id: &str) -> Option<String> {
        let pointer = self.pointer_of(operation_id) + "/requestBody/content/application~1json";
        self.document.pointer(&pointer).map(|_| pointer)
    }

    /// Returns the names of an operation's query parameters, each with a pointer to its schema.
    pub fn query_parameters(&self, operation_id: &str) -> Vec<(&str, String)> {
        let pointer = self.pointer_of(operation_id) + "/parameters";
        let listed = self.document.pointer(&pointer).and_then(Value::as_array).into_iter().flatten();
        let resolved = listed.enumerate().map(|(at, one)| self.resolve(format!("{pointer}/{at}"), one));
        resolved
            .filter(|(_, parameter)| parameter["in"] == "query")
            .map(|(at, parameter)| (parameter["name"].as_str().expect("a name"), at + "/schema"))
            .collect()
    }

    pub fn accepts_text(&self, schema: &str, text: &str) -> bool {
        let is_integer = self.resolved(self.document.pointer(schema).expect("a schema"))["type"] == "integer";
        let integer = text.parse::<i64>().ok().filter(|_| is_integer && !text.starts_with('+'));
        self.validator(schema).is_valid(&integer.map_or(json!(text), Value::from))
    }

    /// Returns the schema of an operation's request body, with its reference resolved.
    pub fn request_schema(&self, operation_id: &str) -> &Value {
        let pointer = self.request(operation_id).expect("an operation with a body") + "/schema";
        self.resolved(self.document.pointer(&pointer).expect("a schema"))
    }

    /// Returns the first example of an operation's request body, if there is one.
    pub fn request_example(&self, operation_id: &str) -> Option<&Value> {
        let examples = self.document.pointer(&(self.request(operation_id)? + "/examples"))?.as_object()?;
        examples.values().next().map(|example| &self.resolved(example)["value"])
    }

    /// Returns pointers to the invalid, unknown, and missing members of a request body. Doesn't report errors
    /// inside a member that is itself invalid.
    pub fn faults(&self, operation_id: &str, body: &Value) -> BTreeSet<String> {
        let pointer = self.request(operation_id).expect("an operation with a body") + "/schema";
        let mut faults = BTreeSet::new();
        for error in self.validator(&pointer).iter_errors(body) {
            add_faults(&error, &mut faults);
        }
        let is_within = |place: &str| place.match_indices('/').any(|(end, _)| faults.contains(&place[..end]));
        faults.iter().filter(|place| !is_within(place)).cloned().collect()
    }

    pub fn accepts(&self, schema: &str, value: &Value) -> bool {
        self.validator(&format!("/components/schemas/{schema}")).is_valid(value)
    }

    fn check_headers(&self, documented: &Value, answer: &Answer, context: &str) {
        let empty = serde_json::Map::new();
        let documented = documented.as_object().unwrap_or(&empty);
        for (name, header) in documented {
            let (_, header) = self.resolve(String::new(), header);
            if header["required"] == true {
                assert!(
                    answer.headers.contains_key(name.as_str()),
                    "{context} without {name}: {:?}",
                    answer.headers
                );
            }
        }
        let known = |name: &str| documented.keys().any(|documented| documented.eq_ignore_ascii_case(name));
        for name in answer.headers.keys().map(http::HeaderName::as_str) {
            assert!(
                OF_ALL_RESPONSES.contains(&name) || known(name),
                "{context} with the undocumented header {name}"
            );
        }
    }

    fn check_body(&self, pointer: &str, response: &Value, answer: &Answer, context: &str) {
        let Some(content) = response["content"].as_object() else {
            assert!(answer.body.is_empty(), "{context} with an undocumented body");
            return;
        };
        let content_type = answer.header("content-type").split(';').next().unwrap_or_default().to_owned();
        assert!(
            content.contains_key(&content_type),
            "{context} with the undocumented content type {content_type:?}"
        );
        let schema = format!("{pointer}/content/{}/schema", content_type.replace('/', "~1"));
        let is_json = content_type.split(['/', '+']).next_back() == Some("json");
        let body = if is_json { answer.json() } else { json!(answer.text()) };
        check_meta(&body["meta"], answer, context);
        self.check_stated(&body, answer, context);
        let validator = self.validator(&schema);
        let errors: Vec<_> =
            validator.iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(
            errors.is_empty(),
            "{context} with a body that violates its schema:\n{}\n{body}",
            errors.join("\n")
        );
    }

    /// Checks the API version and the HTTP status in the body, if present. Their schemas accept any version
    /// and status.
    fn check_stated(&self, body: &Value, answer: &Answer, context: &str) {
        let (version, status) = (&self.document["info"]["version"], json!(answer.status.as_u16()));
        for (pointer, expected) in
            [("/meta/version", version), ("/version", version), ("/error/status", &status)]
        {
            if let Some(stated) = body.pointer(pointer) {
                assert_eq!(stated, expected, "{context}: {pointer}");
            }
        }
    }

    /// Follows a `$ref`. Returns any other value unchanged.
    pub fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        self.resolve(String::new(), value).1
    }

    fn resolve<'a>(&'a self, pointer: String, value: &'a Value) -> (String, &'a Value) {
        match value["$ref"].as_str() {
            Some(reference) => {
                let pointer = reference.trim_start_matches('#').to_owned();
                let target =
                    self.document.pointer(&pointer).unwrap_or_else(|| panic!("{reference} doesn't resolve"));
                self.resolve(pointer, target)
            }
            None => (pointer, value),
        }
    }

    fn validator(&self, pointer: &str) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap_or_else(PoisonError::into_inner);
        let made = validators.entry(pointer.to_owned()).or_insert_with(|| {
            let registry =
                Registry::new().add(DOCUMENT, &self.closed).and_then(|registry| registry.prepare());
            let registry = registry.expect("openapi.yaml is a valid resource");
            // URIs can't contain braces.
            let fragment = pointer.replace('{', "%7B").replace('}', "%7D");
            let schema = json!({ "$ref": format!("{DOCUMENT}#{fragment}") });
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            let validator = options.with_registry(&registry).build(&schema);
            Arc::new(validator.unwrap_or_else(|error| panic!("{pointer}: {error}")))
        });
        Arc::clone(made)
    }
}

fn operations(document: &Value) -> Vec<DocumentedOperation> {
    let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path item") {
            if !methods.contains(&method.as_str()) {
                continue;
            }
            let statuses = operation["responses"].as_object().expect("responses").keys();
            let statuses: BTreeSet<u16> = statuses.map(|status| status.parse().expect("a status")).collect();
            operations.extend(roots(item).into_iter().map(|root| DocumentedOperation {
                method: method.to_uppercase(),
                path: format!("{root}{path}"),
                id: operation["operationId"].as_str().unwrap_or_default().to_owned(),
                statuses: statuses.clone(),
            }));
        }
    }
    operations.sort_by_key(|operation| TEXT.find(&format!("operationId: {}\n", operation.id)));
    operations
}

fn add_faults(error: &ValidationError<'_>, faults: &mut BTreeSet<String>) {
    let at = error.instance_path().to_string();
    let member = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            faults.extend(unexpected.iter().map(|name| member(name)));
        }
        ValidationErrorKind::Required { property } => {
            faults.insert(member(property.as_str().expect("a name")));
        }
        // If the value's type matches one branch of an `anyOf`, adds only that branch's errors.
        ValidationErrorKind::AnyOf { context } => {
            let is_of_its_type = |errors: &&Vec<ValidationError<'static>>| {
                errors.iter().all(|error| {
                    !matches!(error.kind(), ValidationErrorKind::Type { .. })
                        || error.instance_path().to_string() != at
                })
            };
            match context.iter().find(is_of_its_type) {
                Some(errors) => errors.iter().for_each(|error| add_faults(error, faults)),
                None => drop(faults.insert(at)),
            }
        }
        _ => drop(faults.insert(at)),
    }
}

fn check_meta(meta: &Value, answer: &Answer, context: &str) {
    for (member, header) in [
        ("request_id", "x-request-id"),
        ("credits_used", "x-credits-used"),
        ("credits_remaining", "x-credits-remaining"),
    ] {
        let (Some(said), Some(value)) = (meta.get(member), answer.headers.get(header)) else { continue };
        let said = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
        assert_eq!(said.as_bytes(), value.as_bytes(), "{context}: `meta.{member}`");
    }
}

fn matches(template: &str, path: &str) -> bool {
    let (template, path): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    template.len() == path.len()
        && template
            .iter()
            .zip(&path)
            .all(|(wanted, part)| wanted == part || (wanted.starts_with('{') && !part.is_empty()))
}

/// Returns the prefixes of an operation's path: `/v2`, the empty prefix of the search gateway, or both.
fn roots(item: &Value) -> Vec<&'static str> {
    let Some(servers) = item["servers"].as_array() else { return vec!["/v2"] };
    let root = |server: &Value| {
        if server["url"].as_str().is_some_and(|url| url.ends_with("/v2")) { "/v2" } else { "" }
    };
    let mut roots: Vec<_> = servers.iter().map(root).collect();
    roots.dedup();
    roots
}
