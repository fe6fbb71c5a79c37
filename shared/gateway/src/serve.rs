//! Runs a function's router on the AWS Lambda runtime.

use axum::Router;
use axum::body::{Body, to_bytes};
use futures_util::future::{BoxFuture, LocalBoxFuture};
use http::Response;
use http::header::CONTENT_ENCODING;
use lambda_http::{Body as EventBody, Error, IntoResponse, Request};
use runtime::{Environment, init_logging};
use tower::ServiceExt;

/// Runs a Lambda function: calls `router` once, and then handles events until Lambda stops the process.
/// Returns an error if `router` fails or the Lambda runtime API can't be reached.
pub fn serve(router: impl AsyncFnOnce(&Environment) -> Result<Router, Error>) -> Result<(), Error> {
    init_logging();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async { handle_events(router(&Environment::Process).await?).await })
}

/// Handles events until Lambda stops the process. Returning a boxed future compiles the Lambda runtime's
/// client once in this crate instead of in every function.
fn handle_events(router: Router) -> LocalBoxFuture<'static, Result<(), Error>> {
    Box::pin(lambda_http::run(ServiceExt::<Request>::map_response(router, Answer)))
}

/// A response that is converted to the JSON that API Gateway expects.
///
/// The runtime's own conversion decodes text according to its `charset`, which would link the tables for all
/// legacy Asian encodings. This service's text responses are always UTF-8.
struct Answer(Response<Body>);

impl IntoResponse for Answer {
    fn into_response(self) -> BoxFuture<'static, Response<EventBody>> {
        Box::pin(async {
            let (head, body) = self.0.into_parts();
            let bytes = to_bytes(body, usize::MAX).await.expect("the response is complete in memory");
            let body = match String::from_utf8(bytes.into()) {
                Ok(text) if !head.headers.contains_key(CONTENT_ENCODING) => EventBody::Text(text),
                Ok(text) => EventBody::Binary(text.into_bytes()),
                Err(binary) => EventBody::Binary(binary.into_bytes()),
            };
            Response::from_parts(head, body)
        })
    }
}
