//! The port of the embedded engine: it answers programs that have the secret of this start, and no web page.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{Answer, World};
use serde_json::json;
use shared::aws::{LocalEndpoint, sdk_config};

use super::{Serving, TestDir, exchange};

const LIST_TABLES: &str = "DynamoDB_20120810.ListTables";

/// Returns where a service's engine listens: its host and port.
fn address(serving: &Serving) -> String {
    serving.credentials.dynamodb_endpoint.strip_prefix("http://").expect("plain HTTP").to_owned()
}

/// Returns the header that an SDK sends with an access key id.
fn signed(access_key_id: &str) -> String {
    format!(
        "Authorization: AWS4-HMAC-SHA256 Credential={access_key_id}/20261120/local/dynamodb/aws4_request, \
         SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=0\r\n"
    )
}

/// Sends a request with these headers alone, and those of its body.
async fn post(address: &str, target: &str, headers: &str, body: &str) -> Answer {
    let request = format!(
        "POST / HTTP/1.1\r\nConnection: close\r\nX-Amz-Target: {target}\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    exchange(address, &request).await
}

/// Returns the status of an error and its type, without the namespace.
fn error(answer: &Answer) -> (u16, String) {
    let error = answer.json();
    let error_type = error["__type"].as_str().expect("a type").rsplit('#').next().expect("a name");
    assert!(error["message"].as_str().is_some_and(|text| !text.is_empty()), "{error}");
    (answer.status.as_u16(), error_type.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn it_answers_whoever_has_the_secret_of_this_start_and_nobody_else() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let before = serving.credentials.dynamodb_access_key_id.clone();
    serving.interrupt().await;
    let serving = data_dir.serve(&[]).await;
    let (address, key) = (address(&serving), serving.credentials.dynamodb_access_key_id.clone());
    assert!(key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    let list = async |headers: &str| {
        post(&address, LIST_TABLES, &format!("Host: {address}\r\n{headers}"), "{}").await
    };
    let listed = list(&signed(&key)).await;
    let tables = ["marquee-accounts", "marquee-assets", "marquee-credentials"];
    assert_eq!((listed.status.as_u16(), listed.json()), (200, json!({ "TableNames": tables })));
    assert_eq!(listed.header("content-type"), "application/x-amz-json-1.0");

    let missing = (400, "MissingAuthenticationTokenException".to_owned());
    for none in
        ["", "Authorization: Bearer x\r\n", &format!("X-Api-Key: {key}\r\n"), &signed("").replace('/', "")]
    {
        assert_eq!(error(&list(none).await), missing, "{none}");
    }
    let wrong = (400, "UnrecognizedClientException".to_owned());
    let other = [&before, "", "local", &key[..63], &format!("{key}0"), &key.to_uppercase()];
    for other in other.into_iter().filter(|other| *other != key) {
        assert_eq!(error(&list(&signed(other)).await), wrong, "{other}");
    }
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_refuses_web_pages_and_foreign_hosts_even_with_the_secret() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let address = address(&serving);
    let port = address.rsplit(':').next().expect("a port");
    let key = signed(&serving.credentials.dynamodb_access_key_id);
    let denied = (403, "AccessDeniedException".to_owned());
    let own = format!("http://{address}");
    for origin in
        ["http://evil.example", "null", "http://localhost:5173", &serving.credentials.search_url, &own]
    {
        let headers = format!("Host: {address}\r\nOrigin: {origin}\r\n{key}");
        let refused = post(&address, LIST_TABLES, &headers, "{}").await;
        assert_eq!(error(&refused), denied, "{origin}");
        let preflight = format!(
            "OPTIONS / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nOrigin: {origin}\r\n\
             Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-amz-target\r\n\r\n"
        );
        for answer in [refused, exchange(&address, &preflight).await] {
            assert_eq!(error(&answer), denied, "{origin}");
            let allows = |name: &http::HeaderName| name.as_str().starts_with("access-control-");
            assert!(!answer.headers.keys().any(allows), "{origin}: {:?}", answer.headers);
        }
    }
    for host in ["localhost", &format!("LOCALHOST:{port}"), "127.0.0.1:1", &format!("[::1]:{port}")] {
        let taken = post(&address, LIST_TABLES, &format!("Host: {host}\r\n{key}"), "{}").await;
        assert_eq!(taken.status.as_u16(), 200, "{host}");
    }
    // Names of tunnels are the interface's alone.
    for host in ["evil.example", &format!("evil.example:{port}"), "0.0.0.0", "tunnel.example", ""] {
        let refused = post(&address, LIST_TABLES, &format!("Host: {host}\r\n{key}"), "{}").await;
        assert_eq!(error(&refused), denied, "{host}");
    }
    for hosts in ["", "Host: localhost\r\nHost: evil.example\r\n"] {
        assert_eq!(
            error(&post(&address, LIST_TABLES, &format!("{hosts}{key}"), "{}").await),
            denied,
            "{hosts:?}"
        );
    }
    let health = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let missing = (400, "MissingAuthenticationTokenException".to_owned());
    assert_eq!(error(&exchange(&address, &health).await), missing, "not even that there is one");
    serving.interrupt().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_sdk_reads_its_errors() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&[]).await;
    let client = |access_key_id: &str| {
        let engine =
            LocalEndpoint { access_key_id: access_key_id.to_owned(), ..serving.credentials.engine() };
        Client::new(&sdk_config(&Some(engine), &None, &None))
    };
    let stranger = client("local").list_tables().send().await.expect_err("a wrong key");
    assert_eq!(stranger.code(), Some("UnrecognizedClientException"));
    assert!(stranger.message().is_some_and(|text| text.contains("credentials.json")), "{stranger:?}");

    let known = client(&serving.credentials.dynamodb_access_key_id);
    assert_eq!(known.list_tables().send().await.expect("the tables").table_names().len(), 3);
    let nowhere = known.describe_table().table_name("nowhere").send().await.expect_err("no such table");
    assert!(nowhere.into_service_error().is_resource_not_found_exception());
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put =
        known.put_item().table_name("marquee-accounts").item("pk", text("probe")).item("sk", text("probe"));
    put.clone().send().await.expect("a put");
    let again = put.condition_expression("attribute_not_exists(pk)").send().await.expect_err("it is there");
    assert!(again.into_service_error().is_conditional_check_failed_exception());
    let unknown = known.list_backups().send().await.expect_err("no such operation");
    assert_eq!(unknown.code(), Some("UnknownOperationException"));
    serving.interrupt().await;
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused() {
    let world = World::new().await;
    let LocalEndpoint { url, access_key_id } =
        world.app.config.connection.endpoint.as_ref().expect("a local engine");
    let address = url.strip_prefix("http://").expect("plain HTTP");
    let headers = format!("Host: {address}\r\n{}", signed(access_key_id));
    let unreadable = post(address, LIST_TABLES, &headers, "{").await;
    assert_eq!(unreadable.status.as_u16(), 400);
    assert!(unreadable.text().contains("SerializationException"), "{}", unreadable.text());
}

#[tokio::test]
async fn its_answers_are_dated_by_the_clock_that_it_is_given() {
    let world = World::new().await;
    let LocalEndpoint { url, access_key_id } =
        world.app.config.connection.endpoint.as_ref().expect("a local engine");
    let address = url.strip_prefix("http://").expect("plain HTTP");
    for (advance, expected) in
        [(0, "Fri, 20 Nov 2026 09:00:30 GMT"), (40 * 86_400_000, "Wed, 30 Dec 2026 09:00:30 GMT")]
    {
        world.clock.advance(advance);
        for key in [access_key_id, "wrong"] {
            let headers = format!("Host: {address}\r\n{}", signed(key));
            let answer = post(address, LIST_TABLES, &headers, "{}").await;
            assert_eq!(answer.header("date"), expected);
            assert_eq!(answer.headers.get_all("date").iter().count(), 1);
        }
    }
}
