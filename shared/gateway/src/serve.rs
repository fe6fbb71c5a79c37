//! A function's routes behind the runtime of AWS Lambda.

use axum::Router;
use axum::body::{Body, to_bytes};
use futures_util::future::BoxFuture;
use http::Response;
use http::header::CONTENT_ENCODING;
use lambda_http::{Body as EventBody, Error, IntoResponse, Request};
use runtime::{Environment, init_logging};
use tower::ServiceExt;

/// Runs a function: makes its router, once, and answers the gateway's events until Lambda stops the process.
///
/// # Errors
///
/// When the router cannot be made, or the runtime API of Lambda cannot be asked for events.
pub fn serve(router: impl AsyncFnOnce(&Environment) -> Result<Router, Error>) -> Result<(), Error> {
    init_logging();
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let router = router(&Environment::Process).await?;
        lambda_http::run(ServiceExt::<Request>::map_response(router, Answer)).await
    })
}

/// An answer on its way into the gateway's JSON.
///
/// The runtime's own way of it recodes texts by their `charset`, and brings the tables of all of Asia's old
/// encodings: ours are UTF-8.
struct Answer(Response<Body>);

impl IntoResponse for Answer {
    fn into_response(self) -> BoxFuture<'static, Response<EventBody>> {
        Box::pin(async {
            let (head, body) = self.0.into_parts();
            let bytes = to_bytes(body, usize::MAX).await.expect("an answer is whole in memory");
            let body = match String::from_utf8(bytes.into()) {
                Ok(text) if !head.headers.contains_key(CONTENT_ENCODING) => EventBody::Text(text),
                Ok(text) => EventBody::Binary(text.into_bytes()),
                Err(binary) => EventBody::Binary(binary.into_bytes()),
            };
            Response::from_parts(head, body)
        })
    }
}
