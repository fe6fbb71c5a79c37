//! The embedded engine's port, which accepts DynamoDB clients and refuses requests from web pages.

use aws::sdk_config;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::AttributeValue;
use harness::{Answer, World};

use super::{TestDir, exchange};

const LIST_TABLES: &str = "DynamoDB_20120810.ListTables";

/// Sends a request with the given headers and adds those that the body requires.
async fn post(address: &str, headers: &str, body: &str) -> Answer {
    let request = format!(
        "POST / HTTP/1.1\r\nConnection: close\r\nX-Amz-Target: {LIST_TABLES}\r\n{headers}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    exchange(address, &request).await
}

fn address(world: &World) -> &str {
    let endpoint = world.app.config.connection.endpoint.as_ref().expect("a local engine");
    endpoint.url.strip_prefix("http://").expect("plain HTTP")
}

#[tokio::test(flavor = "multi_thread")]
async fn refuses_web_pages_and_foreign_hosts() {
    let data_dir = TestDir::new();
    let serving = data_dir.serve(&["--allow-host", "tunnel.example"]).await;
    let address = serving.credentials.dynamodb_endpoint.strip_prefix("http://").expect("plain HTTP");
    for (headers, status) in [
        (format!("Host: {address}\r\n"), 200),
        ("Host: localhost\r\n".to_owned(), 200),
        (format!("Host: {address}\r\nOrigin: http://evil.example\r\n"), 403),
        (format!("Host: {address}\r\nOrigin: {}\r\n", serving.credentials.search_url), 403),
        ("Host: evil.example\r\n".to_owned(), 403),
        // `--allow-host` applies to the API, but not to the engine.
        ("Host: tunnel.example\r\n".to_owned(), 403),
        (String::new(), 403),
    ] {
        let answer = post(address, &headers, "{}").await;
        assert_eq!(answer.status.as_u16(), status, "{headers}");
        let allows = |name: &http::HeaderName| name.as_str().starts_with("access-control-");
        assert!(!answer.headers.keys().any(allows), "{headers}: {:?}", answer.headers);
    }
    serving.interrupt().await;
}

#[tokio::test]
async fn aws_sdk_parses_engine_errors() {
    let world = World::new().await;
    let client = Client::new(&sdk_config(&world.app.config.connection.endpoint, &None, &None));
    let tables = ["marquee-accounts", "marquee-assets", "marquee-credentials"];
    assert_eq!(client.list_tables().send().await.expect("the tables").table_names(), tables);
    let nowhere =
        client.describe_table().table_name("nowhere").send().await.expect_err("the table doesn't exist");
    assert!(nowhere.into_service_error().is_resource_not_found_exception());
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let put =
        client.put_item().table_name("marquee-accounts").item("pk", text("probe")).item("sk", text("probe"));
    put.clone().send().await.expect("a put");
    let again =
        put.condition_expression("attribute_not_exists(pk)").send().await.expect_err("an item already");
    assert!(again.into_service_error().is_conditional_check_failed_exception());
    let unsupported = client.list_backups().send().await.expect_err("ListBackups is unsupported");
    assert_eq!(unsupported.message(), Some("the engine does not support this operation"));
}

#[tokio::test]
async fn malformed_json_returns_400() {
    let world = World::new().await;
    let address = address(&world);
    let unreadable = post(address, &format!("Host: {address}\r\n"), "{").await;
    assert_eq!(unreadable.status.as_u16(), 400);
    assert!(unreadable.text().contains("SerializationException"), "{}", unreadable.text());
}

#[tokio::test]
async fn date_header_follows_the_test_clock() {
    let world = World::new().await;
    let address = address(&world);
    for (advance, expected) in
        [(0, "Fri, 20 Nov 2026 09:00:30 GMT"), (40 * 86_400_000, "Wed, 30 Dec 2026 09:00:30 GMT")]
    {
        world.clock.advance(advance);
        for host in [address, "evil.example"] {
            let answer = post(address, &format!("Host: {host}\r\n"), "{}").await;
            assert_eq!(answer.header("date"), expected);
            assert_eq!(answer.headers.get_all("date").iter().count(), 1);
        }
    }
}
