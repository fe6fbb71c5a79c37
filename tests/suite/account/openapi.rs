//! The OpenAPI document: it is public, and the service returns it unchanged.

use harness::World;
use http::Method;

const PATH: &str = "/v2/openapi.yaml";

#[tokio::test]
async fn openapi_document_is_served_byte_for_byte() {
    let world = World::new().await;
    let answer = world.get(PATH).send().await;
    assert_eq!(answer.status, 200);
    assert!(answer.body == include_bytes!("../../../openapi.yaml"));
    assert_eq!(answer.header("content-type"), "application/yaml");
    let head = world.call(Method::HEAD, PATH).send().await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}
