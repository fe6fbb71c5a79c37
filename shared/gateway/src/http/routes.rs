//! Routes, each with the product that it sells.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounting::{Audience, Product};
use axum::Router;
use axum::handler::Handler;
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::MethodRouter;
use http::{HeaderValue, Method, StatusCode, header};
use serde::Serialize;
use store::Family;

use super::admission_middleware::{AdmissionMiddleware, Terms, admit};
use super::code::Code;
use super::cors::{PortalPages, admit_portal_pages};
use super::error::ApiError;
use super::request_middleware::{ErrorBody, RequestMiddleware, RoutePattern, answer};
use super::tables::Table;
use crate::app::App;

/// One method of one path, and what it sells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub method: Method,
    /// The path, with `{name}` for its parameters.
    pub path: &'static str,
    pub product: Product,
    /// Whose credentials it takes: the product's audience, except on the search gateway.
    pub audience: Audience,
    /// The table in its answer, which it serves as files too.
    pub table: Option<&'static Table>,
}

/// A list of routes, none of which can be without a product.
pub struct Routes<S> {
    app: App,
    operations: Vec<Operation>,
    paths: BTreeMap<&'static str, MethodRouter<S>>,
    /// Those that the pages of other origins than the portal's read.
    paths_of_pages: BTreeMap<&'static str, MethodRouter<S>>,
    /// Paths of other hosts, at which there is nothing here, and where to go.
    elsewhere: Vec<(&'static str, &'static str)>,
    error_bodies: BTreeMap<&'static str, ErrorBody>,
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Starts a list.
    pub fn new(app: &App) -> Self {
        Self {
            app: app.clone(),
            operations: Vec::new(),
            paths: BTreeMap::new(),
            paths_of_pages: BTreeMap::new(),
            elsewhere: Vec::new(),
            error_bodies: BTreeMap::new(),
        }
    }

    /// Adds a `GET`.
    pub fn get<T: 'static>(
        self,
        path: &'static str,
        terms: impl Into<Terms>,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(terms, Method::GET, path, axum::routing::get(handler))
    }

    /// Adds a `GET` that pages of any origin may call: its handler says which of them may read the answer.
    pub fn get_for_pages<T: 'static>(
        self,
        path: &'static str,
        product: Product,
        handler: impl Handler<T, S>,
    ) -> Self {
        let (operation, route) =
            self.admitted(Terms::of(product), Method::GET, path, axum::routing::get(handler));
        let mut routes = self;
        routes.paths_of_pages.insert(path, route);
        routes.operations.push(operation);
        routes
    }

    /// Adds a `POST`.
    pub fn post<T: 'static>(
        self,
        path: &'static str,
        terms: impl Into<Terms>,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(terms, Method::POST, path, axum::routing::post(handler))
    }

    /// Adds the `POST` that creates an asset: once for each `Idempotency-Key`, when a call has one.
    pub fn post_once<T: 'static>(
        self,
        path: &'static str,
        product: Product,
        family: Family,
        handler: impl Handler<T, S>,
    ) -> Self {
        let terms = Terms { creates: Some(family), ..Terms::of(product) };
        self.add(terms, Method::POST, path, axum::routing::post(handler))
    }

    /// Adds a `POST` of the search gateway that takes API keys alone, in `apikey`, whoever else may call the
    /// product.
    pub fn search_post<T: 'static>(
        self,
        path: &'static str,
        terms: impl Into<Terms>,
        handler: impl Handler<T, S>,
    ) -> Self {
        let terms = Terms { audience: Audience::SearchKey, ..terms.into() };
        self.add(terms, Method::POST, path, axum::routing::post(handler))
    }

    /// Adds a `PATCH`.
    pub fn patch<T: 'static>(
        self,
        path: &'static str,
        product: Product,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(product, Method::PATCH, path, axum::routing::patch(handler))
    }

    /// Adds a `DELETE`.
    pub fn delete<T: 'static>(
        self,
        path: &'static str,
        product: Product,
        handler: impl Handler<T, S>,
    ) -> Self {
        self.add(product, Method::DELETE, path, axum::routing::delete(handler))
    }

    /// Says of a path at which there is nothing where that is which callers look for here.
    pub fn elsewhere(mut self, path: &'static str, way: &'static str) -> Self {
        self.elsewhere.push((path, way));
        self
    }

    /// Shows the errors of a path in shapes and with statuses of their own, and those in the envelope that
    /// `shape` has none for. The path is one without parameters.
    ///
    /// # Panics
    ///
    /// When an error's shape cannot be JSON; one of texts and numbers always can.
    pub fn errors_as<T: Serialize + 'static>(
        mut self,
        path: &'static str,
        shape: fn(&ApiError) -> Option<(StatusCode, T)>,
    ) -> Self {
        let body: ErrorBody = Arc::new(move |error| {
            let (status, shaped) = shape(error)?;
            Some((status, serde_json::to_vec(&shaped).expect("texts and numbers are written into memory")))
        });
        self.error_bodies.insert(path, body);
        self
    }

    /// Returns all operations of the list.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Makes the router. Whatever it does not know gets the envelope too.
    pub fn into_router(self, state: S) -> Router {
        let Self { app, operations, paths, paths_of_pages, elsewhere, error_bodies } = self;
        let answered = |router: Router<S>, varies_by| {
            let middleware =
                RequestMiddleware { app: app.clone(), error_bodies: error_bodies.clone(), varies_by };
            router.with_state(state.clone()).layer(from_fn_with_state(middleware, answer))
        };
        let known = elsewhere.into_iter().fold(router_of(paths, &operations), |router, (path, way)| {
            router.route(path, axum::routing::any(async move || ApiError::new(Code::NotFound, way)))
        });
        let known = known.fallback(unknown_path);
        let pages = PortalPages::at(&app.config.portal_origins);
        let known = answered(known, "accept, accept-encoding");
        let known = known.layer(from_fn_with_state(pages, admit_portal_pages));
        // Their handlers say which pages may read them; the portal's list does not count.
        known.merge(answered(router_of(paths_of_pages, &operations), "origin, accept-encoding"))
    }

    fn add(
        mut self,
        terms: impl Into<Terms>,
        method: Method,
        path: &'static str,
        route: MethodRouter<S>,
    ) -> Self {
        let (operation, route) = self.admitted(terms.into(), method, path, route);
        let others = self.paths.remove(path).unwrap_or_default();
        self.paths.insert(path, others.merge(route));
        self.operations.push(operation);
        self
    }

    fn admitted(
        &self,
        terms: Terms,
        method: Method,
        path: &'static str,
        route: MethodRouter<S>,
    ) -> (Operation, MethodRouter<S>) {
        let Terms { product, audience, table, creates: _ } = terms;
        let middleware = AdmissionMiddleware { app: self.app.clone(), terms };
        (
            Operation { method, path, product, audience, table },
            route.route_layer(from_fn_with_state(middleware, admit)),
        )
    }
}

fn router_of<S: Clone + Send + Sync + 'static>(
    paths: BTreeMap<&'static str, MethodRouter<S>>,
    operations: &[Operation],
) -> Router<S> {
    paths.into_iter().fold(Router::new(), |router, (path, methods)| {
        let taken = operations.iter().filter(|operation| operation.path == path);
        let named = map_response(async move |mut response: Response| {
            response.extensions_mut().insert(RoutePattern(path));
            response
        });
        router.route(path, refusing_others(methods, taken).layer(named))
    })
}

/// Refuses the methods that a path does not take. `HEAD` is taken where `GET` is free: axum would answer it
/// everywhere, and charge for an answer of which nothing is seen.
fn refusing_others<'a, S: Clone + Send + Sync + 'static>(
    methods: MethodRouter<S>,
    taken: impl Iterator<Item = &'a Operation>,
) -> MethodRouter<S> {
    let mut names = Vec::new();
    for operation in taken {
        names.push(operation.method.as_str());
        if operation.method == Method::GET && operation.product.credits() == 0 {
            names.push("HEAD");
        }
    }
    let allowed = HeaderValue::from_str(&names.join(", ")).expect("methods are tokens");
    let refuse = move || async move { ([(header::ALLOW, allowed)], unknown_method()) };
    let methods = methods.fallback(refuse.clone());
    if names.contains(&"HEAD") { methods } else { methods.head(refuse) }
}

async fn unknown_path() -> ApiError {
    ApiError::new(
        Code::NotFound,
        "there is nothing at this path; the interface is described at /v2/openapi.yaml",
    )
}

fn unknown_method() -> ApiError {
    ApiError::new(
        Code::MethodNotAllowed,
        "this path does not take this method; `Allow` lists those that it takes",
    )
}
