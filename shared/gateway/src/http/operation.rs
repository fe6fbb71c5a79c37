//! Operations: the product and the terms for each method and path.

use accounting::{AuthRequirement, Product};
use http::{Method, StatusCode};
use serde_json::Value;
use store::Family;

use super::tables::Table;
use crate::error::ApiError;

/// A method of a path, with its terms.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    /// The path, with parameters as `{name}`.
    pub path: &'static str,
    pub terms: Terms,
}

/// The terms of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub product: Product,
    /// The accepted credentials: the product's own, except on the search gateway.
    pub auth: AuthRequirement,
    /// The table in the response, which is also available as a file.
    pub table: Option<&'static Table>,
    /// The library in which the operation creates an asset, once per idempotency key.
    pub(super) creates: Option<Family>,
    /// Whether pages from any origin may call the operation. The handler decides which pages may read the
    /// response.
    pub(super) is_for_pages: bool,
    pub(super) error_shape: Option<ErrorShape>,
}

/// A function that returns an error's status and body, or `None` for an error that uses the envelope.
pub(super) type ErrorShape = fn(&ApiError) -> Option<(StatusCode, Value)>;

impl Operation {
    /// Returns whether the operation handles a request method.
    pub(super) fn takes(&self, method: &Method) -> bool {
        self.method == *method || (*method == Method::HEAD && self.takes_head())
    }

    /// Returns whether the operation supports `HEAD`. Only free `GET` operations do: others would charge for
    /// a response without a body.
    pub(super) fn takes_head(&self) -> bool {
        self.method == Method::GET && self.terms.product.credits() == 0
    }
}

impl Terms {
    /// Creates the terms of a product with its own accepted credentials.
    pub fn of(product: Product) -> Self {
        let auth = product.auth();
        Self { product, auth, table: None, creates: None, is_for_pages: false, error_shape: None }
    }

    /// Also serves the table in the response as a file.
    pub fn with_table(self, table: &'static Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Accepts only API keys in `apikey`, like the search gateway, regardless of the credentials that the
    /// product accepts elsewhere.
    pub fn with_search_key(self) -> Self {
        Self { auth: AuthRequirement::SearchKey, ..self }
    }

    /// Creates only one asset for each `Idempotency-Key`.
    pub fn creating(self, family: Family) -> Self {
        Self { creates: Some(family), ..self }
    }

    /// Admits pages from any origin. The handler decides which pages may read the response.
    pub fn for_pages(self) -> Self {
        Self { is_for_pages: true, ..self }
    }

    /// Sets the function that writes errors. Errors for which it returns `None` use the envelope.
    pub fn with_errors(self, shape: ErrorShape) -> Self {
        Self { error_shape: Some(shape), ..self }
    }
}

impl From<Product> for Terms {
    fn from(product: Product) -> Self {
        Self::of(product)
    }
}
