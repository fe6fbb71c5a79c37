//! The OpenAPI document is public and contains the URLs of the service that returns it.

use harness::{PUBLIC_URL, World};
use http::Method;

const PATH: &str = "/v2/openapi.yaml";

#[tokio::test]
async fn document_differs_from_the_contract_only_in_its_hosts() {
    let world = World::new().await;
    let answer = world.get(PATH).send().await;
    assert_eq!(answer.status, 200);
    let ours = answer.text().replace(PUBLIC_URL, "https://api.example.com");
    let contract = include_str!("../../../openapi.yaml");
    // Without the gateway's stage variables, both gateways have the same origin.
    assert_eq!(ours, contract.replace("https://search.example.com", "https://api.example.com"));
    assert_eq!(answer.header("content-type"), "application/yaml");
    let head = world.call(Method::HEAD, PATH).send().await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}
