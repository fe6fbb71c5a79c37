//! A function's routes and their terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, any, delete, get, on, patch, post, put};
use http::{HeaderValue, Method, header};

use super::answer::{Service, answer};
use super::cors::{AllowedPages, admit_pages};
use super::operation::{Operation, Terms};
use super::security_headers::with_security_headers;
use crate::app::App;
use crate::code::Code;
use crate::error::ApiError;

/// Defines a method of [`Routes`] that adds an operation for one HTTP method.
macro_rules! add_method {
    ($name:ident, $method:ident) => {
        #[doc = concat!("Adds a `", stringify!($method), "` operation.")]
        pub fn $name<T: 'static>(
            self,
            path: &'static str,
            terms: impl Into<Terms>,
            handler: impl Handler<T, S>,
        ) -> Self {
            self.add(Method::$method, path, terms.into(), $name(handler))
        }
    };
}

/// A list of routes with their terms.
pub struct Routes<S> {
    app: App,
    operations: Vec<Operation>,
    paths: BTreeMap<&'static str, MethodRouter<S>>,
    /// Paths for which every call returns an error.
    failing: Vec<(&'static str, ApiError)>,
    /// Whether the function is ready. If it isn't, calls skip admission, so they are free.
    is_ready: bool,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Creates an empty list of routes.
    pub fn new(app: &App) -> Self {
        let (operations, paths, failing) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { app: app.clone(), operations, paths, failing, is_ready: true }
    }

    add_method!(get, GET);
    add_method!(post, POST);
    add_method!(put, PUT);
    add_method!(patch, PATCH);
    add_method!(delete, DELETE);

    /// Adds a path that is served by a different host. Calls return a 404 with `way` as the message.
    pub fn elsewhere(self, path: &'static str, way: &'static str) -> Self {
        self.failing(path, ApiError::new(Code::NotFound, way))
    }

    /// Adds a path for which every call returns an error, free of charge and without checking credentials.
    pub fn failing(mut self, path: &'static str, error: ApiError) -> Self {
        self.failing.push((path, error));
        self
    }

    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Creates the router. It also uses the envelope for errors about unknown paths and methods.
    pub fn into_router(self, state: S) -> Router {
        let Self { app, operations, paths, failing, is_ready } = self;
        let (mut known, mut for_pages) = (Router::new().fallback(unknown_path), Router::new());
        for (path, methods) in paths {
            let taken: Vec<_> = operations.iter().filter(|operation| operation.path == path).collect();
            let methods = refusing_others(methods, &taken);
            if taken.iter().any(|operation| operation.terms.is_for_pages) {
                for_pages = for_pages.route(path, methods);
            } else {
                known = known.route(path, methods);
            }
        }
        for (path, error) in failing {
            known = known.route(path, any(async move || error));
        }
        let pages = AllowedPages::new(&app.config);
        let service = Arc::new(Service { app, operations, is_ready });
        let answered = |router: Router<S>| {
            router.layer(from_fn_with_state(service.clone(), answer)).with_state(state.clone())
        };
        let known = answered(known).layer(from_fn_with_state(pages, admit_pages));
        // The handlers on these paths decide which pages can read the response, so the rules for allowed
        // origins don't apply.
        with_security_headers(known.merge(answered(for_pages)))
    }

    /// Creates a router for a function that can't open its data release. All operations return 503
    /// `RELEASE_NOT_READY`, free of charge and without checking credentials.
    pub fn into_unready_router(self) -> Router {
        let mut unready = Routes::new(&self.app);
        for Operation { method, path, terms } in self.operations {
            let filter = MethodFilter::try_from(method.clone()).expect("routes have standard methods");
            unready = unready.add(method, path, terms, on(filter, release_not_ready));
        }
        Routes { failing: self.failing, is_ready: false, ..unready }.into_router(())
    }

    fn add(mut self, method: Method, path: &'static str, terms: Terms, route: MethodRouter<S>) -> Self {
        self.operations.push(Operation { method, path, terms });
        let others = self.paths.remove(path).unwrap_or_default();
        self.paths.insert(path, others.merge(route));
        self
    }
}

/// Rejects methods that a path doesn't support. Otherwise, axum would accept `HEAD` wherever it accepts
/// `GET`.
fn refusing_others<S: Clone + Send + Sync + 'static>(
    methods: MethodRouter<S>,
    taken: &[&Operation],
) -> MethodRouter<S> {
    let mut names = Vec::new();
    for operation in taken {
        names.push(operation.method.as_str());
        names.extend(operation.supports_head().then_some("HEAD"));
    }
    let allowed = HeaderValue::from_str(&names.join(", ")).expect("method names are valid header text");
    let refuse = move || async move { ([(header::ALLOW, allowed)], unknown_method()) };
    let methods = methods.fallback(refuse.clone());
    if names.contains(&"HEAD") { methods } else { methods.head(refuse) }
}

async fn release_not_ready() -> ApiError {
    ApiError::release_not_ready()
}

async fn unknown_path() -> ApiError {
    ApiError::new(Code::NotFound, "unknown path; /v2/openapi.yaml describes the API")
}

fn unknown_method() -> ApiError {
    ApiError::new(
        Code::MethodNotAllowed,
        "this path does not support this method; `Allow` lists the methods that it supports",
    )
}
